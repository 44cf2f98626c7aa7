//! How many rows a transaction has read, for tests that a statement reads no more than it is about.

use pagesmith_model::Result;

use crate::sql;
use crate::tx::Tx;

/// The rows of a table, or of its partitions, that this transaction has read so far; only PostgreSQL counts them.
pub fn of(tx: &mut Tx<'_>, table: &str) -> Result<i64> {
    // only: postgres
    let select = sql!(
        "SELECT CAST(COALESCE(SUM(idx_tup_fetch + seq_tup_read), 0) AS BIGINT) AS total
         FROM pg_stat_xact_all_tables WHERE relname LIKE CAST($1 AS TEXT)"
    );
    tx.one(select.with(crate::values![format!("{table}%")]))?.get("total")
}
