//! `person_documents`: who had a document's number.
//!
//! A row stays when its person changes or goes; whether it is still true, `person_texts` says. So nothing is written here
//! but by the indexer, and when somebody is erased.

use pagesmith_model::{Result, TenantId};

use super::texts::PersonText;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, tables, values};

/// Notes that these persons have the numbers from `first` on.
pub fn insert(tx: &mut Tx<'_>, tenant: &TenantId, first: i64, persons: &[PersonText]) -> Result<()> {
    let mut numbers = first..;
    for some in tables::parts(tx.rows_at_once(), persons) {
        let insert = sql!("INSERT INTO person_documents (tenant_id, document, person_id) VALUES");
        let row = |person: &PersonText| values![tenant, numbers.next(), person.person_id.as_str()];
        tx.run(tables::rows(insert.with(vec![]), sql!("($1, $2, $3)"), some.iter().map(row)))?;
    }
    Ok(())
}

/// Forgets those in a range.
pub fn remove(tenant: &TenantId, from: i64, to: i64) -> Query {
    sql!("DELETE FROM person_documents WHERE tenant_id = $1 AND document >= $2 AND document < $3")
        .with(values![tenant, from, to])
}
