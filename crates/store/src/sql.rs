//! SQL texts: literals with a location in the source, and queries made of them.
//!
//! A statement is written once, `$1` style, as `sql!("…")` beside the function that runs it. [`Query`] holds it with its
//! values; optional parts are joined with [`Query::and`], which renumbers their placeholders. Nothing else
//! assembles SQL. `dialect` replaces the few words that the engines spell differently.
//!
//! A list of columns that several statements share is written once, as a macro made of `columns!`:
//! `sql!("SELECT ", account_columns!("a."), " FROM accounts a WHERE …")`.

use std::borrow::Cow;

use pagesmith_model::TenantId;

use crate::rows::{Change, RowKey};
use crate::value::Value;

/// A literal SQL text and where it stands, so that a test run can prove that it ran on both engines.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    pub(crate) text: &'static str,
    pub(crate) location: &'static str,
}

/// A literal SQL text with its location. Several literals, or macros that expand to literals, are joined.
#[macro_export]
macro_rules! sql {
    ($($text:tt)+) => {
        $crate::sql::Sql::at(concat!($($text)+), concat!(file!(), ":", line!()))
    };
}

/// A list of columns as a literal: `columns!("a." => id, name)` is `a.id, a.name`, and `columns!("a." as "a_" => id, name)`
/// is `a.id AS a_id, a.name AS a_name`. `columns!(names "a_" => id, name)` is an array of their names, `["a_id", "a_name"]`.
macro_rules! columns {
    ($alias:literal => $first:ident $(, $column:ident)*) => {
        concat!($alias, stringify!($first) $(, ", ", $alias, stringify!($column))*)
    };
    ($alias:literal as $prefix:literal => $first:ident $(, $column:ident)*) => {
        concat!(
            $alias, stringify!($first), " AS ", $prefix, stringify!($first)
            $(, ", ", $alias, stringify!($column), " AS ", $prefix, stringify!($column))*
        )
    };
    (names $prefix:literal => $($column:ident),+) => {
        [$(concat!($prefix, stringify!($column))),+]
    };
}

pub(crate) use columns;

impl Sql {
    /// The text at a location of the source; use [`sql!`].
    pub const fn at(text: &'static str, location: &'static str) -> Sql {
        Sql { text, location }
    }

    /// The query of this text with these values for `$1`, `$2`, …
    pub fn with(self, values: Vec<Value>) -> Query {
        Query {
            text: Cow::Borrowed(self.text),
            values,
            locations: Locations::One(self.location),
            most_bytes: usize::MAX,
            changed: vec![],
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Locations {
    One(&'static str),
    Many(Vec<&'static str>),
}

impl Locations {
    pub(crate) fn as_slice(&self) -> &[&'static str] {
        match self {
            Locations::One(location) => std::slice::from_ref(location),
            Locations::Many(locations) => locations,
        }
    }
}

/// A text with its values.
#[derive(Debug, Clone)]
pub struct Query {
    pub(crate) text: Cow<'static, str>,
    pub(crate) values: Vec<Value>,
    pub(crate) locations: Locations,
    /// Where reading ends: with the row that brings the rows' bytes above this.
    pub(crate) most_bytes: usize,
    /// The rows in memory that become outdated when this runs.
    pub(crate) changed: Vec<Change>,
}

impl Query {
    /// Of the answer no more rows are read than those with the first so many bytes, and the one behind them.
    #[must_use]
    pub fn within(self, most_bytes: usize) -> Query {
        Query { most_bytes, ..self }
    }

    /// Running this changes a row that may be kept in memory ([`crate::rows`]).
    #[must_use]
    pub fn changes(mut self, row: RowKey) -> Query {
        self.changed.push(Change::Row(row));
        self
    }

    /// Running this changes something that any row of the tenant that is kept in memory may show.
    #[must_use]
    pub fn changes_all_of(mut self, tenant: &TenantId) -> Query {
        self.changed.push(Change::AllOf(tenant.as_str().into()));
        self
    }

    /// Appends `part`, whose own `$1`, `$2`, … stand for `values`.
    #[must_use]
    pub fn and(self, part: Sql, values: Vec<Value>) -> Query {
        self.followed_by(part.with(values))
    }

    /// The same with the text and the values of another query, whose placeholders are counted from `$1`.
    pub(crate) fn followed_by(mut self, part: Query) -> Query {
        let text = self.text.to_mut();
        text.push(' ');
        shift(&part.text, self.values.len(), text);
        self.values.extend(part.values);
        let mut locations = self.locations.as_slice().to_vec();
        locations.extend(part.locations.as_slice());
        self.locations = Locations::Many(locations);
        self
    }
}

/// Appends a list of values, at least one. It is made as long as one of few lengths by repeating its last: the
/// engines keep a statement for each length.
pub(crate) fn listed(mut query: Query, values: impl ExactSizeIterator<Item = Value>) -> Query {
    let length = values.len().next_power_of_two();
    let mut last = None;
    for (at, value) in values.enumerate() {
        query = query.and(if at == 0 { sql!("$1") } else { sql!(", $1") }, vec![value.clone()]);
        last = Some((at, value));
    }
    let Some((at, value)) = last else { return query };
    for _ in at + 1..length {
        query = query.and(sql!(", $1"), vec![value.clone()]);
    }
    query
}

/// Changes as one statement of PostgreSQL: one of them, with the others in front of it. All of them see what was there before.
/// The rows that they change in memory must have been reported before.
///
/// An `INSERT … SELECT` is not the last: Citus would take the whole chain for one. If there is nothing else, a plain `SELECT` is.
pub(crate) fn joined(mut changes: Vec<Query>) -> Option<Query> {
    if changes.len() < 2 {
        return changes.pop();
    }
    let last = changes.iter().rposition(|change| !inserts_what_it_selects(&change.text));
    let last = last.map(|at| changes.remove(at));
    let (mut text, mut values, mut locations) = (String::new(), Vec::new(), Vec::new());
    for (at, change) in changes.into_iter().enumerate() {
        text.push_str(if at == 0 { "WITH " } else { ", " });
        text.push_str(&format!("change_{at} AS ("));
        shift(&change.text, values.len(), &mut text);
        text.push_str(") ");
        values.extend(change.values);
        locations.extend_from_slice(change.locations.as_slice());
    }
    match last {
        Some(last) => {
            shift(&last.text, values.len(), &mut text);
            values.extend(last.values);
            locations.extend_from_slice(last.locations.as_slice());
        }
        None => text.push_str("SELECT 1"),
    }
    Some(Query {
        text: text.into(),
        values,
        locations: Locations::Many(locations),
        most_bytes: usize::MAX,
        changed: vec![],
    })
}

fn inserts_what_it_selects(text: &str) -> bool {
    text.trim_start().starts_with("INSERT") && !text.contains("VALUES")
}

/// Copies `text` into `out` with every `$n` as `$(n + by)`.
fn shift(text: &str, by: usize, out: &mut String) {
    if by == 0 {
        return out.push_str(text);
    }
    placeholders(text, out, |number, out| {
        out.push('$');
        out.push_str(&(number + by).to_string());
    });
}

/// Copies `text` into `out`, calling `write` for each `$n` outside quotes and comments.
fn placeholders(text: &str, out: &mut String, mut write: impl FnMut(usize, &mut String)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut copied = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'\'' | b'"') => at = skip_past(bytes, at + 1, quote),
            b'-' if bytes.get(at + 1) == Some(&b'-') => at = skip_past(bytes, at, b'\n'),
            b'$' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                out.push_str(&text[copied..at]);
                write(text[at + 1..=at + digits].parse().unwrap_or_default(), out);
                at += digits + 1;
                copied = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[copied..]);
}

fn skip_past(bytes: &[u8], from: usize, end: u8) -> usize {
    bytes[from..].iter().position(|byte| *byte == end).map_or(bytes.len(), |at| from + at + 1)
}

/// The two engines, as far as a text must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Dialect {
    /// The engine's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Sqlite => "sqlite",
            Dialect::Postgres => "postgres",
        }
    }
}

/// The words that differ: portable, SQLite, PostgreSQL.
const WORDS: &[(&str, &str, &str)] = &[
    // The position of a text in another, from 1; 0 if it is not there.
    ("{strpos}", "instr", "strpos"),
    // Passes over rows that another transaction holds; SQLite has one writer.
    ("{skip_locked}", "", "FOR UPDATE SKIP LOCKED"),
    // Whether nobody else writes. SQLite keeps what is read from the table that is written to in another table first.
    ("{one_writer}", "TRUE", "FALSE"),
    // Waits for rows that another transaction holds, and holds them.
    ("{for_update}", "", "FOR UPDATE"),
];

/// The text as the engine takes it: dialect words replaced and, for SQLite, `$n` as `?n`
/// (there `$1` would be a name, numbered by first appearance).
pub(crate) fn dialect(text: &str, dialect: Dialect) -> String {
    let mut text = text.to_owned();
    for (word, sqlite, postgres) in WORDS {
        if text.contains(word) {
            text = text.replace(word, if dialect == Dialect::Sqlite { sqlite } else { postgres });
        }
    }
    if dialect == Dialect::Postgres {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    placeholders(&text, &mut out, |number, out| {
        out.push('?');
        out.push_str(&number.to_string());
    });
    out
}

/// Notes that a query ran, for the proof at the end of a test run that every literal did.
#[cfg(not(feature = "coverage"))]
#[inline]
pub(crate) fn record(_: &Query, _: Dialect) {}

#[cfg(feature = "coverage")]
pub(crate) use coverage::record;

#[cfg(feature = "coverage")]
mod coverage {
    //! Writes the location of each literal that ran to the file that `PAGESMITH_SQL_COVERAGE` names, and each statement as it was put
    //! together, with its locations, to the file of that name with `.statements` behind it.

    use std::collections::HashSet;
    use std::fs::File;
    use std::io::Write;
    use std::sync::{LazyLock, Mutex};

    use super::{Dialect, Query};

    // Open for as long as the process lives: opened for each line, a test that uses up the files of the process would lose lines.
    static LOCATIONS: LazyLock<Option<File>> = LazyLock::new(|| open(""));
    static TEXTS: LazyLock<Option<File>> = LazyLock::new(|| open(".statements"));
    static SEEN: LazyLock<Mutex<HashSet<(&'static str, &'static str)>>> = LazyLock::new(Mutex::default);
    static STATEMENTS: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

    #[expect(
        clippy::disallowed_methods,
        reason = "the coverage file is named by the test runner, not by a setting"
    )]
    fn open(ending: &str) -> Option<File> {
        let path = std::env::var("PAGESMITH_SQL_COVERAGE").ok()?;
        File::options().create(true).append(true).open(path + ending).ok()
    }

    /// Writes a line in one call, so that lines of several processes do not mix.
    fn append(mut file: &File, line: &str) -> bool {
        file.write_all(line.as_bytes()).is_ok()
    }

    pub(crate) fn record(query: &Query, dialect: Dialect) {
        let (Some(places), Some(texts)) = (&*LOCATIONS, &*TEXTS) else { return };
        let locations = query.locations.as_slice();
        if let Ok(mut seen) = SEEN.lock() {
            for location in locations {
                let place = (*location, dialect.name());
                if !seen.contains(&place) && append(places, &format!("{location} {}\n", dialect.name())) {
                    seen.insert(place);
                }
            }
        }
        if dialect == Dialect::Postgres
            && let Ok(mut statements) = STATEMENTS.lock()
            && !statements.contains(query.text.as_ref())
        {
            let text = super::dialect(&query.text, dialect).replace('\n', " ");
            if append(texts, &format!("{}\t{text}\n", locations.join(" "))) {
                statements.insert(query.text.clone().into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_numbered_ones_outside_quotes_and_comments() {
        let text = "SELECT $2, '$1', \"$1\" -- $1\n, $10 WHERE {strpos}(a, $1) > 0";
        assert_eq!(
            dialect(text, Dialect::Sqlite),
            "SELECT ?2, '$1', \"$1\" -- $1\n, ?10 WHERE instr(a, ?1) > 0"
        );
        assert_eq!(
            dialect(text, Dialect::Postgres),
            "SELECT $2, '$1', \"$1\" -- $1\n, $10 WHERE strpos(a, $1) > 0"
        );
    }

    #[test]
    fn lists_of_columns_take_aliases_and_prefixes() {
        macro_rules! item_columns {
            ($($form:tt)+) => { columns!($($form)+ => id, type) };
        }
        assert_eq!(sql!("SELECT ", item_columns!(""), " FROM t").text, "SELECT id, type FROM t");
        assert_eq!(item_columns!("t." as "t_"), "t.id AS t_id, t.type AS t_type");
        assert_eq!(item_columns!(names "t_"), ["t_id", "t_type"]);
    }

    #[test]
    fn joined_parts_are_renumbered() {
        let query = sql!("SELECT a FROM t WHERE b = $1 AND c = $2")
            .with(crate::values!["b", "c"])
            .and(sql!("AND d > $1 AND d < $2 AND e <> $1"), crate::values![1, 2]);
        assert_eq!(query.text, "SELECT a FROM t WHERE b = $1 AND c = $2 AND d > $3 AND d < $4 AND e <> $3");
        assert_eq!(query.values.len(), 4);
        assert_eq!(query.locations.as_slice().len(), 2);
    }

    #[test]
    fn joined_changes_are_renumbered() {
        let change = |value: &str| sql!("UPDATE t SET a = $1 WHERE b = '$1'").with(crate::values![value]);
        assert!(joined(vec![]).is_none());
        assert_eq!(joined(vec![change("x")]).unwrap().text, "UPDATE t SET a = $1 WHERE b = '$1'");
        let all = joined(vec![change("x"), change("y"), change("z")]).unwrap();
        let expected = "WITH change_0 AS (UPDATE t SET a = $1 WHERE b = '$1') , \
                        change_1 AS (UPDATE t SET a = $2 WHERE b = '$1') \
                        UPDATE t SET a = $3 WHERE b = '$1'";
        assert_eq!(all.text, expected);
        assert_eq!(all.values, crate::values!["x", "y", "z"]);
        assert_eq!(all.locations.as_slice().len(), 3);
    }

    #[test]
    fn what_inserts_what_it_selects_is_never_the_last_of_joined_changes() {
        let select = || sql!("INSERT INTO t (a) SELECT $1").with(crate::values!["s"]);
        let update = || sql!("UPDATE t SET a = $1").with(crate::values!["u"]);
        assert_eq!(joined(vec![select()]).unwrap().text, "INSERT INTO t (a) SELECT $1");
        let all = joined(vec![update(), select()]).unwrap();
        assert_eq!(all.text, "WITH change_0 AS (INSERT INTO t (a) SELECT $1) UPDATE t SET a = $2");
        assert_eq!(all.values, crate::values!["s", "u"]);
        let expected = "WITH change_0 AS (INSERT INTO t (a) SELECT $1) , \
                        change_1 AS (INSERT INTO t (a) SELECT $2) SELECT 1";
        assert_eq!(joined(vec![select(), select()]).unwrap().text, expected);
    }
}
