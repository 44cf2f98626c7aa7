//! The journal of a database: which migrations were applied to it, and whether this program can go on with them.
//!
//! A server that is older than the database goes on if each migration that it does not know says so: its file begins with
//! `-- serves from: NAME`, the oldest migration that a server has to know, and the journal keeps that name. So servers are replaced one by
//! one, and a program can be set back by a version.

use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Error, Result};
use sha2::{Digest, Sha256};

use super::MIGRATIONS;
use crate::schema_state::SchemaState;
use crate::tx::Tx;
use crate::{sql, values};

/// The table of what was applied, as it is made; a migration has added a column.
pub(super) const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (\n    name TEXT NOT NULL,\n    checksum TEXT NOT NULL,\n    PRIMARY KEY (name)\n);";

/// A migration that was applied.
struct Applied {
    name: String,
    checksum: String,
}

/// The state of a database that has a journal; a conflict if a migration was edited, or if this program cannot serve beside a newer one.
pub(super) fn state(tx: &mut Tx<'_>) -> Result<SchemaState> {
    let state = compared(&read(tx)?)?;
    for name in &state.newer {
        if !serves_from(tx, name)?.is_some_and(|oldest| is_known(&oldest)) {
            return Err(Error::conflict(format!(
                "The database was used by a newer version of Pagesmith (it has the migration {name}, which this version does not know): run that version or a newer one, or restore a backup from before."
            )));
        }
    }
    Ok(state)
}

/// Notes that a migration was applied.
pub(super) fn note(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    let insert = sql!("INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)");
    tx.run(insert.with(values![name, checksum_of(name)]))?;
    let text = text_of(name);
    // Before this can be said, the table has no column for it.
    if let Some(oldest) = declared(text) {
        let oldest = Some(oldest.to_owned()).filter(|oldest| oldest != THIS_ONE);
        let update = sql!("UPDATE schema_migrations SET serves_from = $2 WHERE name = $1");
        tx.run(update.with(values![name, oldest]))?;
    }
    Ok(())
}

/// What a migration says that older servers cannot serve beside.
const THIS_ONE: &str = "this one";

/// What a file says of servers that do not know it.
fn declared(text: &str) -> Option<&str> {
    text.lines().next()?.strip_prefix("-- serves from: ")
}

fn is_known(name: &str) -> bool {
    MIGRATIONS.iter().any(|(known, _)| *known == name)
}

fn text_of(name: &str) -> &'static str {
    MIGRATIONS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

fn checksum_of(name: &str) -> String {
    hexadecimal(&Sha256::digest(text_of(name).as_bytes()))
}

fn read(tx: &mut Tx<'_>) -> Result<Vec<Applied>> {
    let rows = tx.all(sql!("SELECT name, checksum FROM schema_migrations ORDER BY name").with(vec![]))?;
    rows.iter().map(|row| Ok(Applied { name: row.get("name")?, checksum: row.get("checksum")? })).collect()
}

/// The oldest migration that a server has to know beside a newer one; only asked of a database that a newer program has migrated.
fn serves_from(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    let select = sql!("SELECT serves_from FROM schema_migrations WHERE name = $1");
    tx.one(select.with(values![name]))?.get("serves_from")
}

/// What differs; a conflict if a migration was edited.
fn compared(applied: &[Applied]) -> Result<SchemaState> {
    let mut newer = Vec::new();
    for Applied { name, checksum } in applied {
        if !is_known(name) {
            newer.push(name.clone());
        } else if *checksum != checksum_of(name) {
            return Err(Error::conflict(format!(
                "The migration {name} of this program is not the one that was applied to this database: run a released version of Pagesmith."
            )));
        }
    }
    let lacks = MIGRATIONS.iter().filter(|(known, _)| !applied.iter().any(|one| one.name == *known));
    Ok(SchemaState { pending: lacks.map(|(name, _)| (*name).to_owned()).collect(), newer })
}

/// The state of a database without a journal.
pub(super) fn state_of_empty() -> SchemaState {
    let pending = MIGRATIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    SchemaState { pending, newer: vec![] }
}

#[cfg(test)]
mod tests {
    use super::super::layout::statements;
    use super::*;

    fn applied(name: &str, checksum: &str) -> Applied {
        Applied { name: name.to_owned(), checksum: checksum.to_owned() }
    }

    #[test]
    fn an_edited_migration_is_refused_and_a_newer_one_is_named() {
        let (name, _) = MIGRATIONS[0];
        let pending = compared(&[applied(name, &checksum_of(name))]).unwrap().pending;
        assert_eq!(pending.len(), MIGRATIONS.len() - 1);
        assert!(compared(&[applied(name, &"0".repeat(64))]).is_err());
        let state = compared(&[applied("9999_future", "")]).unwrap();
        assert_eq!(state.newer, ["9999_future"]);
    }

    #[test]
    fn every_migration_says_which_servers_can_serve_beside_it_and_those_it_leaves_only_add() {
        let (_, since) = MIGRATIONS.split_at(19);
        assert_eq!(since[0].0, "0020_compatible_servers");
        for (name, text) in since {
            let oldest =
                declared(text).unwrap_or_else(|| panic!("{name} does not begin with `-- serves from: `"));
            if oldest == THIS_ONE {
                continue;
            }
            assert!(oldest >= "0020" && oldest < *name && is_known(oldest), "{name} serves from {oldest}");
            let statements = statements(text);
            for statement in &statements {
                let is_safe = is_addition(statement, &statements);
                assert!(is_safe, "{name}: an older server may not expect this: {statement}");
            }
        }
    }

    #[test]
    fn what_an_older_server_may_not_expect_is_no_addition() {
        let migration = [
            "ALTER TABLE pages ADD COLUMN since BIGINT",
            "CREATE INDEX pages_since_idx ON pages (since)",
            "CREATE TABLE marks (name TEXT NOT NULL)",
        ];
        for (statement, is_safe) in [
            ("UPDATE pages SET since = created_at WHERE archived_at IS NULL", true),
            ("UPDATE pages SET name = since WHERE archived_at IS NULL", false),
            ("UPDATE pages SET since = 1, name = '' WHERE archived_at IS NULL", false),
            ("UPDATE audiences SET since = 1 WHERE archived_at IS NULL", false),
            ("DROP INDEX pages_since_idx", true),
            ("DROP INDEX pages_name_idx", false),
            ("INSERT INTO marks (name) VALUES ('a')", true),
            ("INSERT INTO pages (name) VALUES ('a')", false),
            ("DELETE FROM marks", false),
            ("DROP TABLE pages", false),
            ("ALTER TABLE pages ADD COLUMN until BIGINT NOT NULL DEFAULT 0", false),
            ("CREATE UNIQUE INDEX marks_name_idx ON marks (name)", true),
            ("CREATE UNIQUE INDEX pages_name_idx ON pages (name)", false),
        ] {
            let statements: Vec<String> =
                migration.iter().chain([&statement]).map(|one| (*one).to_owned()).collect();
            assert_eq!(is_addition(statement, &statements), is_safe, "{statement}");
        }
    }

    /// Whether a statement of a migration leaves what older servers know as it is.
    fn is_addition<S: AsRef<str>>(statement: &str, migration: &[S]) -> bool {
        let all = || migration.iter().map(AsRef::as_ref);
        let is_made = |table: &str| all().filter_map(made_by).any(|made| made == table);
        made_by(statement).is_some()
            || adds_nullable(statement)
            || on(statement, "CREATE INDEX ").is_some()
            || on(statement, "CREATE UNIQUE INDEX ").is_some_and(is_made)
            || after(statement, "INSERT INTO ").is_some_and(is_made)
            // Fills a column that nobody else knows, and finds rows by another one.
            || filled_by(statement).is_some_and(|column| all().filter_map(added_by).any(|added| added == column))
            || after(statement, "DROP INDEX ")
                .is_some_and(|index| all().any(|other| after(other, "CREATE INDEX ") == Some(index)))
    }

    /// A statement without the comments above it.
    fn body(statement: &str) -> &str {
        statement.find("\n").map_or(statement, |_| {
            let above: usize =
                statement.split_inclusive('\n').take_while(|line| line.starts_with("--")).map(str::len).sum();
            &statement[above..]
        })
    }

    fn first(text: &str) -> &str {
        text.split([' ', '\n', '(']).next().unwrap_or_default()
    }

    fn made_by(statement: &str) -> Option<&str> {
        body(statement).strip_prefix("CREATE TABLE ").map(first)
    }

    /// The table of an index that begins like that.
    fn on<'a>(statement: &'a str, begin: &str) -> Option<&'a str> {
        body(statement).strip_prefix(begin)?.split_once(" ON ").map(|(_, rest)| first(rest))
    }

    /// The first word behind a beginning.
    fn after<'a>(statement: &'a str, begin: &str) -> Option<&'a str> {
        body(statement).strip_prefix(begin).map(|rest| first(rest.trim_end_matches(';')))
    }

    /// The table and the column that a statement adds.
    fn added_by(statement: &str) -> Option<(&str, &str)> {
        let (table, column) = body(statement).strip_prefix("ALTER TABLE ")?.split_once(" ADD COLUMN ")?;
        Some((table, first(column)))
    }

    /// The table and the only column that a statement sets.
    fn filled_by(statement: &str) -> Option<(&str, &str)> {
        let (table, set) = body(statement).strip_prefix("UPDATE ")?.split_once(" SET ")?;
        let (set, _) = set.split_once(" WHERE ")?;
        (!set.contains(',')).then(|| (table, first(set)))
    }

    fn adds_nullable(statement: &str) -> bool {
        let body = body(statement);
        body.starts_with("ALTER TABLE ") && body.contains(" ADD COLUMN ") && !body.contains("NOT NULL")
    }

    #[test]
    fn what_takes_something_away_is_no_addition() {
        for taken in
            ["DROP TABLE a", "ALTER TABLE a DROP COLUMN b", "ALTER TABLE a ADD COLUMN b TEXT NOT NULL"]
        {
            assert!(!adds_nullable(taken) && made_by(taken).is_none(), "{taken}");
        }
        assert!(adds_nullable("-- Why.\nALTER TABLE a ADD COLUMN b TEXT"));
        assert_eq!(on("-- Why.\nCREATE UNIQUE INDEX a_b_key ON a (b)", "CREATE UNIQUE INDEX "), Some("a"));
        assert_eq!(made_by("-- Why.\n-- And how.\nCREATE TABLE a (\n    b TEXT\n)"), Some("a"));
    }
}
