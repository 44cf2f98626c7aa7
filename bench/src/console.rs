//! Screens of the console among many pages and persons, and of the example: what the server takes for each, as a user with a session asks for
//! it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::pairs::Caller;
use crate::report::{Bar, Report};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::search::import;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, sample, say, visits};

/// What no screen may take at the whole size, in milliseconds.
const LIMIT: f64 = 60.0;
/// The same for the example that `pagesmith demo` serves.
const LIMIT_OF_EXAMPLE: f64 = 20.0;
/// The tenant of the example.
const EXAMPLE: &str = "norrvik";
/// How many pages the example has when all of it is made.
const PAGES_OF_EXAMPLE: usize = 3;
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Forms, page links and subscriptions beside the pages and persons.
const FORMS: usize = 100;
const LINKS: usize = 1_000;
const SUBSCRIPTIONS: usize = 20;
/// What the owner of the measured audience has said.
const SAID: [&str; 3] = ["make the headline shorter", "remove the table", "undo the last one"];
/// Screens below the tenant's root; what stands in braces are ids that there are, and a screen without its id is left out.
const SCREENS: [(&str, &str); 22] = [
    ("start", ""),
    ("pages", "/pages"),
    ("search of pages", "/pages?q=spring"),
    ("a page", "/pages/{page}"),
    ("its actions", "/pages/{page}/edit/actions"),
    ("an audience with its conversation", "/pages/{page}/audiences/{audience}"),
    ("persons", "/persons"),
    ("search of persons", "/persons?q=anna"),
    ("a person", "/persons/{person}"),
    ("accounts", "/accounts"),
    ("visits", "/visits"),
    ("visits of a page", "/visits/{page}"),
    ("what forms were sent", "/forms"),
    ("forms", "/forms/all"),
    ("a form", "/forms/{form}"),
    ("links", "/links"),
    ("a link", "/links/{link}"),
    ("webhooks", "/webhooks"),
    ("a webhook", "/webhooks/{subscription}"),
    ("settings", "/settings"),
    ("settings of the site", "/settings/site"),
    ("the audit", "/settings/audit"),
];

/// A tenant whose screens are asked for.
struct Tenant<'a> {
    slug: &'a str,
    /// Of the database and of the tenant, for the report.
    name: String,
    limit: f64,
    /// The page that is looked at.
    page: String,
}

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("console") {
        return Ok(());
    }
    for engine in setup.engines() {
        example(setup, engine, report)?;
        large(setup, engine, report)?;
    }
    Ok(())
}

/// The example, as whoever tries the console sees it.
fn example(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "console-example")?;
    let server = setup.serve_example(&store, "console-example")?;
    let caller = Caller::new(&server, &setup.key_of(&store, EXAMPLE)?);
    let page = whole_example(&caller)?;
    let name = format!("the example, {}", engine.name());
    let tenant = Tenant { slug: EXAMPLE, name, limit: LIMIT_OF_EXAMPLE, page };
    screens(setup, &store, (&server, &caller), &tenant, report)
}

/// Waits until all of the example is made and nothing is written any more; its first page.
fn whole_example(caller: &Caller) -> Result<String> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let pages = caller.ask("GET", "/v0/pages?limit=100", None)?;
        let pages: Vec<&str> = pages["items"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|page| page["pageId"].as_str())
            .collect();
        let mut is_written = pages.len() == PAGES_OF_EXAMPLE;
        for page in &pages {
            let audiences = caller.ask("GET", &format!("/v0/pages/{page}/audiences?limit=100"), None)?;
            let audiences = audiences["items"].as_array().ok_or("a page without a list of audiences")?;
            let is_done = |audience: &Value| {
                let status = audience["latestVersion"]["status"].as_str();
                matches!(status, Some("published" | "draft" | "cancelled"))
            };
            is_written &= audiences.iter().all(is_done);
        }
        if is_written {
            // The newest is the first.
            return Ok(pages.last().map(|page| (*page).to_owned()).unwrap_or_default());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err("the example was not made".into())
}

/// A tenant with very many pages and persons, and a good number of everything else.
fn large(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let (pages, persons) = if setup.options.quick { (20_000, 100_000) } else { (100_000, 1_000_000) };
    let store = setup.store(engine, "console")?;
    // The first start makes the tenant and its key.
    setup.serve(&store, "console", &[])?.stop()?;
    import(setup, engine, &store, persons)?;
    let server = setup.serve(&store, "console", &[])?;
    setup.seed(&server, pages)?;
    let caller = Caller::new(&server, key());
    let page = fill(&server, &caller)?;
    store.settle()?;
    let name = format!("{pages} pages, {persons} persons, {}", engine.name());
    screens(setup, &store, (&server, &caller), &Tenant { slug: "default", name, limit: LIMIT, page }, report)
}

/// Makes forms, links, subscriptions, and a page with an audience that was talked about; that page.
fn fill(server: &Server, caller: &Caller) -> Result<String> {
    for number in 0..SUBSCRIPTIONS {
        // Nobody listens there: deliveries are tried and listed.
        let url = format!("https://receiver-{number}.example.invalid/");
        caller.ask("POST", "/v0/webhook_subscriptions", Some(&json!({ "url": url })))?;
    }
    for number in 0..FORMS {
        let field = json!({ "key": "email", "kind": "email", "label": "Work e-mail", "required": true });
        let form = json!({ "name": format!("Ask for a call {number}"), "fields": [field] });
        caller.ask("POST", "/v0/forms", Some(&form))?;
    }
    let shown = visits::shown(caller, 1)?;
    let target = json!({ "targetType": "audience", "audienceId": shown.audiences[0] });
    let link = json!({ "path": format!("/go/{}", sample::SERIAL), "target": target }).to_string();
    let link = Template::new("POST", "/v0/page_links", Some(&link), key(), &Arc::default());
    client::send(server.address, &link, LINKS)?;
    let messages = format!("/v0/pages/{}/audiences/{}/messages", shown.page, shown.audiences[0]);
    for message in SAID {
        caller.ask("POST", &messages, Some(&json!({ "message": message })))?;
    }
    let begun = Instant::now();
    loop {
        let said = caller.ask("GET", &messages, None)?;
        let said = said["messages"].as_array().ok_or("a conversation without messages")?;
        // Each is answered.
        if said.len() >= 2 * SAID.len() {
            return Ok(shown.page);
        }
        if begun.elapsed() > PATIENCE {
            return Err("messages were not answered".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Measures each screen.
fn screens(
    setup: &Setup,
    store: &Store,
    (server, caller): (&Server, &Caller),
    tenant: &Tenant<'_>,
    report: &mut Report,
) -> Result<()> {
    let cookie = sign_in(setup, store, server, tenant.slug)?;
    let ids = ids(caller, &tenant.page)?;
    let mut requests: Vec<(&str, Template)> = Vec::new();
    for (name, path) in SCREENS {
        let path = ids.iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id));
        if !path.contains('{') {
            let path = format!("/console/t/{}{path}", tenant.slug);
            requests.push((name, Template::screen(&path, &cookie)));
        }
    }
    if let Some(audience) = ids.get("{audience}") {
        requests.push(("the preview of an audience", preview(caller, &tenant.page, audience)?));
    }
    for (name, request) in requests {
        let figures = measure_any(setup, server, &request, 1)?;
        let p99 = figures.p99.as_secs_f64() * 1e3;
        say(&format!("{}: {name}: p50 {:.1?}, p99 {p99:.1} ms", tenant.name, figures.p50))?;
        report.note_errors(name, &figures);
        let name = format!("console, {name}, {}: p99", tenant.name);
        report.bar(Bar::at_most(name, p99, tenant.limit, "ms"));
    }
    Ok(())
}

/// What the console shows in a frame beside the conversation.
fn preview(caller: &Caller, page: &str, audience: &str) -> Result<Template> {
    let at = format!("/v0/pages/{page}/audiences/{audience}");
    let versions = caller.ask("GET", &format!("{at}/versions"), None)?;
    let version = versions["items"][0]["versionId"].as_str().ok_or("an audience without a version")?;
    let made = caller.ask("POST", &format!("{at}/versions/{version}/preview"), Some(&json!({})))?;
    let url = made["url"].as_str().ok_or("a preview without an address")?;
    let (_, rest) = url.split_once("://").ok_or("an address without a scheme")?;
    let (host, path) = rest.split_once('/').ok_or("an address without a path")?;
    Ok(Template::visit(host, &format!("/{path}"), "identity"))
}

/// An owner of the tenant; the cookie of the session.
fn sign_in(setup: &Setup, store: &Store, server: &Server, tenant: &str) -> Result<String> {
    let words = [
        "user",
        "create",
        "olga@example.com",
        "--name",
        "Olga",
        "--tenant",
        tenant,
        "--role",
        "owner",
        "--json",
    ];
    let made: Value = serde_json::from_str(&setup.command(store, &words)?)?;
    let token = made["link"].as_str().and_then(|link| link.split_once("token=")).ok_or("no link")?.1;
    let heads = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin")];
    let body = format!("token={token}&password=correct+horse+battery");
    let sent = Template::post("127.0.0.1", "/console/password", &heads, &body);
    let (status, head, _) = client::fetch(server.address, &sent)?;
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.and_then(|line| line.split(';').next());
    Ok(cookie.ok_or_else(|| format!("no session: {status} {head}"))?.to_owned())
}

/// Ids that there are, by the names that they have in paths.
fn ids(caller: &Caller, page: &str) -> Result<HashMap<&'static str, String>> {
    let audiences = format!("/v0/pages/{page}/audiences");
    let mut ids = HashMap::from([("{page}", page.to_owned())]);
    for (name, path, field) in [
        ("{audience}", audiences.as_str(), "audienceId"),
        ("{person}", "/v0/persons", "personId"),
        ("{form}", "/v0/forms", "formId"),
        ("{link}", "/v0/page_links", "pageLinkId"),
        ("{subscription}", "/v0/webhook_subscriptions", "subscriptionId"),
    ] {
        let found = caller.ask("GET", path, None)?;
        if let Some(id) = found["items"][0][field].as_str() {
            ids.insert(name, id.to_owned());
        }
    }
    Ok(ids)
}
