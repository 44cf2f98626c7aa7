//! `export persons`: the living persons of a tenant, oldest first, as CSV or JSON Lines.
//!
//! The CSV is what `import persons` takes: every column of context is there, and an import of it changes nothing. Cells that a
//! spreadsheet would run are guarded, except phone numbers, which are a plus and digits. A file appears whole or not at all.

use std::io::{BufWriter, ErrorKind, Write, stdout};
use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use pagesmith_model::person::Person;
use pagesmith_model::person::context::PersonContext;
use pagesmith_model::{PersonId, TenantId};
use pagesmith_operations::persons::export::PersonRecord;
use pagesmith_operations::tenants;
use pagesmith_store::Store;
use pagesmith_store::tables::persons;

use super::output_file::OutputFile;
use super::session::Session;
use crate::failure::{Failure, Result};
use pagesmith_model::spreadsheet;

/// How many persons are read at once.
const STEP: i64 = 1_000;

/// What can be exported.
#[derive(Subcommand)]
pub enum Command {
    /// Export all persons that are not deleted, oldest first.
    Persons {
        /// The tenant, by id or slug.
        #[arg(long)]
        tenant: String,
        /// The file format.
        #[arg(long, value_enum, default_value = "csv")]
        format: Format,
        /// The file to write; by default standard output.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
        /// Overwrite an existing file.
        #[arg(long, requires = "output")]
        force: bool,
    },
}

/// The form of an export.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// CSV that `import persons` reads.
    Csv,
    /// One JSON object per line, with ids, slug and timestamps.
    Jsonl,
}

/// Writes the persons.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let Command::Persons { tenant, format, output, force } = command;
    let file = output.map(|path| OutputFile::begin(&path, force)).transpose()?;
    session.with_store(async move |store| {
        let tenant = store.read(move |tx| tenants::find(tx, &tenant)).await?.tenant_id;
        let Some(mut file) = file else {
            let written = write(store, &tenant, format, &mut BufWriter::new(stdout().lock())).await;
            return match written {
                // A reader that went away is no failure.
                Err(Unwritten::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                other => other.map_err(Failure::from),
            };
        };
        write(store, &tenant, format, &mut BufWriter::new(&mut file)).await?;
        file.finish()
    })
}

/// Why nothing more was written.
enum Unwritten {
    Io(std::io::Error),
    Other(Failure),
}

impl From<std::io::Error> for Unwritten {
    fn from(error: std::io::Error) -> Unwritten {
        Unwritten::Io(error)
    }
}

impl From<csv::Error> for Unwritten {
    fn from(error: csv::Error) -> Unwritten {
        Unwritten::Io(error.into())
    }
}

impl From<pagesmith_model::Error> for Unwritten {
    fn from(error: pagesmith_model::Error) -> Unwritten {
        Unwritten::Other(error.into())
    }
}

impl From<Unwritten> for Failure {
    fn from(unwritten: Unwritten) -> Failure {
        match unwritten {
            Unwritten::Io(error) => error.into(),
            Unwritten::Other(failure) => failure,
        }
    }
}

async fn write(
    store: &Store,
    tenant: &TenantId,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Unwritten> {
    match format {
        Format::Jsonl => jsonl(store, tenant, out).await?,
        Format::Csv => csv(store, tenant, out).await?,
    }
    Ok(out.flush()?)
}

async fn jsonl(store: &Store, tenant: &TenantId, out: &mut impl Write) -> Result<(), Unwritten> {
    let mut after = None;
    while let Some(persons) = next(store, tenant, &mut after).await? {
        for person in persons {
            serde_json::to_writer(&mut *out, &PersonRecord::from(person)).map_err(std::io::Error::from)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

async fn csv(store: &Store, tenant: &TenantId, out: &mut impl Write) -> Result<(), Unwritten> {
    let columns = columns(store, tenant).await?;
    let mut rows = csv::Writer::from_writer(out);
    let fields = ["Name", "Email", "Phone", "LinkedIn", "Domain"].into_iter();
    let headings: Vec<_> =
        fields.chain(columns.iter().map(String::as_str)).map(spreadsheet::guarded).collect();
    rows.write_record(headings.iter().map(|heading| heading.as_bytes()))?;
    let mut after = None;
    while let Some(persons) = next(store, tenant, &mut after).await? {
        for person in persons {
            let context = PersonContext::read(person.context.as_ref())?;
            if context.names().any(|name| !columns.iter().any(|column| column == name)) {
                let why = "an import has added a column meanwhile; run the export again";
                return Err(Unwritten::Other(Failure::new(why)));
            }
            let ids = &person.identifiers;
            let email = ids.email.as_ref().map_or("", |email| email.as_str());
            let profile = ids.linkedin_profile_url.as_ref().map_or("", |profile| profile.as_str());
            let domain = person.domain.as_ref().map_or("", |domain| domain.as_str());
            let phone = ids.phone_number.as_ref().map_or("", |phone| phone.as_str());
            let mut cells = vec![
                spreadsheet::guarded(&person.name),
                spreadsheet::guarded(email),
                phone.into(),
                profile.into(),
                domain.into(),
            ];
            cells.extend(columns.iter().map(|name| spreadsheet::guarded(context.get(name).unwrap_or(""))));
            rows.write_record(cells.iter().map(|cell| cell.as_bytes()))?;
        }
    }
    Ok(rows.flush()?)
}

/// The names of all columns of context, in the order in which they first occur.
async fn columns(store: &Store, tenant: &TenantId) -> Result<Vec<String>, Unwritten> {
    let (mut columns, mut after) = (Vec::<String>::new(), None);
    while let Some(persons) = next(store, tenant, &mut after).await? {
        for person in persons {
            let context = PersonContext::read(person.context.as_ref())?;
            for name in context.names() {
                if !columns.iter().any(|column| column == name) {
                    columns.push(name.to_owned());
                }
            }
        }
    }
    Ok(columns)
}

/// The persons after the last ones; none at the end.
async fn next(
    store: &Store,
    tenant: &TenantId,
    after: &mut Option<PersonId>,
) -> Result<Option<Vec<Person>>, pagesmith_model::Error> {
    let (tenant, last) = (tenant.clone(), after.clone());
    let persons = store.read(move |tx| persons::bulk::oldest_first(tx, &tenant, last.as_ref(), STEP)).await?;
    let Some(last) = persons.last() else { return Ok(None) };
    *after = Some(last.person_id.clone());
    Ok(Some(persons))
}
