//! The embedded engine's side of a copy.

use std::path::Path;

use pagesmith_model::{Error, Result};
use rusqlite::types::ValueRef;

use super::database::{Database, Row, bytes_of, unfit};
use super::plan::Table;
use crate::connection::sqlite::faults::fault;
use crate::connection::sqlite::{Connection, Mode};
use crate::describe::Column;
use crate::extent::ends_at;
use crate::fault::Fault;
use crate::lock::DatabaseLock;
use crate::sql::Dialect;
use crate::tx::{Link, Tx};
use crate::value::Value;

/// An embedded database that nobody else has open.
pub(super) struct File {
    connection: Connection,
    // Last, so that the connection is closed before others may come.
    _lock: DatabaseLock,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<File> {
        if !path.exists() {
            return Err(Error::conflict(format!(
                "There is no database at {}: correct the address, or make an empty one with `pagesmith migrate`.",
                path.display()
            )));
        }
        let lock = DatabaseLock::exclusive(path)?;
        let connection = Connection::open(path, Mode::Write)?;
        Ok(File { connection, _lock: lock })
    }
}

impl Database for File {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn is_cluster(&self) -> bool {
        false
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::new(Link::Sqlite(&self.connection))
    }

    fn execute(&mut self, text: &str) -> Result<(), Fault> {
        self.connection.raw().execute_batch(text).map_err(|error| fault(&error))
    }

    fn note(&mut self, text: &str, value: &str) -> Result<(), Fault> {
        let text = crate::sql::dialect(text, Dialect::Sqlite);
        self.connection.raw().execute(&text, [value]).map(drop).map_err(|error| fault(&error))
    }

    fn begin_reading(&mut self) -> Result<(), Fault> {
        self.execute("BEGIN")
    }

    fn begin_writing(&mut self) -> Result<(), Fault> {
        self.connection.expect_much()?;
        self.execute("BEGIN IMMEDIATE")
    }

    fn rows(
        &mut self,
        text: &str,
        values: &[Value],
        columns: &[Column],
        most_bytes: usize,
    ) -> Result<Vec<Row>> {
        let mut statement = self.connection.raw().prepare_cached(text).map_err(|error| fault(&error))?;
        let mut answer =
            statement.query(rusqlite::params_from_iter(values)).map_err(|error| fault(&error))?;
        let (mut rows, mut bytes) = (Vec::new(), 0_usize);
        while let Some(found) = answer.next().map_err(|error| fault(&error))? {
            let value = |(at, column)| {
                let value = found.get_ref(at).map_err(|error| fault(&error))?;
                read(value, column)
            };
            let row = columns.iter().enumerate().map(value).collect::<Result<Row>>()?;
            bytes = bytes.saturating_add(bytes_of(&row));
            rows.push(row);
            if ends_at(rows.len(), bytes, most_bytes) {
                break;
            }
        }
        Ok(rows)
    }

    fn add(&mut self, table: &Table, rows: &[Row]) -> Result<()> {
        let raw = self.connection.raw();
        let mut statement = raw.prepare_cached(&table.insert()).map_err(|error| fault(&error))?;
        for row in rows {
            statement.execute(rusqlite::params_from_iter(row)).map_err(|error| fault(&error))?;
        }
        Ok(())
    }

    fn tidy_up(&mut self, _: &[Table]) -> Result<(), Fault> {
        let moved = "PRAGMA wal_checkpoint(TRUNCATE)";
        self.connection.raw().query_row(moved, [], |_| Ok(())).map_err(|error| fault(&error))
    }
}

/// The value of a column, in its portable type. Nothing is mended: a value of another type is told.
fn read(value: ValueRef<'_>, column: &Column) -> Result<Value> {
    match (value, column.column_type.as_str()) {
        (ValueRef::Null, _) => Ok(Value::Null),
        (ValueRef::Integer(value), "BIGINT") => Ok(Value::Int(value)),
        (ValueRef::Integer(value @ (0 | 1)), "BOOLEAN") => Ok(Value::Bool(value == 1)),
        (ValueRef::Text(value), "TEXT") => match std::str::from_utf8(value) {
            Ok(text) => Ok(Value::Text(text.to_owned())),
            Err(_) => Err(unfit(column, "it is not UTF-8")),
        },
        (ValueRef::Blob(value), "BYTEA") => Ok(Value::Bytes(value.to_vec())),
        (_, expected) => Err(unfit(column, &format!("it is not of the type {expected}"))),
    }
}
