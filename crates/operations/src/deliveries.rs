//! Deliveries on their way: claimed by a worker under a lease, and ended by what came of the attempt.
//!
//! They are made with their events (`outbox`). A claim takes the heads of lanes, a lane for each subscription: tenants have equal
//! shares of the worker's hands, and within a tenant its lanes, however much waits in one. How many hands a lane may have is the worker's to
//! say. A worker whose lease has ended changes nothing any more; its delivery becomes ready again by itself, so that an event may arrive
//! twice but is never lost.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::{Attempt, Secrets, Stopped, schedule};
use pagesmith_model::{LeaseId, Result, SubscriptionId, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::deliveries::{self, DeliveryKey, Ended, Lane, Leased, Stage};
use pagesmith_store::tables::{delivery_attempts, webhook_subscriptions};

use crate::webhook_subscriptions::bound_to;
use crate::world::Context;

/// How long a worker may take from a claim to its word; an attempt itself takes at most fifteen seconds.
pub const LEASE: Duration = Duration::from_secs(45);
/// How many deliveries one claim makes ready at most.
const RIPENED: i64 = 1_000;
/// How many lanes a claim looks at.
const LANES: usize = 64;
/// Statements that travel together.
const TOGETHER: usize = 16;
/// Deliveries that one statement ends.
const ROWS: usize = 64;

/// A lane: a tenant's subscription.
pub type LaneKey = (TenantId, SubscriptionId);

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
}

/// How many deliveries a worker can take.
#[derive(Debug, Clone, Default)]
pub struct Hands {
    /// In all.
    pub free: usize,
    /// For a lane that is not named below.
    pub per_lane: usize,
    /// For lanes that have some already, or that are slowed.
    pub lanes: HashMap<LaneKey, usize>,
}

impl Hands {
    /// For this lane.
    pub fn room(&self, lane: &LaneKey) -> usize {
        self.lanes.get(lane).copied().unwrap_or(self.per_lane)
    }
}

/// Where a worker is in its walk along the lanes; a new one begins at the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    tenant: String,
    subscription_id: String,
}

/// What a claim found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claimed {
    /// What the worker has now.
    pub due: Vec<Due>,
    /// Where the next claim goes on.
    pub turn: Turn,
    /// Whether there may be more for the hands that are still free.
    pub is_more: bool,
    /// When something becomes ready by itself.
    pub next_at: Option<Timestamp>,
    /// Subscriptions whose secrets the server's key does not open, so that nothing can be signed for them.
    pub sealed: Vec<LaneKey>,
}

/// Gives a worker what it can take.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn, hands: &Hands) -> Result<Claimed> {
    let (lanes, place, is_cut, next_timer) = look(tx, ctx, turn)?;
    let mut claimed = Claimed { turn: place, ..Claimed::default() };
    let mut open: BTreeMap<TenantId, Vec<(Lane, Secrets)>> = BTreeMap::new();
    let keys = ctx.secret()?;
    for lane in lanes.into_iter().filter(|lane| lane.is_open) {
        match Secrets::open(&keys, &bound_to(&lane.tenant, &lane.subscription_id), &lane.secrets) {
            Some(secrets) => open.entry(lane.tenant.clone()).or_default().push((lane, secrets)),
            None => claimed.sealed.push((lane.tenant, lane.subscription_id)),
        }
    }
    let shares = shares(open.into_values().collect(), hands, u32::from_le_bytes(ctx.random()?));
    for part in shares.chunks(TOGETHER) {
        let (mut queries, mut leases) = (Vec::new(), Vec::new());
        for (lane, _, share) in part {
            let lease = LeaseId::mint(ctx.uuid()?);
            let limit = i64::try_from(*share).unwrap_or(i64::MAX);
            queries.push(deliveries::lease(lane, &lease, ctx.now.plus(LEASE), limit));
            leases.push(lease);
        }
        let answers = tx.batch(queries)?;
        for (((lane, secrets, _), lease), rows) in part.iter().zip(leases).zip(answers) {
            let leased = deliveries::leased(&rows)?;
            claimed.due.extend(leased.into_iter().filter_map(|leased| due(lane, secrets, &lease, leased)));
        }
    }
    if claimed.due.len() < hands.free {
        // What is ripe and was not made ready is for the next claim.
        claimed.is_more = is_cut || next_timer.is_some_and(|at| at <= ctx.now);
        let lease_ends_at = (!claimed.due.is_empty()).then(|| ctx.now.plus(LEASE));
        claimed.next_at = next_timer.into_iter().chain(lease_ends_at).min();
    }
    Ok(claimed)
}

/// Makes ready what is ripe. The lanes behind a place and, if these are few, those before it; with the next place, whether there are
/// more, and when something becomes ready by itself.
fn look(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn) -> Result<(Vec<Lane>, Turn, bool, Option<Timestamp>)> {
    let limit = i64::try_from(LANES).unwrap_or(i64::MAX);
    let mut answers = tx.batch(vec![
        deliveries::ripen(ctx.now, RIPENED),
        deliveries::next_timer(),
        deliveries::lanes_behind((&turn.tenant, &turn.subscription_id), limit),
    ])?;
    let mut lanes = deliveries::lanes(&answers.pop().unwrap_or_default())?;
    let next_timer = deliveries::timer(&answers.pop().unwrap_or_default())?;
    let is_cut = lanes.len() >= LANES;
    if !is_cut && *turn != Turn::default() {
        let place = (turn.tenant.as_str(), turn.subscription_id.as_str());
        let before = deliveries::lanes(&tx.all(deliveries::lanes_behind(("", ""), limit))?)?;
        lanes.extend(
            before.into_iter().filter(|lane| (lane.tenant.as_str(), lane.subscription_id.as_str()) <= place),
        );
    }
    let last = lanes.last().filter(|_| is_cut);
    let turn = last.map_or_else(Turn::default, |last| Turn {
        tenant: last.tenant.to_string(),
        subscription_id: last.subscription_id.to_string(),
    });
    Ok((lanes, turn, is_cut, next_timer))
}

/// Shares hands out one by one: to each tenant in turn, and within it to each lane in turn. Chance says who is first.
fn shares(mut tenants: Vec<Vec<(Lane, Secrets)>>, hands: &Hands, chance: u32) -> Vec<(Lane, Secrets, usize)> {
    let first = |length: usize| usize::try_from(chance).unwrap_or_default() % length.max(1);
    let at = first(tenants.len());
    tenants.rotate_left(at);
    let mut rows: Vec<Vec<(Lane, Secrets, usize, usize)>> = Vec::new();
    for mut lanes in tenants {
        let at = first(lanes.len());
        lanes.rotate_left(at);
        let with_room = lanes.into_iter().map(|(lane, secrets)| {
            let room = hands.room(&(lane.tenant.clone(), lane.subscription_id.clone()));
            (lane, secrets, room, 0)
        });
        rows.push(with_room.filter(|(_, _, room, _)| *room > 0).collect());
    }
    let (mut left, mut turn) = (hands.free, 0);
    while left > 0 {
        let before = left;
        for lanes in &mut rows {
            // Each tenant's next lane that has room; one hand.
            let length = lanes.len();
            let next = (0..length).map(|step| (turn + step) % length).find(|at| lanes[*at].3 < lanes[*at].2);
            if let Some(at) = next.filter(|_| left > 0) {
                lanes[at].3 += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
        turn += 1;
    }
    let given = rows.into_iter().flatten().filter(|(_, _, _, share)| *share > 0);
    given.map(|(lane, secrets, _, share)| (lane, secrets, share)).collect()
}

/// What is to be attempted; nothing without an event, which is swept away after its deliveries.
fn due(lane: &Lane, secrets: &Secrets, lease: &LeaseId, leased: Leased) -> Option<Due> {
    let event = leased.event?;
    Some(Due {
        key: DeliveryKey {
            tenant: lane.tenant.clone(),
            subscription_id: lane.subscription_id.clone(),
            event_id: leased.event_id,
        },
        lease: lease.clone(),
        url: lane.url.clone(),
        secrets: secrets.clone(),
        kind: event.kind,
        body: event.body,
        number: leased.attempts + 1,
        tries: leased.tries,
        created_at: leased.created_at,
    })
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// The delivery.
    pub key: DeliveryKey,
    /// The worker's lease.
    pub lease: LeaseId,
    /// The attempt's number, as [`Due`] told it.
    pub number: i64,
    /// How many attempts of the round had failed before, as [`Due`] told it.
    pub tries: i64,
    /// What happened.
    pub attempt: Attempt,
    /// How long the receiver asked to be left alone.
    pub retry_after: Option<Duration>,
}

/// What became of a worker's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// How many count.
    pub kept: usize,
    /// How many came too late: the lease had ended.
    pub lost: usize,
    /// Subscriptions that were deactivated.
    pub stopped: Vec<(LaneKey, Stopped)>,
}

type LaneRef<'a> = (&'a TenantId, &'a SubscriptionId);

/// What a lane's attempts of one record say about its receiver.
#[derive(Default)]
struct Fared {
    has_succeeded: bool,
    has_failed: bool,
    is_gone: bool,
}

/// Notes what came of attempts, all in one transaction.
pub fn record(tx: &mut Tx<'_>, ctx: &Context, results: &[AttemptResult]) -> Result<Recorded> {
    let mut recorded = Recorded::default();
    let (arrived, others): (Vec<_>, Vec<_>) =
        results.iter().partition(|result| result.number == 1 && result.attempt.is_success());
    let mut lanes = record_arrived(tx, ctx, &arrived, &mut recorded)?;
    for part in others.chunks(TOGETHER) {
        let texts = part.iter().map(|result| JsonText::of(&result.attempt)).collect::<Result<Vec<_>>>()?;
        let (mut ends, mut further) = (Vec::new(), Vec::new());
        for (result, text) in part.iter().zip(&texts) {
            ends.push(deliveries::end(&ended(ctx, result, text)?, ctx.now));
        }
        for ((result, text), rows) in part.iter().zip(&texts).zip(tx.batch(ends)?) {
            if rows.is_empty() {
                recorded.lost += 1;
                continue;
            }
            recorded.kept += 1;
            if result.number > 1 {
                further.push(delivery_attempts::insert(&result.key, result.number, text));
            }
            let fared = lanes.entry((&result.key.tenant, &result.key.subscription_id)).or_default();
            fared.has_succeeded |= result.attempt.is_success();
            fared.has_failed |= !result.attempt.is_success();
            fared.is_gone |= result.attempt.is_gone();
        }
        if !further.is_empty() {
            tx.batch(further)?;
        }
    }
    let well: Vec<_> = lanes.iter().filter(|(_, fared)| fared.has_succeeded && !fared.is_gone).collect();
    for part in well.chunks(TOGETHER) {
        tx.batch(part.iter().map(|((tenant, id), _)| webhook_subscriptions::recover(tenant, id)).collect())?;
    }
    // In the order of ids, so that two workers do not wait for each other in a circle.
    for ((tenant, subscription_id), fared) in &lanes {
        if fared.is_gone || fared.has_failed && !fared.has_succeeded {
            let stopped = note_failure(tx, (tenant, subscription_id), fared.is_gone, ctx.now)?;
            recorded
                .stopped
                .extend(stopped.map(|why| (((*tenant).clone(), (*subscription_id).clone()), why)));
        }
    }
    Ok(recorded)
}

/// Notes what has arrived at once, many by one statement, and by which lanes.
fn record_arrived<'a>(
    tx: &mut Tx<'_>,
    ctx: &Context,
    arrived: &[&'a AttemptResult],
    recorded: &mut Recorded,
) -> Result<BTreeMap<LaneRef<'a>, Fared>> {
    let mut of_lanes: BTreeMap<LaneRef<'a>, Vec<_>> = BTreeMap::new();
    for result in arrived {
        let lane = of_lanes.entry((&result.key.tenant, &result.key.subscription_id)).or_default();
        lane.push((&result.key.event_id, &result.lease, JsonText::of(&result.attempt)?));
    }
    let parts: Vec<_> =
        of_lanes.iter().flat_map(|(lane, all)| all.chunks(ROWS).map(move |part| (*lane, part))).collect();
    let mut lanes: BTreeMap<LaneRef<'a>, Fared> = BTreeMap::new();
    for some in parts.chunks(TOGETHER) {
        let queries = some.iter().map(|(lane, part)| deliveries::arrive(*lane, part, ctx.now)).collect();
        for ((lane, part), rows) in some.iter().zip(tx.batch(queries)?) {
            recorded.kept += rows.len();
            recorded.lost += part.len().saturating_sub(rows.len());
            if !rows.is_empty() {
                lanes.entry(*lane).or_default().has_succeeded = true;
            }
        }
    }
    Ok(lanes)
}

fn ended<'a>(ctx: &Context, result: &'a AttemptResult, text: &'a JsonText) -> Result<Ended<'a>> {
    let is_success = result.attempt.is_success();
    let tries = result.tries + i64::from(!is_success);
    let wait = if is_success {
        None
    } else {
        let chance = u32::from_le_bytes(ctx.random()?);
        schedule::after(usize::try_from(tries).unwrap_or_default(), chance, result.retry_after)
    };
    let stage = match (is_success, wait) {
        (true, _) => Stage::Delivered,
        (false, Some(_)) => Stage::Waiting,
        (false, None) => Stage::Failed,
    };
    Ok(Ended {
        key: &result.key,
        lease: &result.lease,
        stage,
        again_at: wait.map(|wait| ctx.now.plus(wait)),
        tries,
        number: result.number,
        first: (result.number == 1).then_some(text),
    })
}

/// Notes that a receiver failed, and why its subscription is deactivated for it, if it is.
fn note_failure(
    tx: &mut Tx<'_>,
    (tenant, subscription_id): (&TenantId, &SubscriptionId),
    is_gone: bool,
    now: Timestamp,
) -> Result<Option<Stopped>> {
    let Some(health) = webhook_subscriptions::find_health(tx, tenant, subscription_id)? else {
        return Ok(None);
    };
    let verdict = health.failed(now);
    if verdict.health != health {
        webhook_subscriptions::update_health(tx, tenant, subscription_id, verdict.health)?;
    }
    let why = match (is_gone, verdict.gives_up) {
        (true, _) => Stopped::Gone,
        (false, true) => Stopped::Failing,
        (false, false) => return Ok(None),
    };
    webhook_subscriptions::stop(tx, tenant, subscription_id, why, now)?;
    Ok(Some(why))
}

/// Lets other workers take deliveries at once that this one will not attempt any more.
pub fn release(tx: &mut Tx<'_>, ctx: &Context, held: &[(DeliveryKey, LeaseId)]) -> Result<()> {
    for part in held.chunks(TOGETHER) {
        tx.batch(part.iter().map(|(key, lease)| deliveries::release(key, lease, ctx.now)).collect())?;
    }
    tx.tell();
    Ok(())
}

/// What an operator is told of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// How many deliveries are ready, at most [`DEPTH`].
    pub ready: u64,
    /// For how long the one that is ready longest has been.
    pub oldest: Duration,
}

/// How far the queue is counted: the number is for an operator, who need not know more.
pub const DEPTH: i64 = 10_000;

/// How much waits to be sent, looked for cheaply: of the lanes only the first few.
pub fn depth(tx: &mut Tx<'_>, now: Timestamp) -> Result<Depth> {
    let ready = deliveries::depth(tx, DEPTH)?;
    let mut oldest = Duration::ZERO;
    let limit = i64::try_from(LANES).unwrap_or(i64::MAX);
    let lanes = deliveries::lanes(&tx.all(deliveries::lanes_behind(("", ""), limit))?)?;
    for lane in lanes.iter().filter(|lane| lane.is_open) {
        if let Some(since) = deliveries::head(tx, lane)? {
            oldest = oldest.max(now.since(since));
        }
    }
    Ok(Depth { ready, oldest })
}
