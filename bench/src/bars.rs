//! The promises that need a set-up of their own: group commit, totals at any size, memory, time to start.
//!
//! Each compares two things that run in turns, or measures one process that does nothing else.

use std::time::Duration;

use crate::micro;
use crate::report::{Bar, Report, median};
use crate::scenarios::measure;
use crate::setup::{Engine, Operation, Setup};
use crate::{Result, say};

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// Measures the chosen ones.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if setup.options.wants("group") && setup.options.wants_engine("sqlite") {
        group_commit(setup, report)?;
    }
    for engine in setup.engines() {
        if setup.options.wants("totals") {
            totals(setup, engine, report)?;
        }
        if setup.options.wants("footprint") {
            footprint(setup, engine, report)?;
        }
    }
    if setup.options.wants("micro") {
        for found in micro::measure()? {
            say(&format!("{}: {:.0} ns a call", found.name, found.nanos))?;
            if let Some(bar) = found.bar {
                let (unit, nanos) = if bar < 1e6 { ("µs", 1e3) } else { ("ms", 1e6) };
                report.bar(Bar::at_most(found.name.to_owned(), found.nanos / nanos, bar / nanos, unit));
            }
        }
    }
    Ok(())
}

/// Creating pages with many to a commit, against the same server with one to a commit.
fn group_commit(setup: &Setup, report: &mut Report) -> Result<()> {
    let stores = [setup.store(Engine::Sqlite, "grouped")?, setup.store(Engine::Sqlite, "single")?];
    let grouped = setup.serve(&stores[0], "grouped", &[])?;
    let single = setup.serve(&stores[1], "single", &[("PAGESMITH_DATABASE_MAX_BATCH", "1")])?;
    let none = std::sync::Arc::default();
    let mut ratios = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        let slow = measure(setup, &single, Operation::Create, &none, 64)?;
        let fast = measure(setup, &grouped, Operation::Create, &none, 64)?;
        say(&format!(
            "group commit: {:.0} a second, batches of one: {:.0}",
            fast.per_second, slow.per_second
        ))?;
        report.note_errors("group commit", &fast);
        report.note_errors("batches of one", &slow);
        ratios.push(fast.per_second / slow.per_second);
    }
    let name = "create page, 64 connections, SQLite: group commit over batches of one".to_owned();
    report.bar(Bar::at_least(name, median(ratios), 2.0, "×"));
    Ok(())
}

/// Listing 20 pages with their total, among many and among few. At 16 connections both cores are busy, so the
/// times are those of the work; at one, they are those of waking up an idle core.
fn totals(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let (few, many) = (100, if setup.options.quick { 20_000 } else { 100_000 });
    say(&format!("{}: preparing {many} pages", engine.name()))?;
    let stores = [setup.store(engine, "few")?, setup.store(engine, "many")?];
    let small = setup.serve(&stores[0], "few", &[])?;
    let small_ids = setup.seed(&small, few)?;
    let large = setup.serve(&stores[1], "many", &[])?;
    let large_ids = setup.seed(&large, many)?;
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..setup.options.rounds(5) {
        let below = measure(setup, &small, Operation::List, &small_ids, 16)?;
        let above = measure(setup, &large, Operation::List, &large_ids, 16)?;
        say(&format!("{}: list of {few} {:?}, of {many} {:?} (p50)", engine.name(), below.p50, above.p50))?;
        report.note_errors("list of few", &below);
        report.note_errors("list of many", &above);
        times.0.push(below.p50.as_secs_f64());
        times.1.push(above.p50.as_secs_f64());
    }
    let name = format!("list 20 with totalCount, {}: p50 at {many} pages over p50 at {few}", engine.name());
    report.bar(Bar::at_most(name, median(times.1) / median(times.0), 1.3, "×"));
    Ok(())
}

/// Time to start on a database that exists; memory when idle, and the peak under 256 connections.
fn footprint(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "footprint")?;
    let server = setup.serve(&store, "footprint", &[])?;
    let ids = setup.seed(&server, 10_000)?;
    server.stop()?;
    let mut starts = Vec::new();
    for _ in 0..setup.options.rounds(5) {
        let server = setup.serve(&store, "footprint", &[])?;
        starts.push(server.ready_in.as_secs_f64() * 1e3);
        server.stop()?;
    }
    let start = median(starts);

    let server = setup.serve(&store, "footprint", &[])?;
    std::thread::sleep(Duration::from_secs(1));
    let idle = crate::server::usage(server.pid())?.resident_bytes as f64 / MEBIBYTE;
    let mut peak = 0;
    for operation in Operation::ALL {
        let figures = measure(setup, &server, operation, &ids, 256)?;
        report.note_errors("memory under load", &figures);
        let operation_peak = figures.peak_bytes as f64 / MEBIBYTE;
        say(&format!("{}: {operation_peak:.1} MiB at most under {}", engine.name(), operation.name()))?;
        peak = peak.max(figures.peak_bytes);
    }
    server.stop()?;
    let (name, peak) = (engine.name(), peak as f64 / MEBIBYTE);
    say(&format!("{name}: ready in {start:.0} ms; {idle:.1} MiB idle, {peak:.1} MiB at most under load"))?;
    report.bar(Bar::at_most(format!("memory, idle, {name}"), idle, 40.0, "MiB"));
    report.bar(Bar::at_most(format!("memory, peak under 256 connections, {name}"), peak, 120.0, "MiB"));
    report.bar(Bar::at_most(format!("ready on an existing database, {name}"), start, 200.0, "ms"));
    Ok(())
}
