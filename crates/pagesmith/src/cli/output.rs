//! What a command prints on standard output: lines, tables, JSON.
//!
//! A reader that went away (`pagesmith key list | head -1`) is no failure. Names that people chose may hold control
//! characters; a table shows them escaped, so that they cannot rule a terminal.

use std::io::{ErrorKind, Write, stdout};

use serde_json::Value;

use crate::failure::Result;

/// Prints one line.
pub fn line(text: &str) -> Result<()> {
    print(&format!("{text}\n"))
}

/// Prints a value as indented JSON.
pub fn json(value: &Value) -> Result<()> {
    print(&format!("{value:#}\n"))
}

/// Prints rows under a heading, in columns as wide as their widest cell.
pub fn table<const N: usize>(heading: [&str; N], rows: &[[String; N]]) -> Result<()> {
    print(&columns(heading, rows))
}

fn columns<const N: usize>(heading: [&str; N], rows: &[[String; N]]) -> String {
    let mut cells = vec![heading.map(str::to_owned)];
    cells.extend(rows.iter().map(|row| row.each_ref().map(|cell| escape(cell))));
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &cells {
        let padded: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The text with its control characters spelt out.
pub fn escape(cell: &str) -> String {
    cell.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

fn print(text: &str) -> Result<()> {
    bytes(text.as_bytes())
}

/// Prints bytes as they are.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => Ok(outcome?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_controls_are_escaped() {
        let rows = [["a".to_owned(), "x\u{1b}[2J".to_owned()], ["longer".to_owned(), "ü".to_owned()]];
        assert_eq!(columns(["ID", "NAME"], &rows), "ID      NAME\na       x\\u{1b}[2J\nlonger  ü\n");
    }
}
