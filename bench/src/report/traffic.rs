//! The table about what goes between a server and PostgreSQL.

use std::fmt::Write as _;

/// Where `--save` writes it. These are counts, which no other load on the machine changes.
pub const TRAFFIC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/TRAFFIC.md");

/// The text above the table of what goes between a server and PostgreSQL.
const ABOUT: &str = "# Traffic\n\nBetween one server and PostgreSQL, counted by a relay (`cargo x bench --only traffic --save`), one request at a time, with a thousand pages of 1.5 KB and a \
    thousand persons. WAL is PostgreSQL's log: what a standby is sent and an archive keeps.\n\n\
    | Operation | Round trips | To PostgreSQL | From PostgreSQL | WAL |\n|---|--:|--:|--:|--:|\n";

/// One line of it: an operation.
pub struct TrafficRow {
    name: &'static str,
    round_trips: f64,
    to_database: f64,
    from_database: f64,
    /// Bytes of PostgreSQL's log; nothing where that is not measured.
    logged: Option<f64>,
}

impl TrafficRow {
    /// Of round trips, bytes to the database and bytes from it.
    pub fn new(
        name: &'static str,
        [round_trips, to_database, from_database]: [f64; 3],
        logged: Option<f64>,
    ) -> Self {
        Self { name, round_trips, to_database, from_database, logged }
    }

    /// As a line of its table.
    pub fn line(&self) -> String {
        let Self { name, round_trips, to_database, from_database, logged } = self;
        let bytes = |count: f64| format!("{:.1} KB", count / 1e3);
        let logged = logged.map(bytes).unwrap_or_default();
        format!(
            "| {name} | {round_trips:.1} | {} | {} | {logged} |",
            bytes(*to_database),
            bytes(*from_database)
        )
    }
}

/// A document with the table.
pub fn document(rows: &[TrafficRow]) -> String {
    let mut text = ABOUT.to_owned();
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text
}
