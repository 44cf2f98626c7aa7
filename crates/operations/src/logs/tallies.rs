//! Keeping the totals of long logs cheap.

use std::time::Duration;

use pagesmith_model::id::Uuid7;
use pagesmith_model::{AccountLogId, PersonLogId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::logs::tallies::{self as table, Tallied, Total};

use crate::context::TenantContext;

/// Entries this old are final: no request lives as long, and no server's clock is as wrong.
const FINAL: Duration = Duration::from_mins(10);
/// From how many entries that are counted one by one on a tally pays.
const WORTH: u32 = 1_000;

/// Whether so many entries behind a log's tally are final that it should be moved on.
pub fn is_behind(tx: &mut Tx<'_>, ctx: &TenantContext, tallied: &Tallied<'_>, total: &Total) -> Result<bool> {
    if total.counted < u64::from(WORTH) {
        return Ok(false);
    }
    table::is_behind(tx, &ctx.tenant, tallied, &limit(ctx, tallied), WORTH)
}

/// Moves the tally of a log on.
pub fn advance(tx: &mut Tx<'_>, ctx: &TenantContext, tallied: &Tallied<'_>) -> Result<()> {
    tx.run(table::advance(&ctx.tenant, tallied, &limit(ctx, tallied))).map(drop)
}

/// The first id that an entry may have that is not final.
fn limit(ctx: &TenantContext, tallied: &Tallied<'_>) -> String {
    let first = Uuid7::first_of(ctx.now.minus(FINAL));
    match tallied {
        Tallied::Account(_) => AccountLogId::mint(first).into_string(),
        Tallied::Person(_) | Tallied::PersonsOf(_) => PersonLogId::mint(first).into_string(),
    }
}
