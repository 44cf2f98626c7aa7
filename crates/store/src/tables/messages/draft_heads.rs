//! `draft_heads`: what drafts change of their audience's metadata and context once they go live.

use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, Result, TenantId, VersionId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What a draft changes.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<JsonText>> {
    let select = sql!("SELECT fields FROM draft_heads WHERE tenant_id = $1 AND version_id = $2");
    tx.maybe(select.with(values![tenant, version_id]))?.map(|row| row.take("fields")).transpose()
}

/// Keeps what a draft changes; a query, to travel with others.
pub fn put(tenant: &TenantId, audience_id: &AudienceId, version_id: &VersionId, fields: &JsonText) -> Query {
    sql!(
        "INSERT INTO draft_heads (tenant_id, audience_id, version_id, fields) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, version_id) DO UPDATE SET fields = excluded.fields"
    )
    .with(values![tenant, audience_id, version_id, fields])
}

/// Forgets what a draft changes; a query, to travel with others.
pub fn remove(tenant: &TenantId, version_id: &VersionId) -> Query {
    sql!("DELETE FROM draft_heads WHERE tenant_id = $1 AND version_id = $2").with(values![tenant, version_id])
}

/// Forgets what the drafts of an audience change; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM draft_heads WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
