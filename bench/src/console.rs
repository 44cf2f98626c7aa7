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
use crate::{Result, client, pictures, sample, say, visits};

/// What no screen may take at the whole size, in milliseconds.
const LIMIT: f64 = 60.0;
/// The same for the example that `pagesmith demo` serves.
const LIMIT_OF_EXAMPLE: f64 = 20.0;
/// The tenant of the example.
const EXAMPLE: &str = "norrvik";
/// How many pages the example has when all of it is made.
const PAGES_OF_EXAMPLE: usize = 3;
/// How long that may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Forms (and as many assets, blocks of links and accounts), page links and subscriptions beside the pages and persons.
const FORMS: usize = 100;
const LINKS: usize = 1_000;
const SUBSCRIPTIONS: usize = 20;
/// Entries of a topic.
const ENTRIES: usize = 100;
/// What the owner of the measured audience has said.
const SAID: [&str; 3] = ["make the headline shorter", "remove the table", "undo the last one"];
/// Screens that are asked for beside those of the console's own lists: searches that all or many match, lists in another order, and the same screen
/// in another state.
const SEARCHES: [(&str, &str); 15] = [
    ("pages by name", "/pages?sort=name"),
    ("pages by their creation", "/pages?sort=createdAt"),
    ("persons by name", "/persons?sort=-name"),
    ("persons by e-mail address", "/persons?sort=email"),
    ("accounts by name", "/accounts?sort=name"),
    ("audiences by name", "/pages/{page_id}?sort=name"),
    ("search of pages", "/pages?q=spring"),
    ("search of persons", "/persons?q=anna"),
    ("search of accounts", "/accounts?q=example"),
    ("the palette", "/find?q=spring"),
    ("the palette on persons", "/find?q=anna"),
    ("search of what is known", "/knowledge/search?q=prices"),
    ("a new link", "/links/new?page={page_id}"),
    ("a new block", "/pages/{page_id}/audiences/{audience_id}/add-block?type=text"),
    ("two persons that are merged", "/persons/{person_id}/merge?other={other_person_id}"),
];

/// Screens of the lists that are not asked for, beside streams of events, which go on without an end, and files, which take as long as they
/// are: a submission takes a visitor who sends a form.
const WITHOUT: [&str; 1] = ["/forms/submissions/{submission_id}"];
/// The last words of the paths of files.
const FILES: [&str; 2] = ["/export", ".csv"];
/// Visitors of the page that is looked at.
const VISITORS: usize = 100;

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
    while begun.elapsed() < TIME_LIMIT {
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
    rest(caller)?;
    let shown = visits::shown(caller, 1)?;
    client::send(server.address, &shown.page_view(&visits::host(server)), VISITORS)?;
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
        if begun.elapsed() > TIME_LIMIT {
            return Err("messages were not answered".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Makes what else there are screens of.
fn rest(caller: &Caller) -> Result<()> {
    caller.ask("POST", "/v0/topics", Some(&json!({ "title": "Prices" })))?;
    // The one whose screens are asked for.
    let topics = caller.ask("GET", "/v0/topics", None)?;
    let topic = topics["items"][0]["topicId"].as_str().ok_or("a topic without an id")?.to_owned();
    for number in 0..ENTRIES {
        let content =
            json!({ "type": "text", "content": format!("Plan {number} is free for teams of up to five.") });
        caller.ask("POST", &format!("/v0/topics/{topic}/entries"), Some(&json!({ "content": content })))?;
    }
    for number in 0..FORMS {
        let video = json!({
            "assetType": "video", "name": format!("Two minutes of Acme {number}"), "purpose": "Explains the product",
            "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
        });
        caller.ask("POST", "/v0/assets", Some(&video))?;
        let link = json!({ "type": "link", "text": "Pricing", "url": "https://example.com/pricing" });
        let block = json!({ "kind": "navigation", "name": format!("Navigation {number}"), "links": [link] });
        caller.ask("POST", "/v0/page_link_blocks", Some(&block))?;
        let account =
            json!({ "domain": format!("customer-{number}.example"), "name": format!("Example {number}") });
        caller.ask("POST", "/v0/accounts", Some(&account))?;
    }
    let file = pictures::upload(caller, "persons.csv", b"name,email\nAnna Example,anna@example.com\n")?;
    caller.ask("POST", "/v0/person_imports", Some(&json!({ "fileId": file["fileId"] })))?;
    caller.ask("POST", "/v0/brands", Some(&json!({ "name": "Acme" })))?;
    caller.ask("POST", "/v0/tenant_domains", Some(&json!({ "domain": "pages.example.com" })))?;
    caller.ask("POST", "/v0/keys", Some(&json!({ "name": "CRM", "scope": "read" }))).map(drop)
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
    let mut ids = ids(caller, &tenant.page)?;
    let tenants: Value = serde_json::from_str(&setup.command(store, &["tenant", "list", "--json"])?)?;
    let id = tenants[0]["tenantId"].as_str().ok_or("no tenant")?;
    ids.insert("{tenant_id}", id.to_owned());
    let (mut requests, mut unknown): (Vec<(String, Template)>, Vec<String>) = Default::default();
    for (name, root, path) in listed(tenant) {
        let of_a_block = path.starts_with("/links/blocks/");
        let path = path.replace("{block_id}", if of_a_block { "{link_block_id}" } else { "{block_id}" });
        let path = ids.iter().fold(path, |path, (name, id)| path.replace(name, id));
        // The example has not everything; a tenant that was filled for this has.
        match path.contains('{') {
            false => requests.push((name, Template::screen(&format!("{root}{path}"), &cookie))),
            true if tenant.slug == EXAMPLE => {}
            true => unknown.push(path),
        }
    }
    if !unknown.is_empty() {
        return Err(format!("nothing is known for {}", unknown.join(", ")).into());
    }
    if let Some(audience) = ids.get("{audience_id}") {
        requests.push(("the preview of an audience".to_owned(), preview(caller, &tenant.page, audience)?));
    }
    for (name, request) in requests {
        let figures = measure_any(setup, server, &request, 1)?;
        let p99 = figures.p99.as_secs_f64() * 1e3;
        say(&format!("{}: {name}: p50 {:.1?}, p99 {p99:.1} ms", tenant.name, figures.p50))?;
        report.note_errors(&name, &figures);
        let name = format!("console, {name}, {}: p99", tenant.name);
        report.bar(Bar::at_most(name, p99, tenant.limit, "ms"));
    }
    Ok(())
}

/// Every screen that is asked for: its name, the prefix of its address, and its path with the names of ids in braces. A screen of
/// the console's own lists cannot be forgotten.
fn listed(tenant: &Tenant<'_>) -> Vec<(String, String, String)> {
    let is_asked_for = |method: &str, path: &str| {
        let is_file = FILES.iter().any(|end| path.ends_with(end));
        method == "GET" && !is_file && !path.ends_with("/events") && !WITHOUT.contains(&path)
    };
    let root = format!("/console/t/{}", tenant.slug);
    let own = pagesmith_console::screens::rows().into_iter().filter(|row| is_asked_for(row.method, row.path));
    let own = own.map(|row| (row.path, row.path)).chain(SEARCHES);
    let own = own.map(|(name, path)| (if name.is_empty() { "start" } else { name }, root.as_str(), path));
    let of_operators = pagesmith_console::screens::operator::rows();
    let of_operators = of_operators.iter().filter(|row| is_asked_for(row.method, row.path));
    let of_operators = of_operators.map(|row| (row.path, "/console/operator", row.path));
    let named = |name: &str, root: &str| match root == "/console/operator" {
        true => format!("operator{name}"),
        false => name.to_owned(),
    };
    own.chain(of_operators)
        .map(|(name, root, path)| (named(name, root), root.to_owned(), path.to_owned()))
        .collect()
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

/// An owner of the tenant who is an operator as well; the cookie of the session.
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
        "--operator",
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
    let mut ids = HashMap::from([("{page_id}", page.to_owned())]);
    // The place in a list, and where the list stands.
    for (name, at, path, field) in [
        ("{audience_id}", 0, "/v0/pages/{page_id}/audiences", "audienceId"),
        ("{to_id}", 0, "/v0/pages/{page_id}/audiences/{audience_id}/versions", "versionId"),
        ("{from_id}", 1, "/v0/pages/{page_id}/audiences/{audience_id}/versions", "versionId"),
        ("{person_id}", 0, "/v0/persons", "personId"),
        ("{other_person_id}", 1, "/v0/persons", "personId"),
        ("{person_import_id}", 0, "/v0/person_imports", "personImportId"),
        ("{account_id}", 0, "/v0/accounts", "accountId"),
        ("{form_id}", 0, "/v0/forms", "formId"),
        ("{topic_id}", 0, "/v0/topics", "topicId"),
        ("{topic_entry_id}", 0, "/v0/topics/{topic_id}/entries", "topicEntryId"),
        ("{asset_id}", 0, "/v0/assets", "assetId"),
        ("{brand_id}", 0, "/v0/brands", "brandId"),
        ("{tenant_domain_id}", 0, "/v0/tenant_domains", "tenantDomainId"),
        ("{page_link_id}", 0, "/v0/page_links", "pageLinkId"),
        ("{link_block_id}", 0, "/v0/page_link_blocks", "linkBlockId"),
        ("{audience_session_id}", 0, "/v0/pages/{page_id}/audience_sessions", "audienceSessionId"),
        ("{key_id}", 0, "/v0/keys", "keyId"),
        ("{subscription_id}", 0, "/v0/webhook_subscriptions", "subscriptionId"),
        ("{delivery_id}", 0, "/v0/webhook_subscriptions/{subscription_id}/deliveries", "deliveryId"),
    ] {
        let path =
            ids.iter().fold(path.to_owned(), |path, (name, id): (&&str, &String)| path.replace(name, id));
        if path.contains('{') {
            continue;
        }
        let found = caller.ask("GET", &path, None)?;
        if let Some(id) = found["items"][at][field].as_str() {
            ids.insert(name, id.to_owned());
        }
    }
    if let (Some(audience), Some(version)) = (ids.get("{audience_id}"), ids.get("{to_id}")) {
        let content = format!("/v0/pages/{page}/audiences/{audience}/versions/{version}/content");
        let content = caller.ask("GET", &content, None)?;
        if let Some(id) = content["blocks"][0]["blockId"].as_str() {
            ids.insert("{block_id}", id.to_owned());
        }
    }
    Ok(ids)
}
