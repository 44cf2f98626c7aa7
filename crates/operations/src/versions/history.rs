//! The history of versions: what was done, when, by whom and for which request, noted in the transaction that does it.
//!
//! Of each version the newest [`KEPT`] entries are kept. Older ones are removed by a [sweep](shorten) of the versions whose histories may have
//! grown long: whoever publishes does not look for them.

use pagesmith_model::json::JsonText;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::{AudienceId, Result, Uuid7, VersionEntryId, VersionId};
use pagesmith_store::tables::versions::history::{self, Added, HistoryEntry, LastEntries};
use pagesmith_store::{Extent, ListPart, Query, Tx};

use crate::context::TenantContext;
use crate::versions::{self, VersionPath};

/// How many entries of a version are surely kept.
pub const KEPT: i64 = 1_000;

/// One in how many entries has its version looked at, whether its history has become too long.
const LOOKED_AT_ONE_IN: u128 = 1_024;

/// How many entries are removed in one transaction.
const REMOVED_AT_ONCE: i64 = 500;

/// The ids of an audience and of one of its versions.
pub(crate) type VersionIds<'a> = (&'a AudienceId, &'a VersionId);

/// The statements that add entries for these actions to the history of a version, oldest first, and what the version's row stores of them. They run
/// before the statements that update the rows. The last entry is also one of the version that was `replaced`, if one was. `ends` are the last entries of
/// both versions, read in this transaction; without them the statements read them from the rows.
pub(crate) fn note_all(
    ctx: &TenantContext,
    (audience_id, version_id): VersionIds<'_>,
    actions: &[VersionAction],
    replaced: Option<&VersionId>,
    ends: Option<&LastEntries>,
) -> Result<(Vec<Query>, Added)> {
    let (mut changes, mut added) = (Vec::with_capacity(actions.len() + 1), Added::default());
    for (at, action) in actions.iter().enumerate() {
        let (id, tenant) = (ctx.uuid()?, &ctx.tenant);
        let entry = entry(ctx, id, *action, None);
        let replaced = replaced.filter(|_| at + 1 == actions.len());
        changes.push(match ends {
            Some([own, of_replaced]) => {
                let of_replaced = of_replaced.as_ref().filter(|_| replaced.is_some());
                let ends = [added.last.as_ref().or(own.as_ref()), of_replaced];
                history::insert(tenant, version_id, &entry, replaced, ends)
            }
            None => history::append(tenant, (audience_id, version_id), &entry, replaced, added.last.as_ref()),
        });
        changes.extend(growth(ctx, (audience_id, version_id), id));
        changes.extend(replaced.and_then(|replaced| growth(ctx, (audience_id, replaced), id)));
        added = Added { last: Some(entry.version_entry_id), count: added.count + 1 };
    }
    Ok((changes, added))
}

/// The statements that note something that was done with a version, where nothing else of the version's row changes.
pub(crate) fn note(
    ctx: &TenantContext,
    (audience_id, version_id): VersionIds<'_>,
    action: VersionAction,
    details: &Details,
) -> Result<Vec<Query>> {
    let details = (*details != Details::default()).then(|| JsonText::of(details)).transpose()?;
    let (id, tenant) = (ctx.uuid()?, &ctx.tenant);
    let entry = entry(ctx, id, action, details);
    let added = Added { last: Some(entry.version_entry_id.clone()), count: 1 };
    let mut changes = vec![
        history::append(tenant, (audience_id, version_id), &entry, None, None),
        history::advance(tenant, audience_id, version_id, &added),
    ];
    changes.extend(growth(ctx, (audience_id, version_id), id));
    Ok(changes)
}

/// For one in many entries: the statement that has the version looked at.
fn growth(ctx: &TenantContext, (audience_id, version_id): VersionIds<'_>, id: Uuid7) -> Option<Query> {
    // The last bits of an id are random.
    let is_looked_at = id.as_u128().is_multiple_of(LOOKED_AT_ONE_IN);
    is_looked_at.then(|| history::note_growth(&ctx.tenant, audience_id, version_id))
}

fn entry(ctx: &TenantContext, id: Uuid7, action: VersionAction, details: Option<JsonText>) -> HistoryEntry {
    HistoryEntry {
        version_entry_id: VersionEntryId::mint(id),
        action,
        actor: ctx.actor().clone(),
        request_id: ctx.request_id().cloned(),
        details,
        created_at: ctx.now,
    }
}

/// Whether a version of the tenant has to be looked at, whether its history has become too long.
pub fn has_grown(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(history::grown(tx, &ctx.tenant)?.is_some())
}

/// Removes some entries of one such version that are too old; whether there is more to do.
pub fn shorten(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let Some((audience_id, version_id)) = history::grown(tx, &ctx.tenant)? else { return Ok(false) };
    let ids = (&audience_id, &version_id);
    if history::shorten(tx, &ctx.tenant, ids, KEPT, REMOVED_AT_ONCE)? < REMOVED_AT_ONCE {
        history::forget_growth(tx, &ctx.tenant, &version_id)?;
    }
    Ok(true)
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
    history::list(tx, &ctx.tenant, &path.1, &path.2, after, extent)
}
