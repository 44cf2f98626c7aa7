//! A whole database, copied into an empty one: from either engine to either.
//!
//! The tables and their columns come from the database's own description, so that a table of a later migration is copied as well.
//! Rows travel in the order of their primary key, a batch in a transaction: the greatest key in the target says where a copy that
//! was cut off goes on. At the end both databases are read once more, and each table must have the same number of rows and the
//! same digest. Until then the target is marked (`unfinished_copy`), and nothing else opens it.
//!
//! The source must stand still; one that did not is found by the digests. Of a PostgreSQL database that is served `snapshot` copies
//! one state instead, which it also compares with.

use std::collections::HashMap;
use std::path::Path;
use std::thread;

use pagesmith_model::{Error, Result};

use crate::database_url::{DatabaseUrl, PostgresUrl};
use crate::describe;
use crate::engine::Connector;
use crate::migrate;
use crate::schema_state::SchemaState;
use crate::unfinished_copy;

mod database;
mod digest;
mod pages;
mod plan;
mod postgres;
mod sqlite;

use database::Database;
use digest::Digested;
use pages::Pages;
use plan::Plan;
use postgres::Server;
use sqlite::File;

/// How much is read and written at once.
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    /// Rows of a batch at most.
    pub rows: usize,
    /// About how many bytes end a batch; a row may be larger.
    pub bytes: usize,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch { rows: 20_000, bytes: 8 << 20 }
    }
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Rows are written to the target.
    Copying,
    /// Both databases are read and compared.
    Verifying,
}

/// How far a copy is, told after each batch.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// What is being done.
    pub step: Step,
    /// The table at hand.
    pub table: &'a str,
    /// Rows of all tables that are done in this step.
    pub rows: u64,
    /// Rows of all tables.
    pub total: u64,
}

/// A table that is the same in both databases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// SHA-256 of its rows in the order of the key, in hexadecimal digits; the same on both engines.
    pub digest: String,
}

/// Copies the database at `from` into the empty, migrated one at `to`, or goes on with that where it was cut off; the tables that
/// were copied and compared, by their names.
///
/// Nothing may have either database open. `told` hears of each batch after its commit, and ends the copy by an error; it can be
/// gone on with later. A target with other data is refused and stays as it is, as is a database that is not at this version's schema.
pub fn copy(
    from: &DatabaseUrl,
    to: &DatabaseUrl,
    batch: Batch,
    told: &mut dyn FnMut(Progress<'_>) -> Result<()>,
) -> Result<Vec<CopiedTable>> {
    let name = database::name_of(from);
    if name == database::name_of(to) {
        return Err(Error::conflict(format!("{name} is the source and the target: name two databases.")));
    }
    let mut source = open(from)?;
    let mut target = open(to)?;
    migrated(from, &migrate::state(&mut source.tx())?)?;
    migrated(to, &migrate::state_of_copy(&mut target.tx())?)?;
    let tables = |url| describe::tables(&Connector::of(url)?);
    let plan = Plan::new(&tables(from)?, &tables(to)?)?;
    begin(target.as_mut(), to, &name, &plan)?;

    let mut work = Work { source: source.as_mut(), target: target.as_mut(), batch, total: 0, done: 0, told };
    work.source.begin_reading()?;
    work.copy(&plan)?;
    work.source.execute("COMMIT")?;
    // The source as it is now: what was written meanwhile is seen.
    work.source.begin_reading()?;
    let copied = work.verify(&plan, (from, to))?;
    work.source.execute("COMMIT")?;
    target.tidy_up(&plan.tables)?;
    target.execute(&format!("DROP TABLE {}", unfinished_copy::TABLE))?;
    Ok(copied)
}

/// Copies one state of a PostgreSQL database, which may be served, into a new embedded one at `path`.
///
/// What is left of one that was cut off is of no use. On Citus there is no state of all nodes at once, so that it is refused.
pub(crate) fn snapshot(
    from: &PostgresUrl,
    path: &Path,
    told: &mut dyn FnMut(Progress<'_>) -> Result<()>,
) -> Result<()> {
    let (from, to) = (DatabaseUrl::Postgres(from.clone()), DatabaseUrl::Sqlite(path.to_owned()));
    let mut source = open(&from)?;
    if source.is_cluster() {
        return Err(Error::conflict(
            "A Citus cluster is backed up by the means of its nodes: no transaction sees one state of all of them.",
        ));
    }
    migrated(&from, &migrate::state(&mut source.tx())?)?;
    let connectors = (Connector::of(&from)?, Connector::of(&to)?);
    migrate::apply(&connectors.1)?;
    let plan = Plan::new(&describe::tables(&connectors.0)?, &describe::tables(&connectors.1)?)?;
    let mut target = open(&to)?;
    let (source, batch) = (source.as_mut(), Batch::default());
    let mut work = Work { source, target: target.as_mut(), batch, total: 0, done: 0, told };
    work.source.begin_reading()?;
    work.copy(&plan)?;
    work.verify(&plan, (&from, &to))?;
    work.source.execute("COMMIT")?;
    Ok(target.tidy_up(&plan.tables)?)
}

/// Whether a database has tables of ours, be it of an unfinished copy.
pub(crate) fn has_tables(url: &DatabaseUrl) -> Result<bool> {
    open(url)?.tx().has_table(migrate::JOURNAL)
}

/// Opens an existing database for a copy alone.
fn open(url: &DatabaseUrl) -> Result<Box<dyn Database>> {
    match url {
        DatabaseUrl::Sqlite(path) => Ok(Box::new(File::open(path)?)),
        DatabaseUrl::Postgres(url) => Ok(Box::new(Server::open(url)?)),
    }
}

/// Refuses a database that is not at this version's schema.
fn migrated(url: &DatabaseUrl, state: &SchemaState) -> Result<()> {
    state.refuse_newer()?;
    if state.pending.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "The database {url} is not at this version's schema ({} missing): run `pagesmith migrate` with it.",
        state.pending.join(", ")
    )))
}

/// Marks the target, which must be empty or have been marked by an earlier run of the same copy.
fn begin(target: &mut dyn Database, to: &DatabaseUrl, source: &str, plan: &Plan) -> Result<()> {
    target.begin_writing()?;
    match unfinished_copy::source_of(&mut target.tx())? {
        Some(earlier) if earlier == source => {}
        Some(earlier) => {
            return Err(Error::conflict(format!(
                "The database {to} holds an unfinished copy of {earlier}, not of {source}: end that copy, or make the database anew."
            )));
        }
        None => {
            for table in &plan.tables {
                if pages::last_key(target, table)?.is_some() {
                    return Err(Error::conflict(format!(
                        "The database {to} holds data already (in the table {}): a copy needs an empty one, which `pagesmith migrate` makes.",
                        table.name
                    )));
                }
            }
            let mark = unfinished_copy::TABLE;
            target.execute(&format!("CREATE TABLE {mark} (source TEXT NOT NULL, PRIMARY KEY (source))"))?;
            target.note(&format!("INSERT INTO {mark} (source) VALUES ($1)"), source)?;
        }
    }
    Ok(target.execute("COMMIT")?)
}

/// A copy at work.
struct Work<'a> {
    source: &'a mut dyn Database,
    target: &'a mut dyn Database,
    batch: Batch,
    /// Rows of the source, and how many are done in this step.
    total: u64,
    done: u64,
    told: &'a mut dyn FnMut(Progress<'_>) -> Result<()>,
}

impl Work<'_> {
    /// Writes all that the target lacks, from the state of the source that its transaction sees.
    fn copy(&mut self, plan: &Plan) -> Result<()> {
        let mut present = HashMap::new();
        for table in &plan.tables {
            self.total += pages::count(self.source, table)?;
            if let Some(last) = pages::last_key(self.target, table)? {
                self.done += pages::count(self.target, table)?;
                present.insert(table.name.clone(), last);
            }
        }
        for table in &plan.tables {
            self.copy_table(table, present.remove(&table.name))?;
        }
        Ok(())
    }

    /// Reads on a thread of its own, so that both databases work at once.
    fn copy_table(&mut self, table: &plan::Table, after: Option<Vec<crate::Value>>) -> Result<()> {
        let Work { source, target, batch, total, done, told } = self;
        let (sender, batches) = crossbeam_channel::bounded(1);
        thread::scope(|scope| {
            let reading = scope.spawn(move || {
                let mut pages = Pages::after(table, *batch, after);
                while let Some(rows) = pages.next(*source)? {
                    if sender.send(rows).is_err() {
                        break;
                    }
                }
                Ok(())
            });
            // Taken by value, so that an error ends the reading.
            for rows in batches {
                target.begin_writing()?;
                target.add(table, &rows)?;
                target.execute("COMMIT")?;
                *done += rows.len() as u64;
                told(Progress { step: Step::Copying, table: &table.name, rows: *done, total: *total })?;
            }
            reading.join().unwrap_or_else(|_| Err(Error::internal("the reading of the source broke off")))
        })
    }

    /// Compares the target with the state of the source that its transaction sees.
    fn verify(&mut self, plan: &Plan, (from, to): (&DatabaseUrl, &DatabaseUrl)) -> Result<Vec<CopiedTable>> {
        self.target.begin_reading()?;
        self.done = 0;
        let mut copied = Vec::with_capacity(plan.tables.len());
        for table in &plan.tables {
            let (is, should_be) = self.digests(table)?;
            if is != should_be {
                return Err(Error::conflict(format!(
                    "The table {} is not the same in both databases: {should_be} in {from}, {is} in {to}. \
                     End whatever writes to either, make the target anew, and copy again.",
                    table.name
                )));
            }
            copied.push(CopiedTable { name: table.name.clone(), rows: is.rows, digest: is.digest });
        }
        self.target.execute("COMMIT")?;
        copied.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(copied)
    }

    /// Of the target and of the source.
    fn digests(&mut self, table: &plan::Table) -> Result<(Digested, Digested)> {
        let Work { source, target, batch, total, done, told } = self;
        let batch = *batch;
        thread::scope(|scope| {
            let reading = scope.spawn(move || digest::of(*source, table, batch, &mut |_| Ok(())));
            let is = digest::of(*target, table, batch, &mut |rows| {
                *done += rows;
                told(Progress { step: Step::Verifying, table: &table.name, rows: *done, total: *total })
            })?;
            let should_be = reading.join();
            Ok((is, should_be.unwrap_or_else(|_| Err(Error::internal("the source's digest broke off")))?))
        })
    }
}
