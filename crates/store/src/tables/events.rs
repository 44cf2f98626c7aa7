//! `events`: what happened, written in the transaction that makes it true.

use pagesmith_model::json::JsonText;
use pagesmith_model::{EventId, Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Adds an event with the body that tells of it; a query, to travel with others.
pub fn insert(tenant: &TenantId, event_id: &EventId, kind: &str, body: &JsonText, now: Timestamp) -> Query {
    sql!("INSERT INTO events (tenant_id, event_id, type, body, created_at) VALUES ($1, $2, $3, $4, $5)")
        .with(values![tenant, event_id, kind, body, now])
}

/// Everything that happened, oldest first: id, type and body.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<(EventId, String, JsonText)>> {
    let select = sql!("SELECT event_id, type, body FROM events WHERE tenant_id = $1 ORDER BY event_id");
    let rows = tx.all(select.with(values![tenant]))?;
    rows.iter().map(|row| Ok((row.take("event_id")?, row.take("type")?, row.take("body")?))).collect()
}
