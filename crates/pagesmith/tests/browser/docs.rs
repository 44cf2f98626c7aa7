//! The API's documentation at `/docs`: how it looks, where its links lead, and what its ready-made requests do.

mod requests;
mod samples;

use std::collections::BTreeSet;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use crate::checks;
use crate::driver::{Browser, Scheme, WIDTHS};
use crate::scene::served;

/// One view of each kind.
const VIEWS: [&str; 7] = [
    "",
    "guide/getting-started",
    "guide/api/errors",
    "tag/webhook-events",
    "createPage",
    "listWebhookDeliveries",
    "page.version.published",
];

/// Whether the page is drawn.
const DRAWN: &str = "const done = arguments[0];
    const look = () => (document.querySelector('#content h1') ? done(null) : requestAnimationFrame(look));
    look()";

/// The documentation in a browser, with the server that serves it.
struct Docs {
    app: TestApp,
    browser: Browser,
    origin: String,
    /// So often it was opened.
    opened: std::cell::Cell<u32>,
}

impl Docs {
    async fn start() -> Docs {
        let (app, origin) = served().await;
        Docs { app, browser: Browser::start().await, origin, opened: 0.into() }
    }

    /// Loads the page, at that view.
    async fn load(&self, view: &str) {
        // Another address, so that the browser does not only go to another fragment of the same page.
        self.opened.set(self.opened.get() + 1);
        self.browser.open(&format!("{}/docs?{}#{view}", self.origin, self.opened.get())).await;
        self.browser.ask_later(DRAWN).await;
        self.browser.settled().await;
    }

    /// Goes to another view of the page that is loaded.
    async fn go(&self, view: &str) {
        self.browser.ask(&format!("location.hash = {}", json!(view))).await;
        self.browser.settled().await;
    }

    /// The description that the page shows.
    async fn description(&self) -> Value {
        self.app.anonymous().get("/openapi.json").await.expect(200).json()
    }
}

#[tokio::test]
async fn the_documentation_is_sound_at_every_width() {
    let docs = Docs::start().await;
    for view in VIEWS {
        for width in WIDTHS {
            for scheme in [Scheme::Light, Scheme::Dark] {
                docs.browser.wear(width, scheme).await;
                docs.load(view).await;
                checks::is_sound(&docs.browser, &format!("#{view} at {width}, {scheme:?}")).await;
            }
        }
    }
}

#[tokio::test]
async fn the_documentation_can_be_used_with_the_keyboard() {
    let docs = Docs::start().await;
    docs.browser.wear(1440, Scheme::Light).await;
    for view in ["", "createPersonLog", "guide/webhooks"] {
        docs.load(view).await;
        docs.browser
            .ask("document.querySelectorAll('details.try').forEach((one) => { one.open = true })")
            .await;
        checks::is_walked_with_the_keyboard(&docs.browser, &format!("#{view}")).await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_in_the_documentation() {
    let docs = Docs::start().await;
    for view in VIEWS {
        for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
            docs.browser.wear(width, scheme).await;
            docs.load(view).await;
            docs.browser
                .ask("document.querySelectorAll('details').forEach((one) => { one.open = true })")
                .await;
            docs.browser.settled().await;
            checks::is_accessible(&docs.browser, &format!("#{view} at {width}, {scheme:?}")).await;
        }
    }
}

#[tokio::test]
async fn every_link_of_the_documentation_resolves() {
    let docs = Docs::start().await;
    docs.browser.wear(1440, Scheme::Light).await;
    docs.load("").await;
    let links = "return [...new Set([...document.querySelectorAll('a[href]:not(.skip)')].map((one) => one.getAttribute('href')))]";
    let lost = "return document.querySelector('#content .failed')?.textContent ?? ''";
    let (mut known, mut waiting) = (BTreeSet::new(), vec!["#".to_owned()]);
    while let Some(link) = waiting.pop() {
        if !known.insert(link.clone()) {
            continue;
        }
        if let Some(view) = link.strip_prefix('#') {
            docs.go(view).await;
            assert_eq!(docs.browser.ask(lost).await, "", "{link}");
            if view.starts_with("guide/") {
                let there = format!("return document.getElementById({}) !== null", json!(view));
                let is_guide = view.matches('/').count() == 1;
                assert!(is_guide || docs.browser.ask(&there).await == true, "{link} leads to no section");
            }
            waiting.extend(docs.browser.list(links).await);
        } else if link.starts_with('/') {
            docs.app.anonymous().get(&link).await.expect(200);
        } else {
            assert!(link.starts_with("https://") || link.starts_with("http://127.0.0.1"), "{link}");
        }
    }
    // Everything is reached from the first page.
    let description = docs.description().await;
    for operation in requests::operations(&description) {
        assert!(known.contains(&format!("#{}", operation.id)), "nothing leads to {}", operation.id);
    }
    for event in description["webhooks"].as_object().unwrap().keys() {
        assert!(known.contains(&format!("#{event}")), "nothing leads to {event}");
    }
    for guide in ["getting-started", "api", "webhooks"] {
        assert!(known.contains(&format!("#guide/{guide}")), "nothing leads to {guide}");
    }
    docs.go("noSuchOperation").await;
    assert_ne!(docs.browser.ask(lost).await, "");
    assert_eq!(docs.browser.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_search_finds_guides_operations_and_events() {
    let docs = Docs::start().await;
    docs.browser.wear(1440, Scheme::Light).await;
    docs.load("createPage").await;
    docs.browser.press("/").await;
    assert_eq!(docs.browser.ask("return document.activeElement.id").await, "search");
    for (words, link) in [
        ("idempotency", "#guide/api/idempotency"),
        ("signature secret", "#guide/webhooks/what-you-receive"),
        ("createpersonlog", "#createPersonLog"),
        ("PATCH audiences", "#updateAudience"),
        ("published version", "#page.version.published"),
    ] {
        let search = format!(
            "const search = document.getElementById('search'); search.value = {};
             search.dispatchEvent(new Event('input'));
             return [...document.querySelectorAll('#results a')].map((one) => one.getAttribute('href'))",
            json!(words)
        );
        let found = docs.browser.list(&search).await;
        assert!(found.iter().any(|one| one == link), "{words}: {found:?}");
    }
    docs.browser.press("Escape").await;
    assert_eq!(docs.browser.ask("return document.getElementById('search').value").await, "");
    let search = "const search = document.getElementById('search'); search.value = 'rate limits'; search.dispatchEvent(new Event('input'))";
    docs.browser.ask(search).await;
    docs.browser.press("Enter").await;
    docs.browser.settled().await;
    let focused = "return [location.hash, document.activeElement.id]";
    assert_eq!(docs.browser.ask(focused).await, json!(["#guide/api/rate-limits", "guide/api/rate-limits"]));
}
