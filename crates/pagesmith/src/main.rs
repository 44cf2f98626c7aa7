//! The binary `pagesmith`: command line, configuration, wiring, signals.
//!
//! Nothing of the product is decided here. A command reads its settings, opens the store and calls operations;
//! `serve` (the command when none is given) wires the parts together and runs them until a signal.

mod cli;
mod config;
mod database_safety;
mod demo;
mod failure;
mod nearest;
mod open_files;
mod screen;
mod secret_key;
mod shutdown;
mod small_pages;
mod telemetry;
mod wiring;

use std::io::Write;
use std::process::ExitCode;

/// Requests are many small allocations on several threads, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    small_pages::only();
    // Whatever this program makes is its owner's alone: the database, its journal, backups, reports, exports.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    match cli::run() {
        Ok(code) => code,
        Err(failure) => {
            // Where standard error is closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "pagesmith: {failure}");
            ExitCode::FAILURE
        }
    }
}
