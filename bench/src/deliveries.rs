//! Webhooks from the call that makes an event to the receiver that has it: how many a second, and how soon on an idle system.
//!
//! `crowd.rs` measures one dead receiver among a hundred, `backlog.rs` a million deliveries that wait.

use std::time::{Duration, Instant};

use crate::pairs::{Caller, Line};
use crate::receiver::Receivers;
use crate::report::{Bar, Figures, PeerRow, Report, median};
use crate::request::Template;
use crate::server::{Server, usage};
use crate::setup::{Engine, Setup, key};
use crate::{Result, client, say};

const CONNECTIONS: usize = 64;
/// How long what was made may take to arrive.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Between two events of an idle system.
const PAUSE: Duration = Duration::from_millis(5);
/// What lets a server send to this machine.
pub const HERE: (&str, &str) = ("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8");

/// Measures everything about deliveries, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("deliveries") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "deliveries")?;
        let server = setup.serve(&store, "deliveries", &[HERE])?;
        let caller = Caller::new(&server, key());
        let receivers = Receivers::start(1)?;
        caller.subscribe(&receivers.urls[0])?;
        say(&format!("{}: preparing {CONNECTIONS} audiences with two versions each", engine.name()))?;
        let pairs = caller.pairs(CONNECTIONS)?;
        let requests: Vec<[Template; 2]> =
            pairs.iter().map(|pair| pair.each_ref().map(|version| caller.publish(version))).collect();
        idle(setup, engine, report, &caller, &receivers, &pairs[0], &server)?;
        sustained(setup, engine, report, &server, &receivers, &Template::in_turn(requests))?;
    }
    Ok(())
}

/// Events made as fast as they are answered, and all of them delivered.
fn sustained(
    setup: &Setup,
    engine: Engine,
    report: &mut Report,
    server: &Server,
    receivers: &Receivers,
    template: &Template,
) -> Result<()> {
    let mut rounds = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        server.cut_log()?;
        let (before, arrived, begun) = (usage(server.pid())?, receivers.count(), Instant::now());
        let lasts = setup.options.measured * 3;
        let work = move || {
            std::thread::sleep(lasts);
            Ok(())
        };
        let ((), calls, first_error) = client::beside(server.address, template, CONNECTIONS, work)?;
        let made = calls.total();
        let lag = made.saturating_sub(receivers.count() - arrived);
        let took = receivers.wait_for(arrived + made, TIME_LIMIT)? - begun;
        let after = usage(server.pid())?;
        let figures = Figures {
            per_second: made as f64 / took.as_secs_f64(),
            p50: calls.quantile(0.5),
            p99: calls.quantile(0.99),
            errors: u64::from(first_error.is_some()),
            first_error,
            cpu_micros: (after.cpu - before.cpu).as_secs_f64() * 1e6 / made.max(1) as f64,
            client_micros: 0.0,
            resident_bytes: after.resident_bytes,
            peak_bytes: after.peak_bytes,
        };
        say(&format!(
            "{}: {made} events made and delivered, {:.0} a second; {lag} were still on their way when the last was made",
            engine.name(),
            figures.per_second
        ))?;
        rounds.push(figures);
    }
    let name = "event made by a call and delivered";
    let rate = median(rounds.iter().map(|round| round.per_second).collect());
    rounds.sort_by(|left, right| left.per_second.total_cmp(&right.per_second));
    let service = rounds.swap_remove(rounds.len() / 2);
    report.note_errors(name, &service);
    let limit = if engine == Engine::Sqlite { 4_000.0 } else { 1_500.0 };
    let bar = format!("{name}, one receiver, {CONNECTIONS} connections, {}", engine.name());
    report.bar(Bar::at_least(bar, rate, limit, "a second"));
    let name = format!("{name}; times are those of the calls");
    report.peers.push(PeerRow { engine, name, connections: CONNECTIONS, service, peer: None });
    Ok(())
}

/// One event at a time, with nothing else to do.
fn idle(
    setup: &Setup,
    engine: Engine,
    report: &mut Report,
    caller: &Caller,
    receivers: &Receivers,
    pair: &[crate::pairs::Version; 2],
    server: &Server,
) -> Result<()> {
    let samples: u64 = if setup.options.quick { 100 } else { 1_000 };
    let mut line = Line::open(caller.address)?;
    let mut requests = pair.each_ref().map(|version| (version.id.as_str(), caller.publish(version)));
    let (before, begun) = (usage(server.pid())?, Instant::now());
    receivers.measure();
    for number in 0..samples {
        let (version, request) = &mut requests[(number % 2) as usize];
        let arrived = receivers.count();
        receivers.mark(version);
        line.call(request)?;
        receivers.wait_for(arrived + 1, TIME_LIMIT)?;
        std::thread::sleep(PAUSE);
    }
    let (took, after, latencies) = (begun.elapsed(), usage(server.pid())?, receivers.measured());
    let (p50, p99) = (latencies.quantile(0.5), latencies.quantile(0.99));
    say(&format!("{}: idle, from the call to the receiver: p50 {p50:?}, p99 {p99:?}", engine.name()))?;
    let name = |share| format!("call to receiver, idle system, {}: {share}", engine.name());
    report.bar(Bar::at_most(name("p50"), p50.as_secs_f64() * 1e3, 5.0, "ms"));
    report.bar(Bar::at_most(name("p99"), p99.as_secs_f64() * 1e3, 25.0, "ms"));
    let service = Figures {
        per_second: latencies.total() as f64 / took.as_secs_f64(),
        p50,
        p99,
        errors: 0,
        first_error: None,
        cpu_micros: (after.cpu - before.cpu).as_secs_f64() * 1e6 / samples as f64,
        client_micros: 0.0,
        resident_bytes: after.resident_bytes,
        peak_bytes: after.peak_bytes,
    };
    let name = "call to receiver, idle system".to_owned();
    report.peers.push(PeerRow { engine, name, connections: 1, service, peer: None });
    Ok(())
}
