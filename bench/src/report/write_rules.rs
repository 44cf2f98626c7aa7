//! The table about PostgreSQL's rules for writes.

use std::fmt::Write as _;
use std::time::Duration;

use super::time;

/// One line of the table about PostgreSQL's rules for writes: what is left when one of them is left out.
pub struct WriteRuleRow {
    pub left_out: &'static str,
    /// Entries a second by themselves, and beside slow writes.
    pub entries: f64,
    pub beside_slow: f64,
    /// Slow writes a second, and the longest of all rounds.
    pub slow: f64,
    pub longest_slow: Duration,
    /// Updates of one page a second, and the longest of all rounds.
    pub one_page: f64,
    pub longest_of_page: Duration,
    /// The same of two servers.
    pub of_two: f64,
    pub longest_of_two: Duration,
    /// Writes that were given up, of all rounds.
    pub given_up: u64,
}

impl WriteRuleRow {
    /// As one line for the terminal.
    pub fn line(&self) -> String {
        let WriteRuleRow {
            left_out,
            entries,
            beside_slow,
            slow,
            longest_slow,
            one_page,
            longest_of_page,
            of_two,
            longest_of_two,
            given_up,
        } = self;
        format!(
            "PostgreSQL without {left_out}: {entries:.0} entries/s, beside slow writes {beside_slow:.0}, slow writes {slow:.0}/s, the longest \
             {longest_slow:.1?}, updates of one page {one_page:.0}/s, the longest {longest_of_page:.1?}, of two servers \
             {of_two:.0}/s, the longest {longest_of_two:.1?}, {given_up} given up"
        )
    }
}

/// The table with the text above it; nothing if the table has no line.
pub fn table(rows: &[WriteRuleRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n| Left out | Entries/s | Entries/s beside slow writes | Slow writes/s | Longest | Updates/s of one page | Longest | The same of two servers | Longest | Given up |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.0} | {:.0} | {} | {:.0} | {} | {:.0} | {} | {} |",
            row.left_out,
            row.entries,
            row.beside_slow,
            row.slow,
            time(row.longest_slow),
            row.one_page,
            time(row.longest_of_page),
            row.of_two,
            time(row.longest_of_two),
            row.given_up,
        );
    }
    text
}
