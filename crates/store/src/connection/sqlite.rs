//! One connection to the embedded database: settings, statements, values, faults.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesmith_model::{Error, Result};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql};

use crate::extent::ends_at;
use crate::fault::Fault;
use crate::row::Row;
use crate::sql::{Dialect, Query, dialect};
use crate::value::Value;

pub(crate) mod faults;
pub(crate) mod refusal;
mod time_limit;

use faults::fault;
use time_limit::{STEPS, TimeLimit};

/// `PSMH`: tells our files from other SQLite files.
pub(crate) const APPLICATION_ID: i32 = 0x5053_4d48;

/// How long a connection waits for others that hold the file.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// How long it waits at most before it looks again.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Write,
}

pub(crate) struct Connection {
    raw: rusqlite::Connection,
    /// Set for connections whose transactions may not take as long as they like.
    time: Option<Arc<TimeLimit>>,
    /// Portable text to SQLite's, and the answer's column names. A text that is in the program is known by its place there.
    literals: RefCell<HashMap<(usize, usize), Prepared>>,
    joined: RefCell<HashMap<String, Prepared>>,
}

#[derive(Clone)]
struct Prepared {
    text: Arc<str>,
    names: Arc<[String]>,
}

impl Connection {
    pub(crate) fn open(path: &Path, mode: Mode) -> Result<Connection> {
        // Without `SQLITE_OPEN_URI`: a path is a path.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut raw = rusqlite::Connection::open_with_flags(path, flags)
            .map_err(|error| refusal::of_file(path, &error))?;
        raw.busy_handler(Some(wait_for_others)).map_err(|error| fault(&error))?;
        // Before any setting, since some of them change the file.
        check_owner(&raw, path)?;
        raw.set_prepared_statement_cache_capacity(256);
        // A plan is made for any values, as on PostgreSQL: else a statement on a table with a partial index may be planned anew at
        // every run.
        raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(|error| fault(&error))?;
        let settings = "
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON;
            PRAGMA foreign_keys = ON;
            PRAGMA cache_size = -8000;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = 4000;
            PRAGMA journal_size_limit = 67108864;";
        until_time_limit(|| raw.execute_batch(settings)).map_err(|error| refusal::of_file(path, &error))?;
        if mode == Mode::Read {
            raw.execute_batch("PRAGMA query_only = ON;").map_err(|error| fault(&error))?;
        }
        Ok(Connection { raw, time: None, literals: RefCell::default(), joined: RefCell::default() })
    }

    /// Stops every statement that still runs so long after the beginning of what is [`Connection::limited`].
    pub(crate) fn with_time_limit(self, limit: Duration) -> Result<Connection> {
        let time = Arc::new(TimeLimit::new(limit));
        let asked = Arc::clone(&time);
        Ok(Connection { time: Some(time), ..self.stopped_when(move || asked.is_over())? })
    }

    /// Stops the statement that runs as soon as this says so; it is asked often.
    pub(crate) fn stopped_when(mut self, stop: impl FnMut() -> bool + Send + 'static) -> Result<Connection> {
        self.raw.progress_handler(STEPS, Some(stop)).map_err(|error| fault(&error))?;
        Ok(self)
    }

    /// Runs what has a limited time, from `now` on: a transaction's work, or one's part in one that several share. What begins and ends
    /// the transaction is not limited.
    pub(crate) fn limited<T>(&self, now: Instant, run: impl FnOnce() -> T) -> T {
        let Some(time) = &self.time else { return run() };
        time.start(now);
        let outcome = run();
        time.end();
        outcome
    }

    /// Whether a statement of what was limited last was stopped.
    pub(crate) fn was_stopped(&self) -> bool {
        self.time.as_ref().is_some_and(|time| time.was_stopped())
    }

    /// Keeps up to a gibibyte of pages in memory and moves the journal when it has as much: indexes are written all over, and
    /// every page that is not kept is read and written again for almost every row.
    pub(crate) fn expect_much(&self) -> Result<(), Fault> {
        let settings = "PRAGMA cache_size = -1048576; PRAGMA wal_autocheckpoint = 131072;";
        self.raw.execute_batch(settings).map_err(|error| fault(&error))
    }

    /// Runs text that is SQLite's own and takes no values.
    pub(crate) fn execute(&self, text: &str) -> Result<(), Fault> {
        let mut statement = self.raw.prepare_cached(text).map_err(|error| fault(&error))?;
        statement.execute([]).map_err(|error| fault(&error))?;
        Ok(())
    }

    /// Whether a transaction is open; some failures end it by themselves.
    pub(crate) fn in_transaction(&self) -> bool {
        !self.raw.is_autocommit()
    }

    pub(crate) fn raw(&self) -> &rusqlite::Connection {
        &self.raw
    }

    fn prepared(&self, query: &Query) -> Result<Prepared, Fault> {
        let place = match &query.text {
            Cow::Borrowed(text) => Ok((text.as_ptr().addr(), text.len())),
            Cow::Owned(text) => Err(text),
        };
        let known = match place {
            Ok(place) => self.literals.borrow().get(&place).cloned(),
            Err(text) => self.joined.borrow().get(text).cloned(),
        };
        if let Some(prepared) = known {
            return Ok(prepared);
        }
        let text: Arc<str> = dialect(&query.text, Dialect::Sqlite).into();
        let statement = self.raw.prepare_cached(&text).map_err(|error| failed(&error, query))?;
        let names = statement.column_names().map(str::to_owned).collect();
        let prepared = Prepared { text, names };
        match place {
            Ok(place) => self.literals.borrow_mut().insert(place, prepared.clone()),
            Err(text) => self.joined.borrow_mut().insert(text.clone(), prepared.clone()),
        };
        Ok(prepared)
    }

    pub(crate) fn all(&self, query: &Query) -> Result<Vec<Row>> {
        crate::sql::record(query, Dialect::Sqlite);
        let prepared = self.prepared(query)?;
        let mut statement = self.raw.prepare_cached(&prepared.text).map_err(|error| failed(&error, query))?;
        let values = rusqlite::params_from_iter(&query.values);
        let mut answer = statement.query(values).map_err(|error| failed(&error, query))?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = answer.next().map_err(|error| failed(&error, query))? {
            let values = (0..prepared.names.len())
                .map(|at| {
                    row.get_ref(at).map(|value| Some(value_of(value))).map_err(|error| failed(&error, query))
                })
                .collect::<Result<Vec<_>, Fault>>()?;
            let row = Row::new(Arc::clone(&prepared.names), values);
            bytes += if query.most_bytes == usize::MAX { 0 } else { row.bytes() };
            rows.push(row);
            if ends_at(rows.len(), bytes, query.most_bytes) {
                break;
            }
        }
        Ok(rows)
    }

    pub(crate) fn run(&self, query: &Query) -> Result<u64> {
        crate::sql::record(query, Dialect::Sqlite);
        let prepared = self.prepared(query)?;
        let mut statement = self.raw.prepare_cached(&prepared.text).map_err(|error| failed(&error, query))?;
        let values = rusqlite::params_from_iter(&query.values);
        let touched = statement.execute(values).map_err(|error| failed(&error, query))?;
        Ok(touched as u64)
    }
}

/// Refuses a file that another program made; one that holds nothing yet is anyone's.
fn check_owner(raw: &rusqlite::Connection, path: &Path) -> Result<()> {
    let number = |text: &str| {
        until_time_limit(|| raw.query_row(text, [], |row| row.get::<_, i64>(0)))
            .map_err(|error| refusal::of_file(path, &error))
    };
    // In this order: a new file of ours has its mark before its first table.
    let objects = number("SELECT COUNT(*) FROM sqlite_schema")?;
    let found = number("PRAGMA application_id")?;
    if found == i64::from(APPLICATION_ID) || (found == 0 && objects == 0) {
        return Ok(());
    }
    Err(Error::unavailable(format!(
        "The file {} belongs to another program: name another file in the setting `database`.",
        path.display()
    )))
}

/// Waits before a look at a file that others hold; false if that has lasted too long. SQLite's own pauses grow to a tenth of a second:
/// among others that write all the time, whoever looks so seldom may not find the file free in all that time.
fn wait_for_others(looks: i32) -> bool {
    let most = TIME_LIMIT.as_millis() / LONGEST_PAUSE.as_millis();
    let looks = u32::try_from(looks).unwrap_or_default();
    std::thread::sleep(LONGEST_PAUSE.min(Duration::from_millis(1) * (looks + 1)));
    u128::from(looks) < most
}

/// Tries again while others hold the file. SQLite waits by itself, but not where it turns the journal on or mends
/// it after a crash: of several processes that start at once, it refuses all but one.
fn until_time_limit<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < TIME_LIMIT =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            outcome => return outcome,
        }
    }
}

/// A statement's failure; a defect is told with its text and place.
fn failed(error: &rusqlite::Error, query: &Query) -> Fault {
    match fault(error) {
        Fault::Defect(why) => {
            Fault::Defect(format!("{why} in {} ({:?})", query.text, query.locations.as_slice()))
        }
        fault => fault,
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(value) => ValueRef::Integer(*value),
            Value::Bool(value) => ValueRef::Integer(i64::from(*value)),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

fn value_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        // Only UTF-8 is ever stored; a file that was damaged shows replacement characters.
        ValueRef::Text(value) => Value::Text(match std::str::from_utf8(value) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(value).into_owned(),
        }),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
        // No column is of this type, and no statement computes one.
        ValueRef::Real(value) => Value::Text(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_refused_and_left_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let marked = folder.path().join("marked.db");
        let unmarked = folder.path().join("unmarked.db");
        let text = folder.path().join("text.db");
        let make =
            |path: &Path, text: &str| rusqlite::Connection::open(path).unwrap().execute_batch(text).unwrap();
        make(&marked, "PRAGMA application_id = 7;");
        make(&unmarked, "CREATE TABLE t (a);");
        std::fs::write(&text, "not a database, but long enough to be read as one ".repeat(40)).unwrap();
        for path in [marked, unmarked, text] {
            let before = std::fs::read(&path).unwrap();
            assert!(Connection::open(&path, Mode::Write).is_err(), "{}", path.display());
            assert!(std::fs::read(&path).unwrap() == before, "{}", path.display());
        }
    }

    #[test]
    fn what_is_synced_is_synced_through_the_drive_s_own_memory_where_that_takes_more() {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(&folder.path().join("test.db"), Mode::Write).unwrap();
        for setting in ["PRAGMA fullfsync", "PRAGMA checkpoint_fullfsync"] {
            assert_eq!(
                connection.raw().query_row(setting, [], |row| row.get::<_, i64>(0)),
                Ok(1),
                "{setting}"
            );
        }
    }

    #[test]
    fn only_what_is_limited_is_stopped_however_often_a_statement_has_run() {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(&folder.path().join("test.db"), Mode::Write).unwrap();
        let connection = connection.with_time_limit(Duration::ZERO).unwrap();
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT COUNT(*) FROM n";
        let stopped = connection.limited(Instant::now(), || {
            connection.raw().query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err()
        });
        assert!(matches!(fault(&stopped), Fault::TooLong(_)) && connection.was_stopped());
        // The steps of these are counted on from run to run.
        for _ in 0..5_000 {
            connection.execute("BEGIN").unwrap();
            connection.execute("ROLLBACK").unwrap();
        }
    }

    #[test]
    fn an_empty_file_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.db");
        std::fs::write(&path, "").unwrap();
        Connection::open(&path, Mode::Write).unwrap();
    }
}
