//! What a core carries and what an operation moves, from the results that were saved: the tables of `docs/design/scale.md`.
//!
//! It measures nothing. `xtask` compiles this file as well, so that `cargo x test` compares the document. PostgreSQL's share of an operation is not measured but bounded: the run
//! kept every core busy at best, so what the cores had, less what the server and the load generator took, is the most that
//! PostgreSQL can have taken.

use std::fmt::Write as _;

/// The load at which the operations are read: enough to fill two cores, and not yet a queue.
const CONNECTIONS: &str = "64";

/// The tables that are read, by their headings.
const TABLES: [&str; 4] = ["Operations", "Persons", "Sites", "Deliveries"];

/// A line of the results.
#[derive(Debug, PartialEq)]
struct Line {
    engine: String,
    operation: String,
    /// Operations a second in the run.
    rate: f64,
    /// CPU time of an operation in microseconds: the server's, and the load generator's where that is known.
    server: f64,
    client: Option<f64>,
    /// Whether each operation asks the database; a page from memory does not.
    asks_database: bool,
}

/// The table of these results.
pub fn table(results: &str) -> Result<String, String> {
    let cores = cores(results)?;
    let mut text = String::from(
        "| Engine | Operation | Measured/s | Server CPU | PostgreSQL CPU | A server core carries | A PostgreSQL core carries |\n\
         |---|---|--:|--:|--:|--:|--:|\n",
    );
    for Line { engine, operation, rate, server, client, asks_database } in lines(results)? {
        let (mut share, mut carried) = (String::new(), String::new());
        if engine == "PostgreSQL" && asks_database {
            let most = cores * 1e6 / rate - server - client.unwrap_or(0.0);
            share = format!("≤ {most:.0} µs");
            carried = format!("≥ {}/s", round(1e6 / most));
        }
        let carries = round(1e6 / server);
        let _ = writeln!(
            text,
            "| {engine} | {operation} | {rate:.0} | {server:.0} µs | {share} | {carries}/s | {carried} |"
        );
    }
    Ok(text.trim_end().to_owned())
}

/// The table of what an operation moves.
pub fn traffic(counted: &str) -> Result<String, String> {
    let rows: Vec<&str> = counted.lines().filter(|line| line.starts_with('|')).collect();
    if rows.len() < 3 {
        return Err("nothing was counted between a server and PostgreSQL".to_owned());
    }
    Ok(rows.join("\n"))
}

/// Two digits, as more would claim too much.
fn round(value: f64) -> String {
    let unit = 10_f64.powf(value.log10().floor() - 1.0).max(1.0);
    format!("{:.0}", (value / unit).round() * unit)
}

/// How many cores the machine had.
fn cores(results: &str) -> Result<f64, String> {
    let line = results.lines().find(|line| line.starts_with("| Processor |"));
    let count = line.and_then(|line| line.rsplit_once(" cores")?.0.rsplit_once(' ')?.1.parse().ok());
    count.ok_or_else(|| "the results do not say how many cores the machine had".to_owned())
}

fn lines(results: &str) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    for section in results.split("\n## ") {
        if !TABLES.contains(&section.lines().next().unwrap_or_default()) {
            continue;
        }
        // The section's first table; that of its bars follows.
        let table = section
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'));
        let mut rows = table.filter(|line| line.starts_with("| ")).map(cells);
        let heading = rows.next().ok_or("a section of the results has no table")?;
        let place = |name: &str| heading.iter().position(|cell| *cell == name);
        for row in rows {
            let cell = |name: &str| place(name).and_then(|at| row.get(at)).copied();
            let number = |name: &str| cell(name).and_then(|cell| cell.split(' ').next()?.parse::<f64>().ok());
            // An operation at the other numbers of connections says the same of a core.
            if section.starts_with("Operations") && cell("Connections") != Some(CONNECTIONS) {
                continue;
            }
            let operation = cell("Operation").or_else(|| cell("Measure"));
            let line = match (cell("Engine"), operation, number("Requests/s"), number("CPU/request")) {
                (Some(engine), Some(operation), Some(rate), Some(server)) => Line {
                    engine: engine.to_owned(),
                    operation: operation.split(';').next().unwrap_or(operation).to_owned(),
                    rate,
                    server,
                    client: number("Client CPU"),
                    asks_database: !operation.contains("from memory"),
                },
                _ => return Err(format!("a line of the results cannot be read: {row:?}")),
            };
            // Rounds of one measure follow each other; at one connection both sides mostly wait.
            let repeated = lines
                .last()
                .is_some_and(|last| last.operation == line.operation && last.engine == line.engine);
            if !repeated && cell("Connections") != Some("1") {
                lines.push(line);
            }
        }
    }
    if lines.is_empty() {
        return Err("the results have no table of operations".to_owned());
    }
    Ok(lines)
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "# Results\n\n## Machine\n\n| | |\n|---|---|\n| Processor | Some, 2 cores |\n\n## Operations\n\nText.\n\n\
        | Engine | Operation | Connections | Requests/s | p50 | CPU/request | Client CPU |\n|---|---|--:|--:|--:|--:|--:|\n\
        | SQLite | get page | 16 | 1 | 1 | 1 µs | 1 µs |\n\
        | SQLite | get page | 64 | 50000 | 1.0 ms | 20 µs | 9 µs |\n\
        | PostgreSQL | get page | 64 | 10000 | 5.7 ms | 80 µs | 20 µs |\n\n## Persons\n\n\
        | Engine | Measure | Connections | Requests/s | CPU/request |\n|---|---|--:|--:|--:|\n\
        | PostgreSQL | search; more | 8 | 1000 | 500 µs |\n| PostgreSQL | search; more | 8 | 900 | 500 µs |\n\
        | PostgreSQL | page from memory | 8 | 1000 | 20 µs |\n\
        | SQLite | idle | 1 | 5 | 500 µs |\n\n## Bars\n\n| Measure | Measured |\n|---|--:|\n| x | 1 |\n";

    #[test]
    fn a_core_carries_what_its_time_is_enough_for() {
        let table = table(SAMPLE).unwrap();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| SQLite | get page | 50000 | 20 µs |  | 50000/s |  |",
                "| PostgreSQL | get page | 10000 | 80 µs | ≤ 100 µs | 13000/s | ≥ 10000/s |",
                "| PostgreSQL | search | 1000 | 500 µs | ≤ 1500 µs | 2000/s | ≥ 670/s |",
                "| PostgreSQL | page from memory | 1000 | 20 µs |  | 50000/s |  |",
            ]
        );
    }

    #[test]
    fn results_that_cannot_be_read_are_told() {
        assert!(table("").is_err() && traffic("# Traffic\n").is_err());
        assert!(table(&SAMPLE.replace("2 cores", "many")).is_err());
        assert!(table(&SAMPLE.replace("| 50000 |", "| fast |")).is_err());
        assert!(table(&SAMPLE.replace("## Operations", "## x").replace("## Persons", "## y")).is_err());
    }

    #[test]
    fn the_document_has_the_table_of_the_saved_results() {
        let table = table(include_str!("../RESULTS.md")).unwrap();
        assert!(table.contains("| PostgreSQL | create page |") && table.contains("hosted page"), "{table}");
        let document = include_str!("../../docs/design/scale.md");
        for table in [table, traffic(include_str!("../TRAFFIC.md")).unwrap()] {
            assert!(
                document.contains(&format!("\n\n{table}\n\n")),
                "put this in its place in docs/design/scale.md:\n{table}"
            );
        }
    }
}
