//! `question_counts`: how many questions were answered on a UTC day, by page.

use pagesmith_model::{PageId, TenantId};

use crate::sql::Query;
use crate::{sql, values};

/// Counts a question in a shard ([`Tx::shard`](crate::Tx::shard)); a query, to travel with others.
pub fn add(tenant: &TenantId, day: i64, page_id: &PageId, shard: i64) -> Query {
    sql!(
        "INSERT INTO question_counts (tenant_id, day, page_id, shard, questions) VALUES ($1, $2, $3, $4, 1)
         ON CONFLICT (tenant_id, day, page_id, shard) DO UPDATE SET questions = question_counts.questions + 1"
    )
    .with(values![tenant, day, page_id, shard])
}

/// Removes the counts of earlier days.
pub fn remove_before(tenant: &TenantId, day: i64) -> Query {
    sql!("DELETE FROM question_counts WHERE tenant_id = $1 AND day < $2").with(values![tenant, day])
}
