//! The load harness: how fast the service is, beside the floors that the same machine allows, in one run.
//!
//! `cargo x bench` builds everything in release mode and starts this program, which starts the servers it
//! measures as child processes of its own and drives them over loopback. Absolute numbers depend on the
//! machine; the ratios to the floors are what the project promises (`report.rs`, "Bars"). It measures
//! and never tests: an answer other than 2xx makes the run invalid.
//!
//! Start reading at `sections.rs`, which lists what is measured, `scenarios.rs` (the table) and `bars.rs` (the promises that need a set-up
//! of their own). `results.rs` keeps what was found; `contention.rs` measures updates of one row and `write_rules.rs` each of PostgreSQL's rules for writes, `history.rs` and `search.rs` measure persons, `sites.rs` what visitors see, `visits.rs` what is measured of them, `questions.rs` what they ask, `deliveries.rs` what receivers of webhooks do, `traffic.rs` what goes between a server and PostgreSQL,
//! `neighbours.rs` what a tenant notices of others that do their worst.

mod args;
mod attacks;
mod backlog;
mod bars;
mod brief_sample;
mod capacity;
mod client;
mod console;
mod contention;
mod copy;
mod crowd;
mod deliveries;
mod domains;
mod editing;
mod editing_live;
mod floors;
mod histogram;
mod history;
mod idle;
mod knowledge;
mod logs;
mod machine;
mod micro;
mod neighbours;
mod paced;
mod pairs;
mod people;
mod pgbench;
mod pictures;
mod postgres;
mod questions;
mod reads;
mod receiver;
mod report;
mod request;
mod results;
mod sample;
mod scenarios;
mod search;
mod sections;
mod server;
mod setup;
mod sites;
mod sites_sample;
mod traffic;
mod visits;
mod write_rules;

use std::io::Write as _;
use std::process::ExitCode;

use args::{Command, Options};
use report::Report;
use sections::SECTIONS;
use setup::Setup;

/// What goes wrong here is told to a person and ends the run; nothing branches on it.
type Failure = Box<dyn std::error::Error>;
type Result<T, E = Failure> = std::result::Result<T, E>;

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => say(args::USAGE).map(|()| true),
        Ok(Command::FloorA { port, body_file }) => floors::constant(port, &body_file).map(|()| true),
        Ok(Command::FloorB { port, database }) => floors::b::serve(port, &database).map(|()| true),
        Ok(Command::FloorLogs { port, database }) => floors::logs::serve(port, &database).map(|()| true),
        Ok(Command::Capacity) => print_capacity().map(|()| true),
        Ok(Command::Micro) => micro::run(),
        Ok(Command::Run(options)) => measure(*options),
        Err(error) => Err(error),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Nowhere is left to report a failure to write this.
            let _ = writeln!(std::io::stderr(), "bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a core carries.
fn print_capacity() -> Result<()> {
    let (results, traffic) =
        (std::fs::read_to_string(results::RESULTS)?, std::fs::read_to_string(report::TRAFFIC)?);
    say(&format!("{}\n\n{}", capacity::table(&results)?, capacity::traffic(&traffic)?))
}

/// Runs what was chosen; `false` if `--check` was asked for and a bar was missed or an answer was wrong.
fn measure(options: Options) -> Result<bool> {
    sections::check(&options)?;
    let setup = Setup::new(options)?;
    let machine = results::machine(&machine::describe(&setup)?);
    say(&machine)?;
    let mut hold = true;
    for section in SECTIONS.iter().filter(|section| section.is_chosen(&setup.options)) {
        let mut report = Report::new(&machine::date(), &setup.options);
        (section.measure)(&setup, &mut report)?;
        let text = report.render(section.name, section.about);
        say(&text)?;
        hold &= report.holds(&setup.options);
        if setup.options.save {
            save(&report, &machine, &text)?;
        }
    }
    Ok(hold || !setup.options.check)
}

/// Keeps what was found of a section, unless an answer was wrong.
fn save(report: &Report, machine: &str, text: &str) -> Result<()> {
    if !report.problems().is_empty() {
        return say("not kept, as it is invalid");
    }
    if let Some(traffic) = report.traffic() {
        return Ok(std::fs::write(report::TRAFFIC, traffic)?);
    }
    let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
    let document = std::fs::read_to_string(results::RESULTS).unwrap_or_default();
    Ok(std::fs::write(results::RESULTS, results::with_section(&document, machine, text, &names))?)
}

/// Prints one line, or several, of the program's real output.
fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}
