//! What tenants and their visitors do to a server when they do their worst (`neighbours.rs` measures what another tenant notices).
//!
//! The attacks of programs once stopped a whole server. Visitors have an address and a browser of their own for each request, so that no limit
//! of an address holds them back; limits of questions are as high as a tenant may set them.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::pairs::Caller;
use crate::request::{ADDRESS, Template};
use crate::server::Server;
use crate::setup::{Setup, Store};
use crate::visits::{BROWSER, Shown, shown};
use crate::{Result, knowledge, pictures, sample};

/// Tenants that attack.
const ATTACKERS: usize = 12;
/// Connections of each of them.
const EACH: usize = 2;
/// Large pages of each attacker.
const LARGE_PAGES: usize = 10;
/// Chunks of knowledge of each attacker.
const CHUNKS: usize = 1_000;
/// A large file, in bytes.
const LARGE_FILE: usize = 16 * 1024 * 1024;
/// The page elsewhere that is read, in bytes.
const READ_PAGE: usize = 1024 * 1024;
/// Routes of a table that is far too long, and of the longest that is taken.
const ROUTES: [usize; 2] = [10_000, 100];

/// What the clients of an attack send, again and again.
#[derive(Clone)]
pub struct Attack {
    pub name: &'static str,
    /// A request for each client.
    pub requests: Vec<Template>,
    /// Whether the clients read what they are answered.
    pub reads: bool,
}

/// A tenant that has what it needs to attack, and visitors.
struct Attacker {
    key: String,
    host: String,
    shown: Shown,
    /// Its topic's path.
    topic: String,
    /// The address of a variant of its picture.
    variant: String,
}

/// All of them, and the server that they have read from.
pub struct Attackers {
    attackers: Vec<Attacker>,
    elsewhere: Server,
    photograph: Vec<u8>,
}

impl Attackers {
    /// Makes the tenants and fills them.
    pub fn new(setup: &Setup, store: &Store, server: &Server) -> Result<Attackers> {
        let photograph = pictures::photograph()?;
        let mut attackers = Vec::new();
        for number in 0..ATTACKERS {
            let tenant = format!("attacker-{number}");
            setup.command(store, &["tenant", "create", &tenant, "--json"])?;
            let key = setup.key_of(store, &tenant)?;
            let host = format!("{tenant}.localhost:{}", server.address.port());
            attackers.push(fill(server, key, host, &photograph)?);
        }
        knowledge::wait(store)?;
        let paragraph = format!("<p>{}</p>", "Frost comes before the sun does. ".repeat(30));
        let page =
            format!("<!doctype html><title>Frost</title>{}", paragraph.repeat(READ_PAGE / paragraph.len()));
        let elsewhere = setup.floor_a("read-by-attackers", page.as_bytes())?;
        Ok(Attackers { attackers, elsewhere, photograph })
    }

    /// A request of each client.
    fn each(&self, make: impl Fn(&Attacker) -> Template) -> Vec<Template> {
        self.attackers.iter().flat_map(|attacker| std::iter::repeat_n(make(attacker), EACH)).collect()
    }

    fn calls(&self, method: &str, path: &str, body: Option<&str>) -> Vec<Template> {
        self.each(|attacker| call(attacker, method, path, body))
    }

    /// Those of programs, with a key or without.
    pub fn of_programs(&self) -> Vec<Attack> {
        let zeros = format!(r#"{{"actions":[{}0]}}"#, "0,".repeat(150_000));
        let words = (0..180).map(|number| format!("w{}", number % 97)).collect::<Vec<_>>().join("%20");
        let search = format!("/v0/persons/search?query={words}&limit=100");
        let large = large_page().to_string();
        let stranger = Template::new("GET", "/openapi.json", None, "none", &Arc::default());
        let lists = self.calls("GET", "/v0/pages?limit=100", None);
        let read = |name, requests| Attack { name, requests, reads: true };
        let unread = |name, requests| Attack { name, requests, reads: false };
        let mut attacks = vec![
            read("bodies of 300 KB that break every rule", self.calls("POST", "/v0/pages", Some(&zeros))),
            read("lists of large pages", lists.clone()),
            unread("lists of large pages that nobody reads", lists),
            read("searches of 180 words", self.calls("GET", &search, None)),
            read("pages of a megabyte that are made", self.calls("POST", "/v0/pages", Some(&large))),
            read("requests for /openapi.json without a key", vec![stranger.clone(); ATTACKERS * EACH]),
            unread("pipelined requests whose answers nobody reads", vec![stranger.repeated(100); 50]),
        ];
        let all = attacks.iter().flat_map(|attack| attack.requests.iter().step_by(4).cloned()).collect();
        attacks.push(read("all of these at once", all));
        let file = "x".repeat(LARGE_FILE);
        let upload = |name: &'static str, bytes: &[u8]| {
            self.each(|attacker| Template::upload(&format!("/v0/files?name={name}"), &attacker.key, bytes))
        };
        let queries = |attacker: &Attacker| {
            let searches = knowledge::queries(16).into_iter().map(|query| {
                call(attacker, "POST", "/v0/knowledge/search", Some(&json!({ "query": query }).to_string()))
            });
            Template::any_of(searches.collect())
        };
        let entry = json!({ "content": { "type": "url", "name": null, "icon": null, "aiSummary": null,
            "url": format!("http://{}/page", self.elsewhere.address) } });
        let entries = |attacker: &Attacker| call(attacker, "POST", &attacker.topic, Some(&entry.to_string()));
        attacks.extend([
            read("uploads of 16 MB", upload("large.bin", file.as_bytes())),
            read("uploads of photographs, whose variants are made", upload("orchard.jpg", &self.photograph)),
            read("searches of knowledge of 16 words", self.each(queries)),
            read("entries of addresses that are read", self.each(entries)),
            read("page links with 10,000 routes", self.each(|attacker| link(attacker, ROUTES[0]))),
            read("page links with 100 routes that are made", self.each(|attacker| link(attacker, ROUTES[1]))),
        ]);
        attacks
    }

    /// Those of visitors of the tenants' sites.
    pub fn of_visitors(&self) -> Vec<Attack> {
        let variants = |attacker: &Attacker| Template::visit(&attacker.host, &attacker.variant, "identity");
        let read = |name, requests| Attack { name, requests, reads: true };
        vec![
            read("reports of page views", self.each(report_of_view)),
            read("forms that are sent", self.each(form)),
            read("questions", self.each(question)),
            read("pictures asked for in variants", self.each(variants)),
        ]
    }
}

fn call(attacker: &Attacker, method: &str, path: &str, body: Option<&str>) -> Template {
    Template::new(method, path, body, &attacker.key, &Arc::default())
}

/// A link with so many routes.
fn link(attacker: &Attacker, routes: usize) -> Template {
    let route = json!({ "audienceId": attacker.shown.audiences[0], "weight": 1 });
    let target = json!({ "targetType": "page_routing", "pageId": attacker.shown.page, "routingTable": vec![route; routes] });
    let body = json!({ "path": format!("/go/{}", sample::SERIAL), "target": target });
    call(attacker, "POST", "/v0/page_links", Some(&body.to_string()))
}

fn report_of_view(attacker: &Attacker) -> Template {
    let body = json!({
        "v": format!("{:023}{}", 0, sample::SERIAL), "p": attacker.shown.page, "a": attacker.shown.audiences[0],
        "t": 12_000, "e": 9_000, "s": 55, "c": 2, "x": [], "q": [], "l": "/", "r": "", "w": false, "k": true,
    });
    visitor(attacker, "/.pagesmith/v", ("text/plain", "*/*"), &body.to_string())
}

fn form(attacker: &Attacker) -> Template {
    let body = format!(
        "{}&ps.action=call&name=Ida+Holm&email=ida-{}%40holm.example&message=A+call.",
        place(attacker),
        sample::SERIAL
    );
    // With script: without it a visitor is led to a page that thanks, which would be counted as a refusal.
    visitor(attacker, "/.pagesmith/f", (FORM, "application/json"), &body)
}

fn question(attacker: &Attacker) -> Template {
    let ask = |question: String| {
        let question = question.replace(' ', "+").replace('?', "%3F");
        visitor(attacker, "/.pagesmith/q", (FORM, "text/html"), &format!("{}&q={question}", place(attacker)))
    };
    Template::mixed(knowledge::questions(20).into_iter().map(ask).collect())
}

const FORM: &str = "application/x-www-form-urlencoded";

fn place(attacker: &Attacker) -> String {
    format!("ps.page={}&ps.audience={}", attacker.shown.page, attacker.shown.audiences[0])
}

/// What somebody new sends: of that type, for an answer of that type.
fn visitor(attacker: &Attacker, path: &str, (kind, accepted): (&str, &str), body: &str) -> Template {
    let forwarded = format!("2001:db8:{ADDRESS}::1");
    let heads = [
        ("user-agent", BROWSER),
        ("content-type", kind),
        ("accept", accepted),
        ("sec-fetch-site", "same-origin"),
        ("x-forwarded-for", forwarded.as_str()),
    ];
    Template::post(&attacker.host, path, &heads, body)
}

/// Gives a tenant large pages, persons with long names, knowledge, a page that is shown, and a picture with variants.
fn fill(server: &Server, key: String, host: String, photograph: &[u8]) -> Result<Attacker> {
    let tenant = Caller::new(server, &key);
    for _ in 0..LARGE_PAGES {
        tenant.ask("POST", "/v0/pages", Some(&large_page()))?;
    }
    for person in 0..10 {
        let name: Vec<String> = (0..60).map(|number| format!("w{}", (number + person) % 97)).collect();
        let body = json!({ "name": name.join(" "), "email": format!("long-{person}@northwind.example") });
        tenant.ask("POST", "/v0/persons", Some(&body))?;
    }
    let topic = knowledge::send(server, &key, CHUNKS)?;
    let shown = shown(&tenant, 1)?;
    let settings = json!({ "isShown": true, "perVisitor": 1_000_000, "perPage": 1_000_000_000, "perTenant": 1_000_000_000 });
    tenant.ask("PUT", "/v0/question_settings", Some(&settings))?;
    let page = pictures::shown(&tenant, photograph)?;
    let variants = pictures::variants_on(server, &host, &page)?;
    let variant = variants.into_iter().next().ok_or("a picture without variants")?;
    Ok(Attacker { key, host, shown, topic, variant })
}

/// A page of about a mebibyte: the longest context that is taken.
fn large_page() -> Value {
    json!({
        "name": "Large", "brandId": "", "pageContext": "\u{1f600}".repeat(200_000),
        "actions": [], "actionCardWidgets": [], "scripts": []
    })
}
