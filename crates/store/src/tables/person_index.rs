//! `person_indexes`: where a tenant's next document goes.
//!
//! The row is the indexer's lock: nobody else changes it, and an indexer that finds it held goes on elsewhere. It also counts the changes of
//! segments and of packed chunks, each in its transaction, so that a search can tell whether its cache is current.

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

pub mod chunks;
pub mod documents;
pub mod postings;
pub mod removals;
pub mod segments;
pub mod texts;

/// How often the index has changed; a query, to travel with others, for [`count`].
pub fn changes(tenant: &TenantId) -> Query {
    sql!("SELECT changes FROM person_indexes WHERE tenant_id = $1").with(values![tenant])
}

/// The count in an answer to [`changes`]; `None` if nothing was ever indexed.
pub fn count(rows: &[Row]) -> Result<Option<i64>> {
    rows.first().map(|row| row.get("changes")).transpose()
}

/// Holds the tenant's index until the transaction ends and tells its next document; `None` if somebody else
/// holds it.
pub fn hold(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<i64>> {
    let insert = sql!(
        "INSERT INTO person_indexes (tenant_id, next_document, changes) VALUES ($1, 0, 0)
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

/// Counts a change, and keeps whoever indexes away until the transaction ends.
pub fn changed(tenant: &TenantId) -> Query {
    sql!("UPDATE person_indexes SET changes = changes + 1 WHERE tenant_id = $1").with(values![tenant])
}

/// Moves on, which is a change.
pub fn advance(tenant: &TenantId, next_document: i64) -> Query {
    sql!("UPDATE person_indexes SET next_document = $2, changes = changes + 1 WHERE tenant_id = $1")
        .with(values![tenant, next_document])
}
