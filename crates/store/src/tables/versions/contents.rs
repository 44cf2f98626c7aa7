//! `version_contents`: what versions say, a document each.

use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, Result, TenantId, Timestamp, VersionId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Gives a version this document, instead of the one that it may have; a query, to travel with others.
pub fn insert(tenant: &TenantId, version: &VersionId, content: &JsonText, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO version_contents (tenant_id, version_id, content, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, version_id) DO UPDATE SET
            content = excluded.content, updated_at = excluded.updated_at"
    )
    .with(values![tenant, version, content, now])
}

/// The document of a version.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, version: &VersionId) -> Result<Option<JsonText>> {
    let select = sql!("SELECT content FROM version_contents WHERE tenant_id = $1 AND version_id = $2");
    tx.maybe(select.with(values![tenant, version]))?.map(|row| row.take("content")).transpose()
}

/// Removes what the versions of an audience say, as long as the versions are there; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM version_contents WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
