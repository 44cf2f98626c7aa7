//! `deliveries`: an event for a subscription, a row each, and the queue of what is to be sent.
//!
//! Each subscription has a queue ([`queues`], [`lease`]): no statement counts or passes over rows that cannot be sent now. What
//! waits for its time stands in one order of time for all ([`make_due`]), whether it waits for its next try or for the end of a lease. A
//! worker's lease is its name in the row; without it nothing of the worker's counts.

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{Error, EventId, LeaseId, RequestId, Result, SubscriptionId, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::{self, listed};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// Names a delivery.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryKey {
    /// Whose it is.
    pub tenant: TenantId,
    /// Who is told.
    pub subscription_id: SubscriptionId,
    /// Of what.
    pub event_id: EventId,
}

/// A subscription that something could be sent to now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQueue {
    /// Whose it is.
    pub tenant: TenantId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// Where it is sent to.
    pub url: String,
    /// What it is signed with, sealed.
    pub secrets: Vec<u8>,
    /// Whether anything may be sent.
    pub is_open: bool,
}

/// A delivery that a worker has just taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    /// What is to be delivered.
    pub event_id: EventId,
    /// How many attempts of the present round have failed.
    pub tries: i64,
    /// How many attempts there were in all.
    pub attempts: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// The request that queued it last, if one did.
    pub request_id: Option<RequestId>,
    /// The event's type and body; nothing if it was swept away.
    pub event: Option<(String, JsonText)>,
}

/// Where a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// On its way.
    Waiting,
    /// It has arrived.
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

/// Up to `limit` queues with something ready, in the order of ids after a position; a query, to travel with others, for [`queues`].
///
/// From each queue one step leads to the next, however much waits in it. Of a suspended tenant only the first queue is visited, as one that
/// is not open, however many it has. Whether it is suspended stands in a `CASE`, because as a condition it could be asked for row by row.
pub fn queues_after(after: (&str, &str), limit: i64) -> Query {
    // across tenants: the queue is shared fairly between all of them
    sql!(
        "WITH RECURSIVE queues (tenant_id, subscription_id, step) AS (
            SELECT (SELECT d.tenant_id FROM deliveries d
                    WHERE d.ready_at IS NOT NULL AND (d.tenant_id, d.subscription_id) > ($1, $2)
                    ORDER BY d.tenant_id, d.subscription_id LIMIT 1),
                   (SELECT d.subscription_id FROM deliveries d
                    WHERE d.ready_at IS NOT NULL AND (d.tenant_id, d.subscription_id) > ($1, $2)
                    ORDER BY d.tenant_id, d.subscription_id LIMIT 1), 1
            UNION ALL
            SELECT CASE WHEN (SELECT t.suspended_at FROM tenants t WHERE t.tenant_id = q.tenant_id) IS NULL
                        AND EXISTS (SELECT 1 FROM deliveries d
                        WHERE d.ready_at IS NOT NULL AND d.tenant_id = q.tenant_id
                            AND d.subscription_id > q.subscription_id) THEN q.tenant_id
                    ELSE (SELECT d.tenant_id FROM deliveries d
                        WHERE d.ready_at IS NOT NULL AND d.tenant_id > q.tenant_id
                        ORDER BY d.tenant_id, d.subscription_id LIMIT 1) END,
                   COALESCE(
                       CASE WHEN (SELECT t.suspended_at FROM tenants t WHERE t.tenant_id = q.tenant_id) IS NULL
                        THEN (SELECT d.subscription_id FROM deliveries d
                        WHERE d.ready_at IS NOT NULL AND d.tenant_id = q.tenant_id
                            AND d.subscription_id > q.subscription_id
                        ORDER BY d.subscription_id LIMIT 1) END,
                       (SELECT d.subscription_id FROM deliveries d
                        WHERE d.ready_at IS NOT NULL AND d.tenant_id > q.tenant_id
                        ORDER BY d.tenant_id, d.subscription_id LIMIT 1)), q.step + 1
            FROM queues q WHERE q.tenant_id IS NOT NULL AND q.step < $3)
         SELECT q.tenant_id AS tenant_id, q.subscription_id AS subscription_id, s.url AS url, s.secrets AS secrets,
                s.active AND s.deleted_at IS NULL AND t.suspended_at IS NULL AS is_open
         FROM queues q
            JOIN webhook_subscriptions s ON s.tenant_id = q.tenant_id AND s.subscription_id = q.subscription_id
            JOIN tenants t ON t.tenant_id = q.tenant_id
         ORDER BY q.step"
    )
    .with(values![after.0, after.1, limit])
}

/// The queues in an answer.
pub fn queues(rows: &[Row]) -> Result<Vec<DeliveryQueue>> {
    let read = |row: &Row| {
        Ok(DeliveryQueue {
            tenant: row.take("tenant_id")?,
            subscription_id: row.take("subscription_id")?,
            url: row.take("url")?,
            secrets: row.take("secrets")?,
            is_open: row.take("is_open")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Gives a worker what has been ready longest in a queue, up to `limit`, with the events; a query, to travel with others, whose rows are
/// read by [`leased`].
///
/// The heads are a table of their own, because PostgreSQL may run a subquery again for each row, and then passes over those that it
/// has locked itself. They are looked up by their whole keys: given the queue's key again, PostgreSQL might rather walk through all of the queue for them,
/// which looks cheap as long as the table is small.
pub fn lease(queue: &DeliveryQueue, lease: &LeaseId, until: Timestamp, limit: i64) -> Query {
    sql!(
        "WITH heads AS MATERIALIZED (
            SELECT tenant_id, subscription_id, event_id FROM deliveries
            WHERE tenant_id = $1 AND subscription_id = $2 AND ready_at IS NOT NULL
            ORDER BY ready_at, event_id LIMIT $5 {skip_locked})
         UPDATE deliveries SET ready_at = NULL, timer_at = $4, lease_id = $3
         WHERE (tenant_id, subscription_id, event_id) IN (SELECT tenant_id, subscription_id, event_id FROM heads)
         RETURNING event_id, tries, attempts, created_at, request_id,
            (SELECT e.type FROM events e
             WHERE e.tenant_id = deliveries.tenant_id AND e.event_id = deliveries.event_id) AS type,
            (SELECT e.body FROM events e
             WHERE e.tenant_id = deliveries.tenant_id AND e.event_id = deliveries.event_id) AS body"
    )
    .with(values![&queue.tenant, &queue.subscription_id, lease, until, limit])
}

/// What [`lease`] gave, in the order of events.
pub fn leased(rows: &[Row]) -> Result<Vec<Leased>> {
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
    let mut leased = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    leased.sort_by(|a, b| a.event_id.cmp(&b.event_id));
    Ok(leased)
}

/// Makes up to `limit` deliveries ready whose time has come; a query, to travel with others.
pub fn make_due(now: Timestamp, limit: i64) -> Query {
    // across tenants: time passes for all of them
    sql!(
        "WITH due_rows AS MATERIALIZED (
            SELECT tenant_id, subscription_id, event_id FROM deliveries WHERE timer_at <= $1
            ORDER BY timer_at, tenant_id, subscription_id, event_id LIMIT $2 {skip_locked})
         UPDATE deliveries SET ready_at = timer_at, timer_at = NULL, lease_id = NULL
         WHERE (tenant_id, subscription_id, event_id) IN (SELECT tenant_id, subscription_id, event_id FROM due_rows)"
    )
    .with(values![now, limit])
}

/// When the next delivery becomes ready by itself; a query, to travel with others, for [`timer`].
pub fn next_timer() -> Query {
    // across tenants: time passes for all of them
    sql!("SELECT MIN(timer_at) AS timer_at FROM deliveries WHERE timer_at IS NOT NULL").with(vec![])
}

/// The time in an answer.
pub fn timer(rows: &[Row]) -> Result<Option<Timestamp>> {
    rows.first().map_or(Ok(None), |row| row.get("timer_at"))
}

/// What an attempt makes of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended<'a> {
    /// The delivery.
    pub key: &'a DeliveryKey,
    /// Whose attempt it was.
    pub lease: &'a LeaseId,
    /// Where the delivery is now.
    pub stage: Stage,
    /// When it is tried again.
    pub again_at: Option<Timestamp>,
    /// How many attempts of the round have failed.
    pub tries: i64,
    /// The number of this one.
    pub number: i64,
    /// The attempt, if it is the first.
    pub first: Option<&'a JsonText>,
}

/// Notes an attempt; a query, to travel with others. It answers a row if the lease was still the worker's.
pub fn end(ended: &Ended<'_>, now: Timestamp) -> Query {
    let DeliveryKey { tenant, subscription_id, event_id } = ended.key;
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
        ended.lease,
        ended.stage.stored(),
        ended.again_at,
        ended.tries,
        ended.number,
        ended.first,
        now,
    ])
}

/// Notes of deliveries of one queue, at least one, that their first attempt has arrived, which is what mostly comes of them: a query, to
/// travel with others. It answers a row for each whose lease was still the worker's.
pub fn arrive(
    (tenant, subscription_id): (&TenantId, &SubscriptionId),
    arrived: &[(&EventId, &LeaseId, JsonText)],
    now: Timestamp,
) -> Query {
    // As many rows as one of few statements has, the last repeated.
    let rows = arrived.iter().chain(std::iter::repeat(arrived.last()).flatten());
    let rows = rows.take(arrived.len().next_power_of_two());
    let row = |(event_id, lease, attempt): &(&EventId, &LeaseId, JsonText)| {
        values![tenant, subscription_id, *event_id, *lease, attempt]
    };
    let with = sql!("WITH arrived (of_tenant, of_subscription, of_event, of_lease, attempt) AS (VALUES")
        .with(vec![]);
    tables::rows(with, sql!("($1, $2, $3, $4, $5)"), rows.map(row)).and(
        // By whole keys: with the queue's key given once for all, PostgreSQL may read all of it to join.
        sql!(
            ") UPDATE deliveries SET stage = NULL, timer_at = NULL, lease_id = NULL, attempts = 1,
                    first_attempt = arrived.attempt, updated_at = $1
             FROM arrived
             WHERE tenant_id = of_tenant AND subscription_id = of_subscription AND event_id = of_event
                AND lease_id = of_lease
             RETURNING event_id"
        ),
        values![now],
    )
}

/// Gives deliveries back that were not tried; a query, to travel with others.
pub fn release(key: &DeliveryKey, lease: &LeaseId, now: Timestamp) -> Query {
    sql!(
        "UPDATE deliveries SET ready_at = $5, timer_at = NULL, lease_id = NULL
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND lease_id = $4"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, lease, now])
}

/// Lets a delivery be sent anew, with the whole schedule before it, unless it is being sent right now.
pub fn resend(key: &DeliveryKey, now: Timestamp, request_id: Option<&RequestId>) -> Query {
    sql!(
        "UPDATE deliveries SET stage = 'waiting', ready_at = $4, timer_at = NULL, tries = 0, updated_at = $4,
                request_id = $5
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND lease_id IS NULL"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, now, request_id])
}

/// Lets up to `limit` deliveries that have failed be sent anew, oldest first, of events whose id is not below `from`; how many.
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

/// What [`count_ready`] found.
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
