//! A table as lines of text: a line for each row, `|` between cells. Cells that were copied from a spreadsheet stand between tabs.
//!
//! A backslash makes the character behind it a part of the cell; `\n` is a line break. Invariant: what is written reads back as the same rows.

use serde_json::Value;

/// The lines of rows.
pub(super) fn written(rows: &Value) -> String {
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |row: &Value| {
        let cells = row.as_array().map(Vec::as_slice).unwrap_or_default();
        let cells = cells.iter().map(|cell| escaped(cell.as_str().unwrap_or_default()));
        cells.collect::<Vec<_>>().join(" | ")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn escaped(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for char in cell.chars() {
        match char {
            '|' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            char => text.push(char),
        }
    }
    // Space at the ends of a cell is not looked at.
    let (start, end) = (text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace));
    match (start || text.is_empty(), end) {
        (false, false) => text,
        _ => format!("\\e{text}\\e"),
    }
}

/// The rows of lines; empty lines say nothing.
pub(super) fn read(lines: &str) -> Value {
    // A carriage return within a cell is escaped; browsers send one at each line's end.
    lines
        .split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .filter(|line| !line.trim().is_empty())
        .map(row)
        .collect()
}

fn row(line: &str) -> Value {
    let divider = if line.contains('\t') { '\t' } else { '|' };
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for char in line.chars() {
        match (is_escaped, char) {
            (false, '\\') => is_escaped = true,
            (false, char) if char == divider => cells.push(std::mem::take(&mut cell)),
            (false, char) => cell.push(char),
            (true, char) => {
                cell.extend(['\\', char]);
                is_escaped = false;
            }
        }
    }
    cells.push(cell);
    cells.iter().map(|cell| Value::from(unescaped(cell.trim()))).collect()
}

fn unescaped(cell: &str) -> String {
    let (mut text, mut is_escaped) = (String::with_capacity(cell.len()), false);
    for char in cell.chars() {
        match (is_escaped, char) {
            (false, '\\') => {
                is_escaped = true;
                continue;
            }
            (true, 'n') => text.push('\n'),
            (true, 'r') => text.push('\r'),
            (true, 't') => text.push('\t'),
            (true, 'e') => {}
            (_, char) => text.push(char),
        }
        is_escaped = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_typed_or_pasted() {
        assert_eq!(read("Team | 10\r\n\r\nAny | a\\|b \r\n"), json!([["Team", "10"], ["Any", "a|b"]]));
        assert_eq!(read("Team\t10 | 11\nAll\t"), json!([["Team", "10 | 11"], ["All", ""]]));
        assert_eq!(read(" "), json!([]));
    }

    proptest! {
        #[test]
        fn rows_survive_being_written(rows in proptest::collection::vec(proptest::collection::vec("[a |\\\\\\t\\r\\nnert\\PC]{0,8}", 1..4), 0..4)) {
            let rows = json!(rows);
            let sent = written(&rows).replace('\n', "\r\n");
            prop_assert_eq!(read(&sent), rows);
        }
    }
}
