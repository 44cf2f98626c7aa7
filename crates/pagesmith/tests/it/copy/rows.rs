//! Every table with rows of every kind of value.

use pagesmith_model::Error;
use pagesmith_store::copy::{Progress, Step};
use pagesmith_testkit::database::TestDatabase;

use super::{ask, copied, copied_with, execute, file, is_postgres, own, pairs, refusal};

const SCHEMA: &str = include_str!("../../../../../migrations/schema.sql");

/// How many rows each table is given.
const ROWS: usize = 5;

/// Texts that traps are made of: empty, quotes, controls, other scripts, characters beyond the first plane and unassigned ones.
const TEXTS: [&str; ROWS] =
    ["", "it's \"quoted\" \\ %_\n\t\u{1}", "Ünïcödé Жук 漢字", "😀\u{10ffff}\u{feff}\u{301}", "z"];
const NUMBERS: [i64; ROWS] = [i64::MIN, -1, 0, 1, i64::MAX];
const BYTES: [&[u8]; ROWS] = [b"", b"\0", b"\xff\xfe", b"\0\x01\xff", b"text"];

/// A value of a row in the words of the engine.
fn literal(kind: &str, row: usize, postgres: bool) -> String {
    match kind {
        "TEXT" => format!("'{}'", TEXTS[row].replace('\'', "''")),
        "BIGINT" => NUMBERS[row].to_string(),
        "BOOLEAN" => row.is_multiple_of(2).to_string(),
        "BYTEA" => {
            let digits: String = BYTES[row].iter().map(|byte| format!("{byte:02x}")).collect();
            if postgres { format!("decode('{digits}', 'hex')") } else { format!("x'{digits}'") }
        }
        other => panic!("a column of the type {other}"),
    }
}

/// The names of all tables, and statements that put rows into each; the last row has no value wherever it may have none.
fn fill(database: &TestDatabase) -> Vec<String> {
    let postgres = database.address.starts_with("postgres");
    let mut tables = Vec::new();
    for part in SCHEMA.split("CREATE TABLE ").skip(1) {
        let (name, body) = part.split_once(" (\n").unwrap();
        if name == "schema_migrations" {
            continue;
        }
        let columns: Vec<(&str, &str, bool)> = body
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("PRIMARY KEY"))
            .map(|line| {
                let mut words = line.trim_end_matches(',').split(' ');
                (words.next().unwrap(), words.next().unwrap(), line.contains("NOT NULL"))
            })
            .collect();
        let names: Vec<&str> = columns.iter().map(|(name, ..)| *name).collect();
        let rows: Vec<String> = (0..ROWS)
            .map(|row| {
                let value = |(_, kind, required): &(&str, &str, bool)| match row {
                    4 if !required => "NULL".to_owned(),
                    _ => literal(kind, row, postgres),
                };
                format!("({})", columns.iter().map(value).collect::<Vec<_>>().join(", "))
            })
            .collect();
        tables.push((
            name.to_owned(),
            format!("INSERT INTO {name} ({}) VALUES {}", names.join(", "), rows.join(", ")),
        ));
    }
    // A table comes after those that it refers to.
    tables.sort_by_key(|(name, _)| (name == "key_tenants", name.clone()));
    for (_, insert) in &tables {
        execute(database, insert);
    }
    tables.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn every_table_comes_with_all_its_values_and_back_again() {
    for (from, to) in pairs() {
        let mut names = fill(&from);
        names.sort();
        let there = copied(&from, &to).unwrap();
        assert_eq!(there.iter().map(|table| table.name.clone()).collect::<Vec<_>>(), names);
        for table in &there {
            assert_eq!(table.rows, ROWS as u64, "{}", table.name);
        }
        let mut digests: Vec<&str> = there.iter().map(|table| table.digest.as_str()).collect();
        digests.sort_unstable();
        digests.dedup();
        assert!(digests.len() > names.len() / 2, "digests say something of the rows");
        let third = own();
        assert_eq!(copied(&to, &third).unwrap(), there, "the round trip");

        // By the engines' own words, past the digests.
        for (topic, key) in TEXTS.iter().enumerate() {
            let key = key.replace('\'', "''");
            let question = format!(
                "SELECT title || '|' || CAST(sort_order AS TEXT) || '|' || CASE WHEN is_default THEN 'yes' ELSE 'no' END
                 FROM topics WHERE topic_id = '{key}'"
            );
            let is_default = if topic.is_multiple_of(2) { "yes" } else { "no" };
            assert_eq!(ask(&to, &question), format!("{}|{}|{is_default}", TEXTS[topic], NUMBERS[topic]));
        }
        let question = "SELECT CAST(COUNT(*) AS TEXT) FROM persons WHERE email IS NULL AND slug = 'z'";
        assert_eq!(ask(&to, question), "1");
    }
}

#[test]
fn a_text_that_postgresql_cannot_keep_is_told_with_its_place() {
    let (from, topic) =
        (file(), "INSERT INTO topics VALUES ('t', 'id', 'a' || char(0) || 'b', 'f', 'w', 1, FALSE, 1, 1)");
    execute(&from, topic);
    if !is_postgres() {
        let to = file();
        copied(&from, &to).unwrap();
        assert_eq!(ask(&to, "SELECT title FROM topics"), "a\0b");
        return;
    }
    let told = refusal(copied(&from, &own()));
    assert!(told.contains("column title") && told.contains("U+0000") && told.contains("topics"), "{told}");
}

#[test]
fn a_value_that_is_not_of_its_type_is_told_and_not_mended() {
    for (table, columns, values, why) in
        [("topics", "title", "CAST(x'ff' AS TEXT)", "not UTF-8"), ("topics", "is_default", "2", "BOOLEAN")]
    {
        let from = file();
        execute(&from, "INSERT INTO topics VALUES ('t', 'id', 'title', 'f', 'w', 1, FALSE, 1, 1)");
        execute(&from, &format!("UPDATE {table} SET {columns} = {values}"));
        let told = refusal(copied(&from, &own()));
        assert!(told.contains(why) && told.contains(columns) && told.contains(table), "{told}");
    }
}

/// Rows of any one table, in a number that takes several batches.
pub fn some_rows(database: &TestDatabase) {
    for number in 0..7 {
        execute(
            database,
            &format!("INSERT INTO topics (tenant_id, topic_id, title, folded, word_form, sort_order, is_default, created_at, updated_at)
                      VALUES ('t', 'topic_{number}', 'Title', 'title', 'title', 1, FALSE, 1, 1)"),
        );
        execute(
            database,
            &format!("INSERT INTO revisions (name, revision) VALUES ('revision {number}', {number})"),
        );
    }
}

#[test]
fn a_row_that_was_changed_in_the_target_is_found() {
    for change in [
        "UPDATE topics SET title = 'title' WHERE topic_id = 'topic_3'",
        "UPDATE topics SET updated_at = NULL + 2 WHERE 1 = 0; DELETE FROM topics WHERE topic_id = 'topic_0'",
        "UPDATE topics SET is_default = TRUE WHERE topic_id = 'topic_6'",
    ] {
        for (from, to) in pairs() {
            some_rows(&from);
            let mut changed = false;
            let outcome = copied_with((&from, &to), |progress: Progress<'_>| {
                if !changed && progress.step == Step::Copying && progress.rows == progress.total {
                    changed = true;
                    execute(&to, change);
                }
                Ok(())
            });
            let told = refusal(outcome);
            assert!(told.contains("table topics is not the same") && changed, "{told}");
            // Nobody opens it by mistake.
            assert!(super::wait(super::open(&to.url).schema_state()).is_err());
        }
    }
}

#[test]
fn a_source_that_did_not_stand_still_is_found() {
    for (from, to) in pairs() {
        some_rows(&from);
        let mut changed = false;
        let outcome = copied_with((&from, &to), |progress: Progress<'_>| {
            // Past the lock, as by a server on PostgreSQL.
            if !changed && progress.step == Step::Copying && progress.table == "topics" {
                changed = true;
                execute(&from, "UPDATE topics SET title = 'later' WHERE topic_id = 'topic_0'");
            }
            Ok::<(), Error>(())
        });
        let told = refusal(outcome);
        assert!(told.contains("table topics is not the same") && changed, "{told}");
    }
}
