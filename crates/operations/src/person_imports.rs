//! Imports of persons from uploaded files, as jobs: made as a draft, checked if wanted, started, and carried out part by part under a lease.
//!
//! Each part is one transaction, which writes persons, counts and refused rows together and only while the lease is the worker's own. So an import that
//! is cut off anywhere goes on behind the last part, and nobody is imported twice. A tenant's imports are carried out one after the other. The file
//! goes when the import has ended; an import that waits for somebody too long is cancelled.

pub mod work;

use std::time::Duration;

use pagesmith_model::file::File;
use pagesmith_model::person_import::columns::{Columns, MAX_COLUMNS, Unusable};
use pagesmith_model::person_import::{
    ImportColumn, ImportCounts, ImportStatus, MAX_BYTES, MOST_OPEN, NewPersonImport, PersonImport,
    PersonImportPatch,
};
use pagesmith_model::{Error, FileId, Issue, IssueCode, Kind, PersonImportId, Result};
use pagesmith_store::tables::files as files_table;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::person_imports as table;
use pagesmith_store::{Tx, Wakeup};
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{files, tenants};

/// How long a draft waits for somebody.
pub const WAITS: Duration = Duration::from_hours(24);
/// How long the report of an import that has ended is kept.
pub const KEPT: Duration = Duration::from_hours(24 * 90);
/// How many imports a round of [`sweep`] looks at.
const SWEPT: i64 = 20;

/// The file of a new import, before it is read; none if there is no such file.
pub fn file_of(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewPersonImport) -> Result<Option<File>> {
    let id = FileId::parse(&new.file_id);
    let file = id.map_or(Ok(None), |id| files_table::find(tx, &ctx.tenant, &id))?;
    if file.as_ref().is_some_and(|file| file.size > MAX_BYTES) {
        let text = format!("fileId: the file has more than {MAX_BYTES} bytes. Import it in parts.");
        return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["fileId"], text)]));
    }
    Ok(file)
}

/// A file that cannot be read as a table.
pub fn unreadable(why: &str) -> Error {
    let text = format!("fileId: {why}.");
    Error::invalid(vec![Issue::body(IssueCode::InvalidFormat, &["fileId"], text)])
}

/// Makes an import of a file with these headings, which waits for somebody; there are none if there was no such file.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewPersonImport,
    columns: Option<&Columns>,
) -> Result<PersonImport> {
    let (Some(file), Some(columns)) = (file_of(tx, ctx, new)?, columns) else {
        return Err(Error::invalid(vec![Issue::unknown_reference(&["fileId"], FileId::NOUN, &new.file_id)]));
    };
    if columns.names.len() > MAX_COLUMNS {
        return Err(unreadable(&format!("the file has more than {MAX_COLUMNS} columns")));
    }
    if table::count_open(tx, &ctx.tenant)? >= MOST_OPEN {
        let detail =
            format!("A tenant may have at most {MOST_OPEN} imports that have not ended. Cancel some.");
        return Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_OPEN }))), detail));
    }
    let region = match &new.region {
        Some(region) => Some(read_region(region)?),
        None => tenants::find(tx, ctx.tenant.as_str())?.default_region,
    };
    let named = columns.names.iter().zip(&columns.kinds);
    let import = PersonImport {
        person_import_id: PersonImportId::mint(ctx.uuid()?),
        file_id: Some(file.file_id),
        file_name: file.name.as_str().to_owned(),
        size: file.size,
        region,
        columns: named
            .map(|(name, kind)| ImportColumn { name: name.clone(), becomes: *kind, rows: 0 })
            .collect(),
        status: ImportStatus::Draft,
        counts: ImportCounts::default(),
        position: 0,
        problem: None,
        created_at: ctx.now,
        updated_at: ctx.now,
        ended_at: None,
    };
    tx.run(table::insert(&ctx.tenant, &import)?)?;
    Ok(import)
}

fn read_region(region: &str) -> Result<String> {
    tenants::region(region).map_err(|error| {
        let text = format!("region: {}", error.detail());
        Error::invalid(vec![Issue::body(IssueCode::InvalidFormat, &["region"], text)])
    })
}

/// The import.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &PersonImportId) -> Result<PersonImport> {
    table::find(tx, &ctx.tenant, id)?.ok_or_else(|| Error::not_found(PersonImportId::NOUN))
}

/// Changes what columns become, before the import is started. What a check has found out is forgotten.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &PersonImportId,
    patch: &PersonImportPatch,
    precondition: &Precondition<PersonImport>,
) -> Result<PersonImport> {
    let before = find(tx, ctx, id)?;
    precondition.check(&before)?;
    if !before.status.is_editable() {
        return Err(wrong_status(&before, "changed"));
    }
    let mut import = before.clone();
    if let Some(kinds) = &patch.columns {
        if kinds.len() != import.columns.len() {
            let text = format!("columns: the file has {} columns.", import.columns.len());
            return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidFormat, &["columns"], text)]));
        }
        for (column, kind) in import.columns.iter_mut().zip(kinds) {
            column.becomes = *kind;
        }
    }
    if let Some(region) = &patch.region {
        import.region = Some(read_region(region)?);
    }
    if import == before {
        return Ok(import);
    }
    (import.status, import.updated_at) = (ImportStatus::Draft, ctx.now);
    begin_again(&mut import);
    tx.change(vec![
        table::remove_refusals(&ctx.tenant, id),
        table::update(&ctx.tenant, &import, None, ctx.request_id())?,
    ])?;
    Ok(import)
}

/// As if nothing of the file had been read.
fn begin_again(import: &mut PersonImport) {
    (import.counts, import.position) = (ImportCounts::default(), 0);
    import.columns.iter_mut().for_each(|column| column.rows = 0);
}

fn wrong_status(import: &PersonImport, verb: &str) -> Error {
    let status = import.status.as_str();
    let details = json!({ "reason": "status", "status": status });
    let detail = format!("An import that is {status} cannot be {verb}.");
    Error::new(Kind::Conflict(Some(details)), detail)
}

/// What workers are asked to do with an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Find out what it would do.
    Check,
    /// Write.
    Start,
}

/// Queues an import to be checked or started. If that is under way or done, nothing changes.
pub fn order(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &PersonImportId,
    order: Order,
) -> Result<PersonImport> {
    let mut import = find(tx, ctx, id)?;
    let status = match (order, import.status) {
        (Order::Check, ImportStatus::Checking | ImportStatus::Checked)
        | (Order::Start, ImportStatus::Importing | ImportStatus::Done) => return Ok(import),
        (Order::Check, ImportStatus::Draft) => ImportStatus::Checking,
        (Order::Start, ImportStatus::Draft | ImportStatus::Checked) => ImportStatus::Importing,
        (Order::Check, _) => return Err(wrong_status(&import, "checked")),
        (Order::Start, _) => return Err(wrong_status(&import, "started")),
    };
    import.mapping().check().map_err(|unusable| unusable_columns(&unusable))?;
    (import.status, import.updated_at) = (status, ctx.now);
    begin_again(&mut import);
    tx.change(vec![
        table::remove_refusals(&ctx.tenant, id),
        table::update(&ctx.tenant, &import, Some(ctx.now), ctx.request_id())?,
        pending_work::add(&ctx.tenant, WorkKind::PersonImports),
    ])?;
    tx.wake_after_commit(Wakeup::PersonImports);
    Ok(import)
}

fn unusable_columns(unusable: &Unusable) -> Error {
    let (reason, detail) = match unusable {
        Unusable::NoIdentifier => (
            "no_identifier",
            "One of the columns must hold e-mail addresses, phone numbers or LinkedIn profiles.".to_owned(),
        ),
        Unusable::TooMany => ("too_many_columns", format!("At most {MAX_COLUMNS} columns are taken.")),
        Unusable::Twins(name) => (
            "same_name",
            format!("Two columns that become `context` are called '{name}'. Set one of them to `ignore`."),
        ),
    };
    Error::new(Kind::Conflict(Some(json!({ "reason": reason }))), detail)
}

/// Ends an import; what was written stays. One that has ended is left as it is, and so is one that was cancelled.
pub fn cancel(tx: &mut Tx<'_>, ctx: &TenantContext, id: &PersonImportId) -> Result<PersonImport> {
    let import = find(tx, ctx, id)?;
    if import.status.has_ended() {
        return Ok(import);
    }
    end(tx, ctx, import, ImportStatus::Cancelled, None)
}

/// Ends an import, and lets its file go unless something else uses it.
fn end(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    mut import: PersonImport,
    status: ImportStatus,
    problem: Option<String>,
) -> Result<PersonImport> {
    let file = import.file_id.take();
    (import.status, import.problem) = (status, problem);
    (import.updated_at, import.ended_at) = (ctx.now, Some(ctx.now));
    tx.change(vec![table::update(&ctx.tenant, &import, None, ctx.request_id())?])?;
    if let Some(file) = file {
        match files::delete(tx, ctx, &file, &Precondition::Unconditional) {
            Err(error) if matches!(error.kind(), Kind::Conflict(_) | Kind::NotFound) => {}
            deleted => deleted?,
        }
    }
    Ok(import)
}

/// Cancels imports that wait for somebody too long, and forgets those that ended long ago, some of each; whether there may be more.
pub fn sweep(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let waiting = table::waiting_since(tx, &ctx.tenant, ctx.now.minus(WAITS), SWEPT)?;
    for id in &waiting {
        cancel(tx, ctx, id)?;
    }
    let old = table::ended_before(tx, &ctx.tenant, ctx.now.minus(KEPT), SWEPT)?;
    for id in &old {
        tx.change(vec![table::remove_refusals(&ctx.tenant, id), table::remove(&ctx.tenant, id)])?;
    }
    Ok([waiting, old].iter().any(|swept| i64::try_from(swept.len()) == Ok(SWEPT)))
}

/// Whether there is something to [`sweep`].
pub fn has_old(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let waiting = table::waiting_since(tx, &ctx.tenant, ctx.now.minus(WAITS), 1)?;
    Ok(!waiting.is_empty() || !table::ended_before(tx, &ctx.tenant, ctx.now.minus(KEPT), 1)?.is_empty())
}
