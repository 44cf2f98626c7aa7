//! What screens tell of what was used and of what became of it: usage, keys, health, versions that failed, deliveries, and what others show of a page.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::AgentError;
use pagesmith_operations::installation::{Examination, Examining, Finding, Level};
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::{Receiver, TestApp};
use pagesmith_worker::generation;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::Browser;
use super::making::make;
use crate::versions::{Actor, Then};
use crate::visits::Scene;

const ROOT: &str = "/console/t/acme";

/// The texts of the elements that a selector finds.
fn texts(screen: &str, selector: &str) -> Vec<String> {
    let html = Html::parse_document(screen);
    let told = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    html.select(&Selector::parse(selector).unwrap()).map(|one| told(one.text().collect())).collect()
}

#[tokio::test]
async fn usage_tells_what_there_is_and_what_happened_in_each_month() {
    let scene = Scene::start().await;
    let client = &scene.client;
    for at in 0..3 {
        let person = json!({ "name": format!("Person {at}"), "email": format!("p{at}@example.com") });
        client.post("/v0/persons", &person).await.expect(201);
    }
    client.upload("prices.txt", &[b'a'; 2_048]).await.expect(201);
    crate::visits::page(client, "Autumn").await;
    for view in 1..=2 {
        assert_eq!(scene.send_as(&scene.browser(100 + view), u128::from(view), &json!({})).await, None);
    }
    scene.after(31).await;
    let usage = client.get("/v0/usage").await.expect(200).json();
    let screen =
        Browser::owner(&scene.app).await.open(&format!("{ROOT}/settings/usage")).await.expect(200).text();
    let figures = texts(&screen, "dl.cards .card");
    let quota = figures.iter().find_map(|figure| figure.strip_prefix("Storage")).unwrap();
    assert!(quota.contains(" / ") && quota.starts_with('2'), "{quota}");
    for told in ["Pages2", "Persons3", "Accounts1", "Users1", "Files1", "Budget of this monthNo limit"] {
        let is_told = figures.iter().any(|figure| figure.replace(' ', "") == told.replace(' ', ""));
        assert!(is_told, "{told}: {figures:?}");
    }
    let months = usage["months"].as_array().unwrap();
    let rows = texts(&screen, "table.rows tbody tr");
    assert_eq!(rows.len(), months.len());
    let month = &months[0];
    assert_eq!((&month["visits"], &month["month"]), (&json!(2), &json!("2026-03")), "{month}");
    let cells = texts(&screen, "table.rows tbody tr:first-child :is(th, td)");
    let names = ["versions", "visits", "deliveries", "tries", "inputTokens", "outputTokens"];
    let numbers = names.map(|name| month[name].to_string());
    assert_eq!(cells[0], "2026-03");
    assert_eq!(cells[1..7], numbers);
}

#[tokio::test]
async fn a_key_tells_when_it_was_used_last() {
    let app = TestApp::start().await;
    let body = json!({ "name": "Nightly export", "scope": "read" });
    let issued = app.client().post("/v0/keys", &body).await.expect(201).json();
    app.refresh().await;
    let mut browser = Browser::owner(&app).await;
    let cells = async |browser: &mut Browser| {
        let screen = browser.open(&format!("{ROOT}/settings/keys")).await.expect(200).text();
        texts(&screen, &format!("tr[id='keys-{}'] :is(th, td)", issued["key"]["keyId"].as_str().unwrap()))
    };
    let before = cells(&mut browser).await;
    assert_eq!((before[0].as_str(), before[4].as_str()), ("Nightly export", "Never"), "{before:?}");
    app.advance(Duration::from_hours(3));
    app.client_with(issued["secret"].as_str().unwrap()).get("/v0/pages").await.expect(200);
    app.run_due_work().await;
    app.advance(Duration::from_hours(2));
    let after = cells(&mut browser).await;
    assert_eq!((after[3].as_str(), after[4].as_str()), ("5 hours ago", "2 hours ago"), "{after:?}");
}

/// Finds the same each time.
struct Finds;

impl Examination for Finds {
    fn examine(&self) -> Examining<'_> {
        let found = vec![
            Finding::new("database", Level::Ok, "SQLite answers."),
            Finding::new("disk", Level::Warn, "Only <5 GB> are free."),
            Finding::new("clock", Level::Fail, "The clock is wrong by an hour."),
        ];
        Box::pin(std::future::ready(found))
    }
}

#[tokio::test]
async fn an_examination_tells_what_was_found_and_how_bad_it_is() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let none = browser.open("/console/operator/health").await.expect(200).text();
    assert!(!none.contains("Examine now"), "nobody examines: {none}");
    assert!(app.state.examination.set(Arc::new(Finds)).is_ok());
    let before = browser.open("/console/operator/health").await.expect(200).text();
    assert!(before.contains("Examine now") && !before.contains("SQLite answers."), "{before}");
    let found = browser.send("/console/operator/health", &[]).await.expect(200).text();
    let told: Vec<(String, String)> =
        texts(&found, "li.card .badge").into_iter().zip(texts(&found, "li.card p")).collect();
    let expected = [
        ("In order", "SQLite answers."),
        ("Warning", "Only <5 GB> are free."),
        ("Broken", "The clock is wrong by an hour."),
    ];
    assert_eq!(told, expected.map(|(level, detail)| (level.to_owned(), detail.to_owned())));
    let checks = texts(&found, "li.card strong");
    assert_eq!(checks[1..], ["There is room on the disk", "The clock is right"]);
}

#[tokio::test]
async fn a_version_that_could_not_be_written_waits_on_the_start() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    let waiting = browser.open(ROOT).await.expect(200).text();
    assert!(!waiting.contains("Not written"), "{waiting}");
    let mut tools = app.tools();
    tools.generation.agent = Actor::new(|_, _| Then::Fails(AgentError::retry(None, "busy today")));
    for _ in 0..3 {
        generation::drain(&tools).await.unwrap();
        app.advance(Duration::from_secs(10));
    }
    let start = browser.open(ROOT).await.expect(200).text();
    let waits = texts(&start, "section:first-of-type > ul > li");
    assert!(waits.len() == 1 && waits[0].starts_with("Not written Office breakfast"), "{waits:?}");
    assert!(start.contains(&format!("href=\"{audience}\"")), "{start}");
}

#[tokio::test]
async fn a_delivery_tells_what_was_answered_at_each_attempt() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (mut browser, receiver) = (Browser::owner(&app).await, Receiver::start().await);
    let hook = json!({ "url": receiver.url() });
    let hook = app.client().post("/v0/webhook_subscriptions", &hook).await.expect(201).json();
    let api = format!("/v0/webhook_subscriptions/{}", hook["subscriptionId"].as_str().unwrap());
    app.client().post(&format!("{api}/test"), &json!({})).await.expect(201);
    let sent = app.client().get(&format!("{api}/deliveries")).await.expect(200).json();
    let delivery = sent["items"][0]["deliveryId"].as_str().unwrap();
    let path = format!(
        "{}/deliveries/{delivery}",
        api.replace("/v0/webhook_subscriptions", "/console/t/acme/webhooks")
    );
    let none = browser.open(&path).await.expect(200).text();
    assert!(texts(&none, "ol.plain > li").is_empty(), "{none}");
    let answer = |status: u16, body: &str| Script { body: body.to_owned(), ..Script::status(status) };
    receiver.answer([answer(500, "The <database> is away."), answer(202, "Taken.")]);
    app.deliver().await;
    let failed = browser.open(&path).await.expect(200).text();
    let attempts = texts(&failed, "ol.plain > li");
    assert!(attempts.len() == 1 && attempts[0].starts_with("500 "), "{attempts:?}");
    assert!(attempts[0].contains(" ms") && attempts[0].ends_with("The <database> is away."), "{attempts:?}");
    assert!(failed.contains("Next attempt"), "{failed}");
    app.advance(Duration::from_hours(1));
    app.deliver().await;
    let arrived = browser.open(&path).await.expect(200).text();
    let mut attempts = texts(&arrived, "ol.plain > li");
    attempts.sort();
    assert!(
        attempts.len() == 2 && attempts[0].starts_with("202 ") && attempts[0].ends_with("Taken."),
        "{attempts:?}"
    );
    assert!(arrived.contains("Delivered") && !arrived.contains("Next attempt"), "{arrived}");
    // What was sent stands there as well.
    let event =
        app.client().get(&format!("/v0/events/{}", sent["items"][0]["eventId"].as_str().unwrap())).await;
    let body: Value = serde_json::from_str(&texts(&arrived, "section pre code")[0]).unwrap();
    assert_eq!(body, event.expect(200).json());
}

#[tokio::test]
async fn what_others_show_of_a_page_is_shown_as_they_would() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let page = crate::audiences::page(&app.client()).await;
    let screen = format!("/console/t/acme{}/edit/metadata", page.trim_start_matches("/v0"));
    let cards = |screen: &str| texts(screen, "section[aria-labelledby=found-title] figure.card");
    // Without metadata, the page speaks for itself.
    let bare = cards(&browser.open(&screen).await.expect(200).text());
    let name = app.client().get(&page).await.expect(200).json()["name"].as_str().unwrap().to_owned();
    assert_eq!(bare.len(), 2);
    for card in &bare {
        assert!(
            card.contains(&name) && card.contains("The description that the page itself gives."),
            "{bare:?}"
        );
    }
    let (long, words) = ("Forecasts ".repeat(10), "Word ".repeat(50));
    let metadata = json!({ "title": long.trim(), "description": words.trim(), "canonicalUrl": "https://acme.example/forecasts",
        "ogTitle": "See <ahead>", "ogDescription": "For teams.", "robots": ["noindex"] });
    app.client().patch(&page, &json!({ "metadata": metadata })).await.expect(200);
    let shown = cards(&browser.open(&screen).await.expect(200).text());
    let cut = |text: &str, most: usize| format!("{}…", text.chars().take(most - 1).collect::<String>());
    let squeezed = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown[0].contains("https://acme.example/forecasts"), "{shown:?}");
    assert!(shown[0].contains(&squeezed(cut(long.trim(), 60))), "{shown:?}");
    assert!(shown[0].contains(&squeezed(cut(words.trim(), 155))), "{shown:?}");
    assert!(shown[0].ends_with("Search engines are told to leave it out."), "{shown:?}");
    assert_eq!(shown[1], "On social networksacme.exampleSee <ahead>For teams.");
}
