//! Logs of persons and accounts: entries are written once, changed if they are notes, deleted and restored.
//!
//! Here is what both have in common; how the owner of a new entry is found or created differs.

pub mod accounts;
pub mod activity;
pub mod persons;
pub mod tallies;

use pagesmith_model::log::{Log, LogOwner, LogPatch, NewEntry};
use pagesmith_model::{AccountId, Error, PersonId, Result, Timestamp};
use pagesmith_store::tables::logs::{self as table, LogTable};
use pagesmith_store::{Extent, ListPart, Row, Tx};

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::soft_deletion;

/// An owner of a log whose existence can be checked.
pub trait Owner: LogTable {
    /// Whether a deleted owner hides its entries.
    const HIDES_ENTRIES: bool;

    /// Fails if there is no such owner.
    fn require(&self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()>;
}

impl Owner for PersonId {
    const HIDES_ENTRIES: bool = true;

    fn require(&self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
        crate::persons::find(tx, ctx, self).map(drop)
    }
}

impl Owner for AccountId {
    /// Accounts are never deleted.
    const HIDES_ENTRIES: bool = false;

    fn require(&self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
        crate::accounts::find(tx, ctx, self).map(drop)
    }
}

/// An entry that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<O: LogOwner> {
    /// Whose it is.
    pub owner_id: O,
    /// Its id.
    pub log_id: O::LogId,
    /// When it was written.
    pub created_at: Timestamp,
    /// The system that it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
}

impl<O: LogOwner> Written<O> {
    fn new(owner_id: O, log_id: O::LogId, entry: &NewEntry<'_>, now: Timestamp) -> Written<O> {
        let (source, kind) = (entry.source.as_str().to_owned(), entry.kind.as_str().to_owned());
        Written { owner_id, log_id, created_at: now, source, kind }
    }
}

/// The first answer again for the same request with the same key; `row` is one of [`table::by_key`].
fn replay<O: LogTable>(row: &Row, digest: Option<&[u8; 32]>) -> Result<Written<O>> {
    let sent = table::sent::<O>(row)?;
    if sent.digest.as_deref() != digest.map(<[u8; 32]>::as_slice) {
        return Err(Error::conflict("This idempotencyKey was used for another entry."));
    }
    let Log { owner_id, log_id, entry } = sent.log;
    let (created_at, source, kind) = (entry.created_at, entry.source, entry.kind);
    Ok(Written { owner_id, log_id, created_at, source, kind })
}

/// A part of a log, newest first; how many entries there are in all; and whether the tally of them is behind.
pub type CountedPart<T> = (ListPart<T>, u64, bool);

/// An owner's entries.
pub fn list<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    owner_id: &O,
    include_deleted: bool,
    after: Option<&O::LogId>,
    extent: Extent,
) -> Result<CountedPart<Log<O>>> {
    owner_id.require(tx, ctx)?;
    let (logs, total) = table::list(tx, &ctx.tenant, owner_id, include_deleted, after, extent)?;
    let is_behind = tallies::is_behind(tx, ctx, &owner_id.tallied(), &total)?;
    Ok((logs, total.entries, is_behind))
}

/// The entry, deleted or not.
fn find<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    owner_id: &O,
    log_id: &O::LogId,
) -> Result<Option<Log<O>>> {
    if O::HIDES_ENTRIES {
        owner_id.require(tx, ctx)?;
    }
    table::find(tx, &ctx.tenant, owner_id, log_id)
}

/// The entry, unless it is deleted.
pub fn find_shown<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    owner_id: &O,
    log_id: &O::LogId,
) -> Result<Log<O>> {
    soft_deletion::present(find(tx, ctx, owner_id, log_id)?)
}

/// Gives a note a new text.
pub fn update<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (owner_id, log_id): (&O, &O::LogId),
    patch: &LogPatch,
    precondition: &Precondition<Log<O>>,
) -> Result<()> {
    let mut log = find_shown(tx, ctx, owner_id, log_id)?;
    precondition.check(&log)?;
    let payload = patch.applied(&log.entry.payload).ok_or_else(not_a_note)?;
    if payload == log.entry.payload {
        return Ok(());
    }
    log.entry.payload = payload;
    log.entry.updated_at = Some(ctx.now);
    tx.run(table::update(&ctx.tenant, &log)).map(drop)
}

fn not_a_note() -> Error {
    Error::conflict("Only a note can be changed: an entry whose payload has a text.")
}

/// Deletes an entry; again changes nothing.
pub fn delete<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (owner_id, log_id): (&O, &O::LogId),
    precondition: &Precondition<Log<O>>,
) -> Result<()> {
    let found = find(tx, ctx, owner_id, log_id)?;
    let Some(log) = soft_deletion::delete(found, ctx.now, precondition)? else { return Ok(()) };
    tx.run(table::update(&ctx.tenant, &log)).map(drop)
}

/// Restores a deleted entry; one that is not deleted stays as it is.
pub fn restore<O: Owner>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (owner_id, log_id): (&O, &O::LogId),
) -> Result<()> {
    let Some(log) = soft_deletion::restore(find(tx, ctx, owner_id, log_id)?)? else { return Ok(()) };
    tx.run(table::update(&ctx.tenant, &log)).map(drop)
}
