//! The load harness: how fast the service is, beside the floors that the same machine allows, in one run.
//!
//! `cargo x bench` builds everything in release mode and starts this program, which starts the servers it
//! measures as child processes of its own and drives them over loopback. Absolute numbers depend on the
//! machine; the ratios to the floors are what the project promises (`report.rs`, "Bars"). It measures
//! and never tests: an answer other than 2xx makes the run invalid.
//!
//! Start reading at `scenarios.rs` (the table) and `bars.rs` (the promises that need a set-up of their own); `logs.rs`,
//! `contention.rs` measures updates of one row and `write_rules.rs` each of PostgreSQL's rules for writes, `history.rs` and `search.rs` measure persons, `sites.rs` what visitors see, `visits.rs` what is measured of them, `questions.rs` what they ask, `deliveries.rs` what receivers of webhooks do, `traffic.rs` what goes between a server and PostgreSQL,
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
mod floor_b;
mod floor_logs;
mod floor_writer;
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
mod sample;
mod scenarios;
mod search;
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
use setup::Setup;

/// What goes wrong here is told to a person and ends the run; nothing branches on it.
type Failure = Box<dyn std::error::Error>;
type Result<T, E = Failure> = std::result::Result<T, E>;

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => say(args::USAGE).map(|()| true),
        Ok(Command::FloorA { port, body_file }) => floors::constant(port, &body_file).map(|()| true),
        Ok(Command::FloorB { port, database }) => floor_b::serve(port, &database).map(|()| true),
        Ok(Command::FloorLogs { port, database }) => floor_logs::serve(port, &database).map(|()| true),
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
        (std::fs::read_to_string(report::RESULTS)?, std::fs::read_to_string(report::TRAFFIC)?);
    say(&format!("{}\n\n{}", capacity::table(&results)?, capacity::traffic(&traffic)?))
}

/// Runs what was chosen; `false` if `--check` was asked for and a bar was missed or an answer was wrong.
fn measure(options: Options) -> Result<bool> {
    let setup = Setup::new(options)?;
    let mut report = Report::new(machine::describe(&setup)?, &setup.options);
    scenarios::run(&setup, &mut report)?;
    logs::run(&setup, &mut report)?;
    bars::run(&setup, &mut report)?;
    idle::run(&setup, &mut report)?;
    copy::run(&setup, &mut report)?;
    contention::run(&setup, &mut report)?;
    write_rules::run(&setup, &mut report)?;
    history::run(&setup, &mut report)?;
    search::run(&setup, &mut report)?;
    console::run(&setup, &mut report)?;
    knowledge::run(&setup, &mut report)?;
    domains::run(&setup, &mut report)?;
    pictures::run(&setup, &mut report)?;
    sites::run(&setup, &mut report)?;
    visits::run(&setup, &mut report)?;
    questions::run(&setup, &mut report)?;
    deliveries::run(&setup, &mut report)?;
    crowd::run(&setup, &mut report)?;
    backlog::run(&setup, &mut report)?;
    editing_live::run(&setup, &mut report)?;
    neighbours::run(&setup, &mut report)?;
    reads::run(&setup, &mut report)?;
    traffic::run(&setup, &mut report)?;
    let text = report.render();
    say(&text)?;
    if setup.options.save {
        if let Some(traffic) = report.traffic() {
            std::fs::write(report::TRAFFIC, traffic)?;
        }
        if !setup.options.wants_only("traffic") {
            std::fs::write(report::RESULTS, &text)?;
        }
    }
    Ok(!setup.options.check || report.holds(&setup.options))
}

/// Prints one line, or several, of the program's real output.
fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}
