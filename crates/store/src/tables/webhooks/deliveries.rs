//! `deliveries`: an event for a subscription, a row each, and the queue of what is to be sent.
//!
//! Each subscription has a queue ([`queues_of`], [`heads_of`], [`lease`]) of the deliveries that are ready (`ready_at`); no statement counts or passes over
//! others. A delivery that waits for its next attempt, or for the end of its lease, has a timer (`timer_at`), and one index of all timers
//! tells which are due ([`due_timers`], [`make_ready`]). A worker's lease is an id in the row; without it nothing that the worker reports counts.

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{Error, EventId, LeaseId, RequestId, Result, SubscriptionId, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::listed;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// The primary key of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryKey {
    /// The tenant.
    pub tenant: TenantId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The event.
    pub event_id: EventId,
}

/// The queue of a subscription that has deliveries ready and may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQueue {
    /// The tenant.
    pub tenant: TenantId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The URL of the receiver.
    pub url: String,
    /// The signing secrets, sealed.
    pub secrets: Vec<u8>,
}

/// A delivery that a worker has just leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    /// The event.
    pub event_id: EventId,
    /// How many attempts have failed since the delivery was last queued or resent.
    pub tries: i64,
    /// How many attempts there were in all.
    pub attempts: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// The request that queued it last, if one did.
    pub request_id: Option<RequestId>,
    /// The event's type and body; nothing if it was swept away.
    pub event: Option<(String, JsonText)>,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Waits for its next attempt, or is being attempted.
    Waiting,
    /// The receiver has accepted it.
    Delivered,
    /// Every attempt has failed.
    Failed,
}

impl Stage {
    const WAITING: &'static str = "waiting";
    const FAILED: &'static str = "failed";

    pub(super) fn stored(self) -> Option<&'static str> {
        match self {
            Stage::Waiting => Some(Stage::WAITING),
            Stage::Delivered => None,
            Stage::Failed => Some(Stage::FAILED),
        }
    }

    pub(super) fn read(text: Option<&str>) -> Result<Stage> {
        match text {
            None => Ok(Stage::Delivered),
            Some(Stage::WAITING) => Ok(Stage::Waiting),
            Some(Stage::FAILED) => Ok(Stage::Failed),
            Some(_) => Err(Error::internal("a delivery in an unknown stage")),
        }
    }
}

/// Makes a delivery for every active subscription of the tenant that wants events of that type; a query, to travel with the
/// event's own.
pub fn insert_matching(
    tenant: &TenantId,
    event_id: &EventId,
    kind: EventType,
    now: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO deliveries
            (tenant_id, subscription_id, event_id, stage, ready_at, tries, attempts, created_at, updated_at, request_id)
         SELECT tenant_id, subscription_id, $2, 'waiting', $4, 0, 0, $4, $4, $5 FROM webhook_subscriptions
         WHERE tenant_id = $1 AND active AND deleted_at IS NULL AND event_bits & $3 <> 0"
    )
    .with(values![tenant, event_id, kind.bit(), now, request_id])
}

/// Makes a delivery for one subscription; a query, to travel with others.
pub fn insert(
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    event_id: &EventId,
    now: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO deliveries
            (tenant_id, subscription_id, event_id, stage, ready_at, tries, attempts, created_at, updated_at, request_id)
         VALUES ($1, $2, $3, 'waiting', $4, 0, 0, $4, $4, $5)"
    )
    .with(values![tenant, subscription_id, event_id, now, request_id])
}

/// The queues of a tenant with something ready that may be sent; a query, to travel with others, for [`queues`].
///
/// A tenant has few subscriptions, and each is one look-up in the index, however long its queue is: with `EXISTS` PostgreSQL may read all
/// queues of the tenant instead.
pub fn queues_of(tenant: &TenantId) -> Query {
    sql!(
        "SELECT s.tenant_id AS tenant_id, s.subscription_id AS subscription_id, s.url AS url, s.secrets AS secrets
         FROM webhook_subscriptions s
         WHERE s.tenant_id = $1 AND s.active AND s.deleted_at IS NULL
           AND (SELECT d.event_id FROM deliveries d
                WHERE d.tenant_id = $1 AND d.subscription_id = s.subscription_id AND d.ready_at IS NOT NULL
                ORDER BY d.ready_at, d.event_id LIMIT 1) IS NOT NULL
           AND NOT EXISTS (SELECT t.tenant_id FROM tenants t WHERE t.tenant_id = $1 AND t.suspended_at IS NOT NULL)
         ORDER BY s.subscription_id"
    )
    .with(values![tenant])
}

/// The queues in the rows of [`queues_of`].
pub fn queues(rows: &[Row]) -> Result<Vec<DeliveryQueue>> {
    let read = |row: &Row| {
        Ok(DeliveryQueue {
            tenant: row.take("tenant_id")?,
            subscription_id: row.take("subscription_id")?,
            url: row.take("url")?,
            secrets: row.take("secrets")?,
        })
    };
    rows.iter().map(read).collect()
}

/// The deliveries that have been ready longest in a queue, up to `limit`, locked until the transaction ends; a query, to travel with others,
/// for [`heads`].
pub fn heads_of(queue: &DeliveryQueue, limit: i64) -> Query {
    sql!(
        "SELECT event_id FROM deliveries
         WHERE tenant_id = $1 AND subscription_id = $2 AND ready_at IS NOT NULL
         ORDER BY ready_at, event_id LIMIT $3 {skip_locked}"
    )
    .with(values![&queue.tenant, &queue.subscription_id, limit])
}

/// The deliveries in the rows of [`heads_of`], by their events.
pub fn heads(rows: &[Row]) -> Result<Vec<EventId>> {
    rows.iter().map(|row| row.take("event_id")).collect()
}

// What changes deliveries names each by its whole primary key. In a statement for many, whose keys are listed or joined, PostgreSQL may read
// everything that the tenant has, which seems cheap while the table is small.

/// Leases to a worker a delivery that [`heads_of`] has found, and returns it with its event; a query, to travel with others, for [`leased`].
pub fn lease(queue: &DeliveryQueue, event_id: &EventId, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE deliveries SET ready_at = NULL, timer_at = $5, lease_id = $4
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3
         RETURNING event_id, tries, attempts, created_at, request_id,
            (SELECT e.type FROM events e WHERE e.tenant_id = $1 AND e.event_id = $3) AS type,
            (SELECT e.body FROM events e WHERE e.tenant_id = $1 AND e.event_id = $3) AS body"
    )
    .with(values![&queue.tenant, &queue.subscription_id, event_id, lease, until])
}

/// The delivery in the row of [`lease`].
pub fn leased(rows: &[Row]) -> Result<Option<Leased>> {
    let read = |row: &Row| {
        let event_id: EventId = row.take("event_id")?;
        let (kind, body): (Option<String>, Option<JsonText>) = (row.take("type")?, row.take("body")?);
        Ok(Leased {
            event: kind.zip(body),
            event_id,
            tries: row.take("tries")?,
            attempts: row.take("attempts")?,
            created_at: row.take("created_at")?,
            request_id: row.take("request_id")?,
        })
    };
    rows.first().map(read).transpose()
}

/// Up to `limit` deliveries whose timers are due, the longest first; a query, to travel with others, for [`keys`].
pub fn due_timers(now: Timestamp, limit: i64) -> Query {
    // across tenants: time passes for all of them
    sql!(
        "SELECT tenant_id, subscription_id, event_id FROM deliveries WHERE timer_at <= $1
         ORDER BY timer_at, tenant_id, subscription_id, event_id LIMIT $2"
    )
    .with(values![now, limit])
}

/// Those of one tenant; a query, to travel with others, for [`keys`].
pub fn due_timers_of(tenant: &TenantId, now: Timestamp, limit: i64) -> Query {
    sql!(
        "SELECT tenant_id, subscription_id, event_id FROM deliveries WHERE tenant_id = $1 AND timer_at <= $2
         ORDER BY timer_at, subscription_id, event_id LIMIT $3"
    )
    .with(values![tenant, now, limit])
}

/// The deliveries in the rows of [`due_timers`] and [`due_timers_of`].
pub fn keys(rows: &[Row]) -> Result<Vec<DeliveryKey>> {
    let read = |row: &Row| {
        Ok(DeliveryKey {
            tenant: row.take("tenant_id")?,
            subscription_id: row.take("subscription_id")?,
            event_id: row.take("event_id")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Makes a delivery ready if its timer is still due; a query, to travel with others.
pub fn make_ready(key: &DeliveryKey, now: Timestamp) -> Query {
    sql!(
        "UPDATE deliveries SET ready_at = timer_at, timer_at = NULL, lease_id = NULL
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND timer_at <= $4"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, now])
}

/// When the next timer is due; a query, to travel with others, for [`timer`].
pub fn next_timer() -> Query {
    // across tenants: time passes for all of them
    sql!("SELECT MIN(timer_at) AS timer_at FROM deliveries WHERE timer_at IS NOT NULL").with(vec![])
}

/// When the next timer of one tenant is due; a query, to travel with others, for [`timer`].
pub fn next_timer_of(tenant: &TenantId) -> Query {
    sql!("SELECT MIN(timer_at) AS timer_at FROM deliveries WHERE tenant_id = $1 AND timer_at IS NOT NULL")
        .with(values![tenant])
}

/// The time in the row of [`next_timer`] and [`next_timer_of`].
pub fn timer(rows: &[Row]) -> Result<Option<Timestamp>> {
    rows.first().map_or(Ok(None), |row| row.get("timer_at"))
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptOutcome<'a> {
    /// The delivery.
    pub key: &'a DeliveryKey,
    /// The lease under which it was made.
    pub lease: &'a LeaseId,
    /// The new state of the delivery.
    pub stage: Stage,
    /// When the next attempt is due.
    pub retry_at: Option<Timestamp>,
    /// How many attempts have failed since the delivery was last queued or resent.
    pub tries: i64,
    /// The number of this attempt.
    pub number: i64,
    /// The attempt, if it is the first.
    pub first: Option<&'a JsonText>,
}

/// Records the outcome of an attempt; a query, to travel with others. It returns a row if the lease was still valid.
pub fn end(outcome: &AttemptOutcome<'_>, now: Timestamp) -> Query {
    let DeliveryKey { tenant, subscription_id, event_id } = outcome.key;
    sql!(
        "UPDATE deliveries SET stage = $5, timer_at = $6, lease_id = NULL, tries = $7, attempts = $8,
                first_attempt = COALESCE(first_attempt, $9), updated_at = $10
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND lease_id = $4
         RETURNING event_id"
    )
    .with(values![
        tenant,
        subscription_id,
        event_id,
        outcome.lease,
        outcome.stage.stored(),
        outcome.retry_at,
        outcome.tries,
        outcome.number,
        outcome.first,
        now,
    ])
}

/// Hands a delivery back that was not attempted; a query, to travel with others.
pub fn release(key: &DeliveryKey, lease: &LeaseId, now: Timestamp) -> Query {
    sql!(
        "UPDATE deliveries SET ready_at = $5, timer_at = NULL, lease_id = NULL
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND lease_id = $4"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, lease, now])
}

/// Makes a delivery ready again, with its whole retry schedule, unless it is leased.
pub fn resend(key: &DeliveryKey, now: Timestamp, request_id: Option<&RequestId>) -> Query {
    sql!(
        "UPDATE deliveries SET stage = 'waiting', ready_at = $4, timer_at = NULL, tries = 0, updated_at = $4,
                request_id = $5
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND lease_id IS NULL"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, now, request_id])
}

/// Makes up to `limit` failed deliveries ready again, oldest first, of events whose id is not below `from`.
pub fn resend_failed(
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    from: &EventId,
    (now, request_id): (Timestamp, Option<&RequestId>),
    limit: i64,
) -> Query {
    sql!(
        "UPDATE deliveries SET stage = 'waiting', ready_at = $4, tries = 0, updated_at = $4, request_id = $6
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id IN (
            SELECT event_id FROM deliveries
            WHERE tenant_id = $1 AND subscription_id = $2 AND stage IS NOT NULL AND stage = 'failed'
                AND event_id >= $3
            ORDER BY event_id LIMIT $5)"
    )
    .with(values![tenant, subscription_id, from, now, limit, request_id])
}

/// How many deliveries of a queue are ready, counted up to `most`, and since when the first of them is; a query, to travel with others, for
/// [`depth`].
pub fn count_ready(queue: &DeliveryQueue, most: i64) -> Query {
    sql!(
        "SELECT COUNT(*) AS total, MIN(ready_at) AS ready_at FROM (
            SELECT ready_at FROM deliveries
            WHERE tenant_id = $1 AND subscription_id = $2 AND ready_at IS NOT NULL
            ORDER BY ready_at, event_id LIMIT $3) ready"
    )
    .with(values![&queue.tenant, &queue.subscription_id, most])
}

/// The count and the time in the row of [`count_ready`].
pub fn depth(rows: &[Row]) -> Result<(u64, Option<Timestamp>)> {
    rows.first().map_or(Ok((0, None)), |row| Ok((row.get("total")?, row.get("ready_at")?)))
}

/// The oldest deliveries of a subscription of events below `before`, up to `limit`; of all, if it is nothing.
pub fn oldest(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    before: Option<&EventId>,
    limit: i64,
) -> Result<Vec<EventId>> {
    let select = sql!("SELECT event_id FROM deliveries WHERE tenant_id = $1 AND subscription_id = $2");
    let mut select = select.with(values![tenant, subscription_id]);
    if let Some(before) = before {
        select = select.and(sql!("AND event_id < $1"), values![before]);
    }
    let select = select.and(sql!("ORDER BY event_id LIMIT $1"), values![limit]);
    tx.all(select)?.iter().map(|row| row.take("event_id")).collect()
}

/// Removes deliveries with their attempts, at least one.
pub fn remove(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    events: &[EventId],
) -> Result<()> {
    let of_deliveries =
        sql!("DELETE FROM deliveries WHERE tenant_id = $1 AND subscription_id = $2 AND event_id IN (");
    let of_attempts =
        sql!("DELETE FROM delivery_attempts WHERE tenant_id = $1 AND subscription_id = $2 AND event_id IN (");
    for delete in [of_deliveries, of_attempts] {
        let delete = listed(delete.with(values![tenant, subscription_id]), events.iter().map(Value::from));
        tx.run(delete.and(sql!(")"), vec![]))?;
    }
    Ok(())
}
