//! Carrying imports out: claimed under a lease, written part by part.

pub use pagesmith_store::tables::person_imports::LEASES;

use std::fmt::Display;
use std::time::Duration;

use pagesmith_model::person_import::{ImportRefusal, ImportStatus, MOST_REFUSALS, PersonImport};
use pagesmith_model::{FileContentId, LeaseId, RequestId, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::files;
use pagesmith_store::tables::person_imports as table;

use crate::context::{Context, TenantContext};
use crate::person_imports::{begin_again, end};
use crate::persons::import::sheet::FilePart;
use crate::persons::import::{self, RowOutcome, SeenFields};

/// How long a lease lasts; each part, written or passed, lets it last longer.
pub const LEASE: Duration = Duration::from_secs(60);
/// How long an import rests whose file could not be read.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// How often an import is tried without a part that is written.
const MOST_TRIES: i64 = 5;

/// Why an import ends whose file cannot be read.
fn unreadable(why: impl Display) -> String {
    format!("The file could not be read: {why}.")
}

/// An import that a worker carries out as long as its lease lasts.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// Whose it is.
    pub tenant: TenantId,
    /// The import, as far as it is.
    pub import: PersonImport,
    /// The bytes of its file.
    pub content_id: FileContentId,
    /// The worker's lease.
    pub lease: LeaseId,
    /// The request that caused it.
    pub request_id: Option<RequestId>,
}

/// Whether an import of a tenant is due, and no other one of it is carried out.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    let is_due = table::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now);
    Ok(is_due && !table::is_busy(tx, tenant)?)
}

/// Gives a worker an import of a tenant. One that was tried too often, or whose file is gone, has failed.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId) -> Result<Option<Claimed>> {
    // Another server may have claimed one since it was found that one is due.
    if table::is_busy(tx, tenant)? {
        return Ok(None);
    }
    let Some(waiting) = table::due(tx, tenant, ctx.now)? else { return Ok(None) };
    let table::Waiting { mut import, tries, request_id } = waiting;
    let of_tenant = ctx.clone().caused_by(request_id.clone()).of(tenant.clone());
    let file = import.file_id.as_ref().map_or(Ok(None), |id| files::find(tx, tenant, id))?;
    let file = match file {
        Some(file) if tries < MOST_TRIES => file,
        found => {
            let problem = match found {
                Some(_) => format!("The import was tried {MOST_TRIES} times without getting further."),
                None => unreadable("it is gone"),
            };
            end(tx, &of_tenant, import, ImportStatus::Failed, Some(problem))?;
            return Ok(None);
        }
    };
    let lease = LeaseId::mint(ctx.uuid()?);
    let mut change = vec![table::lease(tenant, &import.person_import_id, &lease, ctx.now.plus(LEASE))];
    if import.status == ImportStatus::Checking {
        // What a check has found out is in the memory of its worker.
        begin_again(&mut import);
        change.push(table::remove_refusals(tenant, &import.person_import_id));
    }
    tx.change(change)?;
    Ok(Some(Claimed { tenant: tenant.clone(), import, content_id: file.content_id, lease, request_id }))
}

/// The import behind a part of which this became, and the rows that could not be taken.
fn counted(
    ctx: &TenantContext,
    import: &PersonImport,
    part: &FilePart,
    outcomes: Vec<RowOutcome>,
) -> (PersonImport, Vec<ImportRefusal>) {
    let (mut import, mut refusals) = (import.clone(), Vec::new());
    let mut outcomes = outcomes.into_iter();
    let counts = &mut import.counts;
    for (line, refused) in &part.lines {
        let outcome = match refused {
            Some(why) => Some(RowOutcome::Refused(why.clone())),
            None => outcomes.next(),
        };
        match outcome {
            Some(RowOutcome::Created) => counts.created += 1,
            Some(RowOutcome::Updated) => counts.updated += 1,
            Some(RowOutcome::Unchanged) => counts.unchanged += 1,
            Some(RowOutcome::Refused(reason)) => {
                if counts.refused < MOST_REFUSALS {
                    refusals.push(ImportRefusal { line: *line, reason });
                }
                counts.refused += 1;
            }
            None => {}
        }
    }
    for (column, filled) in import.columns.iter_mut().zip(&part.filled) {
        column.rows = *filled;
    }
    (import.position, import.updated_at) = (part.through.min(import.size), ctx.now);
    (import, refusals)
}

/// Lets the lease of a worker last longer; false if the import is no longer the worker's.
pub fn renew(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed) -> Result<bool> {
    let until = ctx.now.plus(LEASE);
    table::renew(tx, &ctx.tenant, &claimed.import.person_import_id, &claimed.lease, until)
}

/// Writes a part: the import behind it, and the fields that it has filled. Nothing is written if the import is no longer the worker's.
pub fn write(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    part: &FilePart,
    seen: &SeenFields,
) -> Result<Option<(PersonImport, SeenFields)>> {
    if !renew(tx, ctx, claimed)? {
        return Ok(None);
    }
    let columns = &claimed.import.mapping().names;
    let (outcomes, seen) = import::import(tx, ctx, columns, &part.rows, seen)?;
    let import = advance(tx, ctx, claimed, part, outcomes)?;
    Ok(Some((import, seen)))
}

/// Notes what a part would do: the import behind it. Nothing is noted if the import is no longer the worker's.
pub fn note(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    part: &FilePart,
    outcomes: Vec<RowOutcome>,
) -> Result<Option<PersonImport>> {
    if !renew(tx, ctx, claimed)? {
        return Ok(None);
    }
    advance(tx, ctx, claimed, part, outcomes).map(Some)
}

fn advance(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    part: &FilePart,
    outcomes: Vec<RowOutcome>,
) -> Result<PersonImport> {
    let (import, refusals) = counted(ctx, &claimed.import, part, outcomes);
    table::add_refusals(tx, &ctx.tenant, &import.person_import_id, &refusals)?;
    tx.run(table::advance(&ctx.tenant, &import, &claimed.lease)?)?;
    Ok(import)
}

/// How the work at an import has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The file was read to its end.
    Read,
    /// It is no table; why not.
    Broken(String),
    /// Its bytes could not be had; another try may help.
    Later,
    /// The process stops.
    Stopped,
}

/// Ends the work at an import; false if it was no longer the worker's.
pub fn finish(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed, how: &End) -> Result<bool> {
    if !renew(tx, ctx, claimed)? {
        return Ok(false);
    }
    let id = &claimed.import.person_import_id;
    let mut import = claimed.import.clone();
    match (how, import.status) {
        (End::Read, ImportStatus::Checking) => {
            (import.status, import.updated_at, import.position) =
                (ImportStatus::Checked, ctx.now, import.size);
            tx.run(table::update(&ctx.tenant, &import, None, ctx.request_id())?)?;
        }
        (End::Read, _) => {
            import.position = import.size;
            end(tx, ctx, import, ImportStatus::Done, None)?;
        }
        (End::Broken(why), _) => {
            end(tx, ctx, import, ImportStatus::Failed, Some(unreadable(why)))?;
        }
        (End::Later, _) => {
            tx.run(table::postpone(&ctx.tenant, id, &claimed.lease, ctx.now.plus(RETRY_DELAY)))?;
        }
        (End::Stopped, _) => {
            tx.run(table::hand_back(&ctx.tenant, id, &claimed.lease))?;
        }
    }
    Ok(true)
}
