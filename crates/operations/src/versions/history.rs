//! The history of versions: what was done, when, by whom and for which request, noted in the transaction that does it.
//!
//! Invariant: of a version at most [`KEPT`] entries are kept, the newest ones.

use pagesmith_model::json::JsonText;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::{Result, VersionEntryId, VersionId};
use pagesmith_store::tables::versions::history::{self, HistoryEntry};
use pagesmith_store::{Extent, ListPart, Query, Tx};

use crate::context::TenantContext;
use crate::versions::{self, VersionPath};

/// How many entries of a version are kept.
pub const KEPT: i64 = 1_000;

/// The statement that notes what can be done only a few times with a version.
pub(crate) fn note(ctx: &TenantContext, version_id: &VersionId, action: VersionAction) -> Result<Query> {
    entry(ctx, version_id, action, None)
}

/// The statements that note what can be done again and again, and forget what is too old.
pub(crate) fn note_again(
    ctx: &TenantContext,
    version_id: &VersionId,
    action: VersionAction,
    details: &Details,
) -> Result<[Query; 2]> {
    let details = (*details != Details::default()).then(|| JsonText::of(details)).transpose()?;
    let added = entry(ctx, version_id, action, details)?;
    Ok([added, history::keep_newest(&ctx.tenant, version_id, KEPT)])
}

fn entry(
    ctx: &TenantContext,
    version_id: &VersionId,
    action: VersionAction,
    details: Option<JsonText>,
) -> Result<Query> {
    let entry = HistoryEntry {
        version_entry_id: VersionEntryId::mint(ctx.uuid()?),
        action,
        actor: ctx.actor().clone(),
        request_id: ctx.request_id().cloned(),
        details,
        created_at: ctx.now,
    };
    Ok(history::insert(&ctx.tenant, version_id, &entry))
}

/// The history of a version, newest first, after a position; and how many entries there are.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    path: &VersionPath,
    after: Option<&VersionEntryId>,
    extent: Extent,
) -> Result<(ListPart<HistoryEntry>, u64)> {
    versions::find(tx, ctx, path)?;
    history::list(tx, &ctx.tenant, &path.2, after, extent)
}
