//! `version_history`: what was done with versions, and by whom. Entries are never changed; of a version that is changed very often, the
//! oldest go.

use pagesmith_model::actor::Actor;
use pagesmith_model::json::JsonText;
use pagesmith_model::version::history::VersionAction;
use pagesmith_model::{AudienceId, Error, RequestId, Result, TenantId, Timestamp, VersionEntryId, VersionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Its id.
    pub version_entry_id: VersionEntryId,
    /// What was done.
    pub action: VersionAction,
    /// Who did it.
    pub actor: Actor,
    /// The request that did it, or that it goes back to.
    pub request_id: Option<RequestId>,
    /// What else is known.
    pub details: Option<JsonText>,
    /// When.
    pub created_at: Timestamp,
}

fn entry(row: &Row) -> Result<HistoryEntry> {
    let (action, actor): (String, String) = (row.take("action")?, row.take("actor")?);
    Ok(HistoryEntry {
        version_entry_id: row.take("version_entry_id")?,
        action: VersionAction::parse(&action).ok_or_else(|| Error::internal("an unknown action"))?,
        actor: Actor::from_stored(&actor),
        request_id: row.take("request_id")?,
        details: row.take("details")?,
        created_at: row.take("created_at")?,
    })
}

/// Adds an entry; a query, to travel with others.
pub fn insert(tenant: &TenantId, version_id: &VersionId, entry: &HistoryEntry) -> Query {
    sql!(
        "INSERT INTO version_history
            (tenant_id, version_id, version_entry_id, action, actor, request_id, details, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    .with(values![
        tenant,
        version_id,
        &entry.version_entry_id,
        entry.action.as_str(),
        entry.actor.to_stored(),
        &entry.request_id,
        &entry.details,
        entry.created_at,
    ])
}

/// Removes all but the newest entries of a version; a query, to travel with others.
pub fn keep_newest(tenant: &TenantId, version_id: &VersionId, most: i64) -> Query {
    sql!(
        "DELETE FROM version_history WHERE tenant_id = $1 AND version_id = $2 AND version_entry_id < (
            SELECT h.version_entry_id FROM version_history h WHERE h.tenant_id = $1 AND h.version_id = $2
            ORDER BY h.version_entry_id DESC LIMIT 1 OFFSET $3)"
    )
    .with(values![tenant, version_id, most - 1])
}

/// The entries of a version, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    version_id: &VersionId,
    after: Option<&VersionEntryId>,
    extent: Extent,
) -> Result<(ListPart<HistoryEntry>, u64)> {
    let mut select = sql!(
        "SELECT version_entry_id, action, actor, request_id, details, created_at FROM version_history
         WHERE tenant_id = $1 AND version_id = $2"
    )
    .with(values![tenant, version_id]);
    if let Some(after) = after {
        select = select.and(sql!("AND version_entry_id < $1"), values![after]);
    }
    let select = select
        .and(sql!("ORDER BY version_entry_id DESC LIMIT $1"), values![extent.rows()])
        .within(extent.bytes);
    let count =
        sql!("SELECT COUNT(*) AS total FROM version_history WHERE tenant_id = $1 AND version_id = $2")
            .with(values![tenant, version_id]);
    let mut answers = tx.batch(vec![select, count])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, entry)?, total))
}

/// Forgets the histories of the versions of an audience, as long as the versions are there; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM version_history WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
