//! `page_tallies`: how many audiences a page has, counted as they come and go, in shards like `counters`.
//!
//! The tally is part of a page's stamp, so counting changes that.

use pagesmith_model::page::Tally;
use pagesmith_model::{Error, PageId, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::pages;
use crate::{sql, values};

/// What a change adds to a tally.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    /// More audiences.
    pub listed: i64,
    /// More that are not archived.
    pub present: i64,
    /// More of these that have a live version.
    pub shown: i64,
}

/// Counts a change in a shard ([`crate::Tx::shard`]).
pub fn add(tenant: &TenantId, page_id: &PageId, shard: i64, change: Change) -> Query {
    sql!(
        "INSERT INTO page_tallies (tenant_id, page_id, shard, listed, present, shown)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, page_id, shard) DO UPDATE SET
            listed = page_tallies.listed + excluded.listed, present = page_tallies.present + excluded.present,
            shown = page_tallies.shown + excluded.shown"
    )
    .with(values![tenant, page_id, shard, change.listed, change.present, change.shown])
    .changes(pages::key(tenant, page_id))
}

/// The tally in the number that a page's statements make of both its counts: those that are shown take the lower half.
pub(super) fn unpacked(number: i64) -> Result<Tally> {
    let number = u64::try_from(number).map_err(|_| Error::internal("a page has less than no audiences"))?;
    Ok(Tally { present: number >> 32, shown: number & u64::from(u32::MAX) })
}

/// The query of how many audiences a page has, archived ones included, to travel with others; its row is read by [`total`].
pub fn count(tenant: &TenantId, page_id: &PageId) -> Query {
    sql!(
        "SELECT CAST(COALESCE(SUM(listed), 0) AS BIGINT) AS total FROM page_tallies
         WHERE tenant_id = $1 AND page_id = $2"
    )
    .with(values![tenant, page_id])
}

/// The number in an answer to [`count`].
pub fn total(rows: &[Row]) -> Result<u64> {
    rows.first().map_or(Ok(0), |row| row.get("total"))
}
