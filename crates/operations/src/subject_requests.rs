//! Requests of a data subject: handing out and erasing everything that is held about a person, walking the list of columns in
//! [`crate::personal_data`] in short transactions, so that neither holds a server up.
//!
//! Erasing marks the person as deleted first: its page is gone, and nothing new is written with it. Then others' texts are searched, what is
//! being written is begun anew without the person, and at last everything of the person's own is removed in one transaction. Ended
//! anywhere before that, it is run again from the start.

use crate::context::{Context, TenantContext};
use crate::messages;
use crate::personal_data::{self, Search, TEXT_COLUMNS, TextColumns};
use crate::persons::export::Holding;
use crate::persons::export::pieces::Pieces;
use crate::persons::{self, erase, merge};
use crate::precondition::Precondition;
use crate::versions::generations;
use pagesmith_model::{AuditEntryId, PersonId, Result, TenantId};
use pagesmith_store::{Store, Tx, overwrite_deleted};

/// Everything about a person, all of it in memory; that it was handed out is noted in the audit.
pub async fn export(
    store: &Store,
    ctx: &Context,
    tenant: Option<&TenantId>,
    person_id: &PersonId,
) -> Result<Holding> {
    let (beginning, mut pieces) = Pieces::begin(store, ctx, tenant, person_id).await?;
    let mut held = Holding::from(beginning);
    while let Some(piece) = pieces.next(store).await? {
        held.add(piece);
    }
    Ok(held)
}

/// Erases a person, deleted or not, with all who were ever merged into it; the entry of the audit that says so. One that is merged away
/// itself is refused, as long as that can be taken back.
pub async fn erase(store: &Store, ctx: &TenantContext, person_id: &PersonId) -> Result<AuditEntryId> {
    let (of, id) = (ctx.clone(), person_id.clone());
    let merged = store
        .write(move |tx| {
            merge::require_none(tx, &of, &id)?;
            overwrite_deleted(tx)?;
            // From now on nobody can be merged into it.
            persons::delete(tx, &of, &id, &Precondition::Unconditional)?;
            merge::merged_into(tx, &of.tenant, &id)
        })
        .await?;
    // If this is ended in between, those who are left are still found.
    for merge in merged.into_iter().rev() {
        erase_one(store, ctx, &merge.person_id).await?;
    }
    erase_one(store, ctx, person_id).await
}

async fn erase_one(store: &Store, ctx: &TenantContext, person_id: &PersonId) -> Result<AuditEntryId> {
    let (of, id) = (ctx.clone(), person_id.clone());
    let mark = move |tx: &mut Tx<'_>| {
        overwrite_deleted(tx)?;
        persons::delete(tx, &of, &id, &Precondition::Unconditional)?;
        Search::of(tx, &of.tenant, &id)
    };
    let search = store.write(mark).await?;
    for columns in TEXT_COLUMNS {
        if columns.table == "version_contents" {
            // What is written from now on is written from texts that do not name the person any more.
            let of = ctx.clone();
            store
                .write(move |tx| {
                    generations::begin_anew(tx, &of)?;
                    messages::runs::begin_anew(tx, &of)
                })
                .await?;
        }
        walk(store, ctx, columns, &search).await?;
    }
    let (of, id) = (ctx.clone(), person_id.clone());
    store.write(move |tx| erase::erase(tx, &of, &id)).await
}

/// Takes the person out of the columns of a table.
async fn walk(
    store: &Store,
    ctx: &TenantContext,
    columns: &'static TextColumns,
    search: &Search,
) -> Result<()> {
    let mut after = None;
    loop {
        let (tenant, at, sought) = (ctx.tenant.clone(), after.clone(), search.clone());
        let step =
            store.read(move |tx| personal_data::look(tx, &tenant, columns, at.as_deref(), &sought)).await?;
        if !step.mentions.is_empty() {
            let (of, at, sought) = (ctx.clone(), after.clone(), search.clone());
            store.write(move |tx| personal_data::redact(tx, &of, columns, at.as_deref(), &sought)).await?;
        }
        match step.next {
            Some(next) => after = Some(next),
            None => return Ok(()),
        }
    }
}
