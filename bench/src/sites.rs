//! What visitors see: a page from memory beside a bare handler, how soon a published page is there, and how fast versions are written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::report::{Bar, Figures, PeerRow, Report, median};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Operation, Setup, Store, key};
use crate::visits::BROWSER;
use crate::{Result, client, sample, say, sites_sample};

const CONNECTIONS: usize = 64;
/// Targets of a page link.
const ROUTES: usize = 20;
/// How often a link is followed before it is measured.
const FOLLOWED: usize = 200;
/// Audiences that are queued at once.
const QUEUED: usize = 1_000;
/// How many connections read from the API while these are written.
const READERS: usize = 2;
/// How long a version may take to be written.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Measures the chosen ones.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    for engine in setup.engines() {
        if setup.options.wants("site") {
            cached(setup, engine, report)?;
        }
        if setup.options.wants("visible") {
            visible(setup, engine, report)?;
        }
    }
    if setup.options.wants("writing") && setup.options.wants_engine("sqlite") {
        writing(setup, report)?;
    }
    Ok(())
}

/// Asks a server for something; the answer, which must be a success.
fn ask(server: &Server, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
    let body = body.map(Value::to_string);
    let template = Template::new(method, path, body.as_deref(), key(), &Arc::default());
    let (status, head, answer) = client::fetch(server.address, &template)?;
    if status / 100 != 2 {
        return Err(format!("{method} {path}: {head}{}", String::from_utf8_lossy(&answer)).into());
    }
    Ok(serde_json::from_slice(&answer)?)
}

fn text<'a>(answer: &'a Value, field: &str) -> Result<&'a str> {
    answer[field].as_str().ok_or_else(|| format!("no {field} in {answer}").into())
}

/// A page; its path.
fn page(server: &Server) -> Result<String> {
    let mut body: Value = serde_json::from_str(&sample::create_body().replace(sample::SERIAL, "page"))?;
    body["actions"] = sites_sample::actions();
    body["scripts"] = json!([]);
    let page = ask(server, "POST", "/v0/pages", Some(&body))?;
    Ok(format!("/v0/pages/{}", text(&page, "pageId")?))
}

/// An audience of a page whose first version is written and a draft; the paths of the version and of its link.
fn draft(server: &Server, page: &str) -> Result<(String, String)> {
    let audience =
        ask(server, "POST", &format!("{page}/audiences"), Some(&json!({ "publishBehavior": "draft" })))?;
    let at = format!("{page}/audiences/{}", text(&audience, "audienceId")?);
    let version = format!("{at}/versions/{}", text(&audience["latestVersion"], "versionId")?);
    let link = ask(server, "GET", &format!("{at}/link"), None)?;
    let begun = Instant::now();
    while ask(server, "GET", &version, None)?["status"] != "draft" {
        if begun.elapsed() > TIME_LIMIT {
            return Err("a version was not written".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok((version, text(&link, "path")?.to_owned()))
}

/// A visit of the first tenant's site on that server.
fn visit(server: &Server, path: &str, coding: &str) -> Template {
    Template::visit(&format!("default.localhost:{}", server.address.port()), path, coding)
}

/// A page that is in memory, in the form that nearly every browser asks for and as it is, beside floor (a) with the same bytes.
fn cached(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "site")?;
    let server = setup.serve(&store, "site", &[])?;
    let page = page(&server)?;
    let (version, _) = draft(&server, &page)?;
    ask(&server, "PUT", &format!("{version}/content"), Some(&sites_sample::content()))?;
    ask(&server, "POST", &format!("{version}/publish"), Some(&json!({})))?;
    let path = text(&ask(&server, "GET", &format!("{page}/link"), None)?, "path")?.to_owned();
    for coding in ["identity", "br"] {
        let template = visit(&server, &path, coding);
        let (status, head, body) = client::fetch(server.address, &template)?;
        if status != 200 {
            return Err(format!("the hosted page: {head}").into());
        }
        let floor = setup.floor_a(&format!("floor-a-site-{coding}-{}", engine.name()), &body)?;
        let floor_template = visit(&floor, "/page", coding);
        let name = format!("hosted page from memory, {coding}, {:.1} KB", body.len() as f64 / 1e3);
        let mut pairs = Vec::new();
        for _ in 0..setup.options.rounds(3) {
            let below = measure_any(setup, &floor, &floor_template, CONNECTIONS)?;
            let above = measure_any(setup, &server, &template, CONNECTIONS)?;
            say(&format!(
                "{}: {name}: {:.0} a second, floor (a) {:.0}",
                engine.name(),
                above.per_second,
                below.per_second
            ))?;
            report.note_errors(&format!("{name}, floor (a)"), &below);
            pairs.push((above, below.per_second));
        }
        let ratio = median(pairs.iter().map(|(above, below)| above.per_second / below).collect());
        pairs.sort_by(|left, right| left.0.per_second.total_cmp(&right.0.per_second));
        let (service, floor) = pairs.swap_remove(pairs.len() / 2);
        if engine == Engine::Sqlite {
            let name = format!(
                "hosted page from memory, {coding}, {CONNECTIONS} connections, SQLite: share of floor (a)"
            );
            report.bar(Bar::at_least(name, ratio, 0.7, "×"));
        }
        report.peers.push(PeerRow {
            engine,
            name,
            connections: CONNECTIONS,
            service,
            peer: Some(("floor (a)", floor)),
        });
    }
    routed(setup, (engine, &server), (&page, &path), report)
}

/// The routes of a table: each leads to an audience of its own, and each weighs more than the one before.
fn routes(server: &Server, page: &str) -> Result<Vec<Value>> {
    let route = |number: usize| -> Result<Value> {
        let (version, _) = draft(server, page)?;
        // Told apart by their titles, and of the same length.
        let mut content = sites_sample::content();
        content["head"]["title"] = format!("Frost warning for orchard {number:02}").into();
        ask(server, "PUT", &format!("{version}/content"), Some(&content))?;
        ask(server, "POST", &format!("{version}/publish"), Some(&json!({})))?;
        let audience = version.split('/').nth(5).ok_or("not a version's path")?;
        Ok(json!({ "audienceId": audience, "weight": number + 1 }))
    };
    (0..ROUTES).map(route).collect()
}

/// A link with a table of targets, followed by many visitors with browsers of their own, beside the page itself.
fn routed(
    setup: &Setup,
    (engine, server): (Engine, &Server),
    (page, path): (&str, &str),
    report: &mut Report,
) -> Result<()> {
    let table = routes(server, page)?;
    let page_id = page.rsplit('/').next().unwrap_or_default();
    let target = json!({ "targetType": "page_routing", "pageId": page_id, "routingTable": table });
    ask(server, "POST", "/v0/page_links", Some(&json!({ "path": "/go", "target": target })))?;
    let host = format!("default.localhost:{}", server.address.port());
    let heads = [("accept", "text/html"), ("accept-encoding", "br"), ("user-agent", BROWSER)];
    let (plain, linked) = (Template::get(&host, path, &heads), Template::get(&host, "/go", &heads));
    led(server, &linked, engine, report)?;
    let name = format!("page link with a table of {ROUTES} audiences, br");
    let mut pairs = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        let beside = measure_any(setup, server, &plain, CONNECTIONS)?;
        let link = measure_any(setup, server, &linked, CONNECTIONS)?;
        say(&format!(
            "{}: {name}: {:.0} a second, the page {:.0}",
            engine.name(),
            link.per_second,
            beside.per_second
        ))?;
        report.note_errors(&name, &link);
        pairs.push((link, beside.per_second));
    }
    let ratio = median(pairs.iter().map(|(link, beside)| link.per_second / beside).collect());
    pairs.sort_by(|left, right| left.0.per_second.total_cmp(&right.0.per_second));
    let (service, beside) = pairs.swap_remove(pairs.len() / 2);
    let bar = format!("{name}, {CONNECTIONS} connections, {}: share of the page itself", engine.name());
    report.bar(Bar::at_least(bar, ratio, 0.7, "×"));
    let peer = Some(("the page", beside));
    report.peers.push(PeerRow { engine, name, connections: CONNECTIONS, service, peer });
    Ok(())
}

/// Follows the link as some visitors: they must not all be shown the same page.
fn led(server: &Server, link: &Template, engine: Engine, report: &mut Report) -> Result<()> {
    let mut shown = std::collections::HashSet::new();
    for _ in 0..FOLLOWED {
        let (status, head, body) = client::fetch(server.address, link)?;
        if status != 200 {
            return Err(format!("a page link: {head}").into());
        }
        shown.insert(body);
    }
    say(&format!("{}: {FOLLOWED} visitors of a page link were shown {} pages", engine.name(), shown.len()))?;
    if shown.len() < ROUTES / 2 {
        report.problem(format!("{}: a page link led to {} of {ROUTES} targets", engine.name(), shown.len()));
    }
    Ok(())
}

/// From the call that publishes a version until its page is answered: by the same server, and with PostgreSQL by another one.
fn visible(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "visible")?;
    let server = setup.serve(&store, "visible", &[])?;
    let other = match &store {
        Store::Sqlite(_) => None,
        Store::Postgres(_) => Some(setup.serve(&store, "visible-too", &[])?),
    };
    let page = page(&server)?;
    for (shown_by, nodes, bar) in [(Some(&server), "one node", 1.0), (other.as_ref(), "two nodes", 2.0)] {
        let Some(shown_by) = shown_by else { continue };
        let mut slowest = Duration::ZERO;
        for _ in 0..setup.options.rounds(20) {
            let (version, path) = draft(&server, &page)?;
            let template = visit(shown_by, &path, "br");
            // The page was looked for before, as by somebody who waits for it.
            client::fetch(shown_by.address, &template)?;
            let begun = Instant::now();
            ask(&server, "POST", &format!("{version}/publish"), Some(&json!({})))?;
            while client::fetch(shown_by.address, &template)?.0 != 200 {
                if begun.elapsed() > TIME_LIMIT {
                    return Err("a published page did not show".into());
                }
            }
            slowest = slowest.max(begun.elapsed());
        }
        let name = format!("publish to first visible, {nodes}, {}: the slowest of 20", engine.name());
        say(&format!("{name}: {slowest:?}"))?;
        report.bar(Bar::at_most(name, slowest.as_secs_f64(), bar, "s"));
    }
    Ok(())
}

/// A thousand audiences made at once, until each has its published version; and what readers of the API notice of it.
fn writing(setup: &Setup, report: &mut Report) -> Result<()> {
    let store = setup.store(Engine::Sqlite, "writing")?;
    let Store::Sqlite(url) = &store else { return Err("not an SQLite database".into()) };
    let file = url.trim_start_matches("sqlite:").to_owned();
    let server = setup.serve(&store, "writing", &[])?;
    let ids = setup.seed(&server, 100)?;
    let read = Operation::Get.template(&ids);
    let idle = measure_any(setup, &server, &read, READERS)?;
    report.note_errors("reads at rest", &idle);
    let (mut rates, mut slowest) = (Vec::new(), Duration::ZERO);
    for round in 0..setup.options.rounds(3) {
        server.cut_log()?;
        let page = page(&server)?;
        let body = json!({ "supplementaryContext": "Growers in the upper valley, who lost blossom to frost in two of the last three years. \
            They know the price of a lost night: about 4,000 a hectare. Most have sprinklers and ask when to start them." });
        let create = Template::new(
            "POST",
            &format!("{page}/audiences"),
            Some(&body.to_string()),
            key(),
            &Arc::default(),
        );
        let (address, file) = (server.address, file.clone());
        let work = move || write_all(address, &create, &file).map_err(|error| error.to_string());
        let (took, latencies, error) = client::beside(server.address, &read, READERS, work)?;
        if let Some(error) = error {
            report.note_errors(
                "reads while versions are written",
                &Figures { errors: 1, first_error: Some(error), ..idle.clone() },
            );
        }
        let rate = QUEUED as f64 / took.as_secs_f64();
        let p99 = latencies.quantile(0.99);
        say(&format!(
            "round {round}: {rate:.0} versions a second; reads p99 {p99:?}, at rest {:?}",
            idle.p99
        ))?;
        rates.push(rate);
        slowest = slowest.max(p99);
        let service = Figures {
            per_second: latencies.total() as f64 / took.as_secs_f64(),
            p50: latencies.quantile(0.5),
            p99,
            ..idle.clone()
        };
        let name = format!("get page while {QUEUED} versions are written");
        let peer = Some(("at rest", idle.per_second));
        report.peers.push(PeerRow { engine: Engine::Sqlite, name, connections: READERS, service, peer });
    }
    let name = format!("template, {QUEUED} audiences at once, SQLite: from the first call to the last page");
    report.bar(Bar::at_least(name, median(rates), 700.0, "versions a second"));
    let limit = (idle.p99.as_secs_f64() * 2e3).max(5.0);
    let name = "reads of the API meanwhile, p99 of the worst round".to_owned();
    report.bar(Bar::at_most(name, slowest.as_secs_f64() * 1e3, limit, "ms"));
    Ok(())
}

/// Makes the audiences and waits until nothing is left to write; how long that took.
fn write_all(address: std::net::SocketAddr, create: &Template, file: &str) -> Result<Duration> {
    let begun = Instant::now();
    client::send(address, create, QUEUED)?;
    let connection = rusqlite::Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut waiting = connection.prepare("SELECT EXISTS (SELECT 1 FROM generations)")?;
    while waiting.query_row([], |row| row.get::<_, bool>(0))? {
        if begun.elapsed() > TIME_LIMIT {
            return Err("versions were not written".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(begun.elapsed())
}
