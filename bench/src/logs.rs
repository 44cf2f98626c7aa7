//! Entries of persons' logs, the busiest write: 64 connections, one in five about somebody new.
//!
//! On SQLite beside floor (c), on PostgreSQL beside `pgbench`; rounds alternate and the median of the ratios counts.

use std::sync::Arc;

use crate::report::{Bar, Figures, PeerRow, Report, median};
use crate::request::{Crowd, Template};
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, pgbench, sample, say};

/// Persons that are known before the measurement begins.
const KNOWN: usize = 20_000;
const CONNECTIONS: usize = 64;
const NAME: &str = "create person log, 20 % new persons";

/// Measures both engines, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("logs") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "logs")?;
        let server = setup.serve(&store, "logs", &[])?;
        let template = prepare(&server)?;
        match &store {
            Store::Sqlite(_) => beside_floor(setup, report, &server, &template)?,
            Store::Postgres(_) => beside_pgbench(setup, report, &store, &server, &template)?,
        }
    }
    Ok(())
}

/// Lets a server know the first persons; the request to measure it with.
fn prepare(server: &Server) -> Result<Template> {
    let body = sample::log_body();
    let template = Template::new("POST", "/v0/person_logs", Some(&body), key(), &Arc::default());
    client::send(server.address, &template.clone().among(Crowd::new(0, 1)), KNOWN)?;
    Ok(template.among(Crowd::new(KNOWN as u64, 5)))
}

fn beside_floor(setup: &Setup, report: &mut Report, server: &Server, template: &Template) -> Result<()> {
    let floor = setup.floor_logs("floor-logs")?;
    let floor_template = prepare(&floor)?;
    let (mut ratios, mut rounds) = (Vec::new(), Vec::new());
    for _ in 0..setup.options.rounds(3) {
        let below = measure_any(setup, &floor, &floor_template, CONNECTIONS)?;
        let above = measure_any(setup, server, template, CONNECTIONS)?;
        say(&format!("SQLite: {:.0} entries a second, floor (c) {:.0}", above.per_second, below.per_second))?;
        report.note_errors("floor (c)", &below);
        ratios.push(above.per_second / below.per_second);
        rounds.push((above, below.per_second));
    }
    let (service, floor) = middle(rounds);
    let peer = Some(("floor (c)", floor));
    let (engine, connections) = (Engine::Sqlite, CONNECTIONS);
    report.peers.push(PeerRow { engine, name: NAME.to_owned(), connections, service, peer });
    let name = format!("{NAME}, {CONNECTIONS} connections, SQLite: share of floor (c)");
    report.bar(Bar::at_least(name, median(ratios), 0.5, "×"));
    Ok(())
}

fn beside_pgbench(
    setup: &Setup,
    report: &mut Report,
    store: &Store,
    server: &Server,
    template: &Template,
) -> Result<()> {
    let Store::Postgres(database) = store else { return Ok(()) };
    let tenant = database.ask("SELECT tenant_id FROM tenants")?;
    let body: serde_json::Value = serde_json::from_str(&sample::log_body())?;
    let payload = body["payload"].to_string();
    database.ask("CREATE SEQUENCE pgbench_ids CACHE 100")?;
    let (mut ratios, mut rounds) = (Vec::new(), Vec::new());
    for _ in 0..setup.options.rounds(3) {
        let above = measure_any(setup, server, template, CONNECTIONS)?;
        let peer = match &setup.options.pgbench {
            Some(program) => pgbench::rate(
                program,
                setup.directory.path(),
                &database.url(),
                &tenant,
                &payload,
                KNOWN,
                setup.options.measured,
            )?,
            None => f64::NAN,
        };
        say(&format!("PostgreSQL: {:.0} entries a second, pgbench {peer:.0}", above.per_second))?;
        ratios.push(above.per_second / peer);
        rounds.push((above, peer));
    }
    let (service, peer) = middle(rounds);
    let name = format!("{NAME}, {CONNECTIONS} connections, PostgreSQL");
    report.bar(Bar::at_least(name.clone(), service.per_second, 3_000.0, "a second"));
    report.bar(Bar::at_least(format!("{name}: share of pgbench"), median(ratios), 0.6, "×"));
    let (engine, connections) = (Engine::Postgres, CONNECTIONS);
    let peer = Some(("pgbench", peer));
    report.peers.push(PeerRow { engine, name: NAME.to_owned(), connections, service, peer });
    Ok(())
}

/// The round with the median speed.
fn middle(mut rounds: Vec<(Figures, f64)>) -> (Figures, f64) {
    rounds.sort_by(|left, right| left.0.per_second.total_cmp(&right.0.per_second));
    let at = rounds.len() / 2;
    rounds.swap_remove(at)
}
