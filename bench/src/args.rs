//! The command line, and the three environment variables that `cargo x bench` sets.
//!
//! Not the configuration of the measured server: that one is given by the harness alone, so that
//! a developer's own settings never change a measurement.

use std::path::PathBuf;
use std::time::Duration;

use crate::Result;

/// Shown by `--help`.
pub const USAGE: &str = "\
usage: cargo x bench [OPTIONS]

  --seconds S          measure each cell for S seconds after a warm-up (default 3)
  --connections N,...  default 1,16,64,256
  --only NAME,...      of get, list, update, create, logs, group, totals, footprint, idle, copy, contention, write-rules,
                       history, search, console, knowledge, domains, site, visible, writing, deliveries, crowd, backlog, neighbours, reads,
                       pictures, beacons, analytics, forms, questions, editing-live, traffic, micro
  --sessions N         of how many visits analytics are asked (default 100,000)
  --engine NAME        sqlite or postgres; default both
  --directory PATH     where databases and logs go while it runs; default beside the binary
  --quick              a second a cell, one round, 20,000 pages for 100,000: a look, not a result
  --save               keep each section in bench/RESULTS.md, or bench/TRAFFIC.md, as soon as it was measured; with --only, sections as a whole
  --check              exit with 1 if a bar is missed or any answer was not 2xx

other commands: micro; capacity (what a core carries, from the saved results); floor-a --port P --body-file F; floor-b --port P --database F; floor-logs (the same)";

/// What the program was asked to do.
pub enum Command {
    /// Print the usage.
    Help,
    /// Measure.
    Run(Box<Options>),
    /// Serve floor (a) until killed.
    FloorA { port: u16, body_file: PathBuf },
    /// Serve floor (b) until killed.
    FloorB { port: u16, database: PathBuf },
    /// Serve floor (c) until killed.
    FloorLogs { port: u16, database: PathBuf },
    /// Print what a core carries, from the saved results.
    Capacity,
    /// Time single functions, without a server.
    Micro,
}

/// How to measure.
#[derive(Clone)]
pub struct Options {
    pub measured: Duration,
    pub warm_up: Duration,
    pub connections: Vec<usize>,
    pub only: Vec<String>,
    engine: Option<String>,
    pub directory: Option<PathBuf>,
    /// How many sessions analytics are asked of.
    pub sessions: usize,
    pub quick: bool,
    pub save: bool,
    pub check: bool,
    /// The release build of the server.
    pub binary: PathBuf,
    /// A PostgreSQL server that may be used freely, without a database name.
    pub postgres: Option<String>,
    /// PostgreSQL's load generator.
    pub pgbench: Option<PathBuf>,
}

impl Options {
    /// Whether the named scenario was chosen; without `--only` every one is.
    pub fn wants(&self, scenario: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == scenario)
    }

    /// Whether the named engine was chosen; without `--engine` both are.
    pub fn wants_engine(&self, engine: &str) -> bool {
        self.engine.as_deref().is_none_or(|name| name == engine)
    }

    /// Whether the run leaves something out, so that its report is not the whole result.
    pub fn partial(&self) -> bool {
        self.quick || !self.only.is_empty() || self.engine.is_some()
    }

    /// How often a measurement with a bar is repeated; the median counts.
    pub fn rounds(&self, usual: usize) -> usize {
        if self.quick { 1 } else { usual }
    }
}

/// Reads the arguments that follow the program's name.
pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Command> {
    let mut words: Vec<String> = arguments.by_ref().collect();
    let command = match words.first() {
        Some(first) if !first.starts_with('-') => words.remove(0),
        _ => "run".to_owned(),
    };
    let mut words = Words(words.into_iter());
    match command.as_str() {
        "run" => options(words),
        "capacity" => Ok(Command::Capacity),
        "micro" => Ok(Command::Micro),
        "floor-a" => {
            let [port, file] = words.pair(["--port", "--body-file"])?;
            Ok(Command::FloorA { port: port.parse()?, body_file: file.into() })
        }
        "floor-b" => {
            let [port, file] = words.pair(["--port", "--database"])?;
            Ok(Command::FloorB { port: port.parse()?, database: file.into() })
        }
        "floor-logs" => {
            let [port, file] = words.pair(["--port", "--database"])?;
            Ok(Command::FloorLogs { port: port.parse()?, database: file.into() })
        }
        other => Err(format!("unknown command {other}\n\n{USAGE}").into()),
    }
}

fn options(mut words: Words) -> Result<Command> {
    let mut options = Options {
        measured: Duration::from_secs(3),
        warm_up: Duration::from_millis(500),
        connections: vec![1, 16, 64, 256],
        only: Vec::new(),
        engine: None,
        directory: None,
        sessions: 100_000,
        quick: false,
        save: false,
        check: false,
        binary: environment("PAGESMITH_BIN").map(PathBuf::from).unwrap_or_default(),
        postgres: environment("PAGESMITH_BENCH_POSTGRES"),
        pgbench: environment("PAGESMITH_BENCH_PGBENCH").map(PathBuf::from),
    };
    let mut seconds = None;
    while let Some(word) = words.0.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--seconds" => seconds = Some(Duration::try_from_secs_f64(words.value(&word)?.parse()?)?),
            "--connections" => {
                let parsed: Result<Vec<usize>, _> = words.value(&word)?.split(',').map(str::parse).collect();
                options.connections = parsed?;
            }
            "--only" => options.only = words.value(&word)?.split(',').map(str::to_owned).collect(),
            "--engine" => options.engine = Some(words.value(&word)?),
            "--sessions" => options.sessions = words.value(&word)?.parse()?,
            "--directory" => options.directory = Some(words.value(&word)?.into()),
            "--quick" => options.quick = true,
            "--save" => options.save = true,
            "--check" => options.check = true,
            other => return Err(format!("unknown option {other}\n\n{USAGE}").into()),
        }
    }
    if options.engine.as_deref().is_some_and(|name| name != "sqlite" && name != "postgres") {
        return Err("--engine: sqlite or postgres".into());
    }
    if options.connections.is_empty() || options.connections.contains(&0) {
        return Err("--connections: at least one in each place".into());
    }
    if options.save && (options.quick || options.engine.is_some()) {
        return Err("--save keeps whole results only: leave out --quick and --engine".into());
    }
    if options.quick {
        options.measured = Duration::from_secs(1);
        options.warm_up = Duration::from_millis(200);
    }
    options.measured = seconds.unwrap_or(options.measured);
    if options.binary.as_os_str().is_empty() {
        return Err("PAGESMITH_BIN must name the server's release binary; `cargo x bench` sets it".into());
    }
    Ok(Command::Run(Box::new(options)))
}

struct Words(std::vec::IntoIter<String>);

impl Words {
    fn value(&mut self, option: &str) -> Result<String> {
        self.0.next().ok_or_else(|| format!("{option} needs a value").into())
    }

    /// The values of exactly these two options, in any order.
    fn pair(&mut self, names: [&str; 2]) -> Result<[String; 2]> {
        let mut values = [None, None];
        while let Some(word) = self.0.next() {
            let place =
                names.iter().position(|name| *name == word).ok_or(format!("unknown option {word}"))?;
            values[place] = Some(self.value(&word)?);
        }
        match values {
            [Some(first), Some(second)] => Ok([first, second]),
            _ => Err(format!("{} and {} are required", names[0], names[1]).into()),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness is no part of the server and reads its own arguments"
)]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
