//! Keeping the totals of long logs cheap.

use std::time::Duration;

use pagesmith_model::id::Uuid7;
use pagesmith_model::{AccountLogId, PersonLogId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::log_tallies::{self as table, Owner, Total};

use crate::world::TenantContext;

/// Entries this old are final: no request lives as long, and no node's clock is as wrong.
const FINAL: Duration = Duration::from_mins(10);
/// From how many entries that were counted one by one on a tally pays.
const WORTH: u64 = 1_000;

/// Whether a log is long enough for a tally to be moved on.
pub fn is_behind(total: &Total) -> bool {
    total.counted >= WORTH
}

/// Moves the tally of a log on.
pub fn advance(tx: &mut Tx<'_>, ctx: &TenantContext, owner: &Owner<'_>) -> Result<()> {
    let first = Uuid7::first_of(ctx.now.minus(FINAL));
    let limit = match owner {
        Owner::Account(_) => AccountLogId::mint(first).into_string(),
        Owner::Person(_) | Owner::PersonsOf(_) => PersonLogId::mint(first).into_string(),
    };
    table::advance(tx, &ctx.tenant, owner, &limit)
}
