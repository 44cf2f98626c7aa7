//! The tables as they are now, as SQL text in the dialect of the migrations.
//!
//! Each engine is asked for its tables in its own words; they are written down here, once, so that the same schema
//! gives the same bytes from both. Sorted by name, columns in their order. What the portable rules forbid (defaults,
//! triggers, views) is not described, nor are indexes that PostgreSQL alone has.

use std::collections::BTreeMap;
use std::fmt;

use pagesmith_model::{Error, Result};

use crate::engine::Connector;
use crate::row::Row;

mod postgres;
mod sqlite;

const HEADER: &str = "-- The tables as they are now. Made by `cargo x gen`; read this first.\n\
     -- Indexes that PostgreSQL alone has stand in their migrations, below `-- only: postgres`.\n";

/// A schema, as far as both engines can tell it: tables by their names.
pub(crate) type Tables = BTreeMap<String, Table>;

/// A table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    /// The names of its columns, in the key's order.
    pub(crate) primary_key: Vec<String>,
    /// Name to columns.
    uniques: BTreeMap<String, Vec<String>>,
    pub(crate) foreign_keys: BTreeMap<String, ForeignKey>,
    indexes: BTreeMap<String, Index>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// `TEXT`, `BIGINT`, `BYTEA` or `BOOLEAN`, with its collation if that is not the bytes' order.
    pub(crate) column_type: String,
    /// Whether it is `NOT NULL`.
    pub(crate) is_required: bool,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not_null = if self.is_required { " NOT NULL" } else { "" };
        write!(f, "{} {}{not_null}", self.name, self.column_type)
    }
}

/// A reference to another table's rows.
#[derive(Debug, Default)]
pub(crate) struct ForeignKey {
    columns: Vec<String>,
    pub(crate) other_table: String,
    other_columns: Vec<String>,
    /// What happens when the row referred to is deleted, `NO ACTION` if nothing.
    on_delete: String,
}

#[derive(Debug, Default)]
struct Index {
    is_unique: bool,
    /// With their `DESC`.
    columns: Vec<String>,
    /// Which rows it holds, if not all.
    condition: Option<String>,
}

/// The tables of a database, as text.
pub(crate) fn describe(connector: &Connector) -> Result<String> {
    Ok(written(&tables(connector)?))
}

/// The tables of a database.
pub(crate) fn tables(connector: &Connector) -> Result<Tables> {
    match connector {
        Connector::Sqlite(path) => sqlite::tables(path),
        Connector::Postgres(servers) => postgres::tables(servers),
    }
}

/// The table that a row is about.
fn table_of<'a>(tables: &'a mut Tables, row: &Row) -> Result<&'a mut Table> {
    let name: String = row.get("table_name")?;
    tables.get_mut(&name).ok_or_else(|| Error::internal(format!("the table {name} has no columns")))
}

/// One more column of the table that the row names, which may be its first.
fn add_column(tables: &mut Tables, row: &Row, column_type: &str) -> Result<()> {
    let column = Column {
        name: row.get("column_name")?,
        column_type: column_type.to_owned(),
        is_required: row.get::<i64>("is_required")? == 1,
    };
    tables.entry(row.get("table_name")?).or_default().columns.push(column);
    Ok(())
}

/// One more column of an index, which may be its first; without a name it is the expression.
fn add_index_column(
    tables: &mut Tables,
    row: &Row,
    expression: Option<&str>,
    condition: Option<&str>,
) -> Result<()> {
    let name: String = row.get("index_name")?;
    let column: Option<String> = row.get("column_name")?;
    let column = column.or_else(|| Some(plain(expression?)));
    let column = column.ok_or_else(|| Error::internal(format!("the index {name} is on nothing")))?;
    let descending = if row.get::<i64>("is_descending")? == 1 { " DESC" } else { "" };
    let is_unique = row.get::<i64>("is_unique")? == 1;
    let index = table_of(tables, row)?.indexes.entry(name).or_default();
    index.is_unique = is_unique;
    index.condition = condition.map(plain_condition);
    index.columns.push(format!("{column}{descending}"));
    Ok(())
}

/// A condition without what PostgreSQL adds when it repeats one: casts of literals, and parentheses where only
/// `AND` joins the parts.
fn plain_condition(text: &str) -> String {
    let text = plain(text);
    if text.contains(" OR ") {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    // A parenthesis after a name is a call's and stays, with the one that closes it.
    let mut kept = Vec::new();
    for character in text.chars() {
        let keep = match character {
            '(' => {
                kept.push(plain.ends_with(|before: char| before.is_alphanumeric() || before == '_'));
                kept.last() == Some(&true)
            }
            ')' => kept.pop() != Some(false),
            _ => true,
        };
        if keep {
            plain.push(character);
        }
    }
    plain
}

/// An expression on one line, without the casts of literals that PostgreSQL adds.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("::text", "").replace("::bigint", "")
}

fn written(tables: &Tables) -> String {
    let mut text = HEADER.to_owned();
    for (name, table) in tables {
        let mut lines: Vec<String> = table.columns.iter().map(Column::to_string).collect();
        lines.push(format!("PRIMARY KEY ({})", table.primary_key.join(", ")));
        for (unique, columns) in &table.uniques {
            lines.push(format!("CONSTRAINT {unique} UNIQUE ({})", columns.join(", ")));
        }
        for (key, ForeignKey { columns, other_table, other_columns, on_delete }) in &table.foreign_keys {
            let (own, other) = (columns.join(", "), other_columns.join(", "));
            let action =
                if on_delete == "NO ACTION" { String::new() } else { format!(" ON DELETE {on_delete}") };
            lines.push(format!(
                "CONSTRAINT {key} FOREIGN KEY ({own}) REFERENCES {other_table} ({other}){action}"
            ));
        }
        text.push_str(&format!("\nCREATE TABLE {name} (\n    {}\n);\n", lines.join(",\n    ")));
        for (index, Index { is_unique, columns, condition }) in &table.indexes {
            let unique = if *is_unique { "UNIQUE " } else { "" };
            let condition = condition.as_ref().map(|text| format!(" WHERE {text}")).unwrap_or_default();
            let columns = columns.join(", ");
            text.push_str(&format!("\nCREATE {unique}INDEX {index} ON {name} ({columns}){condition};\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn conditions_lose_what_postgresql_adds() {
        for (given, plain) in [
            ("(deleted_at IS NULL)", "deleted_at IS NULL"),
            ("((a IS NULL) AND (b = 'x'::text))", "a IS NULL AND b = 'x'"),
            ("a IS NULL\n    AND length(b) > 0", "a IS NULL AND length(b) > 0"),
            ("(a = 1 OR b = 2)", "(a = 1 OR b = 2)"),
        ] {
            assert_eq!(plain_condition(given), plain);
        }
    }

    #[tokio::test]
    async fn the_description_is_the_one_checked_in() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_inline(&folder.path().join("schema.db")).unwrap();
        store.migrate().await.unwrap();
        assert_eq!(store.describe().await.unwrap(), include_str!("../../../migrations/schema.sql"));
    }

    #[test]
    fn every_part_of_a_schema_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("parts.db");
        let raw = rusqlite::Connection::open(&path).unwrap();
        raw.execute_batch(
            "PRAGMA application_id = 0x50534d48;
             CREATE TABLE b (x TEXT NOT NULL, y INTEGER, z BLOB NOT NULL, w INT NOT NULL, PRIMARY KEY (w, x),
                CONSTRAINT whatever UNIQUE (z, x)) STRICT;
             CREATE TABLE a (x TEXT NOT NULL, y INTEGER NOT NULL, PRIMARY KEY (x),
                FOREIGN KEY (y, x) REFERENCES b ON DELETE CASCADE) STRICT;
             CREATE UNIQUE INDEX b_some ON b (z, y DESC) WHERE y IS NOT NULL;
             CREATE INDEX b_start ON b (w, substr(COALESCE(x, ''), 1, 60) DESC, y) WHERE w > 0;",
        )
        .unwrap();
        let text = describe(&Connector::Sqlite(path)).unwrap();
        let expected = "
CREATE TABLE a (
    x TEXT NOT NULL,
    y BIGINT NOT NULL,
    PRIMARY KEY (x),
    CONSTRAINT a_y_x_fkey FOREIGN KEY (y, x) REFERENCES b (w, x) ON DELETE CASCADE
);

CREATE TABLE b (
    x TEXT NOT NULL,
    y BIGINT,
    z BYTEA NOT NULL,
    w BOOLEAN NOT NULL,
    PRIMARY KEY (w, x),
    CONSTRAINT b_z_x_key UNIQUE (z, x)
);

CREATE UNIQUE INDEX b_some ON b (z, y DESC) WHERE y IS NOT NULL;

CREATE INDEX b_start ON b (w, substr(COALESCE(x, ''), 1, 60) DESC, y) WHERE w > 0;
";
        assert_eq!(text, format!("{HEADER}{expected}"));
    }
}
