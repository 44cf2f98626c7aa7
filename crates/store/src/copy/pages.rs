//! A table's rows, read in parts in the order of its key.

use pagesmith_model::{Error, Result};

use super::Batch;
use super::database::{Database, Row, bytes_of};
use super::plan::Table;
use crate::describe::Column;
use crate::value::Value;

/// How many rows are asked for while it is not known how large they are.
const FIRST: usize = 64;

/// The rows behind a place, part by part.
pub(super) struct Pages<'a> {
    table: &'a Table,
    batch: Batch,
    /// How many rows are asked for next: what does not fit is not asked for, since PostgreSQL would send it in vain.
    next: usize,
    after: Option<Vec<Value>>,
}

impl<'a> Pages<'a> {
    /// Those behind a key, or all.
    pub(super) fn after(table: &'a Table, batch: Batch, after: Option<Vec<Value>>) -> Pages<'a> {
        Pages { table, batch, next: FIRST.min(batch.rows), after }
    }

    /// The next rows; `None` at the end.
    pub(super) fn next(&mut self, database: &mut dyn Database) -> Result<Option<Vec<Row>>> {
        let text = self.table.page(self.after.is_some(), self.next, database.dialect());
        let values = self.after.as_deref().unwrap_or_default();
        let rows = database.rows(&text, values, &self.table.columns, self.batch.bytes);
        let rows = rows.map_err(|error| self.told_where(error))?;
        let Some(last) = rows.last() else { return Ok(None) };
        self.after = Some(self.table.key_of(last));
        let bytes: usize = rows.iter().map(bytes_of).sum();
        self.next = (self.batch.bytes * rows.len() / bytes.max(1)).clamp(1, self.batch.rows);
        Ok(Some(rows))
    }

    /// A refusal with the table and the place in it.
    fn told_where(&self, error: Error) -> Error {
        if !matches!(error.kind(), pagesmith_model::error::Kind::Conflict(_)) {
            return error;
        }
        let place = self.after.as_ref().map(|key| format!(" behind the key {key:?}")).unwrap_or_default();
        Error::conflict(format!("{} (table {}{place})", error.detail(), self.table.name))
    }
}

/// The key of the last row; `None` of an empty table.
pub(super) fn last_key(database: &mut dyn Database, table: &Table) -> Result<Option<Vec<Value>>> {
    let mut rows = database.rows(&table.last(), &[], &table.key_columns(), usize::MAX)?;
    Ok(rows.pop())
}

/// How many rows there are.
pub(super) fn count(database: &mut dyn Database, table: &Table) -> Result<u64> {
    let column = Column { name: "count".to_owned(), column_type: "BIGINT".to_owned(), is_required: true };
    let mut rows = database.rows(&table.count(), &[], &[column], usize::MAX)?;
    match rows.pop().and_then(|mut row| row.pop()) {
        Some(Value::Int(count)) => u64::try_from(count).map_err(Error::internal),
        other => Err(Error::internal(format!("{other:?} rows in the table {}", table.name))),
    }
}
