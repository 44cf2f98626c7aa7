//! `import persons`: a CSV file into a tenant.
//!
//! The file is read on a thread of its own while the rows before are written, some hundred or thousand in a transaction, so that a
//! running server goes on beside it; where none serves, the rows are indexed for searches meanwhile. What was committed stays if the
//! import is cut off: run it again to finish. Rows that cannot be taken are told with their line and reason, and are no failure.

mod columns;
mod report;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Subcommand, ValueHint};
use pagesmith_model::TenantId;
use pagesmith_operations::persons::import::sheet::{FilePart, Sheet};
use pagesmith_operations::persons::import::{
    self, EMBEDDED_ROWS, ROWS, Row, RowOutcome, SeenFields, UNSERVED_ROWS,
};
use pagesmith_operations::persons::known::KnownPersons;
use pagesmith_operations::{Platform, tenants};
use pagesmith_person_index::{Pace, maintain};
use pagesmith_store::{Store, StoreOptions};
use tokio::sync::{mpsc, watch};

use super::session::Session;
use crate::failure::{Failure, Result};
use columns::{Mapping, mapped, reports};
use report::{Progress, Report};

/// What can be imported.
#[derive(Subcommand)]
pub enum Command {
    /// Create or update persons from a CSV file. Columns of names, e-mail addresses, phone numbers, LinkedIn profiles and domains are recognized by
    /// their headings, other columns are stored as context; --dry-run shows the mapping.
    Persons(Flags),
}

/// What to import, and how.
#[derive(clap::Args)]
pub struct Flags {
    /// The CSV file, with column names in its first line.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The tenant, by id or slug.
    #[arg(long)]
    tenant: String,
    /// Show what would happen without changing anything.
    #[arg(long)]
    dry_run: bool,
    /// The country of phone numbers without a country code: two letters, such as DE; by default the tenant's region.
    #[arg(long)]
    region: Option<String>,
    /// Map a column to a field: name, first-name, last-name, email, phone, linkedin, domain, context or ignore.
    #[arg(long = "map", value_name = "COLUMN=FIELD")]
    mappings: Vec<Mapping>,
    /// Write rejected rows to this CSV file instead of printing them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    report: Option<PathBuf>,
    /// Overwrite an existing report file.
    #[arg(long, requires = "report")]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Imports the file and prints what came of it.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let Command::Persons(flags) = command;
    let bulk = |options| StoreOptions { bulk: true, ..options };
    session
        .with_store_as(bulk, async move |store| persons(store, session.platform(store).await?, flags).await)
}

async fn persons(store: &Store, platform: Arc<Platform>, flags: Flags) -> Result<()> {
    let wanted = flags.tenant.clone();
    let tenant = store.read(move |tx| tenants::find(tx, &wanted)).await?;
    let region = flags.region.as_deref().map(tenants::region).transpose()?.or(tenant.default_region);
    let sheet = open(&flags.file, region, &flags.mappings)?;
    let columns = sheet.columns().clone();
    let mut report = Report::new(flags.report.as_deref(), flags.force, &flags.file, flags.json)?;
    let mut progress = Progress::new(&flags.file, flags.json);
    let mut writer = Writer {
        store,
        platform,
        tenant: tenant.tenant_id,
        columns: columns.names.clone().into(),
        seen: Arc::default(),
        known: flags.dry_run.then(KnownPersons::default),
    };
    let (sender, mut parts) = mpsc::channel(2);
    let (written, commits) = watch::channel(());
    let is_served = store.is_served()?;
    let rows = match (store.url().is_embedded(), is_served) {
        (false, _) => ROWS,
        (true, true) => EMBEDDED_ROWS,
        (true, false) => UNSERVED_ROWS,
    };
    // A server indexes by itself.
    let indexing = (!is_served && writer.known.is_none())
        .then(|| tokio::spawn(index(store.clone(), writer.tenant.clone(), commits)));
    let reading = tokio::task::spawn_blocking(move || read(sheet, rows, &sender));
    while let Some(part) = parts.recv().await {
        let mut outcomes = writer.write(part.rows.into()).await?.into_iter();
        for (line, refused) in part.lines {
            report.add(line, refused.map(RowOutcome::Refused).or_else(|| outcomes.next()))?;
        }
        progress.reach(part.through);
        written.send_replace(());
    }
    drop(written);
    let named = |error: Failure| Failure::new(format!("{}: {error}", flags.file.display()));
    let filled = reading.await.map_err(|error| Failure::new(error.to_string()))?.map_err(named)?;
    if let Some(indexing) = indexing {
        indexing.await.map_err(|error| Failure::new(error.to_string()))??;
    }
    progress.end();
    report.finish(flags.dry_run, &reports(&columns, &filled))
}

/// Opens a file with the columns as the operator wants them.
fn open(path: &Path, region: Option<String>, mappings: &[Mapping]) -> Result<Sheet<File>> {
    let named = |why: &dyn std::fmt::Display| Failure::new(format!("{}: {why}", path.display()));
    let file = File::open(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let mut sheet = Sheet::open(file, region).map_err(|error| named(&error))?;
    let columns = mapped(sheet.columns().clone(), mappings).map_err(|error| named(&error))?;
    sheet.set_columns(columns);
    Ok(sheet)
}

/// Makes what is written findable, as a server's own task does, until nothing more comes.
async fn index(store: Store, tenant: TenantId, mut commits: watch::Receiver<()>) -> Result<()> {
    loop {
        let goes_on = commits.changed().await.is_ok();
        while maintain(&store, &tenant, Pace::ALONE).await? {}
        if !goes_on {
            return Ok(());
        }
    }
}

/// Reads the whole file, part by part, unless nobody takes them any more; in how many rows each column held something.
fn read(mut sheet: Sheet<File>, most: usize, parts: &mpsc::Sender<FilePart>) -> Result<Vec<u64>> {
    while let Some(part) = sheet.next_part(most).map_err(|error| Failure::new(error.to_string()))? {
        if parts.blocking_send(part).is_err() {
            break;
        }
    }
    Ok(sheet.filled().to_vec())
}

/// Where rows go.
struct Writer<'a> {
    store: &'a Store,
    platform: Arc<Platform>,
    tenant: TenantId,
    columns: Arc<[String]>,
    seen: Arc<SeenFields>,
    /// The persons as they would be, in a dry run.
    known: Option<KnownPersons>,
}

impl Writer<'_> {
    async fn write(&mut self, rows: Arc<[Row]>) -> Result<Vec<RowOutcome>> {
        let context = self.platform.context().of(self.tenant.clone());
        let columns = Arc::clone(&self.columns);
        if let Some(known) = &mut self.known {
            let (context_too, rows_too) = (context.clone(), Arc::clone(&rows));
            let found = self.store.read(move |tx| import::look_up(tx, &context_too, &rows_too)).await?;
            let seen = Arc::make_mut(&mut self.seen);
            return Ok(import::rehearse(&context, &columns, &rows, found, known, seen)?);
        }
        let before = Arc::clone(&self.seen);
        let import =
            move |tx: &mut pagesmith_store::Tx<'_>| import::import(tx, &context, &columns, &rows, &before);
        let (outcomes, seen) = self.store.write(import).await?;
        // Nobody else holds it any more: nothing is copied.
        Arc::make_mut(&mut self.seen).extend(seen);
        Ok(outcomes)
    }
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
