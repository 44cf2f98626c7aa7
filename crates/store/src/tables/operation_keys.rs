//! `operation_keys`: answers to requests that named themselves, kept for when they come again.

use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, Result, TenantId, Timestamp, VersionId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The answer that was given about a resource under a key.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, resource: &str, key: &str) -> Result<Option<JsonText>> {
    let select = sql!(
        "SELECT answer FROM operation_keys WHERE tenant_id = $1 AND resource = $2 AND operation_key = $3"
    );
    tx.maybe(select.with(values![tenant, resource, key]))?.map(|row| row.take("answer")).transpose()
}

/// Keeps an answer.
pub fn insert(tenant: &TenantId, resource: &str, key: &str, answer: &JsonText, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO operation_keys (tenant_id, resource, operation_key, answer, created_at)
         VALUES ($1, $2, $3, $4, $5)"
    )
    .with(values![tenant, resource, key, answer, now])
}

/// Forgets the answers about an audience and its versions, as long as the versions are there; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience: &AudienceId) -> Query {
    sql!(
        "DELETE FROM operation_keys WHERE tenant_id = $1 AND (resource = $2 OR resource = $3 OR resource IN (
            SELECT $4 || version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $5))"
    )
    .with(values![tenant, create(audience), publish(audience), RESTORE, audience])
}

/// Begins the names of what is asked of one version.
const RESTORE: &str = "restore ";

/// The name of making versions of an audience.
pub fn create(audience: &AudienceId) -> String {
    format!("create {audience}")
}

/// The name of publishing a version of an audience.
pub fn publish(audience: &AudienceId) -> String {
    format!("publish {audience}")
}

/// The name of restoring a version.
pub fn restore(version: &VersionId) -> String {
    format!("{RESTORE}{version}")
}
