//! PostgreSQL's side of a copy.

use std::pin::pin;
use std::time::Duration;

use futures_util::TryStreamExt;
use pagesmith_model::{Error, Result};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::database::{Database, Row, bytes_of, unfit};
use super::plan::Table;
use crate::connection::postgres::Session;
use crate::connection::postgres::servers::Servers;
use crate::database_url::PostgresUrl;
use crate::describe::Column;
use crate::extent::ends_at;
use crate::fault::Fault;
use crate::migrate;
use crate::sql::Dialect;
use crate::tx::{Link, Tx};
use crate::value::Value;

/// How long a statement may take: counting the rows of a table reads all of it.
const STATEMENT: Duration = Duration::from_secs(6 * 3600);

/// One copy or backup at a time. Whoever was cut off may hold the lock until the server has noticed.
const ALONE: &str = "SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
                     SELECT pg_advisory_lock(hashtextextended('pagesmith copy ' || current_schema(), 0))";

/// A PostgreSQL database that no other copy uses.
pub(super) struct Server(Session);

impl Server {
    pub(super) fn open(url: &PostgresUrl) -> Result<Server> {
        let mut session = Session::connect(&Servers::of(url)?, 0, STATEMENT)?;
        match session.execute(ALONE) {
            Ok(()) => Ok(Server(session)),
            Err(Fault::Unavailable(_)) => Err(Error::conflict(format!(
                "Another copy or backup uses the database {url}: wait for its end."
            ))),
            Err(fault) => Err(fault.into()),
        }
    }
}

impl Database for Server {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn is_cluster(&self) -> bool {
        self.0.is_cluster
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::new(Link::Postgres(&mut self.0))
    }

    fn execute(&mut self, text: &str) -> Result<(), Fault> {
        self.0.execute(text)
    }

    fn note(&mut self, text: &str, value: &str) -> Result<(), Fault> {
        self.0.with_client(async |client| client.execute(text, &[&value]).await.map(drop))
    }

    fn begin_reading(&mut self) -> Result<(), Fault> {
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    fn begin_writing(&mut self) -> Result<(), Fault> {
        // The migrations' lock: a server that starts finds the mark or makes none of its rows before it.
        self.execute(&format!("BEGIN; SELECT pg_advisory_xact_lock({})", migrate::LOCK))
    }

    fn rows(
        &mut self,
        text: &str,
        values: &[Value],
        columns: &[Column],
        most_bytes: usize,
    ) -> Result<Vec<Row>> {
        let rows = self.0.with_client(async |client| {
            let mut answer = pin!(client.query_raw(text, values).await?);
            let (mut rows, mut bytes) = (Vec::new(), 0_usize);
            while let Some(found) = answer.try_next().await? {
                let row = columns.iter().enumerate().map(|(at, column)| read(&found, at, column));
                let row = row.collect::<Result<Row, tokio_postgres::Error>>()?;
                bytes = bytes.saturating_add(bytes_of(&row));
                rows.push(row);
                if ends_at(rows.len(), bytes, most_bytes) {
                    break;
                }
            }
            Ok(rows)
        })?;
        Ok(rows)
    }

    fn add(&mut self, table: &Table, rows: &[Row]) -> Result<()> {
        for row in rows {
            for (value, column) in row.iter().zip(&table.columns) {
                if matches!(value, Value::Text(text) if text.contains('\0')) {
                    let (name, key) = (&table.name, table.key_of(row));
                    let why = format!(
                        "it holds the character U+0000, which PostgreSQL cannot keep (table {name}, key {key:?})"
                    );
                    return Err(unfit(column, &why));
                }
            }
        }
        let types: Vec<Type> = table.columns.iter().map(type_of).collect();
        let written = self.0.with_client(async |client| {
            let sink = client.copy_in(&table.copy_in()).await?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in rows {
                writer.as_mut().write_raw(row).await?;
            }
            writer.finish().await
        })?;
        if written == rows.len() as u64 {
            return Ok(());
        }
        Err(Error::internal(format!("{written} of {} rows of {} were written", rows.len(), table.name)))
    }

    fn tidy_up(&mut self, tables: &[Table]) -> Result<(), Fault> {
        // Plans that were made for empty tables are bad for full ones.
        let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        self.execute(&format!("ANALYZE {}", names.join(", ")))
    }
}

fn read(row: &tokio_postgres::Row, at: usize, column: &Column) -> Result<Value, tokio_postgres::Error> {
    let value = match column.column_type.as_str() {
        "BIGINT" => row.try_get::<_, Option<i64>>(at)?.map(Value::Int),
        "BOOLEAN" => row.try_get::<_, Option<bool>>(at)?.map(Value::Bool),
        "BYTEA" => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Value::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map(Value::Text),
    };
    Ok(value.unwrap_or(Value::Null))
}

fn type_of(column: &Column) -> Type {
    match column.column_type.as_str() {
        "BIGINT" => Type::INT8,
        "BOOLEAN" => Type::BOOL,
        "BYTEA" => Type::BYTEA,
        _ => Type::TEXT,
    }
}
