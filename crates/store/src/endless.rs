//! Statements without end, for tests of the time that a transaction has.

use pagesmith_model::Result;

use crate::tables::revisions;
use crate::tx::Tx;
use crate::{sql, values};

/// Reads for ever.
pub fn read(tx: &mut Tx<'_>) -> Result<()> {
    let endless =
        sql!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT COUNT(*) AS total FROM n");
    tx.one(endless.with(values![])).map(drop)
}

/// Writes something, and then writes for ever.
pub fn write(tx: &mut Tx<'_>) -> Result<()> {
    tx.run(revisions::raise("endless"))?;
    let endless = sql!(
        "INSERT INTO revisions (name, revision)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT 'never', COUNT(*) FROM n"
    );
    tx.run(endless.with(values![])).map(drop)
}
