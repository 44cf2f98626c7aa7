//! Updates of one page over many connections, beside the same updates spread over a thousand pages.
//!
//! SQLite runs all writes one after the other. With PostgreSQL, updates of one row conflict, so this shows what its write control is worth:
//! how many updates succeed, how many transactions run again for them, and how many updates are given up (503), which makes the run
//! invalid. `docs/design/store.md` ("What the rules are worth") tells what each of its rules gains.

use std::sync::Arc;

use crate::report::{ContentionRow, Figures, Report};
use crate::request::Template;
use crate::scenarios::measure;
use crate::server::Server;
use crate::setup::{Engine, Operation, Setup, key};
use crate::{Result, client, say};

/// Connections that update at the same time.
const CONNECTIONS: usize = 64;
/// Pages among which updates rarely meet.
const PAGES: usize = 1_000;

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("contention") {
        return Ok(());
    }
    for engine in setup.engines() {
        contention(setup, engine, report)?;
    }
    Ok(())
}

fn contention(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "contention")?;
    let server = setup.serve(&store, "contention", &[])?;
    let all = setup.seed(&server, PAGES)?;
    store.settle()?;
    let one = Arc::new(all.iter().take(1).cloned().collect());
    let (mut spread, mut hot) = (Vec::new(), Vec::new());
    for _ in 0..setup.options.rounds(3) {
        spread.push(update(setup, &server, &all)?);
        hot.push(update(setup, &server, &one)?);
    }
    for (pages, rounds) in [(PAGES, spread), (1, hot)] {
        let row = ContentionRow::new(engine, pages, CONNECTIONS, rounds);
        say(&row.line())?;
        report.contention.push(row);
    }
    Ok(())
}

/// Updates of these pages, and how many transactions ran again for a thousand of them.
fn update(setup: &Setup, server: &Server, ids: &Arc<Vec<String>>) -> Result<(Figures, f64)> {
    let before = Counters::read(server)?;
    let figures = measure(setup, server, Operation::Update, ids, CONNECTIONS)?;
    let after = Counters::read(server)?;
    let retries = 1e3 * (after.retries - before.retries) / (after.requests - before.requests).max(1.0);
    Ok((figures, retries))
}

/// What the server counts itself, since its start.
struct Counters {
    requests: f64,
    retries: f64,
}

impl Counters {
    fn read(server: &Server) -> Result<Counters> {
        let template = Template::new("GET", "/metrics", None, key(), &Arc::default());
        let (status, head, body) = client::fetch(server.address, &template)?;
        if status != 200 {
            return Err(format!("metrics: {head}").into());
        }
        let text = String::from_utf8(body)?;
        let sum = |name: &str| {
            let lines = text.lines().filter(|line| line.starts_with(name));
            lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
        };
        Ok(Counters {
            requests: sum("pagesmith_http_requests_total"),
            retries: sum("pagesmith_database_retries_total"),
        })
    }
}
