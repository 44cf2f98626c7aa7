//! `person_indexes`: where a tenant's next document goes.
//!
//! The row is also the lock of whoever indexes: nobody else touches it, and who finds it held goes away.

use pagesmith_model::{Result, TenantId};

use crate::tx::Tx;
use crate::{sql, values};

/// Holds the tenant's index until the transaction ends and tells its next document; `None` if somebody else
/// holds it.
pub fn hold(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<i64>> {
    let insert = sql!(
        "INSERT INTO person_indexes (tenant_id, next_document) VALUES ($1, 0)
         ON CONFLICT (tenant_id) DO NOTHING"
    );
    let select = sql!("SELECT next_document FROM person_indexes WHERE tenant_id = $1 {skip_locked}");
    let row = match tx.maybe(select.with(values![tenant]))? {
        Some(row) => Some(row),
        None => {
            tx.run(insert.with(values![tenant]))?;
            tx.maybe(select.with(values![tenant]))?
        }
    };
    row.map(|row| row.get("next_document")).transpose()
}

/// Keeps whoever indexes away until the transaction ends.
pub fn keep_away(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<()> {
    let update = sql!("UPDATE person_indexes SET next_document = next_document WHERE tenant_id = $1");
    tx.run(update.with(values![tenant]))?;
    Ok(())
}

/// Moves on.
pub fn advance(tx: &mut Tx<'_>, tenant: &TenantId, next_document: i64) -> Result<()> {
    let update = sql!("UPDATE person_indexes SET next_document = $2 WHERE tenant_id = $1");
    tx.run(update.with(values![tenant, next_document]))?;
    Ok(())
}
