//! `health_checks`: what is written only to see whether anything can be.

use pagesmith_model::Timestamp;

use crate::sql::Query;
use crate::{sql, values};

/// Writes the row of a slot, such as the connection's shard: servers that write at the same time mostly write different rows, and otherwise
/// one after the other.
pub fn write(slot: i64, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO health_checks (slot, checked_at) VALUES ($1, $2)
         ON CONFLICT (slot) DO UPDATE SET checked_at = excluded.checked_at"
    )
    .with(values![slot, now])
}
