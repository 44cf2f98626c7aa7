//! `cargo x …`: the commands of daily work on Pagesmith.
//!
//! One file per command. This one only chooses; it depends on little so that the first command of the day starts fast.
//! No command needs anything prepared: what is missing is installed where that is possible, or named.

mod bench;
mod browser;
/// The tests of `bench` are not run by `cargo x test`. This one compares a document.
#[cfg(test)]
#[path = "../../bench/src/capacity.rs"]
mod capacity;
mod check;
mod ci;
mod contract_tools;
mod debian;
mod dev;
mod faketime;
mod fuzz;
mod gen_files;
mod lint;
mod module_lists;
mod node;
mod oidc;
mod pages;
mod pebble;
mod postgres;
mod python;
mod s3;
mod shell;
mod simulate;
mod test;
mod test_runner;
mod upgrade;
mod vendor;
mod workspace;

use std::process::ExitCode;

const HELP: &str = "\
The commands of daily work on Pagesmith.

Usage: cargo x COMMAND [ARGUMENTS]

  test [FILTER…] [--engine sqlite|postgres|postgres-sharded] [--postgres-from system|pypi]
                        all tests: the lint, units once, then the integration tests on SQLite, on a private PostgreSQL, and
                        there with tables divided by tenant, then generated pages in headless Chromium. Filters and options of the test runner pass
                        through; with any, lint and Chromium are left out: `browser` has its own. From PyPI comes a newer
                        PostgreSQL than most systems have.
  browser [FILTER…]     the browser tests alone: generated pages in headless Chromium
  screenshots           make the pictures in docs/screenshots anew
  lighthouse            what Lighthouse says of a generated page (needs Node 18.19 or later)
  check                 formatting, clippy, documentation, lint, licences and advisories
  lint                  the project's own rules: sizes, names, where SQL may stand, tenancy, portable SQL,
                        circles of modules, files that documents name
  gen [--check]         write the generated files: api/openapi.json, migrations/schema.sql, migrations/checksums.txt;
                        with --check only compare
  contract-tools [--document FILE]
                        lint api/openapi.json and build a typed client from it (needs Node 18.19 or later)
  dev [ARGUMENTS]       serve from ./data/dev.db; arguments go to `pagesmith serve`
  bench [ARGUMENTS]     the load harness in release mode, with a private durable PostgreSQL
  pages [--counts]      write the pages of the template agent's sixty briefs, count what they show and miss, and make
                        contact sheets of them in headless Chromium; with --counts only count
  fuzz [TARGET] [SECONDS]
                        fuzz one target, or all in turn; 60 seconds each unless told (needs cargo-fuzz)
  simulate [--seeds N] [--seed S]
                        the simulation of deliveries with many seeds, or one again
  crash [--kills N]     the server under load, killed again and again, on both engines; three servers at a time have
                        clocks that are a second apart
  upgrade [--from REVISION]
                        the version that was tagged last (or that revision; a fixed one while nothing is tagged) beside this
                        one: servers are replaced one by one under load, and set back
  vendor [VERSION]      fetch htmx from npm again, in the recorded version or that one (needs npm)
  ci                    check, gen --check, test
  help                  this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            shell::say(format!("\ncargo x: {reason}"));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> shell::Outcome {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", arguments),
    };
    let asks_for_help = |argument: &String| argument == "--help" || argument == "-h";
    // The harness and the server have a help of their own; every other command is explained here.
    if !matches!(command, "bench" | "dev") && rest.iter().take_while(|a| *a != "--").any(asks_for_help) {
        shell::say(HELP);
        return Ok(());
    }
    match command {
        "help" | "--help" | "-h" => {
            shell::say(HELP);
            Ok(())
        }
        "test" => test::run(rest),
        "browser" => browser::run(rest),
        "screenshots" => none(rest).and_then(|()| browser::screenshots()),
        "lighthouse" => none(rest).and_then(|()| browser::lighthouse()),
        "check" => none(rest).and_then(|()| check::run()),
        "lint" => none(rest).and_then(|()| lint::run()),
        "gen" => gen_files::run(rest),
        "contract-tools" => contract_tools::run(rest),
        "dev" => dev::run(rest),
        "bench" => bench::run(rest),
        "pages" => pages::run(rest),
        "fuzz" => fuzz::run(rest),
        "simulate" => simulate::simulate(rest),
        "crash" => simulate::crash(rest),
        "upgrade" => upgrade::run(rest),
        "vendor" => vendor::run(rest),
        "ci" => none(rest).and_then(|()| ci::run()),
        unknown => Err(format!("there is no command `{unknown}`; `cargo x help` lists them")),
    }
}

/// For the commands that take no arguments: a mistyped option must not be lost in silence.
fn none(arguments: &[String]) -> shell::Outcome {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(format!("`{argument}` means nothing here; `cargo x help` lists what does")),
    }
}

#[cfg(test)]
mod tests {
    use super::dispatch;

    #[test]
    fn unknown_commands_and_arguments_are_refused() {
        assert!(dispatch(&["tets".to_owned()]).is_err());
        assert!(dispatch(&["lint".to_owned(), "--quick".to_owned()]).is_err());
    }
}
