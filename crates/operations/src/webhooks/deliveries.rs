//! Deliveries on their way: claimed by a worker under a lease, and ended by what came of the attempt.
//!
//! They are made with their events (`outbox`). A claim takes the heads of queues; each subscription has one. Tenants get equal
//! shares of the worker's capacity, and so do the queues of a tenant, however long one is. How much a queue may get is the worker's to
//! say. What waits for a suspended tenant is not given to anybody; what a worker holds when a tenant is suspended is sent. A worker whose lease has ended changes nothing any more; its delivery becomes ready again by itself, so that an event may arrive
//! twice but is never lost.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::Secrets;
use pagesmith_model::{LeaseId, RequestId, Result, SubscriptionId, TenantId, Timestamp};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::tables::webhooks::deliveries::{self, DeliveryKey, DeliveryQueue, Head};
use pagesmith_store::{Query, Tx, Wakeup};

use crate::context::Context;
use crate::pending_work::TenantWalk;
use crate::webhooks::subscriptions::bound_to;

mod notes;

pub use notes::{AttemptResult, Recorded, record};

/// How long a worker may take from a claim to its word; an attempt itself takes at most fifteen seconds.
pub const LEASE: Duration = Duration::from_secs(45);
/// How far ahead a claim looks for what becomes ready by itself: a worker has claimed again by then.
pub const SOON: Duration = Duration::from_secs(1);
/// How many deliveries one claim makes ready at most.
const MADE_DUE: i64 = 1_000;
/// How many tenants a claim looks at.
const TENANTS: usize = 64;
/// With how many queues it is content; the last tenant's are read whole.
const QUEUES: usize = 64;
/// The queues of how many tenants it reads at once.
const READ_AT_ONCE: usize = 16;

/// The name of a queue: a tenant's subscription.
pub type QueueKey = (TenantId, SubscriptionId);

/// A delivery that a worker may attempt as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// What it is.
    pub key: DeliveryKey,
    /// The worker's lease.
    pub lease: LeaseId,
    /// Where it goes.
    pub url: String,
    /// What it is signed with.
    pub secrets: Secrets,
    /// The event's type.
    pub kind: String,
    /// The bytes to send.
    pub body: JsonText,
    /// The number of the coming attempt.
    pub number: i64,
    /// How many attempts of the present round have failed.
    pub tries: i64,
    /// When the delivery was made.
    pub created_at: Timestamp,
    /// The request that queued it last, if one did.
    pub request_id: Option<RequestId>,
}

/// How many deliveries a worker can take.
#[derive(Debug, Clone, Default)]
pub struct Capacity {
    /// In all.
    pub free: usize,
    /// For a queue that is not named below.
    pub per_queue: usize,
    /// For queues that have some already, or that are slowed.
    pub queues: HashMap<QueueKey, usize>,
}

impl Capacity {
    /// For this queue.
    pub fn room(&self, queue: &QueueKey) -> usize {
        self.queues.get(queue).copied().unwrap_or(self.per_queue)
    }
}

/// Where a worker is in its walk along the tenants; a new one begins at the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// The last tenant that was passed; empty before the first.
    pub tenant: String,
}

/// What a claim found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claimed {
    /// What the worker has now.
    pub due: Vec<Due>,
    /// Where the next claim goes on.
    pub turn: Turn,
    /// Whether there may be more for the capacity that is still free.
    pub is_more: bool,
    /// When something becomes ready by itself, if it does within [`SOON`].
    pub next_at: Option<Timestamp>,
    /// Subscriptions whose secrets the server's key does not open, so that nothing can be signed for them.
    pub sealed: Vec<QueueKey>,
}

/// Gives a worker what it can take.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn, capacity: &Capacity) -> Result<Claimed> {
    let scan = scan(tx, ctx, turn)?;
    lease(tx, ctx, scan, capacity)
}

/// Tenants that have something ready, or will have within [`SOON`], for a [`claim_of`] each; and a claim that has nothing yet, with where the next
/// one goes on. It locks and changes nothing.
pub fn due_tenants(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn) -> Result<(Vec<TenantId>, Claimed)> {
    let timers = deliveries::keys(&tx.all(deliveries::due_timers(soon(ctx), MADE_DUE))?)?;
    let QueueScan { queues, turn, is_cut, .. } = queues_behind(tx, turn)?;
    let of_timers = timers.into_iter().map(|key| key.tenant);
    let tenants: BTreeSet<TenantId> = queues.into_iter().map(|queue| queue.tenant).chain(of_timers).collect();
    let mut tenants: Vec<TenantId> = tenants.into_iter().collect();
    let at = first(tenants.len(), u32::from_le_bytes(ctx.random()?));
    tenants.rotate_left(at);
    Ok((tenants, Claimed { turn, is_more: is_cut, ..Claimed::default() }))
}

/// Gives a worker what it can take of one tenant's, without a look at another's.
pub fn claim_of(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId, capacity: &Capacity) -> Result<Claimed> {
    let (due, next) =
        (deliveries::due_timers_of(tenant, ctx.now, MADE_DUE), deliveries::next_timer_of(tenant, soon(ctx)));
    let next_timer = make_due(tx, ctx, due, next)?;
    let queues = deliveries::queues(&tx.all(deliveries::queues_of(tenant))?)?;
    let turn = Turn { tenant: tenant.to_string() };
    lease(tx, ctx, QueueScan { queues, turn, is_cut: false, next_timer }, capacity)
}

/// Leases what the worker can take of these queues.
fn lease(tx: &mut Tx<'_>, ctx: &Context, scan: QueueScan, capacity: &Capacity) -> Result<Claimed> {
    let QueueScan { queues, turn, is_cut, next_timer } = scan;
    let mut claimed = Claimed { turn, ..Claimed::default() };
    let mut open: BTreeMap<TenantId, Vec<(DeliveryQueue, Secrets)>> = BTreeMap::new();
    let keys = ctx.secret()?;
    for queue in queues {
        match Secrets::open(&keys, &bound_to(&queue.tenant, &queue.subscription_id), &queue.secrets) {
            Some(secrets) => open.entry(queue.tenant.clone()).or_default().push((queue, secrets)),
            None => claimed.sealed.push((queue.tenant, queue.subscription_id)),
        }
    }
    let shares = shares(open.into_values().collect(), capacity, u32::from_le_bytes(ctx.random()?));
    let mut is_short = false;
    let heads = shares.iter().map(|(queue, _, share)| {
        let limit = i64::try_from(*share).unwrap_or(i64::MAX);
        deliveries::heads_of(queue, limit)
    });
    let until = ctx.now.plus(LEASE);
    for ((queue, secrets, share), rows) in shares.iter().zip(tx.batch(heads.collect())?) {
        let heads = deliveries::heads(&rows)?;
        // A queue that has used all of its share could use what others have left of theirs.
        is_short |= heads.len() == *share && *share < capacity.room(&queue_key(queue));
        let lease = LeaseId::mint(ctx.uuid()?);
        for change in deliveries::lease(tx, queue, &heads, &lease, until) {
            tx.change(vec![change])?;
        }
        claimed.due.extend(heads.into_iter().filter_map(|head| due(queue, secrets, &lease, head)));
    }
    if claimed.due.len() < capacity.free {
        // What is due and was not made ready is for the next claim.
        claimed.is_more = is_cut || is_short || next_timer.is_some_and(|at| at <= ctx.now);
        claimed.next_at = next_timer;
    }
    Ok(claimed)
}

fn soon(ctx: &Context) -> Timestamp {
    ctx.now.plus(SOON)
}

fn queue_key(queue: &DeliveryQueue) -> QueueKey {
    (queue.tenant.clone(), queue.subscription_id.clone())
}

/// What a claim looks at.
#[derive(Default)]
struct QueueScan {
    /// The queues of the tenants after a position and, if these are few, of those before it.
    queues: Vec<DeliveryQueue>,
    /// The next position.
    turn: Turn,
    /// Whether there may be more queues.
    is_cut: bool,
    /// When the next delivery becomes ready by itself, if it does within [`SOON`].
    next_timer: Option<Timestamp>,
}

/// Makes ready what is due, and reads the next queues.
fn scan(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn) -> Result<QueueScan> {
    let next_timer =
        make_due(tx, ctx, deliveries::due_timers(ctx.now, MADE_DUE), deliveries::next_timer(soon(ctx)))?;
    Ok(QueueScan { next_timer, ..queues_behind(tx, turn)? })
}

/// Reads the next queues.
fn queues_behind(tx: &mut Tx<'_>, turn: &Turn) -> Result<QueueScan> {
    let mut scan = QueueScan::default();
    let behind = scan.pass(tx, TenantWalk::from(WorkKind::Deliveries, &turn.tenant))?;
    match behind {
        Some(last) => (scan.turn, scan.is_cut) = (Turn { tenant: last.to_string() }, true),
        None => {
            scan.pass(tx, TenantWalk::up_to(WorkKind::Deliveries, &turn.tenant))?;
        }
    }
    Ok(scan)
}

/// Makes ready what `due` finds; when `next` says that the next timer is due.
fn make_due(tx: &mut Tx<'_>, ctx: &Context, due: Query, next: Query) -> Result<Option<Timestamp>> {
    let mut answers = tx.batch(vec![due, next.clone()])?;
    let keys = deliveries::keys(answers.first().map_or(&[], Vec::as_slice))?;
    if !keys.is_empty() {
        let changes = keys.iter().map(|key| deliveries::make_ready(key, ctx.now));
        answers = tx.batch(changes.chain([next]).collect())?;
    }
    deliveries::timer(answers.last().map_or(&[], Vec::as_slice))
}

impl QueueScan {
    /// Adds the queues of tenants on a walk until there are enough; the last tenant that was passed, unless it was the last of all.
    fn pass(&mut self, tx: &mut Tx<'_>, mut walk: TenantWalk) -> Result<Option<TenantId>> {
        let mut last = None;
        for _ in 0..TENANTS / READ_AT_ONCE {
            let tenants = walk.take(tx, READ_AT_ONCE)?;
            let answers = tx.batch(tenants.iter().map(deliveries::queues_of).collect())?;
            for (tenant, rows) in tenants.into_iter().zip(answers) {
                if self.queues.len() >= QUEUES {
                    return Ok(last);
                }
                self.queues.extend(deliveries::queues(&rows)?);
                last = Some(tenant);
            }
            if walk.is_at_end(tx)? {
                return Ok(None);
            }
        }
        Ok(last)
    }
}

/// Who of so many is first.
fn first(length: usize, chance: u32) -> usize {
    usize::try_from(chance).unwrap_or_default() % length.max(1)
}

/// Distributes the capacity one by one: to each tenant in turn, and within it to each queue in turn. Chance decides who is first.
fn shares(
    mut tenants: Vec<Vec<(DeliveryQueue, Secrets)>>,
    capacity: &Capacity,
    chance: u32,
) -> Vec<(DeliveryQueue, Secrets, usize)> {
    let at = first(tenants.len(), chance);
    tenants.rotate_left(at);
    let mut rows: Vec<Vec<(DeliveryQueue, Secrets, usize, usize)>> = Vec::new();
    for mut queues in tenants {
        let at = first(queues.len(), chance);
        queues.rotate_left(at);
        let with_room = queues.into_iter().map(|(queue, secrets)| {
            let room = capacity.room(&queue_key(&queue));
            (queue, secrets, room, 0)
        });
        rows.push(with_room.filter(|(_, _, room, _)| *room > 0).collect());
    }
    let (mut left, mut turn) = (capacity.free, 0);
    while left > 0 {
        let before = left;
        for queues in &mut rows {
            // Each tenant's next queue that has room gets one.
            let length = queues.len();
            let next =
                (0..length).map(|step| (turn + step) % length).find(|at| queues[*at].3 < queues[*at].2);
            if let Some(at) = next.filter(|_| left > 0) {
                queues[at].3 += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
        turn += 1;
    }
    let given = rows.into_iter().flatten().filter(|(_, _, _, share)| *share > 0);
    given.map(|(queue, secrets, _, share)| (queue, secrets, share)).collect()
}

/// What is to be attempted; nothing without an event, which is swept away after its deliveries.
fn due(queue: &DeliveryQueue, secrets: &Secrets, lease: &LeaseId, head: Head) -> Option<Due> {
    let (kind, body) = head.event?;
    Some(Due {
        key: DeliveryKey {
            tenant: queue.tenant.clone(),
            subscription_id: queue.subscription_id.clone(),
            event_id: head.event_id,
        },
        lease: lease.clone(),
        url: queue.url.clone(),
        secrets: secrets.clone(),
        kind,
        body,
        number: head.attempts + 1,
        tries: head.tries,
        created_at: head.created_at,
        request_id: head.request_id,
    })
}

/// Lets other workers take deliveries at once that this one will not attempt any more.
pub fn release(tx: &mut Tx<'_>, ctx: &Context, held: &[(DeliveryKey, LeaseId)]) -> Result<()> {
    tx.batch(held.iter().map(|(key, lease)| deliveries::release(key, lease, ctx.now)).collect())?;
    tx.wake_after_commit(Wakeup::Deliveries);
    Ok(())
}

/// What an operator is told of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// How many deliveries could be sent now, at most [`DEPTH`].
    pub ready: u64,
    /// For how long the one that is ready longest has been.
    pub oldest: Duration,
}

/// How far the queue is counted: the number is for an operator, who need not know more.
pub const DEPTH: u64 = 10_000;
/// Of how many tenants.
const COUNTED_TENANTS: usize = 1_000;

/// How much waits to be sent, looked for cheaply. What is held back, because the subscription is inactive or its tenant suspended, does not
/// count.
pub fn depth(tx: &mut Tx<'_>, now: Timestamp) -> Result<Depth> {
    let mut walk = TenantWalk::from(WorkKind::Deliveries, "");
    let mut depth = Depth::default();
    for _ in 0..COUNTED_TENANTS {
        let Some(tenant) = walk.next(tx)? else { break };
        let queues = deliveries::queues(&tx.all(deliveries::queues_of(&tenant))?)?;
        let left = i64::try_from(DEPTH - depth.ready).unwrap_or(i64::MAX);
        for rows in tx.batch(queues.iter().map(|queue| deliveries::count_ready(queue, left)).collect())? {
            let (ready, since) = deliveries::depth(&rows)?;
            depth.ready = (depth.ready + ready).min(DEPTH);
            depth.oldest = since.map_or(depth.oldest, |since| depth.oldest.max(now.since(since)));
        }
    }
    Ok(depth)
}
