//! `cargo x bench`: builds the server and the load harness in release mode and runs them together.
//!
//! The harness is told where things are by the environment: `PAGESMITH_BIN` is the server's binary,
//! `PAGESMITH_BENCH_POSTGRES` the socket of a private PostgreSQL with its default durability, on a disk and not in
//! memory, and `PAGESMITH_BENCH_PGBENCH` that PostgreSQL's load generator.

use std::path::Path;

use crate::postgres::{Durability, Server};
use crate::shell;

/// Builds, starts PostgreSQL, and runs the harness with the arguments as they are.
pub fn run(arguments: &[String]) -> shell::Outcome {
    shell::run(&mut shell::cargo(["build", "--release", "--package", "pagesmith", "--package", "bench"]))?;
    let release = shell::target().join("release");
    // Asking for the harness's help needs no database.
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return harness(&release, arguments, None);
    }
    let server = Server::start(Durability::Full)?;
    harness(&release, arguments, Some(&server))
}

fn harness(release: &Path, arguments: &[String], postgres: Option<&Server>) -> shell::Outcome {
    let mut command = shell::program(release.join("bench"), arguments);
    command.env("PAGESMITH_BIN", release.join("pagesmith"));
    if let Some(server) = postgres {
        command.env("PAGESMITH_BENCH_POSTGRES", server.socket_url());
        command.env("PAGESMITH_BENCH_PGBENCH", server.pgbench());
    }
    shell::run(&mut command)
}
