//! `cargo x test`: every test of the project in one command, on a machine with nothing prepared.
//!
//! The lint comes first, unless the run is narrowed by a filter. Unit tests run once; the integration tests of the
//! binary run on each engine, PostgreSQL being a private server. All steps run though one fails, and what failed is
//! said again at the end. A full run ends with the proof that every SQL literal ran on every engine it is for. The
//! output of `cargo test` passes through untouched.

use std::path::PathBuf;

use crate::postgres::{Durability, Server, Source, pooler};
use crate::shell::{self, Outcome};
use crate::workspace::{DATABASES, ENGINES, PACKAGES};
use crate::{browser, contract_tools, lint, pebble, s3, test_runner};

/// What the caller asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Choice {
    engine: Option<&'static str>,
    postgres: Source,
    /// Handed to the test runner after `--`.
    passed: Vec<String>,
}

/// Runs what the arguments choose; without any, everything.
pub fn run(arguments: &[String]) -> Outcome {
    let choice = Choice::parse(arguments)?;
    let mut outcomes = Vec::new();
    if choice.passed.is_empty() {
        outcomes.push(lint::run());
    }
    outcomes.extend([units(&choice), doctests(&choice)]);
    let mut integration = Vec::new();
    for engine in ENGINES.into_iter().filter(|engine| choice.engine.is_none_or(|only| only == *engine)) {
        integration.push(on_engine(engine, &choice, &[]));
    }
    let complete = choice == Choice::default();
    if complete && integration.iter().all(Result::is_ok) {
        outcomes.push(lint::coverage::run(&recordings()));
        outcomes.push(lint::statements::run(&statements("postgres")));
    } else if complete {
        shell::say("skipped: the SQL coverage, because integration tests failed");
    }
    outcomes.extend(integration);
    if complete {
        shell::say("\nGenerated pages in Chromium");
        let in_chromium = |reason| format!("in Chromium: {reason}");
        outcomes.push(browser::run(&[]).map_err(in_chromium));
        let server = Server::start_from(choice.postgres, Durability::None);
        let on_postgres = server.and_then(|server| browser::console_on_postgres(&server.url()));
        outcomes.push(on_postgres.map_err(in_chromium));
        outcomes.push(contract_tools::run_if_possible());
    }
    shell::every(outcomes)?;
    shell::say("\ncargo x test: all passed");
    Ok(())
}

impl Choice {
    /// `--engine` and `--postgres-from` are ours; everything else belongs to the test runner, with or without `--` before it.
    fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut choice = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--" {
                choice.passed.extend(rest.cloned());
                break;
            }
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument.as_str(), None),
            };
            let mut value = || value.or_else(|| rest.next().map(String::as_str)).unwrap_or_default();
            match name {
                "--engine" => {
                    let named = value();
                    let engine = ENGINES.into_iter().find(|engine| *engine == named);
                    choice.engine = Some(engine.ok_or("--engine is sqlite, postgres or postgres-sharded")?);
                }
                "--postgres-from" => {
                    choice.postgres = match value() {
                        "system" => Source::System,
                        "pypi" => Source::Pypi,
                        _ => return Err("--postgres-from is system or pypi".to_owned()),
                    };
                }
                _ => choice.passed.push(argument.clone()),
            }
        }
        Ok(choice)
    }
}

/// Unit tests of all crates, and integration tests other than those that want an engine.
fn units(choice: &Choice) -> Outcome {
    let mut command = shell::cargo(PACKAGES);
    command.args(["--no-fail-fast", "--lib", "--bins"]);
    for name in other_test_targets()? {
        command.args(["--test", &name]);
    }
    test_runner::run(command.arg("--").args(&choice.passed))
}

fn doctests(choice: &Choice) -> Outcome {
    test_runner::run(shell::cargo(PACKAGES).args(["--no-fail-fast", "--doc", "--"]).args(&choice.passed))
}

/// The integration tests on one engine, with the statements that they execute recorded.
fn on_engine(engine: &'static str, choice: &Choice, settings: &[(&str, &str)]) -> Outcome {
    let recording = recording(engine);
    shell::write(&recording, b"")?;
    shell::write(&statements(engine), b"")?;
    let mut command = shell::cargo(PACKAGES);
    command.args(["--test", "it", "--"]).args(threads(&choice.passed)).args(&choice.passed);
    command.env("PAGESMITH_TEST_ENGINE", engine).env("PAGESMITH_SQL_COVERAGE", &recording);
    command.envs(settings.iter().copied());
    shell::say(format!("\nIntegration tests on {engine}"));
    let server = if engine.starts_with("postgres") {
        Some(Server::start_from(choice.postgres, Durability::None)?)
    } else {
        None
    };
    command.envs(server.as_ref().map(|server| ("PAGESMITH_TEST_POSTGRES", server.url())));
    let pooler = server.as_ref().and_then(|_| pooler::find_or_install());
    command.envs(pooler.map(|program| ("PAGESMITH_TEST_PGBOUNCER", program)));
    command.envs(s3::find_or_install().map(|program| ("PAGESMITH_TEST_RCLONE", program)));
    command.envs(pebble::find_or_install().map(|program| ("PAGESMITH_TEST_PEBBLE", program)));
    test_runner::run(&mut command).map_err(|reason| format!("on {engine}: {reason}"))
}

/// The integration tests that the runner's arguments choose, on every database, with settings of their own.
pub fn integration(passed: &[&str], settings: &[(&str, &str)]) -> Outcome {
    let passed = passed.iter().copied().map(str::to_owned).collect();
    let choice = Choice { passed, ..Choice::default() };
    shell::every(DATABASES.into_iter().map(|engine| on_engine(engine, &choice, settings)))
}

/// Twice as many threads as there are cores, unless the caller says how many: some tests wait for other processes, for
/// answers that never come, or for the database.
fn threads(passed: &[String]) -> Option<String> {
    let is_said = passed.iter().any(|argument| argument.starts_with("--test-threads"));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (!is_said).then(|| format!("--test-threads={}", 2 * cores))
}

/// The file that the store appends the place of each executed literal to.
fn recording(engine: &str) -> PathBuf {
    shell::target().join("sql-coverage").join(format!("{engine}.txt"))
}

/// The file beside it with the statements as they were put together.
fn statements(engine: &str) -> PathBuf {
    recording(engine).with_extension("txt.statements")
}

fn recordings() -> Vec<(&'static str, PathBuf)> {
    DATABASES.into_iter().map(|engine| (engine, recording(engine))).collect()
}

/// Test targets by cargo's own layout: `crates/*/tests/NAME.rs` and `crates/*/tests/NAME/main.rs`, without those that have a step of
/// their own.
fn other_test_targets() -> Outcome<Vec<String>> {
    let crates = shell::root().join("crates");
    let entries = std::fs::read_dir(&crates).map_err(|error| format!("{}: {error}", crates.display()))?;
    let mut names = Vec::new();
    for folder in entries.flatten() {
        let Ok(tests) = std::fs::read_dir(folder.path().join("tests")) else { continue };
        for path in tests.flatten().map(|entry| entry.path()) {
            let is_target = path.join("main.rs").is_file() || path.extension().is_some_and(|e| e == "rs");
            let name = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
            names.extend(name.filter(|name| is_target && !matches!(name.as_str(), "it" | "browser")));
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::{Choice, Source};

    fn parsed(words: &[&str]) -> Result<Choice, String> {
        Choice::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_number_of_threads_can_be_said() {
        assert!(super::threads(&[]).unwrap().starts_with("--test-threads="));
        for said in [&["--test-threads=1"][..], &["--test-threads", "1"]] {
            let said: Vec<String> = said.iter().map(ToString::to_string).collect();
            assert_eq!(super::threads(&said), None);
        }
    }

    #[test]
    fn engine_is_ours_and_the_rest_passes_through() {
        let choice = parsed(&["pages::", "--engine", "sqlite", "--nocapture"]).unwrap();
        assert_eq!(choice.engine, Some("sqlite"));
        assert_eq!(choice.passed, ["pages::", "--nocapture"]);
        let choice = parsed(&["--engine=postgres", "--", "--engine"]).unwrap();
        assert_eq!((choice.engine, choice.passed), (Some("postgres"), vec!["--engine".to_owned()]));
    }

    #[test]
    fn where_postgresql_comes_from_is_ours_too() {
        let choice = parsed(&["--postgres-from", "pypi", "--exact=x"]).unwrap();
        assert_eq!((choice.postgres, choice.passed), (Source::Pypi, vec!["--exact=x".to_owned()]));
        assert_eq!(parsed(&["--postgres-from=system"]), Ok(Choice::default()));
    }

    #[test]
    fn a_misspelt_engine_is_refused() {
        assert!(parsed(&["--postgres-from", "npm"]).is_err());
        assert!(parsed(&["--engine", "mysql"]).is_err());
        assert!(parsed(&["--engine"]).is_err());
        assert_eq!(parsed(&[]), Ok(Choice::default()));
    }
}
