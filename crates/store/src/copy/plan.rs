//! What is copied: every table of the schema but the journal of migrations, each after those that it refers to.

use pagesmith_model::{Error, Result};

use crate::describe::{self, Column, Tables};
use crate::migrate;
use crate::sql::{Dialect, dialect};
use crate::unfinished_copy;
use crate::value::Value;

/// The tables, in the order in which they are copied.
pub(super) struct Plan {
    pub(super) tables: Vec<Table>,
}

/// A table, as far as its rows need it.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// The places of the primary key's columns among the columns, in the key's order.
    key: Vec<usize>,
}

impl Plan {
    /// Of two databases whose tables must be the same, as far as rows need it.
    pub(super) fn new(source: &Tables, target: &Tables) -> Result<Plan> {
        for name in source.keys().chain(target.keys()).filter(|name| *name != unfinished_copy::TABLE) {
            let (Some(own), Some(other)) = (source.get(name), target.get(name)) else {
                return Err(differs(name, "only one of them has it"));
            };
            if own.columns != other.columns || own.primary_key != other.primary_key {
                return Err(differs(name, "its columns or its key are others"));
            }
        }
        // Both have the journal, with the same rows, since both are at this version's schema.
        let mut left: Vec<&String> = source.keys().filter(|name| *name != migrate::JOURNAL).collect();
        let mut tables = Vec::with_capacity(left.len());
        while !left.is_empty() {
            // Those that refer to nothing that is still to come.
            let (ready, waiting): (Vec<&String>, Vec<&String>) = left.iter().partition(|name| {
                let refers = |other: &&String| {
                    let keys = source.get(name.as_str()).map(|table| table.foreign_keys.values());
                    keys.into_iter().flatten().any(|key| key.other_table == **other && other != *name)
                };
                !left.iter().any(refers)
            });
            if ready.is_empty() {
                return Err(Error::internal(format!("tables refer to each other in a circle: {waiting:?}")));
            }
            for name in ready {
                tables.push(Table::new(name, &source[name])?);
            }
            left = waiting;
        }
        Ok(Plan { tables })
    }
}

fn differs(table: &str, how: &str) -> Error {
    Error::conflict(format!("The databases do not have the same tables ({table}: {how})."))
}

impl Table {
    fn new(name: &str, described: &describe::Table) -> Result<Table> {
        let place = |column: &String| described.columns.iter().position(|known| known.name == *column);
        let key: Option<Vec<usize>> = described.primary_key.iter().map(place).collect();
        match key.filter(|key| !key.is_empty()) {
            Some(key) => Ok(Table { name: name.to_owned(), columns: described.columns.clone(), key }),
            None => Err(Error::internal(format!("the table {name} has no primary key"))),
        }
    }

    /// The columns of the key.
    pub(super) fn key_columns(&self) -> Vec<Column> {
        self.key.iter().map(|place| self.columns[*place].clone()).collect()
    }

    /// The key of a row.
    pub(super) fn key_of(&self, row: &[Value]) -> Vec<Value> {
        self.key.iter().map(|place| row[*place].clone()).collect()
    }

    /// The rows in the key's order, those behind a key that is given as `$1`, `$2`, … if `after`; at most so many.
    pub(super) fn page(&self, after: bool, rows: usize, engine: Dialect) -> String {
        let (columns, key) = (quoted(&self.columns), quoted(&self.key_columns()));
        let condition = if after {
            format!(" WHERE ({key}) > ({})", placeholders(self.key.len()))
        } else {
            String::new()
        };
        let text = format!("SELECT {columns} FROM {}{condition} ORDER BY {key} LIMIT {rows}", self.name);
        dialect(&text, engine)
    }

    /// The key of the last row.
    pub(super) fn last(&self) -> String {
        let key = quoted(&self.key_columns());
        format!("SELECT {key} FROM {} ORDER BY {} DESC LIMIT 1", self.name, key.replace(", ", " DESC, "))
    }

    /// How many rows there are, as `count`.
    pub(super) fn count(&self) -> String {
        format!("SELECT COUNT(*) AS count FROM {}", self.name)
    }

    /// Adds a row, in SQLite's words.
    pub(super) fn insert(&self) -> String {
        let (columns, values) = (quoted(&self.columns), placeholders(self.columns.len()));
        let text = format!("INSERT INTO {} ({columns}) VALUES ({values})", self.name);
        dialect(&text, Dialect::Sqlite)
    }

    /// Takes rows in PostgreSQL's binary form.
    pub(super) fn copy_in(&self) -> String {
        format!("COPY {} ({}) FROM STDIN (FORMAT binary)", self.name, quoted(&self.columns))
    }
}

fn quoted(columns: &[Column]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
}

fn placeholders(count: usize) -> String {
    (1..=count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Connector;

    fn described(text: &str) -> Tables {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.db");
        let raw = rusqlite::Connection::open(&path).unwrap();
        raw.execute_batch(&format!("PRAGMA application_id = 0x50534d48; {text}")).unwrap();
        describe::tables(&Connector::Sqlite(path)).unwrap()
    }

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        let tables = described(
            "CREATE TABLE a (x TEXT NOT NULL, y TEXT, PRIMARY KEY (x), FOREIGN KEY (y) REFERENCES c (x)) STRICT;
             CREATE TABLE b (x TEXT NOT NULL, PRIMARY KEY (x), FOREIGN KEY (x) REFERENCES a (x)) STRICT;
             CREATE TABLE c (x TEXT NOT NULL, y TEXT, PRIMARY KEY (x), FOREIGN KEY (y) REFERENCES c (x)) STRICT;
             CREATE TABLE schema_migrations (name TEXT NOT NULL, PRIMARY KEY (name)) STRICT;",
        );
        let plan = Plan::new(&tables, &tables).unwrap();
        let names: Vec<&str> = plan.tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["c", "a", "b"]);
    }

    #[test]
    fn statements_follow_the_key_and_not_the_columns() {
        let tables = described(
            "CREATE TABLE t (a TEXT NOT NULL, b INT, c INTEGER NOT NULL, PRIMARY KEY (c, a)) STRICT;",
        );
        let plan = Plan::new(&tables, &tables).unwrap();
        let table = &plan.tables[0];
        assert_eq!(
            table.page(true, 7, Dialect::Postgres),
            r#"SELECT "a", "b", "c" FROM t WHERE ("c", "a") > ($1, $2) ORDER BY "c", "a" LIMIT 7"#
        );
        assert_eq!(table.last(), r#"SELECT "c", "a" FROM t ORDER BY "c" DESC, "a" DESC LIMIT 1"#);
        let row = crate::values!["x", true, 3];
        assert_eq!(table.key_of(&row), crate::values![3, "x"]);
    }

    #[test]
    fn databases_whose_tables_differ_are_refused() {
        let one = described("CREATE TABLE t (a TEXT NOT NULL, PRIMARY KEY (a)) STRICT;");
        for other in [
            "",
            "CREATE TABLE t (a INTEGER NOT NULL, PRIMARY KEY (a)) STRICT;",
            "CREATE TABLE t (a TEXT NOT NULL, b TEXT, PRIMARY KEY (a)) STRICT;",
            "CREATE TABLE t (a TEXT NOT NULL, PRIMARY KEY (a)) STRICT; CREATE TABLE u (a TEXT NOT NULL, PRIMARY KEY (a)) STRICT;",
        ] {
            let other = described(other);
            assert!(Plan::new(&one, &other).is_err() && Plan::new(&other, &one).is_err());
        }
    }
}
