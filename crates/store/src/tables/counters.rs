//! `counters`: how many things of a kind a tenant has, counted as they come and go.
//!
//! A count is the sum of up to 64 shards: transactions that run at the same time count in different ones, so
//! that they do not wait for each other on one row.

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::{sql, values};

/// Pages that are not deleted.
pub const PAGES: &str = "pages";
/// Persons that are not deleted.
pub const PERSONS: &str = "persons";
/// Accounts.
pub const ACCOUNTS: &str = "accounts";
/// Accounts to which no living person belongs.
pub const EMPTY_ACCOUNTS: &str = "empty accounts";
/// Topics.
pub const TOPICS: &str = "topics";
/// Entries of topics.
pub const TOPIC_ENTRIES: &str = "topic entries";
/// Page links.
pub const PAGE_LINKS: &str = "page links";
/// Assets that are not in the trash.
pub const ASSETS: &str = "assets";
/// Assets in the trash.
pub const TRASHED_ASSETS: &str = "trashed assets";
/// Files.
pub const FILES: &str = "files";
/// The bytes of files, each content once.
pub const FILE_BYTES: &str = "file bytes";
/// Entries of the audit.
pub const AUDIT_ENTRIES: &str = "audit entries";

/// What happened in a month, such as `versions` in `2026-03`.
pub fn of_month(name: &str, month: &str) -> String {
    format!("{name} {month}")
}

/// Counts `by` more (or fewer) in a shard ([`crate::Tx::shard`]); a query, to travel with others.
pub fn add(tenant: &TenantId, name: &str, shard: i64, by: i64) -> Query {
    sql!(
        "INSERT INTO counters (tenant_id, name, shard, value) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, name, shard) DO UPDATE SET value = counters.value + excluded.value"
    )
    .with(values![tenant, name, shard, by])
}

/// The query of a count, to travel with others; its row is read by [`total`].
pub fn count(tenant: &TenantId, name: &str) -> Query {
    sql!(
        "SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) AS total FROM counters
         WHERE tenant_id = $1 AND name = $2"
    )
    .with(values![tenant, name])
}

/// The count in an answer to [`count`].
pub fn total(rows: &[Row]) -> Result<u64> {
    rows.first().map_or(Ok(0), |row| row.get("total"))
}
