//! `operation_keys`: answers to requests that named themselves, kept for when they come again.

use pagesmith_model::json::JsonText;
use pagesmith_model::{Result, TenantId, Timestamp};

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
pub fn insert(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    resource: &str,
    key: &str,
    answer: &JsonText,
    now: Timestamp,
) -> Result<()> {
    let insert = sql!(
        "INSERT INTO operation_keys (tenant_id, resource, operation_key, answer, created_at)
         VALUES ($1, $2, $3, $4, $5)"
    );
    tx.run(insert.with(values![tenant, resource, key, answer, now]))?;
    Ok(())
}
