//! `health_checks`: what is written only to see whether anything can be.

use pagesmith_model::{Result, Timestamp};

use crate::tx::Tx;
use crate::{sql, values};

/// Writes a row. Servers that do so at the same time mostly write different ones, and otherwise one after the other.
pub fn write(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    // across tenants: the rows are the servers'
    let upsert = sql!(
        "INSERT INTO health_checks (slot, checked_at) VALUES ($1, $2)
         ON CONFLICT (slot) DO UPDATE SET checked_at = excluded.checked_at"
    );
    tx.run(upsert.with(values![tx.shard(), now]))?;
    Ok(())
}
