//! Tables as text: each row is a line that names its columns, so that a piece of the text says what its numbers are.

use csv::{ReaderBuilder, StringRecord};

/// What may be between cells.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many lines are looked at to find that out.
const LOOKED_AT: usize = 20;

/// The rows of a table, one a line.
pub(crate) fn read(text: &str) -> String {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut rows =
        reader.records().map_while(Result::ok).filter(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    let Some(first) = rows.next() else { return String::new() };
    let names: Option<Vec<String>> = is_header(&first).then(|| first.iter().map(line).collect());
    let mut lines = Vec::new();
    if names.is_none() {
        lines.push(row(&first, None));
    }
    let mut length = 0;
    for record in rows {
        let line = row(&record, names.as_deref());
        length += line.len();
        lines.push(line);
        if length > crate::KEPT * 4 {
            break;
        }
    }
    // A table of names alone.
    if lines.is_empty() {
        lines.push(row(&first, None));
    }
    lines.join("\n")
}

/// What occurs most, and equally often in every line.
fn delimiter(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT).collect();
    let score = |delimiter: u8| {
        let counts = lines.iter().map(|line| line.bytes().filter(|byte| *byte == delimiter).count());
        (counts.clone().min().unwrap_or_default(), counts.sum::<usize>())
    };
    let best = DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter));
    best.unwrap_or(b',')
}

/// Whether a row names columns: it has several cells, each with a letter and unlike the others.
fn is_header(row: &StringRecord) -> bool {
    let cells: Vec<&str> = row.iter().map(str::trim).collect();
    let is_name = |cell: &&str| cell.chars().any(char::is_alphabetic) && cell.chars().count() <= 100;
    let mut sorted = cells.clone();
    sorted.sort_unstable();
    sorted.dedup();
    cells.len() > 1 && cells.iter().all(is_name) && sorted.len() == cells.len()
}

fn row(record: &StringRecord, names: Option<&[String]>) -> String {
    let cells = record.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
    let cells: Vec<String> = cells
        .map(|(at, cell)| match names.and_then(|names| names.get(at)) {
            Some(name) => format!("{name}: {}", line(cell)),
            None => line(cell),
        })
        .collect();
    cells.join("; ")
}

fn line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rows_name_their_columns() {
        for (text, expected) in [
            ("plan,price\nStarter,0\nTeam,\"9,50\"\n", "plan: Starter; price: 0\nplan: Team; price: 9,50"),
            (
                "Tarif;Preis\nStart;0,00 €\n;\nTeam;9,50 €",
                "Tarif: Start; Preis: 0,00 €\nTarif: Team; Preis: 9,50 €",
            ),
            ("a\tb\n1\t2", "a: 1; b: 2"),
            ("1,2\n3,4", "1; 2\n3; 4"),
            ("plan,price", "plan; price"),
            ("a,b\n1\n1,2,3", "a: 1\na: 1; b: 2; 3"),
            ("a,b\n\"two\nlines\",x", "a: two lines; b: x"),
            ("", ""),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_table(text in "[a-z0-9,;\t\"\n é]{0,200}") {
            let _ = read(&text);
        }
    }
}
