//! `question_counts`: how many questions were answered on a UTC day, by page.

use pagesmith_model::{PageId, Result, TenantId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Counts a question in a shard ([`Tx::shard`]); a query, to travel with others.
pub fn add(tenant: &TenantId, day: i64, page_id: &PageId, shard: i64) -> Query {
    sql!(
        "INSERT INTO question_counts (tenant_id, day, page_id, shard, questions) VALUES ($1, $2, $3, $4, 1)
         ON CONFLICT (tenant_id, day, page_id, shard) DO UPDATE SET questions = question_counts.questions + 1"
    )
    .with(values![tenant, day, page_id, shard])
}

/// How many questions a day had, on a page and in all.
pub fn of_day(tx: &mut Tx<'_>, tenant: &TenantId, day: i64, page_id: &PageId) -> Result<(i64, i64)> {
    let select = sql!(
        "SELECT CAST(COALESCE(SUM(questions), 0) AS BIGINT) AS in_all,
                CAST(COALESCE(SUM(CASE WHEN page_id = $3 THEN questions ELSE 0 END), 0) AS BIGINT) AS on_page
         FROM question_counts WHERE tenant_id = $1 AND day = $2"
    );
    let row = tx.maybe(select.with(values![tenant, day, page_id]))?;
    row.map_or(Ok((0, 0)), |row| Ok((row.take("on_page")?, row.take("in_all")?)))
}

/// Removes the counts of earlier days.
pub fn remove_before(tenant: &TenantId, day: i64) -> Query {
    sql!("DELETE FROM question_counts WHERE tenant_id = $1 AND day < $2").with(values![tenant, day])
}
