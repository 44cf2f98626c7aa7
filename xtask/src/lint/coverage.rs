//! The proof at the end of a test run that every SQL literal was executed on every engine that it is for.
//!
//! The store appends `file:line engine` for each literal that it runs (`PAGESMITH_SQL_COVERAGE`); this compares the
//! record with the literals in the source. A literal marked `// only: ENGINE` needs that engine alone. Since places are
//! compared, `sql!` must not be inside another macro, whose line the compiler would report instead.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::sql::{self, Literal};
use super::{Finding, Source};
use crate::shell::{self, Outcome};

/// Compares the records, one per engine, with the source.
pub fn run(recordings: &[(&'static str, PathBuf)]) -> Outcome {
    let mut records = Vec::new();
    for (engine, path) in recordings {
        records.push((*engine, executed(&shell::read(path)?)));
    }
    let sources = super::sources()?;
    let literals = all_literals(&sources)?;
    let findings: Vec<Finding> =
        literals.iter().flat_map(|(s, literal)| missing(s, literal, &records)).collect();
    for finding in &findings {
        shell::say(finding.to_string());
    }
    if findings.is_empty() {
        shell::say(format!("\nSQL coverage: {} literals, each executed on its engines", literals.len()));
        Ok(())
    } else {
        Err(format!("SQL coverage: {} findings", findings.len()))
    }
}

/// The places in a record, `file:line`.
fn executed(record: &str) -> BTreeSet<String> {
    record.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Every literal of the crates' own code with its file; test code may have statements that no engine runs.
pub(super) fn all_literals(sources: &[Source]) -> Outcome<Vec<(&Source, Literal)>> {
    let of_crates = sources.iter().filter(|s| s.path.starts_with("crates/") && s.path.contains("/src/"));
    let read = of_crates.map(|source| Ok((source, source.code().map_err(|finding| finding.to_string())?)));
    let of_crates = read.collect::<Outcome<Vec<_>>>()?;
    let mut for_tests = Vec::new();
    for (source, code) in &of_crates {
        let stem = source.path.trim_end_matches(".rs");
        // `lib.rs`, `main.rs` and binaries have their modules beside them, others in a folder of their name.
        let folder = match stem.rsplit_once('/') {
            Some((folder, "lib" | "main")) => folder,
            _ => stem,
        };
        for name in &code.test_modules {
            for_tests.push(format!("{folder}/{name}."));
            for_tests.push(format!("{folder}/{name}/"));
        }
    }
    let mut literals = Vec::new();
    for (source, code) in of_crates {
        if for_tests.iter().any(|beginning| source.path.starts_with(beginning)) {
            continue;
        }
        let found = sql::literals(&source.text, &code, &|name| super::beside(&source.path, name));
        literals.extend(found.into_iter().map(|literal| (source, literal)));
    }
    Ok(literals)
}

/// One finding for each engine that should have run the literal and did not.
fn missing(source: &Source, literal: &Literal, records: &[(&str, BTreeSet<String>)]) -> Vec<Finding> {
    let place = format!("{}:{}", source.path, literal.line);
    let wanted = records.iter().filter(|(engine, _)| literal.only().is_none_or(|only| only == *engine));
    wanted
        .filter(|(_, executed)| !executed.contains(&place))
        .map(|(engine, _)| {
            source.finding(literal.line, format!("this SQL never ran on {engine} in any test"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Source, all_literals, executed, missing};

    fn sample(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn literals_that_did_not_run_are_found_for_each_engine() {
        let sources = [sample(
            "crates/store/src/tables/pages.rs",
            "sql!(\"A\");\nsql!(\"B\");\n// only: sqlite\nsql!(\"C\");\n// only: postgres\nsql!(\"D\");\n",
        )];
        let pages = |line: usize, engine: &str| format!("crates/store/src/tables/pages.rs:{line} {engine}\n");
        let records = [
            ("sqlite", executed(&(pages(1, "sqlite") + &pages(2, "sqlite")))),
            ("postgres", executed(&(pages(1, "postgres") + &pages(6, "postgres") + &pages(1, "postgres")))),
        ];
        let literals = all_literals(&sources).unwrap();
        let found: Vec<String> = literals
            .iter()
            .flat_map(|(s, literal)| missing(s, literal, &records))
            .map(|f| f.to_string())
            .collect();
        assert_eq!(
            found,
            [
                "crates/store/src/tables/pages.rs:2: this SQL never ran on postgres in any test",
                "crates/store/src/tables/pages.rs:4: this SQL never ran on sqlite in any test",
            ]
        );
    }

    #[test]
    fn test_code_needs_no_engine() {
        let sources = [
            sample(
                "crates/store/src/lib.rs",
                "#[cfg(test)] mod samples;\n#[cfg(test)] mod t { sql!(\"A\") }",
            ),
            sample("crates/store/src/samples.rs", "sql!(\"B\")"),
            sample("crates/store/src/samples/more.rs", "sql!(\"C\")"),
            sample("crates/store/src/tx.rs", "sql!(\"D\")"),
            sample("crates/store/tests/all.rs", "sql!(\"E\")"),
        ];
        let texts: Vec<String> =
            all_literals(&sources).unwrap().into_iter().map(|(_, literal)| literal.text).collect();
        assert_eq!(texts, ["D"]);
    }
}
