//! What the scenarios of a section found, as Markdown: its tables and its bars.
//!
//! The same text is printed and kept in `bench/RESULTS.md`. A section with a wrong answer, or without what it compares with, says so at its
//! top, holds no bar and is not kept.

use std::fmt::Write as _;
use std::time::Duration;

use crate::args::Options;
use crate::setup::{Engine, Operation};

mod traffic;
mod write_rules;

pub use traffic::{TRAFFIC, TrafficRow};
pub use write_rules::WriteRuleRow;

/// One server under one load.
#[derive(Clone)]
pub struct Figures {
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
    pub errors: u64,
    pub first_error: Option<String>,
    /// CPU time of the server, in microseconds a request.
    pub cpu_micros: f64,
    /// CPU time of the load generator, in microseconds a request.
    pub client_micros: f64,
    pub resident_bytes: u64,
    /// The most that the process has held since its start.
    pub peak_bytes: u64,
}

/// One line of the table: the service and its floor.
pub struct Row {
    engine: Engine,
    operation: Operation,
    connections: usize,
    rounds: usize,
    service: Figures,
    floor: Figures,
    /// Requests a second of the service over those of the floor.
    pub ratio: f64,
}

/// One line of a table of what is measured by itself or beside something else.
pub struct PeerRow {
    pub engine: Engine,
    pub name: String,
    pub connections: usize,
    pub service: Figures,
    /// What it is compared with, and how many of those a second.
    pub peer: Option<(&'static str, f64)>,
}

/// One line of the table about contention: updates of so many pages over so many connections.
pub struct ContentionRow {
    engine: Engine,
    pages: usize,
    connections: usize,
    service: Figures,
    /// Transactions that ran again for a thousand updates.
    retries: f64,
}

/// What was measured, and whether it is as promised, if anything is.
pub struct Bar {
    name: String,
    measured: f64,
    limit: Option<f64>,
    at_least: bool,
    unit: &'static str,
}

/// Everything that the scenarios of a section found.
pub struct Report {
    settings: String,
    pub rows: Vec<Row>,
    pub contention: Vec<ContentionRow>,
    pub write_rules: Vec<WriteRuleRow>,
    pub peers: Vec<PeerRow>,
    pub traffic: Vec<TrafficRow>,
    bars: Vec<Bar>,
    problems: Vec<String>,
}

impl Row {
    /// From rounds of (service, floor): the ratio is the median of the rounds', the figures are each side's
    /// median round; errors of all rounds are kept.
    pub fn new(
        engine: Engine,
        operation: Operation,
        connections: usize,
        pairs: Vec<(Figures, Figures)>,
    ) -> Self {
        let rounds = pairs.len();
        let ratio = median(pairs.iter().map(|(above, below)| above.per_second / below.per_second).collect());
        let (service, floor): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        Self { engine, operation, connections, rounds, service: middle(service), floor: middle(floor), ratio }
    }

    /// One line about it while the run goes on.
    pub fn line(&self) -> String {
        let Self { engine, operation, connections, service, floor, ratio, .. } = self;
        format!(
            "{:10} {:13} {connections:>3} connections: {:>7.0} a second, p50 {:>7}, p99 {:>7}; \
             floor {:>7.0}; ratio {ratio:.2}",
            engine.name(),
            operation.name(),
            service.per_second,
            time(service.p50),
            time(service.p99),
            floor.per_second,
        )
    }
}

impl ContentionRow {
    /// From rounds of figures with their retries: the round with the median speed, and the median of the retries.
    pub fn new(engine: Engine, pages: usize, connections: usize, rounds: Vec<(Figures, f64)>) -> Self {
        let (figures, retries) = rounds.into_iter().unzip();
        Self { engine, pages, connections, service: middle(figures), retries: median(retries) }
    }

    /// One line about it while the run goes on.
    pub fn line(&self) -> String {
        let Self { engine, pages, connections, service, retries } = self;
        format!(
            "{:10} updates of {pages:>5} pages, {connections:>3} connections: {:>7.0} a second, p50 {:>7}, p99 {:>7}; \
             {retries:.0} retries in 1,000 updates, {} given up",
            engine.name(),
            service.per_second,
            time(service.p50),
            time(service.p99),
            service.errors,
        )
    }
}

impl Bar {
    /// Holds if no less than the limit was measured.
    pub fn at_least(name: String, measured: f64, limit: f64, unit: &'static str) -> Self {
        Self { name, measured, limit: Some(limit), at_least: true, unit }
    }

    /// Holds if no more than the limit was measured.
    pub fn at_most(name: String, measured: f64, limit: f64, unit: &'static str) -> Self {
        Self { name, measured, limit: Some(limit), at_least: false, unit }
    }

    /// Is told for whoever wants to know; nothing is promised about it.
    pub fn told(name: String, measured: f64, unit: &'static str) -> Self {
        Self { name, measured, limit: None, at_least: false, unit }
    }

    fn holds(&self) -> bool {
        // Comparisons that fail for "not a number", which a run without answers gives.
        let limit = self.limit.unwrap_or(if self.at_least { f64::NEG_INFINITY } else { f64::INFINITY });
        if self.at_least { self.measured >= limit } else { self.measured <= limit }
    }
}

impl Report {
    /// An empty one, of a run at that date.
    pub fn new(date: &str, options: &Options) -> Self {
        let settings = format!(
            "Measured {date}, {} s a cell after {} s of warm-up{}.",
            options.measured.as_secs_f64(),
            options.warm_up.as_secs_f64(),
            if options.quick { ", **a quick run**" } else { "" },
        );
        Self {
            settings,
            rows: Vec::new(),
            contention: Vec::new(),
            write_rules: Vec::new(),
            peers: Vec::new(),
            traffic: Vec::new(),
            bars: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds a promise.
    pub fn bar(&mut self, bar: Bar) {
        self.bars.push(bar);
    }

    /// Remembers answers that were not 2xx, outside the table.
    pub fn note_errors(&mut self, what: &str, figures: &Figures) {
        if let Some(first) = &figures.first_error {
            self.problems.push(format!("{what}: {} wrong answers, the first: {first}", figures.errors));
        }
    }

    /// Remembers what makes the run invalid.
    pub fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Whether every bar held and every answer was right; a whole run must have measured PostgreSQL too.
    pub fn holds(&self, options: &Options) -> bool {
        let complete = options.partial() || options.postgres.is_some();
        complete && self.problems().is_empty() && self.bars.iter().all(Bar::holds)
    }

    /// What makes the section invalid.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        for row in &self.rows {
            for (side, figures) in [("service", &row.service), ("floor", &row.floor)] {
                if let Some(first) = &figures.first_error {
                    let (engine, operation) = (row.engine.name(), row.operation.name());
                    problems.push(format!(
                        "{engine}, {operation}, {} connections, {side}: {} wrong answers, the first: {first}",
                        row.connections, figures.errors
                    ));
                }
            }
        }
        for row in &self.contention {
            if let Some(first) = &row.service.first_error {
                problems.push(format!(
                    "{}, updates of {} pages: {} wrong answers, the first: {first}",
                    row.engine.name(),
                    row.pages,
                    row.service.errors
                ));
            }
        }
        for row in &self.peers {
            if let Some(first) = &row.service.first_error {
                problems.push(format!(
                    "{}, {}: {} wrong answers, the first: {first}",
                    row.engine.name(),
                    row.name,
                    row.service.errors
                ));
            }
        }
        problems
    }

    /// What goes between a server and PostgreSQL, which has a document of its own, if it was counted.
    pub fn traffic(&self) -> Option<String> {
        (!self.traffic.is_empty()).then(|| traffic::document(&self.traffic))
    }

    /// The section with that name, from its heading on, and what a reader has to know.
    pub fn render(&self, name: &str, about: &str) -> String {
        let mut text = format!("## {name}\n\n{}\n", self.settings);
        if !about.is_empty() {
            let _ = writeln!(text, "\n{about}");
        }
        let problems = self.problems();
        if !problems.is_empty() {
            text.push_str("\n**Invalid: answers were wrong, or something was missing.**\n\n");
            for problem in problems {
                let _ = writeln!(text, "* {}", problem.replace('\n', " "));
            }
        }
        self.render_rows(&mut text);
        self.render_contention(&mut text);
        text.push_str(&write_rules::table(&self.write_rules));
        self.render_peers(&mut text);
        text.extend(self.traffic().map(|traffic| format!("\n#{traffic}")));
        self.render_bars(&mut text);
        text
    }

    fn render_rows(&self, text: &mut String) {
        if self.rows.is_empty() {
            return;
        }
        text.push_str(
            "\n| Engine | Operation | Connections | Requests/s | p50 | p99 | CPU/request | Memory (peak) \
             | Floor/s | Floor p50 | Floor p99 | Floor CPU | Client CPU | Ratio |\n\
             |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for Row { engine, operation, connections, rounds, service, floor, ratio } in &self.rows {
            let _ = writeln!(
                text,
                "| {} | {} | {connections} | {:.0} | {} | {} | {:.0} µs | {:.0} ({:.0}) MiB \
                 | {:.0} | {} | {} | {:.0} µs | {:.0} µs | {ratio:.2}{} |",
                engine.name(),
                operation.name(),
                service.per_second,
                time(service.p50),
                time(service.p99),
                service.cpu_micros,
                service.resident_bytes as f64 / f64::from(1 << 20),
                service.peak_bytes as f64 / f64::from(1 << 20),
                floor.per_second,
                time(floor.p50),
                time(floor.p99),
                floor.cpu_micros,
                service.client_micros,
                if *rounds == 3 { "³" } else { "" },
            );
        }
    }

    fn render_contention(&self, text: &mut String) {
        if self.contention.is_empty() {
            return;
        }
        text.push_str(
            "\n| Engine | Pages | Connections | Updates/s | p50 | p99 | CPU/update | Retries in 1,000 updates | Given up |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for ContentionRow { engine, pages, connections, service, retries } in &self.contention {
            let _ = writeln!(
                text,
                "| {} | {pages} | {connections} | {:.0} | {} | {} | {:.0} µs | {retries:.0} | {} |",
                engine.name(),
                service.per_second,
                time(service.p50),
                time(service.p99),
                service.cpu_micros,
                service.errors,
            );
        }
    }

    fn render_peers(&self, text: &mut String) {
        if self.peers.is_empty() {
            return;
        }
        text.push_str(
            "\n| Engine | Measure | Connections | Requests/s | p50 | p99 | CPU/request | Compared with | Its rate |\n\
             |---|---|--:|--:|--:|--:|--:|---|--:|\n",
        );
        for PeerRow { engine, name, connections, service, peer } in &self.peers {
            let (whom, rate) = peer.map_or(("", String::new()), |(whom, rate)| (whom, format!("{rate:.0}")));
            let _ = writeln!(
                text,
                "| {} | {name} | {connections} | {:.0} | {} | {} | {:.0} µs | {whom} | {rate} |",
                engine.name(),
                service.per_second,
                time(service.p50),
                time(service.p99),
                service.cpu_micros,
            );
        }
    }

    fn render_bars(&self, text: &mut String) {
        if self.bars.is_empty() {
            return;
        }
        text.push_str("\n| Measure | Measured | Bar | |\n|---|--:|--:|---|\n");
        for bar in &self.bars {
            let Bar { name, measured, limit, unit, .. } = bar;
            let sign = if bar.at_least { "≥" } else { "≤" };
            let wanted = limit.map_or_else(|| "none".to_owned(), |limit| format!("{sign} {limit} {unit}"));
            let verdict = match (limit, bar.holds()) {
                (_, false) => "**missed**",
                (Some(_), true) => "held",
                (None, true) => "",
            };
            let _ = writeln!(text, "| {name} | {measured:.2} {unit} | {wanted} | {verdict} |");
        }
    }
}

/// The middle value; not a number if there is none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The round with the median speed, with the errors of all rounds.
fn middle(mut rounds: Vec<Figures>) -> Figures {
    rounds.sort_by(|left, right| left.per_second.total_cmp(&right.per_second));
    let errors = rounds.iter().map(|round| round.errors).sum();
    let first_error = rounds.iter_mut().find_map(|round| round.first_error.take());
    let at = rounds.len() / 2;
    Figures { errors, first_error, ..rounds.swap_remove(at) }
}

fn time(duration: Duration) -> String {
    let micros = duration.as_secs_f64() * 1e6;
    if micros < 1_000.0 { format!("{micros:.0} µs") } else { format!("{:.1} ms", micros / 1_000.0) }
}
