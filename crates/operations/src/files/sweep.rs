//! Which stored bytes can be removed: those of deleted files, and those that no transaction ever named.
//!
//! Both wait for [`GRACE`]. Whoever has found a file may still read its bytes then, an upload whose outcome is unknown has ended, and a
//! backup that began with the file's row finds its bytes.

use std::collections::BTreeSet;
use std::time::Duration;

use pagesmith_model::id::Uuid7;
use pagesmith_model::{FileContentId, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::files::contents;

use crate::context::TenantContext;

/// How long bytes stay that nothing uses.
pub const GRACE: Duration = Duration::from_hours(24);

/// How many are forgotten in a transaction.
pub const MOST: usize = 100;

/// Whether there is something to [`forget_unused`].
pub fn has_unused(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!contents::unused(tx, &ctx.tenant, ctx.now.minus(GRACE), 1)?.is_empty())
}

/// Forgets some contents that no file has used for long; their bytes can be removed once this is committed.
pub fn forget_unused(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Vec<FileContentId>> {
    let most = i64::try_from(MOST).unwrap_or(i64::MAX);
    let unused = contents::unused(tx, tenant, now.minus(GRACE), most)?;
    tx.change(unused.iter().map(|id| contents::remove(tenant, id)).collect())?;
    Ok(unused)
}

/// Those of some stored bytes that no row names and none will: their uploads began longer ago than any may take.
pub fn orphans(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    stored: &BTreeSet<FileContentId>,
    now: Timestamp,
) -> Result<Vec<FileContentId>> {
    let young = FileContentId::mint(Uuid7::first_of(now.minus(GRACE)));
    let old: BTreeSet<FileContentId> = stored.range(..young).cloned().collect();
    let known = contents::known(tx, tenant, &old)?;
    Ok(old.difference(&known).cloned().collect())
}
