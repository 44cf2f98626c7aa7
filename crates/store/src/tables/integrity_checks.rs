//! `integrity_checks`: when the embedded database's file was last looked through.

use pagesmith_model::{Result, Timestamp};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What is checked; there may be parts one day.
const WHOLE: &str = "database";

/// A look through the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrityCheck {
    /// When it began.
    pub checked_at: Timestamp,
    /// What was wrong, if anything.
    pub problem: Option<String>,
}

/// The last one.
pub fn last(tx: &mut Tx<'_>) -> Result<Option<IntegrityCheck>> {
    // only: sqlite
    let select = sql!("SELECT checked_at, problem FROM integrity_checks WHERE name = $1");
    let row = tx.maybe(select.with(values![WHOLE]))?;
    row.map(|row| Ok(IntegrityCheck { checked_at: row.get("checked_at")?, problem: row.get("problem")? }))
        .transpose()
}

/// Notes one.
pub fn note(check: &IntegrityCheck) -> Query {
    // only: sqlite
    sql!(
        "INSERT INTO integrity_checks (name, checked_at, problem) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET checked_at = excluded.checked_at, problem = excluded.problem"
    )
    .with(values![WHOLE, check.checked_at, &check.problem])
}
