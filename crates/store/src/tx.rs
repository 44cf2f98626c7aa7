//! A transaction, as the code above sees it.
//!
//! The whole surface: [`Tx::all`], [`Tx::one`], [`Tx::maybe`], [`Tx::run`], [`Tx::batch`], whose statements travel
//! together, and [`Tx::change`], whose statements may be one. A transaction ends when its closure returns: with `Ok` it is
//! committed, with `Err` rolled back. After a statement has failed only `Err` is possible: PostgreSQL would answer the
//! COMMIT by rolling back, without a word.

use std::time::Duration;

use pagesmith_model::{Error, Result};

use crate::connection::postgres::Session;
use crate::connection::sqlite::Connection;
use crate::row::Row;
use crate::rows::{Change, Rows};
use crate::sql;
use crate::sql::Query;
use crate::wakeup::Wakeup;

/// Longer than a transaction of PostgreSQL may take from a statement to its commit.
const SETTLED: Duration = Duration::from_secs(30);

/// An open transaction.
pub struct Tx<'a> {
    pub(crate) link: Link<'a>,
    failed: bool,
    /// How many statements it may still run; nothing where nobody counts.
    remaining: Option<usize>,
    /// Whom to wake after the commit.
    wakeups: Vec<Wakeup>,
    /// The rows that are kept in memory, and how much was committed when this transaction began; for point reads.
    rows: Option<(&'a Rows, u64)>,
    changed: Vec<Change>,
}

/// The connection under a transaction.
pub(crate) enum Link<'a> {
    Sqlite(&'a Connection),
    Postgres(&'a mut Session),
}

impl<'a> Tx<'a> {
    pub(crate) fn new(link: Link<'a>) -> Tx<'a> {
        Tx { link, failed: false, remaining: None, wakeups: vec![], rows: None, changed: vec![] }
    }

    /// A transaction that may take rows from memory.
    pub(crate) fn for_point_read(link: Link<'a>, rows: Option<&'a Rows>, commits: u64) -> Tx<'a> {
        Tx { rows: rows.map(|rows| (rows, commits)), ..Tx::new(link) }
    }

    /// The rows that this transaction changes, of those that may be kept in memory.
    pub(crate) fn take_changed(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changed)
    }

    /// The rows in memory, and how much was committed when this transaction began; nothing if it must read from the database.
    pub(crate) fn rows_in_memory(&self) -> Option<(&'a Rows, u64)> {
        self.rows
    }

    /// Refuses whatever comes after one statement.
    pub(crate) fn limit_to_one(&mut self) {
        self.remaining = Some(1);
    }

    /// Lets a read of one statement run more, where all of them see one snapshot: as with rows in memory, which only such a read has.
    pub(crate) fn allow_more(&mut self) {
        self.remaining = None;
    }

    /// Counts statements that are about to run.
    fn count(&mut self, statements: usize) -> Result<()> {
        let Some(remaining) = self.remaining else { return Ok(()) };
        let Some(remaining) = remaining.checked_sub(statements) else {
            self.failed = true;
            return Err(Error::internal("more than one statement in a read of one"));
        };
        self.remaining = Some(remaining);
        Ok(())
    }

    /// Wakes the task that waits in [`crate::Store::wait_for`] as soon as this transaction is committed.
    pub fn wake_after_commit(&mut self, wakeup: Wakeup) {
        if !self.wakeups.contains(&wakeup) {
            self.wakeups.push(wakeup);
        }
    }

    pub(crate) fn take_wakeups(&mut self) -> Vec<Wakeup> {
        std::mem::take(&mut self.wakeups)
    }

    /// Whether a statement failed, so that nothing of this transaction can stay.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Every row of the answer.
    pub fn all(&mut self, query: Query) -> Result<Vec<Row>> {
        let mut answers = self.batch(vec![query])?;
        Ok(answers.pop().unwrap_or_default())
    }

    /// The only row of the answer; none is a defect.
    pub fn one(&mut self, query: Query) -> Result<Row> {
        self.maybe(query)?.ok_or_else(|| Error::internal("a statement answered no row"))
    }

    /// The first row of the answer, if there is one.
    pub fn maybe(&mut self, query: Query) -> Result<Option<Row>> {
        Ok(self.all(query)?.into_iter().next())
    }

    /// Runs a statement without answer; the number of rows that it touched.
    pub fn run(&mut self, mut query: Query) -> Result<u64> {
        self.count(1)?;
        self.changed.append(&mut query.changed);
        let touched = match &mut self.link {
            Link::Sqlite(connection) => connection.run(&query),
            Link::Postgres(session) => session.run(&query),
        };
        self.failed |= touched.is_err();
        touched
    }

    /// Runs statements in order, however many; the rows of each. PostgreSQL is sent 64 at a time.
    pub fn batch(&mut self, mut queries: Vec<Query>) -> Result<Vec<Vec<Row>>> {
        self.count(queries.len())?;
        self.note_changed(&mut queries);
        let answers = match &mut self.link {
            Link::Sqlite(connection) => queries.iter().map(|query| connection.all(query)).collect(),
            Link::Postgres(session) => session.batch(&queries),
        };
        self.failed |= answers.is_err();
        answers
    }

    /// Runs changes whose answers nobody needs, and of which none reads or changes a row that another one changes: PostgreSQL takes
    /// them as one statement, in any order, each sees what was there before, and it is sent with whatever comes next. There, a constraint
    /// that is violated counts as a race that is lost.
    pub fn change(&mut self, mut changes: Vec<Query>) -> Result<()> {
        self.count(changes.len())?;
        self.note_changed(&mut changes);
        let done = match &mut self.link {
            Link::Sqlite(connection) => {
                changes.iter().try_for_each(|change| connection.run(change).map(drop))
            }
            Link::Postgres(session) => sql::joined(changes).map_or(Ok(()), |change| session.change(change)),
        };
        self.failed |= done.is_err();
        done
    }

    /// Notes which rows in memory the statements change, before they run.
    fn note_changed(&mut self, queries: &mut [Query]) {
        for query in queries {
            self.changed.append(&mut query.changed);
        }
    }

    /// Whether the database has a table of this name.
    pub(crate) fn has_table(&mut self, name: &str) -> Result<bool> {
        let select = match &self.link {
            // only: sqlite
            Link::Sqlite(_) => sql!("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = $1"),
            Link::Postgres(_) => {
                // only: postgres
                sql!(
                    "SELECT tablename FROM pg_tables WHERE tablename = CAST($1 AS TEXT) AND schemaname = current_schema()"
                )
            }
        };
        Ok(self.maybe(select.with(crate::values![name]))?.is_some())
    }

    /// How long after ids were given out others may still come to light below them: none if transactions are committed one after the other.
    pub fn settles_after(&self) -> Option<Duration> {
        match &self.link {
            Link::Sqlite(_) => None,
            Link::Postgres(_) => Some(SETTLED),
        }
    }

    /// How many rows a statement may insert, the most first. There are few lengths, because each is a plan of its own, and they are such that
    /// few statements make up any number. The embedded database needs no round trips, and before a statement of several rows changes a page
    /// of its file it copies that page, so that it can undo half a statement; for `RETURNING` it does the same.
    pub(crate) fn rows_at_once(&self) -> &'static [usize] {
        match &self.link {
            Link::Sqlite(_) => &[1],
            Link::Postgres(_) => &[64, 32, 16, 8, 4, 2, 1],
        }
    }

    /// Whether there are indexes of what texts hold, which a migration makes for PostgreSQL alone.
    pub(crate) fn has_gram_indexes(&self) -> bool {
        matches!(self.link, Link::Postgres(_))
    }

    /// A number that transactions running at the same time do not share, from 0 to 63: which row of a
    /// sharded counter to count in, so that writers of one tenant do not meet on one row.
    pub fn shard(&self) -> i64 {
        match &self.link {
            Link::Sqlite(_) => 0,
            Link::Postgres(session) => session.shard,
        }
    }
}

/// Lets the embedded database overwrite with zeros what this connection deletes from now on: usually the bytes stay in the file
/// until their place is used again. PostgreSQL clears away by its own VACUUM.
pub fn overwrite_deleted(tx: &mut Tx<'_>) -> Result<()> {
    if matches!(tx.link, Link::Sqlite(_)) {
        // only: sqlite
        tx.all(sql!("PRAGMA secure_delete = ON").with(vec![]))?;
    }
    Ok(())
}
