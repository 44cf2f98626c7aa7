//! The queues of all tenants in sums, for operators.
//!
//! What this is not: the work itself, whose statements are with its table.

use pagesmith_model::{Result, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::{sql, values};

/// What a queue comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// How much is due.
    pub due: u64,
    /// How much waits for another attempt.
    pub again: u64,
    /// How much is being worked on.
    pub running: u64,
    /// Since when the first of what is due is.
    pub oldest: Option<Timestamp>,
}

/// The columns that [`sums`] reads; `$1` is the present instant.
macro_rules! sums {
    () => {
        "CAST(COALESCE(SUM(CASE WHEN lease_id IS NULL AND due_at <= $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS due,
         CAST(COALESCE(SUM(CASE WHEN lease_id IS NULL AND due_at > $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS again,
         CAST(COALESCE(SUM(CASE WHEN lease_id IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT) AS running,
         MIN(CASE WHEN lease_id IS NULL AND due_at <= $1 THEN due_at END) AS oldest"
    };
}

/// What a queue comes to, in the answer to one of the queries below.
pub fn sums(rows: &[Row]) -> Result<Sums> {
    let Some(row) = rows.first() else { return Ok(Sums::default()) };
    Ok(Sums {
        due: row.get("due")?,
        again: row.get("again")?,
        running: row.get("running")?,
        oldest: row.get("oldest")?,
    })
}

/// How versions to be written stand.
pub fn generations(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM generations
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How messages to be carried out stand.
pub fn message_runs(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM message_runs
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How pages and files to be read stand.
pub fn entry_readings(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM entry_readings
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How submissions to be enriched stand.
pub fn enrichments(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM enrichments
            WHERE due_at IS NOT NULL AND NOT awaits_callback
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How pictures of which variants are to be made stand.
pub fn pictures(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM pictures
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How pictures to be described stand.
pub fn asset_descriptions(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM asset_descriptions
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How imports of persons stand.
pub fn person_imports(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT ",
        sums!(),
        " FROM (
            SELECT lease_id, due_at FROM person_imports
            WHERE due_at IS NOT NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) queue"
    )
    .with(values![now, most])
}

/// How many deliveries wait for another attempt.
pub fn delivery_timers(now: Timestamp, most: i64) -> Query {
    // across tenants: an operator sees how the queues of all of them stand
    sql!(
        "SELECT COUNT(*) AS again FROM (
            SELECT timer_at FROM deliveries
            WHERE timer_at IS NOT NULL AND timer_at > $1 AND lease_id IS NULL
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) waiting"
    )
    .with(values![now, most])
}

/// The answer to [`delivery_timers`].
pub fn sums_of_timers(rows: &[Row]) -> Result<u64> {
    rows.first().map_or(Ok(0), |row| row.get("again"))
}
