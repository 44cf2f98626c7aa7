//! `question_askers`: how many questions were answered on a UTC day to visitors whose visits are not counted.

use pagesmith_model::{Result, TenantId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Counts a question of a visitor; a query, to travel with others.
pub fn add(tenant: &TenantId, day: i64, visitor: &[u8; 16]) -> Query {
    sql!(
        "INSERT INTO question_askers (tenant_id, day, visitor, questions) VALUES ($1, $2, $3, 1)
         ON CONFLICT (tenant_id, day, visitor) DO UPDATE SET questions = question_askers.questions + 1"
    )
    .with(values![tenant, day, visitor.as_slice()])
}

/// How many questions a visitor had answered that day.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId, day: i64, visitor: &[u8; 16]) -> Result<i64> {
    let select =
        sql!("SELECT questions FROM question_askers WHERE tenant_id = $1 AND day = $2 AND visitor = $3");
    let row = tx.maybe(select.with(values![tenant, day, visitor.as_slice()]))?;
    row.map_or(Ok(0), |row| row.take("questions"))
}

/// Removes the counts of earlier days.
pub fn remove_before(tenant: &TenantId, day: i64) -> Query {
    sql!("DELETE FROM question_askers WHERE tenant_id = $1 AND day < $2").with(values![tenant, day])
}
