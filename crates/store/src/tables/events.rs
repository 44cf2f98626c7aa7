//! `events`: what happened, written in the transaction that makes it true.
//!
//! An event that names a subscription is that one's alone, a test, and is in no list.

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{EventId, RequestId, Result, SubscriptionId, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub event_id: EventId,
    /// Its type.
    pub kind: String,
    /// The body that every attempt to tell it sends.
    pub body: JsonText,
    /// The request that caused it, if one did; never part of the body.
    pub request_id: Option<RequestId>,
}

fn event(row: &Row) -> Result<Event> {
    Ok(Event {
        event_id: row.take("event_id")?,
        kind: row.take("type")?,
        body: row.take("body")?,
        request_id: row.take("request_id")?,
    })
}

/// Adds an event, with the request that caused it; a query, to travel with others.
pub fn insert(
    tenant: &TenantId,
    event_id: &EventId,
    kind: EventType,
    body: &JsonText,
    now: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO events (tenant_id, event_id, type, body, created_at, request_id)
         VALUES ($1, $2, $3, $4, $5, $6)"
    )
    .with(values![tenant, event_id, kind.as_str(), body, now, request_id])
}

/// Adds an event that is one subscription's alone; a query, to travel with others.
pub fn insert_for(
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    event_id: &EventId,
    kind: EventType,
    body: &JsonText,
    (now, request_id): (Timestamp, Option<&RequestId>),
) -> Query {
    sql!(
        "INSERT INTO events (tenant_id, event_id, type, body, created_at, subscription_id, request_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    )
    .with(values![tenant, event_id, kind.as_str(), body, now, subscription_id, request_id])
}

/// What happened to a tenant's things, oldest first, behind and below ids, if any are given; only of a type, if one is.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&EventId>,
    before: Option<&EventId>,
    kind: Option<EventType>,
    extent: Extent,
) -> Result<ListPart<Event>> {
    let select = sql!(
        "SELECT event_id, type, body, request_id FROM events
         WHERE tenant_id = $1 AND subscription_id IS NULL AND event_id > $2"
    );
    let mut select = select.with(values![tenant, after.map_or("", EventId::as_str)]);
    if let Some(before) = before {
        // only: postgres
        select = select.and(sql!("AND event_id < $1"), values![before]);
    }
    if let Some(kind) = kind {
        select = select.and(sql!("AND type = $1"), values![kind.as_str()]);
    }
    let select = select.and(sql!("ORDER BY event_id LIMIT $1"), values![extent.rows()]);
    ListPart::read(&tx.all(select.within(extent.bytes))?, extent, event)
}

/// One event of a tenant, also one that is a subscription's alone.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, event_id: &EventId) -> Result<Option<Event>> {
    let select =
        sql!("SELECT event_id, type, body, request_id FROM events WHERE tenant_id = $1 AND event_id = $2");
    tx.maybe(select.with(values![tenant, event_id]))?.as_ref().map(event).transpose()
}

/// The id of a tenant's oldest event.
pub fn oldest(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<EventId>> {
    let select = sql!("SELECT event_id FROM events WHERE tenant_id = $1 ORDER BY event_id LIMIT 1");
    tx.maybe(select.with(values![tenant]))?.map(|row| row.take("event_id")).transpose()
}

/// Removes up to `limit` events below an id, oldest first; how many.
pub fn remove_before(tenant: &TenantId, before: &EventId, limit: i64) -> Query {
    sql!(
        "DELETE FROM events WHERE tenant_id = $1 AND event_id IN (
            SELECT event_id FROM events WHERE tenant_id = $1 AND event_id < $2 ORDER BY event_id LIMIT $3)"
    )
    .with(values![tenant, before, limit])
}
