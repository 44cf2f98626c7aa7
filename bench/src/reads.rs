//! Reads that differ: pages of several tenants, parts of lists at different cursors, and both beside writes of the same tenant.
//!
//! The same address again and again flatters whatever is kept in memory; here the next request is another one.

use std::sync::Arc;

use crate::pairs::Caller;
use crate::report::{Bar, Figures, Report, median};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, paced, sample, say};

/// Connections that read at the same time.
const CONNECTIONS: usize = 64;
/// Tenants that are read from, and the pages of each.
const TENANTS: usize = 12;
const PAGES: usize = 400;

/// A kind of read, beside so many updates a second, with the least share of the floor on each engine where one is promised.
struct Kind {
    name: &'static str,
    updates: u32,
    sqlite: Option<f64>,
    postgres: Option<f64>,
}

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("reads") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "reads")?;
        let server = setup.serve(&store, "reads", &[])?;
        let of_tenants = fill(setup, &store, &server)?;
        store.settle()?;
        measure_all(setup, engine, report, &server, &of_tenants)?;
    }
    Ok(())
}

/// A tenant's key and its pages.
struct Tenant {
    key: String,
    ids: Arc<Vec<String>>,
}

fn fill(setup: &Setup, store: &Store, server: &Server) -> Result<Vec<Tenant>> {
    let mut keys = vec![key().to_owned()];
    for number in 1..TENANTS {
        let name = format!("reader-{number}");
        setup.command(store, &["tenant", "create", &name, "--json"])?;
        keys.push(setup.key_of(store, &name)?);
    }
    let mut tenants = Vec::new();
    for key in keys {
        let create = Template::new("POST", "/v0/pages", Some(&sample::create_body()), &key, &Arc::default());
        let ids = Arc::new(client::seed(server.address, &create, PAGES)?);
        tenants.push(Tenant { key, ids });
    }
    Ok(tenants)
}

fn get(key: &str, path: &str) -> Template {
    Template::new("GET", path, None, key, &Arc::default())
}

/// A get of each page.
fn gets(tenants: &[Tenant]) -> Template {
    let of = |tenant: &Tenant| {
        tenant.ids.iter().map(|id| get(&tenant.key, &format!("/v0/pages/{id}"))).collect::<Vec<_>>()
    };
    Template::any_of(tenants.iter().flat_map(of).collect())
}

/// A get of each part of each list.
fn lists(server: &Server, tenants: &[Tenant]) -> Result<Template> {
    let mut lists = Vec::new();
    for tenant in tenants {
        let (caller, mut path) = (Caller::new(server, &tenant.key), "/v0/pages?limit=20".to_owned());
        for _ in 0..PAGES / 20 {
            lists.push(get(&tenant.key, &path));
            let part = caller.ask("GET", &path, None)?;
            let Some(cursor) = part["nextCursor"].as_str() else { break };
            path = format!("/v0/pages?limit=20&cursor={cursor}");
        }
    }
    Ok(Template::any_of(lists))
}

fn measure_all(
    setup: &Setup,
    engine: Engine,
    report: &mut Report,
    server: &Server,
    tenants: &[Tenant],
) -> Result<()> {
    let (first, of_first) = (&tenants[0], &tenants[..1]);
    let none = Kind { name: "", updates: 0, sqlite: None, postgres: None };
    let kinds = [
        (
            Kind { name: "get pages of a tenant", sqlite: Some(0.70), postgres: Some(0.30), ..none },
            gets(of_first),
        ),
        (
            Kind { name: "get pages beside 250 updates/s", updates: 250, postgres: Some(0.22), ..none },
            gets(of_first),
        ),
        (Kind { name: "get pages of 12 tenants", ..none }, gets(tenants)),
        (Kind { name: "list 20 pages", sqlite: Some(0.45), ..none }, get(&first.key, "/v0/pages?limit=20")),
        (
            Kind { name: "list 20 pages beside 300 updates/s", updates: 300, sqlite: Some(0.35), ..none },
            get(&first.key, "/v0/pages?limit=20"),
        ),
        (
            Kind { name: "list 20 pages of 12 tenants at 20 cursors", postgres: Some(0.20), ..none },
            lists(server, tenants)?,
        ),
    ];
    for (kind, template) in kinds {
        let (status, head, body) = client::fetch(server.address, &template.for_connection(0))?;
        if status != 200 {
            return Err(format!("{}: {head}", kind.name).into());
        }
        let floor = setup.floor_a("floor-a-reads", &body)?;
        let mut rounds = Vec::new();
        for _ in 0..setup.options.rounds(5) {
            let below = measure_any(setup, &floor, &template, CONNECTIONS)?;
            let work = || measure_any(setup, server, &template, CONNECTIONS);
            let (above, _) = paced::beside(server.address, &updates(first), kind.updates, work)?;
            report.note_errors(kind.name, &above);
            rounds.push((above, below));
        }
        add_rows(engine, &kind, &rounds, report)?;
    }
    Ok(())
}

fn add_rows(engine: Engine, kind: &Kind, rounds: &[(Figures, Figures)], report: &mut Report) -> Result<()> {
    let of = |number: fn(&(Figures, Figures)) -> f64| median(rounds.iter().map(number).collect());
    let share = of(|(above, below)| above.per_second / below.per_second);
    say(&format!(
        "{}: {}: {:.0} a second, {:.0} µs of the server; floor {:.0}, {:.0} µs; ratio {share:.2}",
        engine.name(),
        kind.name,
        of(|(above, _)| above.per_second),
        of(|(above, _)| above.cpu_micros),
        of(|(_, below)| below.per_second),
        of(|(_, below)| below.cpu_micros),
    ))?;
    let limit = if engine == Engine::Sqlite { kind.sqlite } else { kind.postgres };
    if let Some(limit) = limit {
        let name = format!("{}, {CONNECTIONS} connections, {}: share of floor (a)", kind.name, engine.name());
        report.bar(Bar::at_least(name, share, limit, "×"));
    }
    Ok(())
}

/// Updates of a tenant's pages, one after the other.
fn updates(tenant: &Tenant) -> Template {
    let one = format!("/v0/pages/{}", sample::ID);
    Template::new("PATCH", &one, Some(&sample::update_body()), &tenant.key, &tenant.ids)
}
