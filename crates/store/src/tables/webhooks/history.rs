//! Deliveries as their subscriber sees them: listed newest first, one by one, counted.
//!
//! Nothing here changes a delivery, and nothing here is asked on a delivery's way.

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{EventId, Result, SubscriptionId, TenantId, Timestamp};

use super::deliveries::{DeliveryKey, Stage};
use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A delivery as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The event.
    pub event_id: EventId,
    /// The event's type.
    pub kind: String,
    /// Where it is.
    pub stage: Stage,
    /// Since when, or from when on, it may be sent; nothing while it is being sent.
    pub due_at: Option<Timestamp>,
    /// How many attempts there were.
    pub attempts: i64,
    /// The first of them.
    pub first_attempt: Option<JsonText>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The columns of a delivery `d` of an event `e`, which [`delivery`] reads.
macro_rules! delivery_columns {
    () => {
        concat!(
            $crate::sql::columns!(
                "d." as "" => event_id, stage, ready_at, timer_at, lease_id, attempts, first_attempt, created_at,
                updated_at
            ),
            ", e.type AS type"
        )
    };
}

fn delivery(row: &Row) -> Result<Delivery> {
    let stage: Option<String> = row.take("stage")?;
    let (ready_at, timer_at): (Option<Timestamp>, _) = (row.take("ready_at")?, row.take("timer_at")?);
    let lease: Option<String> = row.take("lease_id")?;
    Ok(Delivery {
        event_id: row.take("event_id")?,
        kind: row.take("type")?,
        stage: Stage::read(stage.as_deref())?,
        due_at: if lease.is_some() { None } else { ready_at.or(timer_at) },
        attempts: row.take("attempts")?,
        first_attempt: row.take("first_attempt")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Which deliveries are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of events of this type.
    pub kind: Option<EventType>,
    /// At this stage.
    pub stage: Option<Stage>,
    /// Of events whose id is not below this one, which names a time.
    pub from: Option<EventId>,
    /// Of events whose id is below this one.
    pub before: Option<EventId>,
}

/// A subscription's deliveries, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    filter: &Filter,
    extent: Extent,
) -> Result<ListPart<Delivery>> {
    let select = newest(tenant, subscription_id, filter, extent.rows());
    ListPart::read(&tx.all(select.within(extent.bytes))?, extent, delivery)
}

/// The newest of them.
pub(in crate::tables) fn newest(
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    filter: &Filter,
    rows: i64,
) -> Query {
    // A cross join is carried out by SQLite in the order in which it is written.
    let mut select = match filter.kind {
        // The events of a type are found by an index, so that a rare type is not looked for among everything.
        Some(kind) => sql!(
            "SELECT ", delivery_columns!(), " FROM events e CROSS JOIN deliveries d
             WHERE e.tenant_id = $1 AND d.tenant_id = $1 AND d.subscription_id = $2 AND d.event_id = e.event_id
                AND e.type = $3"
        )
        .with(values![tenant, subscription_id, kind.as_str()]),
        None => sql!(
            "SELECT ", delivery_columns!(), " FROM deliveries d CROSS JOIN events e
             WHERE d.tenant_id = $1 AND d.subscription_id = $2 AND e.tenant_id = $1 AND e.event_id = d.event_id"
        )
        .with(values![tenant, subscription_id]),
    };
    if let Some(stage) = filter.stage {
        select = match stage.stored() {
            Some(text) => select.and(sql!("AND d.stage IS NOT NULL AND d.stage = $1"), values![text]),
            None => select.and(sql!("AND d.stage IS NULL"), vec![]),
        };
    }
    if let Some(from) = &filter.from {
        select = select.and(sql!("AND d.event_id >= $1"), values![from]);
    }
    if let Some(before) = &filter.before {
        select = select.and(sql!("AND d.event_id < $1"), values![before]);
    }
    let order = match filter.kind {
        Some(_) => sql!("ORDER BY e.event_id DESC LIMIT $1"),
        None => sql!("ORDER BY d.event_id DESC LIMIT $1"),
    };
    select.and(order, values![rows])
}

/// One delivery.
pub fn find(tx: &mut Tx<'_>, key: &DeliveryKey) -> Result<Option<Delivery>> {
    let select = sql!(
        "SELECT ",
        delivery_columns!(),
        " FROM deliveries d JOIN events e ON e.tenant_id = $1 AND e.event_id = d.event_id
         WHERE d.tenant_id = $1 AND d.subscription_id = $2 AND d.event_id = $3"
    );
    let found = tx.maybe(select.with(values![&key.tenant, &key.subscription_id, &key.event_id]))?;
    found.map(|row| delivery(&row)).transpose()
}

/// How many of a subscription's deliveries are at each stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// On their way.
    pub waiting: u64,
    /// Arrived.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
}

/// Counts a subscription's deliveries, the newest `most` of them.
pub fn count(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    most: i64,
) -> Result<Counts> {
    let select = sql!(
        "SELECT COUNT(CASE WHEN stage = 'waiting' THEN 1 END) AS waiting,
                COUNT(CASE WHEN stage IS NULL THEN 1 END) AS delivered,
                COUNT(CASE WHEN stage = 'failed' THEN 1 END) AS failed
         FROM (SELECT stage FROM deliveries WHERE tenant_id = $1 AND subscription_id = $2
            ORDER BY event_id DESC LIMIT $3) newest"
    );
    let row = tx.one(select.with(values![tenant, subscription_id, most]))?;
    Ok(Counts { waiting: row.get("waiting")?, delivered: row.get("delivered")?, failed: row.get("failed")? })
}
