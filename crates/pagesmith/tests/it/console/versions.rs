//! The versions of an audience on screens: when they go live, who did what, how two differ, and how far one is that is being written.

use std::time::Duration;

use pagesmith_agent::AgentError;
use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use pagesmith_worker::generation;
use serde_json::{Value, json};

use super::browser::Browser;
use super::making::make;
use crate::versions::{Actor, Then, begin_writing};

/// The API's path of an audience with this address in the console.
fn api(audience: &str) -> String {
    format!("/v0{}", audience.strip_prefix("/console/t/acme").unwrap())
}

/// The ids of the versions of an audience, the newest first.
async fn versions(app: &TestApp, audience: &str) -> Vec<String> {
    let listed = app.client().get(&format!("{}/versions", api(audience))).await.expect(200).json();
    let id = |version: &Value| version["versionId"].as_str().unwrap().to_owned();
    listed["items"].as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn a_schedule_is_set_told_and_cancelled() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    app.write_versions().await;
    let version = versions(&app, &audience).await.remove(0);
    let kept = format!("{}/versions/{version}/schedule", api(&audience));
    let shown = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert!(shown.contains("type=\"datetime-local\"") && shown.contains("Time zone: UTC"), "{shown}");

    let day = app.platform.context().now.plus(Duration::from_hours(48)).to_string()[..10].to_owned();
    let at = format!("{day}T08:30");
    let send = [("version", version.as_str()), ("zone", "UTC"), ("publishAt", &at), ("unpublishAt", "")];
    browser.send(&format!("{audience}/schedule"), &send).await.expect(303);
    let schedule = app.client().get(&kept).await.expect(200).json();
    assert_eq!(
        (&schedule["publishAt"], &schedule["unpublishAt"]),
        (&json!(format!("{at}:00.000Z")), &Value::Null)
    );
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    for (address, from) in [(audience.clone(), "audience"), (format!("{audience}/versions"), "versions")] {
        let told = browser.open(&address).await.expect(200).text();
        assert!(told.contains("Version 1: will be published:") && told.contains("08:30"), "{told}");
        let from = format!("name=\"from\" value=\"{from}\"");
        assert!(told.contains(&format!("{audience}/unschedule")) && told.contains(&from), "{told}");
        let looked = viewer.open(&address).await.expect(200).text();
        assert!(looked.contains("will be published:") && !looked.contains("/unschedule"), "{looked}");
    }
    // The form shows what is set, so that sending it keeps it.
    let shown = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert!(shown.contains(&format!("value=\"{at}\"")), "{shown}");

    let cancel = [("version", version.as_str()), ("from", "audience")];
    let done = browser.send(&format!("{audience}/unschedule"), &cancel).await.expect(303);
    assert_eq!(done.header("location"), Some(format!("{audience}?done=unscheduled").as_str()));
    let told = browser.follow(done.header("location").unwrap()).await.expect(200).text();
    assert!(told.contains("The schedule is cancelled") && !told.contains("will be published:"), "{told}");
    app.client().get(&kept).await.expect(404);
}

#[tokio::test]
async fn a_time_is_taken_in_the_zone_that_the_form_names() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    app.write_versions().await;
    let version = versions(&app, &audience).await.remove(0);
    let day = app.platform.context().now.plus(Duration::from_hours(48)).to_string()[..10].to_owned();
    let at = format!("{day}T08:30");
    let send = [("version", version.as_str()), ("zone", "Asia/Kolkata"), ("publishAt", &at)];
    browser.send(&format!("{audience}/schedule"), &send).await.expect(303);
    let kept = format!("{}/versions/{version}/schedule", api(&audience));
    let schedule = app.client().get(&kept).await.expect(200).json();
    assert_eq!(schedule["publishAt"], format!("{day}T03:00:00.000Z"));
}

#[tokio::test]
async fn a_time_that_cannot_be_comes_back_in_its_field() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    app.write_versions().await;
    let version = versions(&app, &audience).await.remove(0);
    for (zone, at, why) in [
        ("UTC", "soon", "Enter a day and a time"),
        ("Middle/Earth", "2027-01-01T08:00", "Enter a day and a time"),
        ("UTC", "2001-01-01T08:00", "Must be in the future."),
    ] {
        let send = [("version", version.as_str()), ("zone", zone), ("publishAt", at), ("unpublishAt", "")];
        let again = browser.send(&format!("{audience}/schedule"), &send).await.expect(400).text();
        assert!(again.contains(why) && again.contains("aria-invalid=\"true\""), "{why}: {again}");
        assert!(again.contains(&format!("value=\"{at}\"")) && again.contains("<details open>"), "{again}");
        assert!(again.contains(&format!("Time zone: {zone}")), "{again}");
    }
    // What is not there is said so.
    let send = [("version", "version_01jpbz8n4xf5k9w2d7hq3mv6ta"), ("publishAt", "2027-01-01T08:00")];
    browser.send(&format!("{audience}/schedule"), &send).await.expect(404);
}

#[tokio::test]
async fn versions_tell_who_made_and_who_published_them() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    app.write_versions().await;
    let version = versions(&app, &audience).await.remove(0);
    let shown = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert_eq!(shown.matches("Olga Owner</bdi>").count(), 2, "created, and in the history: {shown}");
    app.client()
        .post(&format!("{}/versions/{version}/publish", api(&audience)), &json!({}))
        .await
        .expect(200);
    let shown = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    let line = shown.split("Published <time").nth(1).unwrap().split("</span>").next().unwrap();
    assert!(line.contains("<bdi>Key test</bdi>"), "{shown}");
    assert!(
        shown.contains("<summary>History</summary>") && shown.contains("<bdi>The server</bdi>"),
        "{shown}"
    );
    // Keys are the owners' to see.
    let shown = Browser::with_role(&app, Role::Editor).await.open(&format!("{audience}/versions")).await;
    let shown = shown.expect(200).text();
    assert!(shown.contains("Olga Owner") && !shown.contains("Key test"), "{shown}");
}

#[tokio::test]
async fn any_two_versions_are_compared() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    let one = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert!(!one.contains("name=\"from\""), "{one}");
    let none = browser.open(&format!("{audience}/compare")).await.expect(200).text();
    assert!(none.contains("There is only one version."), "{none}");
    for _ in 0..2 {
        browser.send(&format!("{audience}/rewrite"), &[]).await.expect(303);
        app.write_versions().await;
    }
    let ids = versions(&app, &audience).await;
    let shown = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert!(shown.contains(&format!("action=\"{audience}/compare\"")), "{shown}");
    for id in &ids {
        assert_eq!(shown.matches(&format!("<option value=\"{id}\"")).count(), 2, "{shown}");
    }
    let chosen = format!("{audience}/compare?from={}&to={}", ids[2], ids[0]);
    let led = browser.open(&chosen).await.expect(303);
    assert_eq!(led.header("location"), Some(format!("{audience}/compare/{}/{}", ids[2], ids[0]).as_str()));
    browser.follow(&chosen).await.expect(200);
    for half in ["", "?from=", "?from=../x&to="] {
        let asked = browser.open(&format!("{audience}/compare{half}")).await.expect(200).text();
        assert!(asked.contains("<select id=\"compare-from\""), "{half}: {asked}");
    }
    browser.follow(&format!("{audience}/compare?from=../x&to=y")).await.expect(404);
}

#[tokio::test]
async fn what_has_changed_between_two_versions_is_named() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    let page = |title: &str, cards: &[&str], quote: &str| {
        let cards: Vec<Value> =
            cards.iter().map(|title| json!({ "title": title, "text": "Said." })).collect();
        let blocks = json!([
            { "type": "hero", "blockId": "a", "title": title },
            { "type": "feature-cards", "blockId": "b", "cards": cards },
            { "type": "text", "blockId": "c", "markdown": quote },
        ]);
        let content = json!({ "head": { "title": title }, "blocks": blocks });
        serde_json::from_value::<pagesmith_model::content::Content>(content).unwrap()
    };
    let mut tools = app.tools();
    let first = page("Fewer sheets", &["Plan", "Close"], "Kept.");
    tools.generation.agent = Actor::new(move |_, _| Then::Writes(Box::new(first.clone())));
    generation::drain(&tools).await.unwrap();
    browser.send(&format!("{audience}/rewrite"), &[]).await.expect(303);
    let second = page("No sheets", &["Plan", "Close early"], "Kept.");
    tools.generation.agent = Actor::new(move |_, _| Then::Writes(Box::new(second.clone())));
    generation::drain(&tools).await.unwrap();
    let ids = versions(&app, &audience).await;
    let shown = browser.open(&format!("{audience}/compare/{}/{}", ids[1], ids[0])).await.expect(200).text();
    for told in [
        "Search and sharing",
        "<strong>Title in search results</strong>: <del>Fewer</del><ins>No</ins> sheets",
        "Changed · Opening",
        "<strong>Heading</strong>: <del>Fewer</del>",
        "Changed · Cards",
        "<strong>Card 2 · Heading</strong>: Close<ins> early</ins>",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("feature-cards") && !shown.contains("Kept."), "{shown}");
}

#[tokio::test]
async fn it_is_told_how_far_the_writing_is() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, audience) = make(&mut browser).await;
    let version = versions(&app, &audience).await.remove(0);
    let progress = format!("{}/versions/{version}/progress", api(&audience));
    let (writing, _stop, _) = begin_writing(&app, &progress).await;
    for address in [audience.clone(), format!("{audience}/versions")] {
        let shown = browser.open(&address).await.expect(200).text();
        assert!(shown.contains("The page is being written. 2 blocks are finished."), "{address}: {shown}");
    }
    // Each screen that shows the version follows it, and stops when nothing is written any more.
    let events = format!("data-events=\"{audience}/versions/{version}/events?since=");
    let screens = [audience.clone(), format!("{audience}/versions")];
    for address in &screens {
        let shown = browser.open(address).await.expect(200).text();
        assert!(shown.contains(&events), "{address}: {shown}");
    }
    browser.send(&format!("{audience}/cancel"), &[("version", &version)]).await.expect(303);
    writing.abort();
    for address in &screens {
        let shown = browser.open(address).await.expect(200).text();
        assert!(!shown.contains(&events), "{address}: {shown}");
        assert!(shown.contains("Writing was cancelled by Olga Owner."), "{address}: {shown}");
    }
    let shown = browser.open(&page).await.expect(200).text();
    assert!(!shown.contains("cancelled by"), "{shown}");
}

#[tokio::test]
async fn a_version_that_could_not_be_written_says_why() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    let mut tools = app.tools();
    tools.generation.agent = Actor::new(|_, _| Then::Fails(AgentError::retry(None, "<busy> today")));
    generation::drain(&tools).await.unwrap();
    app.advance(Duration::from_secs(10));
    generation::drain(&tools).await.unwrap();
    let shown = browser.open(&audience).await.expect(200).text();
    assert!(shown.contains("This is attempt 2.") && shown.contains("&lt;busy&gt; today"), "{shown}");
    app.advance(Duration::from_secs(10));
    generation::drain(&tools).await.unwrap();
    for address in [audience.clone(), format!("{audience}/versions")] {
        let shown = browser.open(&address).await.expect(200).text();
        assert!(
            shown.contains("Writing failed.") && shown.contains("&lt;busy&gt; today"),
            "{address}: {shown}"
        );
        assert!(!shown.contains("cancelled by"), "{address}: {shown}");
    }
}

#[tokio::test]
async fn what_of_the_brief_is_not_on_the_page_is_listed() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    let content = json!({
        "head": { "title": "Fewer sheets", "unappliedInstructions": ["Make it <b>pop</b>.", "They moan about price."] },
        "blocks": [{ "type": "hero", "blockId": "a", "title": "Fewer sheets" }],
    });
    let content = serde_json::from_value::<pagesmith_model::content::Content>(content).unwrap();
    let mut tools = app.tools();
    tools.generation.agent = Actor::new(move |_, _| Then::Writes(Box::new(content.clone())));
    generation::drain(&tools).await.unwrap();
    for address in [audience.clone(), format!("{audience}/versions")] {
        let shown = browser.open(&address).await.expect(200).text();
        for told in
            ["2 parts of the text are not on the page", "Make it &lt;b&gt;pop", "They moan about price."]
        {
            assert!(shown.contains(told), "{told}, {address}: {shown}");
        }
    }
    // Nothing is said where nothing was kept back.
    let (_, other) = make(&mut browser).await;
    tools.generation.agent = Actor::new(|_, _| {
        let content = json!({ "blocks": [{ "type": "hero", "blockId": "a", "title": "All of it" }] });
        Then::Writes(Box::new(serde_json::from_value(content).unwrap()))
    });
    generation::drain(&tools).await.unwrap();
    let shown = browser.open(&other).await.expect(200).text();
    assert!(!shown.contains("not on the page"), "{shown}");
}
