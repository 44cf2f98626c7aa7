//! `person_removals`: documents that are not current any more and whose segment does not know it yet.
//!
//! The rows are written with `person_texts`, in the same transaction.

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// All of them; a query, to travel with others, for [`documents`].
pub fn list(tenant: &TenantId) -> Query {
    sql!("SELECT document FROM person_removals WHERE tenant_id = $1").with(values![tenant])
}

/// The numbers in an answer to [`list`].
pub fn documents(rows: &[Row]) -> Result<Vec<i64>> {
    rows.iter().map(|row| row.get("document")).collect()
}

/// Takes up to `limit` of them away.
pub fn take(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<i64>> {
    let delete = sql!(
        "DELETE FROM person_removals WHERE tenant_id = $1 AND document IN (
            SELECT document FROM person_removals WHERE tenant_id = $1
            ORDER BY document LIMIT $2 {skip_locked})
         RETURNING document"
    );
    documents(&tx.all(delete.with(values![tenant, limit]))?)
}

/// Whether a tenant has some.
pub fn exist(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    let select = sql!("SELECT document FROM person_removals WHERE tenant_id = $1 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant]))?.is_some())
}

/// Tenants that have some.
pub fn tenants(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<TenantId>> {
    // across tenants: finds the tenants that have work
    let select = sql!("SELECT tenant_id FROM person_removals GROUP BY tenant_id ORDER BY tenant_id LIMIT $1");
    tx.all(select.with(values![limit]))?.iter().map(|row| row.get("tenant_id")).collect()
}
