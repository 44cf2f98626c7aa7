//! `deliveries`: an event for a subscription, a row each, and the queue of what is to be sent.
//!
//! Each subscription has a queue ([`queues_of`], [`heads_of`], [`lease`]) of the deliveries that are ready (`ready_at`); no statement counts or passes over
//! others. A delivery that waits for its next attempt, or for the end of its lease, has a timer (`timer_at`), and one index of all timers
//! tells which are due ([`due_timers`], [`make_ready`]). A worker's lease is an id in the row; without it nothing that the worker reports counts.

use std::collections::HashSet;

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{Error, EventId, LeaseId, RequestId, Result, SubscriptionId, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::{listed, parts, rows};
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
    /// Since when the first delivery is ready.
    pub ready_at: Timestamp,
}

/// A delivery at the head of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
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
        "WITH queues AS MATERIALIZED (
            SELECT s.tenant_id AS tenant_id, s.subscription_id AS subscription_id, s.url AS url, s.secrets AS secrets,
                (SELECT d.ready_at FROM deliveries d
                 WHERE d.tenant_id = $1 AND d.subscription_id = s.subscription_id AND d.ready_at IS NOT NULL
                 ORDER BY d.ready_at, d.event_id LIMIT 1) AS ready_at
            FROM webhook_subscriptions s
            WHERE s.tenant_id = $1 AND s.active AND s.deleted_at IS NULL
                AND NOT EXISTS (SELECT t.tenant_id FROM tenants t WHERE t.tenant_id = $1 AND t.suspended_at IS NOT NULL))
         SELECT tenant_id, subscription_id, url, secrets, ready_at FROM queues
         WHERE ready_at IS NOT NULL ORDER BY subscription_id"
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
            ready_at: row.take("ready_at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// The deliveries that have been ready longest in a queue, up to `limit`, with their events, locked until the transaction ends; a query, to
/// travel with others, for [`heads`].
///
/// It begins where the queue was seen to begin: in front of that PostgreSQL would pass over what has left the queue, once more. An event is
/// read as one text, because a second subquery would look for it again.
pub fn heads_of(queue: &DeliveryQueue, limit: i64) -> Query {
    sql!(
        "SELECT d.event_id AS event_id, d.tries AS tries, d.attempts AS attempts, d.created_at AS created_at,
            d.request_id AS request_id,
            (SELECT e.type || ' ' || e.body FROM events e
             WHERE e.tenant_id = $1 AND e.event_id = d.event_id) AS type_and_body
         FROM deliveries d
         WHERE d.tenant_id = $1 AND d.subscription_id = $2 AND d.ready_at IS NOT NULL AND d.ready_at >= $3
         ORDER BY d.ready_at, d.event_id LIMIT $4 {skip_locked}"
    )
    .with(values![&queue.tenant, &queue.subscription_id, queue.ready_at, limit])
}

/// The deliveries in the rows of [`heads_of`], in the order of their events.
pub fn heads(rows: &[Row]) -> Result<Vec<Head>> {
    let read = |row: &Row| {
        let event: Option<String> = row.take("type_and_body")?;
        let event = event.as_deref().and_then(|event| event.split_once(' '));
        Ok(Head {
            event: event.map(|(kind, body)| (kind.to_owned(), JsonText::from_stored(body.to_owned()))),
            event_id: row.take("event_id")?,
            tries: row.take("tries")?,
            attempts: row.take("attempts")?,
            created_at: row.take("created_at")?,
            request_id: row.take("request_id")?,
        })
    };
    let mut heads = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    heads.sort_unstable_by(|left, right| left.event_id.cmp(&right.event_id));
    Ok(heads)
}

// Many deliveries are changed by one statement as an insert whose rows all exist: it looks for each by its whole primary key. For an `UPDATE`
// whose keys are listed or joined, PostgreSQL may read everything that the tenant has, which seems cheap while the table is small.

/// Leases to a worker deliveries that [`heads_of`] has locked; queries, to travel with others.
pub fn lease(
    tx: &Tx<'_>,
    queue: &DeliveryQueue,
    heads: &[Head],
    lease: &LeaseId,
    until: Timestamp,
) -> Vec<Query> {
    let of = |part: &[Head]| {
        let insert = sql!(
            "INSERT INTO deliveries
                (tenant_id, subscription_id, event_id, tries, attempts, created_at, updated_at) VALUES"
        );
        let row = |head: &Head| values![&queue.tenant, &queue.subscription_id, &head.event_id];
        let insert = rows(insert.with(vec![]), sql!("($1, $2, $3, 0, 0, 0, 0)"), part.iter().map(row));
        let update = sql!(
            "ON CONFLICT (tenant_id, subscription_id, event_id)
             DO UPDATE SET ready_at = NULL, timer_at = $2, lease_id = $1"
        );
        insert.and(update, values![lease, until])
    };
    parts(tx.rows_at_once(), heads).map(of).collect()
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

/// The deliveries in the rows of [`due_timers`], [`due_timers_of`] and [`end`].
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

// Up to a time, because behind it are the timers of leases that have just ended: PostgreSQL would pass over them all.

/// When the next timer is due, if it is by `until`; a query, to travel with others, for [`timer`].
pub fn next_timer(until: Timestamp) -> Query {
    // across tenants: time passes for all of them
    sql!("SELECT MIN(timer_at) AS timer_at FROM deliveries WHERE timer_at <= $1").with(values![until])
}

/// When the next timer of one tenant is due, if it is by `until`; a query, to travel with others, for [`timer`].
pub fn next_timer_of(tenant: &TenantId, until: Timestamp) -> Query {
    sql!("SELECT MIN(timer_at) AS timer_at FROM deliveries WHERE tenant_id = $1 AND timer_at <= $2")
        .with(values![tenant, until])
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
    /// The attempt.
    pub attempt: &'a JsonText,
}

/// Records the outcomes of attempts, of each delivery one; a query, to travel with others, for [`ended`]. See [`parts_of_outcomes`].
pub fn end(outcomes: &[AttemptOutcome<'_>], now: Timestamp) -> Query {
    let insert = sql!(
        "INSERT INTO deliveries
            (tenant_id, subscription_id, event_id, lease_id, stage, timer_at, tries, attempts, first_attempt,
             created_at, updated_at) VALUES"
    );
    let row = |outcome: &AttemptOutcome<'_>| {
        let DeliveryKey { tenant, subscription_id, event_id } = outcome.key;
        let (stage, retry_at) = (outcome.stage.stored(), outcome.retry_at);
        let (lease, tries, number) = (outcome.lease, outcome.tries, outcome.number);
        let first = (number == 1).then_some(outcome.attempt);
        values![tenant, subscription_id, event_id, lease, stage, retry_at, tries, number, first]
    };
    let insert = rows(
        insert.with(vec![]),
        sql!("($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0)"),
        outcomes.iter().map(row),
    );
    let update = sql!(
        "ON CONFLICT (tenant_id, subscription_id, event_id)
         DO UPDATE SET stage = excluded.stage, timer_at = excluded.timer_at, lease_id = NULL, tries = excluded.tries,
            attempts = excluded.attempts, updated_at = $1,
            first_attempt = COALESCE(deliveries.first_attempt, excluded.first_attempt)
         WHERE deliveries.lease_id = excluded.lease_id
         RETURNING tenant_id, subscription_id, event_id, created_at"
    );
    insert.and(update, values![now])
}

/// Outcomes in the order of their keys, in parts for [`end`]: each of one tenant, and if a delivery has several, each of them in another.
pub fn parts_of_outcomes<'a, 'b>(
    tx: &Tx<'_>,
    outcomes: &'a [AttemptOutcome<'b>],
) -> Vec<&'a [AttemptOutcome<'b>]> {
    let fit = |left: &AttemptOutcome<'_>, right: &AttemptOutcome<'_>| {
        left.key.tenant == right.key.tenant && left.key != right.key
    };
    let lengths = tx.rows_at_once();
    outcomes.chunk_by(fit).flat_map(|chunk| parts(lengths, chunk)).collect()
}

/// What [`end`] did.
#[derive(Debug, Default)]
pub struct RecordedEnds {
    /// The deliveries whose lease was still valid.
    pub recorded: HashSet<DeliveryKey>,
    /// Those that had been removed, and have an empty row now, for [`remove`].
    pub removed: Vec<DeliveryKey>,
}

/// What the rows of [`end`] say.
pub fn ended(rows: &[Row]) -> Result<RecordedEnds> {
    let mut ended = RecordedEnds::default();
    for (row, key) in rows.iter().zip(keys(rows)?) {
        if row.get::<i64>("created_at")? == 0 {
            ended.removed.push(key);
        } else {
            ended.recorded.insert(key);
        }
    }
    Ok(ended)
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
