//! What SQLite tells about its tables, through its pragma functions.
//!
//! It forgets the names of unique and foreign keys; they are made again as PostgreSQL would name them, which is
//! also what the migrations must call them.

use std::path::Path;

use pagesmith_model::{Error, Result};

use super::{Tables, add_column, add_index_column, table_of};
use crate::connection::sqlite::{Connection, Mode};
use crate::row::Row;
use crate::sql;
use crate::tx::{Link, Tx};

pub(super) fn tables(path: &Path) -> Result<Tables> {
    let connection = Connection::open(path, Mode::Read)?;
    connection.execute("BEGIN")?;
    let mut tx = Tx::new(Link::Sqlite(&connection));
    let mut tables = columns(&mut tx)?;
    indexes(&mut tx, &mut tables)?;
    foreign_keys(&mut tx, &mut tables)?;
    connection.execute("COMMIT")?;
    Ok(tables)
}

fn columns(tx: &mut Tx<'_>) -> Result<Tables> {
    // only: sqlite
    let select = sql!(
        "SELECT t.name AS table_name, c.name AS column_name, c.type AS column_type,
                c.\"notnull\" AS is_required, c.pk AS key_position
         FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
         WHERE t.schema = 'main' AND t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_'
         ORDER BY t.name, c.cid"
    );
    let rows = tx.all(select.with(vec![]))?;
    let mut tables = Tables::new();
    for row in &rows {
        add_column(&mut tables, row, portable(&row.get::<String>("column_type")?)?)?;
    }
    for (_, row) in key_columns(&rows)? {
        table_of(&mut tables, row)?.primary_key.push(row.get("column_name")?);
    }
    Ok(tables)
}

/// The columns of primary keys with their positions in them, in that order.
fn key_columns(rows: &[Row]) -> Result<Vec<(i64, &Row)>> {
    let positions: Result<Vec<(i64, &Row)>> =
        rows.iter().map(|row| Ok((row.get("key_position")?, row))).collect();
    let mut columns: Vec<(i64, &Row)> =
        positions?.into_iter().filter(|(position, _)| *position > 0).collect();
    columns.sort_by_key(|(position, _)| *position);
    Ok(columns)
}

/// The type that the migrations call so; the reverse of what `migrate` maps.
fn portable(own: &str) -> Result<&'static str> {
    match own {
        "TEXT" => Ok("TEXT"),
        "INTEGER" => Ok("BIGINT"),
        "INT" => Ok("BOOLEAN"),
        "BLOB" => Ok("BYTEA"),
        other => Err(Error::internal(format!("a column of the type {other}"))),
    }
}

/// The columns of a statement that makes an index, without their directions; SQLite tells no expressions otherwise.
fn columns_of(statement: &str) -> Vec<&str> {
    let (mut columns, mut depth, mut start) = (vec![], 0, 0);
    for (at, character) in statement.char_indices() {
        let ends = match character {
            '(' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
                false
            }
            ')' => {
                depth -= 1;
                depth == 0
            }
            ',' => depth == 1,
            _ => false,
        };
        if ends {
            let column = statement.get(start..at).unwrap_or_default().trim();
            columns.push(column.strip_suffix(" DESC").unwrap_or(column));
            start = at + 1;
        }
        if ends && depth == 0 {
            break;
        }
    }
    columns
}

fn indexes(tx: &mut Tx<'_>, tables: &mut Tables) -> Result<()> {
    // only: sqlite
    let select = sql!(
        "SELECT t.name AS table_name, i.name AS index_name, i.\"unique\" AS is_unique, i.origin AS origin,
                x.name AS column_name, x.\"desc\" AS is_descending, s.sql AS statement
         FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_xinfo(i.name) AS x
         LEFT JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = i.name
         WHERE t.schema = 'main' AND t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_' AND x.key = 1
         ORDER BY t.name, i.name, x.seqno"
    );
    let rows = tx.all(select.with(vec![]))?;
    for same in rows.chunk_by(|a, b| name_of(a) == name_of(b)) {
        let Some(first) = same.first() else { continue };
        match first.get::<String>("origin")?.as_str() {
            "u" => {
                let columns: Vec<String> =
                    same.iter().map(|row| row.get("column_name")).collect::<Result<_>>()?;
                let name = format!("{}_{}_key", first.get::<String>("table_name")?, columns.join("_"));
                table_of(tables, first)?.uniques.insert(name, columns);
            }
            "c" => {
                let statement: String = first.get("statement")?;
                let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
                let condition = statement.split_once(") WHERE ").map(|(_, condition)| condition);
                let columns = columns_of(&statement);
                for (at, row) in same.iter().enumerate() {
                    add_index_column(tables, row, columns.get(at).copied(), condition)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn name_of(row: &Row) -> Option<String> {
    row.get("index_name").ok()
}

fn foreign_keys(tx: &mut Tx<'_>, tables: &mut Tables) -> Result<()> {
    // only: sqlite
    let select = sql!(
        "SELECT t.name AS table_name, f.id AS id, f.\"table\" AS other_table, f.\"from\" AS column_name,
                f.\"to\" AS other_column, f.on_delete AS on_delete
         FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS f
         WHERE t.schema = 'main' AND t.type = 'table'
         ORDER BY t.name, f.id, f.seq"
    );
    let rows = tx.all(select.with(vec![]))?;
    let place = |row: &Row| (row.get::<String>("table_name").ok(), row.get::<i64>("id").ok());
    for same in rows.chunk_by(|a, b| place(a) == place(b)) {
        let Some(first) = same.first() else { continue };
        let mut key = super::ForeignKey {
            other_table: first.get("other_table")?,
            on_delete: first.get("on_delete")?,
            ..Default::default()
        };
        for row in same {
            key.columns.push(row.get("column_name")?);
            key.other_columns.extend(row.get::<Option<String>>("other_column")?);
        }
        if key.other_columns.is_empty() {
            // Not said: the other table's primary key.
            key.other_columns =
                tables.get(&key.other_table).map(|t| t.primary_key.clone()).unwrap_or_default();
        }
        let name = format!("{}_{}_fkey", first.get::<String>("table_name")?, key.columns.join("_"));
        table_of(tables, first)?.foreign_keys.insert(name, key);
    }
    Ok(())
}
