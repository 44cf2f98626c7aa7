//! The table: four operations at each number of connections, on each engine, beside their floor.
//!
//! A floor is measured just before the service, with the same client and as many connections; where a
//! promise hangs on the ratio, the two alternate for three rounds and the median of the ratios counts.

use std::sync::Arc;

use crate::client::{self, LoadOutcome};
use crate::report::{Bar, Figures, Report, Row};
use crate::request::Template;
use crate::server::Server;
use crate::setup::{Engine, Operation, Setup};
use crate::{Result, say};

const PAGES: usize = 10_000;
/// The number of connections at which the service is compared with the floors.
const BAR_CONNECTIONS: usize = 64;

/// Measures the chosen cells.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if Operation::ALL.iter().any(|operation| setup.options.wants(operation.short())) {
        for engine in setup.engines() {
            table(setup, engine, report)?;
        }
    }
    Ok(())
}

/// A server with the pages that are in it.
struct Side {
    server: Server,
    ids: Arc<Vec<String>>,
}

fn table(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    say(&format!("{}: preparing {PAGES} pages", engine.name()))?;
    let store = setup.store(engine, "table")?;
    let server = setup.serve(&store, "table", &[])?;
    let ids = setup.seed(&server, PAGES)?;
    let service = Side { server, ids };

    for operation in Operation::ALL.into_iter().filter(|operation| setup.options.wants(operation.short())) {
        let floor = floor(setup, engine, &service, operation)?;
        for &connections in &setup.options.connections {
            cell(setup, report, engine, operation, connections, &service, &floor)?;
        }
    }
    Ok(())
}

/// The floor of an operation: (b), with as many pages as the service has, or (a).
fn floor(setup: &Setup, engine: Engine, service: &Side, operation: Operation) -> Result<Side> {
    if !operation.writes() {
        return constant_floor(setup, service, operation);
    }
    let server = setup.floor_b(&format!("floor-b-{}-{}", operation.short(), engine.name()))?;
    let ids = setup.seed(&server, PAGES)?;
    Ok(Side { server, ids })
}

/// Floor (a) with the very answer that the service gives to this operation.
fn constant_floor(setup: &Setup, service: &Side, operation: Operation) -> Result<Side> {
    let (status, head, body) = client::fetch(service.server.address, &operation.template(&service.ids))?;
    if status != 200 {
        return Err(format!("{}: {head}", operation.name()).into());
    }
    let server = setup.floor_a(&format!("floor-a-{}", operation.short()), &body)?;
    Ok(Side { server, ids: Arc::clone(&service.ids) })
}

fn cell(
    setup: &Setup,
    report: &mut Report,
    engine: Engine,
    operation: Operation,
    connections: usize,
    service: &Side,
    floor: &Side,
) -> Result<()> {
    let barred = engine == Engine::Sqlite
        && connections == BAR_CONNECTIONS
        && matches!(operation, Operation::Get | Operation::Create);
    let rounds = if barred { setup.options.rounds(3) } else { 1 };
    let mut pairs = Vec::new();
    for _ in 0..rounds {
        let below = measure(setup, &floor.server, operation, &floor.ids, connections)?;
        let above = measure(setup, &service.server, operation, &service.ids, connections)?;
        pairs.push((above, below));
    }
    let row = Row::new(engine, operation, connections, pairs);
    say(&row.line())?;
    if barred {
        let floor = if operation.writes() { "(b)" } else { "(a)" };
        let name = format!("{}, {connections} connections, SQLite: share of floor {floor}", operation.name());
        report.bar(Bar::at_least(name, row.ratio, 0.5, "×"));
    }
    report.rows.push(row);
    Ok(())
}

/// One operation against one server; the log is cut first.
pub fn measure(
    setup: &Setup,
    server: &Server,
    operation: Operation,
    ids: &Arc<Vec<String>>,
    connections: usize,
) -> Result<Figures> {
    measure_any(setup, server, &operation.template(ids), connections)
}

/// Any request against one server; the log is cut first.
pub fn measure_any(
    setup: &Setup,
    server: &Server,
    template: &Template,
    connections: usize,
) -> Result<Figures> {
    server.cut_log()?;
    let outcome = client::run(
        server.address,
        template,
        connections,
        setup.options.warm_up,
        setup.options.measured,
        server.pid(),
    )?;
    Ok(Figures::of(outcome))
}

impl Figures {
    /// What a run showed.
    pub fn of(outcome: LoadOutcome) -> Figures {
        let LoadOutcome { latencies, seconds, errors, first_error, usage, own_cpu } = outcome;
        let (before, after) = usage.unwrap_or_default();
        let requests = latencies.total().max(1) as f64;
        Figures {
            per_second: latencies.total() as f64 / seconds,
            p50: latencies.quantile(0.5),
            p99: latencies.quantile(0.99),
            errors,
            first_error,
            cpu_micros: (after.cpu - before.cpu).as_secs_f64() * 1e6 / requests,
            client_micros: own_cpu.as_secs_f64() * 1e6 / requests,
            resident_bytes: after.resident_bytes,
            peak_bytes: after.peak_bytes,
        }
    }
}
