//! One of the two databases of a copy: its connection, as far as both engines can do the same.

use pagesmith_model::{Error, Result};

use super::plan::Table;
use crate::database_url::DatabaseUrl;
use crate::describe::Column;
use crate::fault::Fault;
use crate::sql::Dialect;
use crate::tx::Tx;
use crate::value::Value;

/// A row: the values of its columns, in the table's order.
pub(super) type Row = Vec<Value>;

/// A connection that nobody else uses.
pub(super) trait Database: Send {
    fn dialect(&self) -> Dialect;

    /// Whether its rows are spread over several databases.
    fn is_cluster(&self) -> bool;

    /// For the statements that are written for both engines.
    fn tx(&mut self) -> Tx<'_>;

    /// Runs text without values and without an answer.
    fn execute(&mut self, text: &str) -> Result<(), Fault>;

    /// Runs text with one value and without an answer.
    fn note(&mut self, text: &str, value: &str) -> Result<(), Fault>;

    /// Begins a transaction that sees one state and only reads.
    fn begin_reading(&mut self) -> Result<(), Fault>;

    /// Begins a transaction that writes.
    fn begin_writing(&mut self) -> Result<(), Fault>;

    /// The rows that a statement of this engine answers, whose columns these are; no more than those with the first so many bytes
    /// and the one behind. A value that is not of its column's type is refused.
    fn rows(
        &mut self,
        text: &str,
        values: &[Value],
        columns: &[Column],
        most_bytes: usize,
    ) -> Result<Vec<Row>>;

    /// Adds rows in the transaction that is open.
    fn add(&mut self, table: &Table, rows: &[Row]) -> Result<()>;

    /// Does what makes a database that was just filled quick.
    fn tidy_up(&mut self, tables: &[Table]) -> Result<(), Fault>;
}

/// By what a database is known from run to run: its address without a password, with the whole path of a file.
pub(super) fn name_of(url: &DatabaseUrl) -> String {
    match url.embedded_path().map(std::path::Path::canonicalize) {
        Some(Ok(path)) => format!("sqlite:{}", path.display()),
        _ => url.to_string(),
    }
}

/// What is wrong with a value that cannot be copied.
pub(super) fn unfit(column: &Column, why: &str) -> Error {
    Error::conflict(format!("A value of the column {} cannot be copied: {why}.", column.name))
}

/// About how many bytes a row takes.
pub(super) fn bytes_of(row: &Row) -> usize {
    row.iter().map(|value| value.bytes() + size_of::<Value>()).sum()
}
