//! Screens of the console among many pages and persons: what the server takes for each, as a user with a session asks for it.

use std::sync::Arc;

use serde_json::Value;

use crate::report::{Bar, Report};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::search::import;
use crate::server::Server;
use crate::setup::{Setup, Store, key};
use crate::{Result, client, say};

/// What no screen may take at the whole size, in milliseconds.
const LIMIT: f64 = 60.0;
/// Screens below the tenant's root; `{page}` and `{person}` are ids that there are.
const SCREENS: [(&str, &str); 12] = [
    ("start", ""),
    ("pages", "/pages"),
    ("search of pages", "/pages?q=spring"),
    ("a page", "/pages/{page}"),
    ("its actions", "/pages/{page}/edit/actions"),
    ("persons", "/persons"),
    ("search of persons", "/persons?q=anna"),
    ("a person", "/persons/{person}"),
    ("accounts", "/accounts"),
    ("visits", "/visits"),
    ("visits of a page", "/visits/{page}"),
    ("the audit", "/settings/audit"),
];

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("console") {
        return Ok(());
    }
    let (pages, persons) = if setup.options.quick { (20_000, 100_000) } else { (100_000, 1_000_000) };
    for engine in setup.engines() {
        let store = setup.store(engine, "console")?;
        // The first start makes the tenant and its key.
        setup.serve(&store, "console", &[])?.stop()?;
        import(setup, engine, &store, persons)?;
        let server = setup.serve(&store, "console", &[])?;
        setup.seed(&server, pages)?;
        store.settle()?;
        let cookie = sign_in(setup, &store, &server)?;
        for (name, path) in addresses(&server)? {
            let figures = measure_any(setup, &server, &Template::screen(&path, &cookie), 1)?;
            let p99 = figures.p99.as_secs_f64() * 1e3;
            say(&format!("{}: {name}: p50 {:.1?}, p99 {p99:.1} ms", engine.name(), figures.p50))?;
            report.note_errors(name, &figures);
            let name = format!("console, {name}, {pages} pages, {persons} persons, {}: p99", engine.name());
            report.bar(Bar::at_most(name, p99, LIMIT, "ms"));
        }
    }
    Ok(())
}

/// An owner of the tenant; the cookie of the session.
fn sign_in(setup: &Setup, store: &Store, server: &Server) -> Result<String> {
    let words = [
        "user",
        "create",
        "olga@example.com",
        "--name",
        "Olga",
        "--tenant",
        "default",
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

/// The screens' paths, with ids that there are.
fn addresses(server: &Server) -> Result<Vec<(&'static str, String)>> {
    let first = |path: &str, id: &str| -> Result<String> {
        let (_, _, body) =
            client::fetch(server.address, &Template::new("GET", path, None, key(), &Arc::default()))?;
        let found: Value = serde_json::from_slice(&body)?;
        Ok(found["items"][0][id].as_str().ok_or("nothing is there")?.to_owned())
    };
    let (page, person) = (first("/v0/pages", "pageId")?, first("/v0/persons", "personId")?);
    let named = |path: &str| path.replace("{page}", &page).replace("{person}", &person);
    Ok(SCREENS.iter().map(|(name, path)| (*name, format!("/console/t/default{}", named(path)))).collect())
}
