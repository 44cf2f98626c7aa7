//! Deliveries on their way: claimed by a worker under a lease, and ended by what came of the attempt.
//!
//! They are made with their events (`outbox`). A claim takes the heads of lanes, a lane for each subscription: tenants have equal
//! shares of the worker's hands, and within a tenant its lanes, however much waits in one. How many hands a lane may have is the worker's to
//! say. What waits for a suspended tenant is not given to anybody; what a worker holds when a tenant is suspended is sent. A worker whose lease has ended changes nothing any more; its delivery becomes ready again by itself, so that an event may arrive
//! twice but is never lost.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::Secrets;
use pagesmith_model::{LeaseId, Result, SubscriptionId, TenantId, Timestamp};
use pagesmith_store::tables::deliveries::{self, DeliveryKey, Lane, Leased};
use pagesmith_store::{News, Query, Tx};

use crate::webhook_subscriptions::bound_to;
use crate::world::Context;

mod notes;

pub use notes::{AttemptResult, Recorded, record};

/// How long a worker may take from a claim to its word; an attempt itself takes at most fifteen seconds.
pub const LEASE: Duration = Duration::from_secs(45);
/// How many deliveries one claim makes ready at most.
const RIPENED: i64 = 1_000;
/// How many lanes a claim looks at.
const LANES: usize = 64;
/// Statements that travel together.
const TOGETHER: usize = 16;

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
    let Sight { lanes, turn, is_cut, next_timer } = look(tx, ctx, turn)?;
    let mut claimed = Claimed { turn, ..Claimed::default() };
    let mut open: BTreeMap<TenantId, Vec<(Lane, Secrets)>> = BTreeMap::new();
    let keys = ctx.secret()?;
    for lane in lanes.into_iter().filter(|lane| lane.is_open) {
        match Secrets::open(&keys, &bound_to(&lane.tenant, &lane.subscription_id), &lane.secrets) {
            Some(secrets) => open.entry(lane.tenant.clone()).or_default().push((lane, secrets)),
            None => claimed.sealed.push((lane.tenant, lane.subscription_id)),
        }
    }
    let shares = shares(open.into_values().collect(), hands, u32::from_le_bytes(ctx.random()?));
    let mut is_short = false;
    for part in shares.chunks(TOGETHER) {
        let (mut queries, mut leases) = (Vec::new(), Vec::new());
        for (lane, _, share) in part {
            let lease = LeaseId::mint(ctx.uuid()?);
            let limit = i64::try_from(*share).unwrap_or(i64::MAX);
            queries.push(deliveries::lease(lane, &lease, ctx.now.plus(LEASE), limit));
            leases.push(lease);
        }
        let answers = tx.batch(queries)?;
        for (((lane, secrets, share), lease), rows) in part.iter().zip(leases).zip(answers) {
            let leased = deliveries::leased(&rows)?;
            // A lane that has used all of its share could use what others have left of theirs.
            is_short |= leased.len() == *share && *share < hands.room(&lane_key(lane));
            claimed.due.extend(leased.into_iter().filter_map(|leased| due(lane, secrets, &lease, leased)));
        }
    }
    if claimed.due.len() < hands.free {
        // What is ripe and was not made ready is for the next claim.
        claimed.is_more = is_cut || is_short || next_timer.is_some_and(|at| at <= ctx.now);
        let lease_ends_at = (!claimed.due.is_empty()).then(|| ctx.now.plus(LEASE));
        claimed.next_at = next_timer.into_iter().chain(lease_ends_at).min();
    }
    Ok(claimed)
}

fn lane_key(lane: &Lane) -> LaneKey {
    (lane.tenant.clone(), lane.subscription_id.clone())
}

/// What a claim looks at.
struct Sight {
    /// The lanes behind a place and, if these are few, those before it.
    lanes: Vec<Lane>,
    /// The next place.
    turn: Turn,
    /// Whether there are more lanes.
    is_cut: bool,
    /// When the next delivery becomes ready by itself.
    next_timer: Option<Timestamp>,
}

/// Makes ready what is ripe, and looks.
fn look(tx: &mut Tx<'_>, ctx: &Context, turn: &Turn) -> Result<Sight> {
    let mut answers = tx.batch(vec![
        deliveries::ripen(ctx.now, RIPENED),
        deliveries::next_timer(),
        lanes_behind((&turn.tenant, &turn.subscription_id)),
    ])?;
    let mut lanes = deliveries::lanes(&answers.pop().unwrap_or_default())?;
    let next_timer = deliveries::timer(&answers.pop().unwrap_or_default())?;
    let is_cut = lanes.len() >= LANES;
    if !is_cut && *turn != Turn::default() {
        let place = (turn.tenant.as_str(), turn.subscription_id.as_str());
        let before = first_lanes(tx)?;
        lanes.extend(
            before.into_iter().filter(|lane| (lane.tenant.as_str(), lane.subscription_id.as_str()) <= place),
        );
    }
    let last = lanes.last().filter(|_| is_cut);
    let turn = last.map_or_else(Turn::default, |last| Turn {
        tenant: last.tenant.to_string(),
        subscription_id: last.subscription_id.to_string(),
    });
    Ok(Sight { lanes, turn, is_cut, next_timer })
}

/// As many lanes behind a place as one claim looks at.
fn lanes_behind(place: (&str, &str)) -> Query {
    deliveries::lanes_behind(place, i64::try_from(LANES).unwrap_or(i64::MAX))
}

fn first_lanes(tx: &mut Tx<'_>) -> Result<Vec<Lane>> {
    deliveries::lanes(&tx.all(lanes_behind(("", "")))?)
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
            let room = hands.room(&lane_key(&lane));
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

/// Lets other workers take deliveries at once that this one will not attempt any more.
pub fn release(tx: &mut Tx<'_>, ctx: &Context, held: &[(DeliveryKey, LeaseId)]) -> Result<()> {
    for part in held.chunks(TOGETHER) {
        tx.batch(part.iter().map(|(key, lease)| deliveries::release(key, lease, ctx.now)).collect())?;
    }
    tx.tell(News::Deliveries);
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
/// In how many lanes.
const COUNTED_LANES: i64 = 1_000;

/// How much waits to be sent, looked for cheaply. What is held back, because the subscription is inactive or its tenant suspended, does not
/// count.
pub fn depth(tx: &mut Tx<'_>, now: Timestamp) -> Result<Depth> {
    let lanes = deliveries::lanes(&tx.all(deliveries::lanes_behind(("", ""), COUNTED_LANES))?)?;
    let open: Vec<&Lane> = lanes.iter().filter(|lane| lane.is_open).collect();
    let mut depth = Depth::default();
    for part in open.chunks(TOGETHER) {
        let left = i64::try_from(DEPTH - depth.ready).unwrap_or(i64::MAX);
        for rows in tx.batch(part.iter().map(|lane| deliveries::count_ready(lane, left)).collect())? {
            let (ready, since) = deliveries::depth(&rows)?;
            depth.ready = (depth.ready + ready).min(DEPTH);
            depth.oldest = since.map_or(depth.oldest, |since| depth.oldest.max(now.since(since)));
        }
    }
    Ok(depth)
}
