//! Visits: reports of page views beside a page that is read, the answers of analytics among many sessions, what a session takes on the
//! disk, and forms.
//!
//! Sessions are made by the very functions that take reports and end sessions, on a clock of the harness's own, while no server
//! holds the database: a year of visits takes as long as its writes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesmith_model::visit::SESSION_TIMEOUT;
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::visit::client::Device;
use pagesmith_model::{AudienceId, PageId, TenantId, Timestamp};
use pagesmith_operations::visits::close::close_due;
use pagesmith_operations::visits::collect::{Report as PageView, collect};
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::tables::tenants;
use pagesmith_store::{Store as Database, StoreOptions};
use serde_json::{Value, json};

use crate::pairs::Caller;
use crate::people::Chance;
use crate::report::{Bar, Figures, PeerRow, Report, median};
use crate::request::{ADDRESS, Template};
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Operation, Setup, Store, key};
use crate::{Result, client, paced, sample, say, sites_sample};

/// Connections that report.
const REPORTERS: usize = 64;
/// Connections that read a page meanwhile.
const READERS: usize = 2;
/// Updates of pages over the API beside reports, a second.
const UPDATES: u32 = 50;
/// Pages that are updated.
const UPDATED: usize = 200;
/// How much longer updates may take beside reports, in milliseconds.
const UPDATES_LATER_BY: f64 = 5.0;
/// Connections that ask for sums and lists.
const CALLERS: usize = 8;
/// Pages that share the sessions; one of them is asked about.
const PAGES: usize = 10;
/// Audiences of a page.
const AUDIENCES: usize = 3;
/// Reports that are written together.
const AT_ONCE: usize = 64;
/// How far back sessions go.
const DAYS: u32 = 400;
/// A browser whose version is the visitor's number.
pub const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/<serial>.0.0.0 Safari/537.36";

/// The setting of a server behind a proxy that tells addresses.
pub const BEHIND_PROXY: (&str, &str) = ("PAGESMITH_TRUSTED_PROXIES", "127.0.0.1");
/// The settings of a server behind a proxy that tells addresses, all of which may report as much as they like.
pub const SETTINGS: [(&str, &str); 2] =
    [("PAGESMITH_VISITS_REPORTS_PER_ADDRESS", "1000000000"), BEHIND_PROXY];

/// Measures the chosen ones.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    for engine in setup.engines() {
        if setup.options.wants("beacons") {
            beacons(setup, engine, report)?;
        }
        if setup.options.wants("analytics") {
            analytics(setup, engine, report)?;
        }
        if setup.options.wants("forms") {
            forms(setup, engine, report)?;
        }
    }
    Ok(())
}

/// A page that visitors are shown.
pub struct Shown {
    pub page: String,
    pub audiences: Vec<String>,
    path: String,
}

impl Shown {
    /// The report of a visitor's view of the page; each that is sent is another visitor's.
    pub fn page_view(&self, host: &str) -> Template {
        let body = json!({
            "v": format!("{:023}{}", 0, sample::SERIAL), "p": self.page, "a": self.audiences[0], "t": 12_000, "e": 9_000, "s": 55, "c": 2,
            "x": [], "q": [], "l": "/frost?utm_source=fair", "r": "https://www.example.com/", "w": false, "k": true,
        });
        let heads =
            [("user-agent", BROWSER), ("content-type", "text/plain"), ("sec-fetch-site", "same-origin")];
        Template::post(host, "/.pagesmith/v", &heads, &body.to_string())
    }
}

fn text<'a>(answer: &'a Value, field: &str) -> Result<&'a str> {
    answer[field].as_str().ok_or_else(|| format!("no {field} in {answer}").into())
}

/// A page with so many audiences, all published, whose visitors can send a form.
pub fn shown(caller: &Caller, audiences: usize) -> Result<Shown> {
    let mut body: Value = serde_json::from_str(&sample::create_body().replace(sample::SERIAL, "visits"))?;
    body["actions"] = sites_sample::actions();
    body["actions"][0] = json!({
        "actionId": "call", "actionType": "form", "purpose": "Ask an adviser.", "buttonTitle": "Ask us", "formId": "form-ask",
    });
    body["scripts"] = json!([]);
    let page = caller.ask("POST", "/v0/pages", Some(&body))?;
    let page = text(&page, "pageId")?.to_owned();
    let (mut ids, mut path) = (Vec::new(), String::new());
    for _ in 0..audiences {
        let (audience, version) = caller.finished_audience(&format!("/v0/pages/{page}"))?;
        let at = format!("/v0/pages/{page}/audiences/{audience}");
        let version = format!("{at}/versions/{version}");
        caller.ask("PUT", &format!("{version}/content"), Some(&sites_sample::content()))?;
        caller.ask("POST", &format!("{version}/publish"), Some(&json!({})))?;
        text(&caller.ask("GET", &format!("{at}/link"), None)?, "path")?.clone_into(&mut path);
        ids.push(audience);
    }
    Ok(Shown { page, audiences: ids, path })
}

/// The site of the first tenant.
pub fn host(server: &Server) -> String {
    format!("default.localhost:{}", server.address.port())
}

/// Reports of page views, durable when they are answered, while a page that is in memory is read.
fn beacons(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "beacons")?;
    let server = setup.serve(&store, "beacons", &SETTINGS)?;
    let shown = shown(&Caller::new(&server, key()), 1)?;
    store.settle()?;
    let host = host(&server);
    let visit = Template::visit(&host, &shown.path, "br");
    let beacon = shown.page_view(&host);
    let mut rounds = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        let pause = setup.options.measured;
        let rest = move || {
            std::thread::sleep(pause);
            Ok(pause)
        };
        let (took, idle, error) = client::beside(server.address, &visit, READERS, rest)?;
        if let Some(error) = error {
            report.problem(format!("{}: a page at rest: {error}", engine.name()));
        }
        let idle = idle.total() as f64 / took.as_secs_f64();
        let (address, pid, template) = (server.address, server.pid(), beacon.clone());
        let (warm_up, measured) = (setup.options.warm_up, setup.options.measured);
        let work = move || {
            let begun = Instant::now();
            let outcome = client::run(address, &template, REPORTERS, warm_up, measured, pid);
            outcome.map(|outcome| (outcome, begun.elapsed())).map_err(|error| error.to_string())
        };
        server.cut_log()?;
        let ((outcome, took), reads, error) = client::beside(server.address, &visit, READERS, work)?;
        if let Some(error) = error {
            report.problem(format!("{}: a page beside reports: {error}", engine.name()));
        }
        let kept = reads.total() as f64 / took.as_secs_f64() / idle;
        let figures = Figures::of(outcome);
        report.note_errors("reports of page views", &figures);
        say(&format!("{}: {:.0} reports a second, pages keep {kept:.2}", engine.name(), figures.per_second))?;
        rounds.push((figures, kept));
    }
    let counted = Caller::new(&server, key()).ask(
        "GET",
        &format!("/v0/pages/{}/analytics/summary", shown.page),
        None,
    )?;
    if counted["totalSessions"].as_i64().unwrap_or_default() == 0 {
        report.problem(format!("{}: no report of a page view was counted", engine.name()));
    }
    let limit = if engine == Engine::Sqlite { 10_000.0 } else { 3_000.0 };
    let name = format!(
        "reports of page views, durable, {REPORTERS} connections, beside {READERS} that read a page, {}",
        engine.name()
    );
    let rate = median(rounds.iter().map(|(figures, _)| figures.per_second).collect());
    report.bar(Bar::at_least(name, rate, limit, "a second"));
    if engine == Engine::Sqlite {
        let kept = median(rounds.iter().map(|(_, kept)| *kept).collect());
        let name = format!("the page meanwhile, {}: share of its rate at rest", engine.name());
        report.bar(Bar::at_least(name, kept, 0.65, "×"));
    }
    row(
        report,
        engine,
        "reports of page views, beside reads",
        REPORTERS,
        rounds.into_iter().map(|(figures, _)| figures),
    );
    updates_beside(setup, engine, &server, &beacon, report)
}

/// Updates of pages over the API at rest, and beside the reports. They are fewer than what is measured elsewhere, so they are measured for longer.
fn updates_beside(
    setup: &Setup,
    engine: Engine,
    server: &Server,
    beacon: &Template,
    report: &mut Report,
) -> Result<()> {
    let ids = setup.seed(server, UPDATED)?;
    let update = Operation::Update.template(&ids);
    let (warm_up, measured) = (setup.options.warm_up, setup.options.measured * 4);
    let mut later_by = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        server.cut_log()?;
        let rest = || {
            std::thread::sleep(measured);
            Ok(())
        };
        let ((), idle) = paced::beside(server.address, &update, UPDATES, rest)?;
        let work = || client::run(server.address, beacon, REPORTERS, warm_up, measured, server.pid());
        let (outcome, busy) = paced::beside(server.address, &update, UPDATES, work)?;
        report.note_errors("reports of page views beside updates", &Figures::of(outcome));
        let (idle, busy) = (idle.quantile(0.99), busy.quantile(0.99));
        say(&format!(
            "{}: updates of pages p99 {busy:.1?} beside reports, {idle:.1?} at rest",
            engine.name()
        ))?;
        later_by.push((busy.as_secs_f64() - idle.as_secs_f64()) * 1e3);
    }
    let name = format!(
        "{UPDATES} updates of pages a second beside reports of {REPORTERS} connections, {}: p99 above that at rest",
        engine.name()
    );
    report.bar(Bar::at_most(name, median(later_by), UPDATES_LATER_BY, "ms"));
    Ok(())
}

/// The round with the median speed as a line of the table.
pub fn row(
    report: &mut Report,
    engine: Engine,
    name: &str,
    connections: usize,
    rounds: impl Iterator<Item = Figures>,
) {
    let mut rounds: Vec<Figures> = rounds.collect();
    rounds.sort_by(|left, right| left.per_second.total_cmp(&right.per_second));
    if rounds.is_empty() {
        return;
    }
    let service = rounds.swap_remove(rounds.len() / 2);
    report.peers.push(PeerRow { engine, name: name.to_owned(), connections, service, peer: None });
}

/// Sums, series and lists of a page with a tenth of many sessions, which lie over 400 days; and what they take on the disk.
fn analytics(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let (store, count) = (setup.store(engine, "analytics")?, setup.options.sessions);
    let server = setup.serve(&store, "analytics", &[])?;
    let caller = Caller::new(&server, key());
    let pages = (0..PAGES).map(|_| shown(&caller, AUDIENCES)).collect::<Result<Vec<_>>>()?;
    server.stop()?;
    say(&format!("{}: preparing {count} sessions", engine.name()))?;
    let now = fill(&store, &pages, count)?;
    store.settle()?;
    let bytes = session_bytes(&store)? / count.max(1) as f64;
    let limit = if engine == Engine::Sqlite { 500.0 } else { 800.0 };
    let name = format!("bytes of a closed session with its indexes, among {count}, {}", engine.name());
    report.bar(Bar::at_most(name, bytes, limit, "bytes"));

    let server = setup.serve(&store, "analytics", &[])?;
    let limit = if engine == Engine::Sqlite { 10.0 } else { 25.0 };
    let asked = &pages[0];
    let base = format!("/v0/pages/{}", asked.page);
    let since = |days: u64, seconds: u64| {
        now.minus(Duration::from_hours(24) * u32::try_from(days).unwrap_or_default())
            .minus(Duration::from_secs(seconds))
    };
    let range = format!("startDate={}&endDate={}", since(200, 4_321), since(20, 1_234));
    let recent = format!("startDate={}", since(30, 77));
    let kinds = [
        ("summary", vec![String::new(), range.clone(), recent.clone()], "analytics/summary"),
        ("by audience", vec![String::new(), range.clone(), recent.clone()], "analytics/audiences"),
        (
            "timeseries",
            vec![
                "interval=day".to_owned(),
                format!("interval=week&{range}"),
                format!("interval=hour&{recent}"),
            ],
            "analytics/timeseries",
        ),
        (
            "timeseries in Berlin, a month",
            vec![
                format!("timeZone=Europe/Berlin&{recent}"),
                format!("timeZone=Europe/Berlin&interval=hour&{recent}"),
            ],
            "analytics/timeseries",
        ),
        (
            "list of sessions, any filter",
            vec![
                "limit=20".to_owned(),
                format!("limit=20&{range}"),
                format!("limit=20&audienceId={}", asked.audiences[0]),
                format!("limit=20&audienceId={}&{range}", asked.audiences[0]),
            ],
            "audience_sessions",
        ),
    ];
    for (name, queries, path) in kinds {
        let one = |query: &String| {
            let query = query.replace(':', "%3A");
            Template::new("GET", &format!("{base}/{path}?{query}"), None, key(), &Arc::default())
        };
        let template = Template::any_of(queries.iter().map(one).collect());
        let mut rounds = Vec::new();
        for _ in 0..setup.options.rounds(3) {
            let figures = measure_any(setup, &server, &template, CALLERS)?;
            report.note_errors(name, &figures);
            say(&format!("{}: {name}: p50 {:?}, p99 {:?}", engine.name(), figures.p50, figures.p99))?;
            rounds.push(figures);
        }
        let p99 = median(rounds.iter().map(|figures| figures.p99.as_secs_f64() * 1e3).collect());
        let name = format!("{name}, of {} among {count} sessions", count / PAGES);
        report.bar(Bar::at_most(
            format!("{name}, {CALLERS} connections, {}: p99", engine.name()),
            p99,
            limit,
            "ms",
        ));
        row(report, engine, &name, CALLERS, rounds.into_iter());
    }
    Ok(())
}

/// Makes so many sessions that have ended; the present, as far as they are concerned.
fn fill(store: &Store, pages: &[Shown], count: usize) -> Result<Timestamp> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let database = Database::open(StoreOptions::new(store.url().parse()?))?;
    let now = Platform::system().clock().now();
    let span = Duration::from_hours(24) * DAYS;
    let clock = Clock::manual(now.minus(span));
    let platform = Platform::new(clock, Random::seeded(20));
    let steps = count.div_ceil(AT_ONCE);
    let step = span / u32::try_from(steps.max(1)).unwrap_or(u32::MAX);
    runtime.block_on(async {
        let tenant = database.read(tenants::list).await?.first().ok_or("no tenant")?.tenant_id.clone();
        let mut chance = Chance::new(20);
        for number in 0..steps {
            let first = number * AT_ONCE;
            let many = AT_ONCE.min(count - first);
            let views = (first..first + many).map(|number| page_view(&mut chance, pages, number));
            let views: Arc<Vec<PageView>> = Arc::new(views.collect::<Result<_>>()?);
            let ctx = platform.context().of(tenant.clone());
            let of = database.for_tenant(&tenant);
            of.write(move |tx| collect(tx, &ctx, &views, SESSION_TIMEOUT)).await?;
            platform.clock().advance(step);
            close(&database, &tenant, platform.clock().now()).await?;
        }
        close(&database, &tenant, now.plus(SESSION_TIMEOUT * 2)).await?;
        database.close().await?;
        Ok::<_, crate::Failure>(())
    })?;
    Ok(now)
}

async fn close(database: &Database, tenant: &TenantId, now: Timestamp) -> Result<()> {
    loop {
        let of = tenant.clone();
        let store = database.for_tenant(tenant);
        if !store.write(move |tx| close_due(tx, &of, now, SESSION_TIMEOUT)).await? {
            return Ok(());
        }
    }
}

/// A page view of a new visitor.
fn page_view(chance: &mut Chance, pages: &[Shown], number: usize) -> Result<PageView> {
    let shown = &pages[number % pages.len()];
    let audience = &shown.audiences[chance.below(shown.audiences.len())];
    let page_id = PageId::parse(&shown.page).ok_or("an id of no page")?;
    let audience_id = AudienceId::parse(audience).ok_or("an id of no audience")?;
    let view = (number as u128 + 1).to_be_bytes();
    let source = chance.pick(&["newsletter", "fair", "partner", "letter", "advert"]);
    let location = format!("/frost?utm_source={source}&utm_campaign=c{}", chance.below(20));
    Ok(PageView {
        beacon: Beacon {
            age_ms: 90_000,
            engaged_ms: chance.below(90_000) as i64,
            scroll: chance.below(101) as i64,
            clicks: chance.below(3) as i64,
            is_touched: true,
            is_scripted: true,
            referrer: format!("https://{}.example/", chance.pick(&["search", "news", "forum", "blog"])),
            ..Beacon::of_picture(view, page_id, audience_id, &location)
        },
        visitors: vec![view],
        verdict: None,
        host: "default.localhost".to_owned(),
        domain_id: None,
        device: [Device::Desktop, Device::Phone, Device::Tablet][chance.below(3)],
        language: Some(chance.pick(&["de", "en", "fr", "es", "it"]).to_owned()),
        address: None,
        asks_for_privacy: false,
    })
}

/// The bytes of all sessions and their indexes.
fn session_bytes(store: &Store) -> Result<f64> {
    match store {
        Store::Sqlite(url) => {
            let connection = rusqlite::Connection::open(url.trim_start_matches("sqlite:"))?;
            let sum = "SELECT SUM(s.pgsize) FROM dbstat s JOIN sqlite_schema t ON t.name = s.name WHERE t.tbl_name = 'audience_sessions'";
            Ok(connection.query_row(sum, [], |row| row.get::<_, i64>(0))? as f64)
        }
        Store::Postgres(database) => {
            Ok(database.ask("SELECT pg_total_relation_size('audience_sessions')")?.parse::<f64>()?)
        }
    }
}

/// Forms of visitors whom nobody knows: a person, a log entry, a session, an event and its delivery each.
fn forms(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "forms")?;
    let server = setup.serve(&store, "forms", &SETTINGS)?;
    let caller = Caller::new(&server, key());
    let shown = shown(&caller, 1)?;
    // A flood of one form from one address would be kept apart as spam.
    let form = json!({ "name": "Ask us", "spamFilter": "off", "fields": [
        { "key": "name", "kind": "text", "label": "Name", "required": true },
        { "key": "email", "kind": "email", "label": "E-mail", "required": true },
        { "key": "message", "kind": "long-text", "label": "Message" },
    ] });
    let form = caller.ask("POST", "/v0/forms", Some(&form))?;
    let call = json!({ "actionId": "call", "actionType": "form", "purpose": "Ask an adviser.", "buttonTitle": "Ask us", "formId": text(&form, "formId")? });
    caller.ask("PATCH", &format!("/v0/pages/{}", shown.page), Some(&json!({ "actions": [call] })))?;
    // Nobody listens there: the row of each delivery is written and waits.
    let receiver = json!({ "url": "https://receiver.example.invalid/", "events": ["form.submitted"] });
    caller.ask("POST", "/v0/webhook_subscriptions", Some(&receiver))?;
    store.settle()?;
    let body = format!(
        "ps.page={}&ps.audience={}&ps.action=call&name=Ida+Holm&email=ida-{}%40holm.example&message=A+call%2C+please.",
        shown.page,
        shown.audiences[0],
        sample::SERIAL
    );
    let forwarded = format!("2001:db8:{ADDRESS}::1");
    let heads = [
        ("user-agent", BROWSER),
        ("content-type", "application/x-www-form-urlencoded"),
        ("accept", "application/json"),
        ("sec-fetch-site", "same-origin"),
        ("x-forwarded-for", forwarded.as_str()),
    ];
    let template = Template::post(&host(&server), "/.pagesmith/f", &heads, &body);
    let mut rounds = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        let figures = measure_any(setup, &server, &template, REPORTERS)?;
        report.note_errors("forms", &figures);
        say(&format!("{}: {:.0} forms a second", engine.name(), figures.per_second))?;
        rounds.push(figures);
    }
    for (status, has_some) in [("accepted", true), ("spam", false)] {
        let kept = caller.ask("GET", &format!("/v0/form_submissions?limit=1&status={status}"), None)?;
        if kept["items"].as_array().is_some_and(|items| items.is_empty() == has_some) {
            report.problem(format!("{}: forms were not all accepted", engine.name()));
        }
    }
    let limit = if engine == Engine::Sqlite { 3_000.0 } else { 800.0 };
    let name =
        format!("form with a new person, event and delivery row, {REPORTERS} connections, {}", engine.name());
    let rate = median(rounds.iter().map(|figures| figures.per_second).collect());
    report.bar(Bar::at_least(name, rate, limit, "a second"));
    row(report, engine, "forms of new persons", REPORTERS, rounds.into_iter());
    Ok(())
}
