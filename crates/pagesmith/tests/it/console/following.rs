//! Screens hear of what happens after they were opened, whoever does it, and show it when they are drawn again.

use std::time::Duration;

use http_body_util::BodyExt;
use pagesmith_testkit::samples::forms::shown;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::browser::{Browser, events_of};
use crate::topics::entries;
use crate::visits::Scene;

/// How soon an event must be heard of what has happened already.
const SOON: Duration = Duration::from_secs(10);
const ROOT: &str = "/console/t/acme";

/// A screen with a live part that somebody has opened.
struct Opened<'a> {
    app: &'a TestApp,
    browser: Browser,
    path: String,
    part: &'static str,
    events: String,
}

impl<'a> Opened<'a> {
    async fn new(app: &'a TestApp, browser: Browser, path: &str, part: &'static str) -> Opened<'a> {
        let mut opened = Opened { app, browser, path: format!("{ROOT}{path}"), part, events: String::new() };
        opened.draw().await;
        opened
    }

    /// The screen as it is now.
    async fn draw(&mut self) -> String {
        let screen = self.browser.open(&self.path).await.expect(200).text();
        self.events = events_of(&screen, self.part);
        screen
    }

    /// The screen that is drawn when it hears of a change. It must have heard, and show this text.
    async fn hears(&mut self, told: &str) -> String {
        let mut events = self.browser.listen(self.app, &self.events).await;
        let first = timeout(SOON, events.frame()).await;
        let first = first.unwrap_or_else(|_| panic!("{} heard nothing of {told}", self.path));
        let first = first.unwrap().unwrap().into_data().unwrap();
        assert!(first.starts_with(b"event: "), "{}: {first:?}", self.path);
        let screen = self.draw().await;
        let part = screen.split("<live-part").nth(1).unwrap().split("</live-part>").next().unwrap();
        assert!(part.contains(told), "{} does not show {told}: {part}", self.path);
        screen
    }
}

/// A page with an audience whose version is a draft; their paths.
async fn draft(app: &TestApp) -> (String, String) {
    let client = app.client();
    let page = crate::audiences::page(&client).await;
    let body = json!({ "customName": "Bakers", "publishBehavior": "draft" });
    let audience = crate::audiences::audience(&client, &page, &body).await;
    app.write_versions().await;
    (page.trim_start_matches("/v0").to_owned(), audience.trim_start_matches("/v0").to_owned())
}

/// The path of the newest version in the API.
async fn newest(client: &Client, audience: &str) -> String {
    let versions = client.get(&format!("/v0{audience}/versions")).await.expect(200).json();
    format!("/v0{audience}/versions/{}", versions["items"][0]["versionId"].as_str().unwrap())
}

#[tokio::test]
async fn a_version_that_is_begun_published_or_scheduled_elsewhere_is_heard_of() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut owner = Some(Browser::owner(&app).await);
    for (screen, part) in [("page", "list-live"), ("audience", "audience"), ("versions", "versions")] {
        let (page, audience) = draft(&app).await;
        let path = match screen {
            "page" => page,
            "audience" => audience.clone(),
            _ => format!("{audience}/versions"),
        };
        let mut opened = Opened::new(&app, owner.take().unwrap(), &path, part).await;
        let version = newest(&client, &audience).await;
        if screen != "page" {
            // The list of a page's audiences says nothing of schedules.
            let times = json!({ "publishAt": "2026-04-01T08:00:00Z" }).to_string().into_bytes();
            client.send("PUT", &format!("{version}/schedule"), Some(times)).await.expect(200);
            opened.hears("will be published").await;
            client.delete(&format!("{version}/schedule")).await.expect(200);
            opened.hears("").await;
        }
        client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
        opened.hears("Published").await;
        if screen == "page" {
            // The list says what visitors see of an audience; it is told of a version that is begun, and of a new audience.
            client.post(&format!("/v0{audience}/versions"), &json!({})).await.expect(201);
            opened.hears("").await;
            let page = audience.split("/audiences").next().unwrap();
            crate::audiences::audience(&client, &format!("/v0{page}"), &json!({ "customName": "Brewers" }))
                .await;
            opened.hears("Brewers").await;
        } else {
            client.post(&format!("/v0{audience}/versions"), &json!({})).await.expect(201);
            let begun = opened.hears("Waiting").await;
            // Begun, it is followed as well.
            assert!(begun.contains("/versions/version_"), "{begun}");
        }
        app.write_versions().await;
        opened.hears(if screen == "page" { "" } else { "Draft" }).await;
        owner = Some(opened.browser);
    }
}

#[tokio::test]
async fn while_a_version_is_written_the_screens_hear_of_the_others() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut owner = Some(Browser::owner(&app).await);
    for (end, part) in [("", "audience"), ("/versions", "versions")] {
        let (_, audience) = draft(&app).await;
        let version = newest(&client, &audience).await;
        client.post(&format!("/v0{audience}/versions"), &json!({})).await.expect(201);
        let path = format!("{audience}{end}");
        let mut opened = Opened::new(&app, owner.take().unwrap(), &path, part).await;
        assert!(opened.events.contains("/versions/version_"), "{}", opened.events);
        client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
        opened.hears("").await;
        owner = Some(opened.browser);
    }
}

#[tokio::test]
async fn visits_are_heard_of_on_start_and_in_the_list_of_pages() {
    let scene = Scene::start().await;
    let mut opened = Opened::new(&scene.app, Browser::owner(&scene.app).await, "/visits", "list-live").await;
    assert_eq!(scene.send_as(&scene.browser(101), 1, &json!({})).await, None);
    opened.hears("<td class=\"number\">1</td>").await;
    let mut opened = Opened::new(&scene.app, opened.browser, "", "start").await;
    assert_eq!(scene.send_as(&scene.browser(102), 2, &json!({})).await, None);
    opened.hears("2 visits in 7 days").await;
}

#[tokio::test]
async fn what_was_read_is_heard_of() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut owner = Some(Browser::owner(&app).await);
    let file = client.upload("prices.txt", b"Nine euros.").await.expect(201).json();
    let file = json!({ "content": { "type": "file", "fileId": file["fileId"], "aiSummary": null } });
    for (body, read) in [(entries::page("ftp://acme.example/"), "Not read"), (file, "Ready")] {
        let (topic, list) = entries::topic(&client, "About us").await;
        let entry = entries::make(&client, &list, &body).await;
        let topic = format!("/knowledge/{}", topic["topicId"].as_str().unwrap());
        let entry = format!("{topic}/entries/{}", entry["topicEntryId"].as_str().unwrap());
        let mut screens = Vec::new();
        let of_page = read == "Not read";
        // The list of topics says of files nothing but that they are there.
        for (path, part) in
            [("/knowledge", "list-live"), (topic.as_str(), "list-live"), (entry.as_str(), "entry")]
                .into_iter()
                .filter(|(path, _)| of_page || *path != "/knowledge")
        {
            let browser = owner.take().unwrap();
            let opened = Opened::new(&app, browser, path, part).await;
            screens.push((opened.path, opened.part, opened.events));
            owner = Some(opened.browser);
        }
        app.run_due_work().await;
        app.advance(Duration::from_secs(3));
        app.run_due_work().await;
        for (path, part, events) in screens {
            let told = if path.ends_with("/knowledge") { "1 not read" } else { read };
            let mut opened = Opened { app: &app, browser: owner.take().unwrap(), path, part, events };
            opened.hears(told).await;
            owner = Some(opened.browser);
        }
    }
}

#[tokio::test]
async fn a_domain_that_is_verified_is_heard_of() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut owner = Some(Browser::owner(&app).await);
    for (at, part) in ["list-live", "domain"].into_iter().enumerate() {
        let name = format!("shop{at}.acme.example");
        let added = crate::tenant_domains::add(&client, &name).await;
        let id = added["tenantDomainId"].as_str().unwrap();
        let path = if part == "domain" { format!("/domains/{id}") } else { "/domains".to_owned() };
        let mut opened = Opened::new(&app, owner.take().unwrap(), &path, part).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        for (at, record) in added["records"].as_array().unwrap().iter().enumerate() {
            let (name, value) = (text(&record["name"]), text(&record["value"]));
            if at == 0 {
                app.names.txt(&name, &value);
            } else {
                app.names.cname(&name, &value);
            };
        }
        client.post(&format!("/v0/tenant_domains/{id}/verify"), &json!({})).await.expect(200);
        opened.hears("Active").await;
        owner = Some(opened.browser);
    }
}

#[tokio::test]
async fn a_submission_and_a_webhook_that_is_turned_off_are_heard_of() {
    let app = TestApp::start().await;
    let client = app.client();
    let fields = json!([{ "key": "email", "kind": "email", "label": "E-mail", "required": true }]);
    let form =
        client.post("/v0/forms", &json!({ "name": "Demo", "fields": fields })).await.expect(201).json();
    let form = shown(&client, form["formId"].as_str().unwrap()).await;
    let mut opened = Opened::new(&app, Browser::owner(&app).await, "/forms", "list-live").await;
    form.send(&form.visitor(&client), &[("email", "ada@example.com")]).await.expect(303);
    opened.hears("ada@example.com").await;
    let hook = json!({ "url": "https://hooks.example.com/in" });
    let hook = client.post("/v0/webhook_subscriptions", &hook).await.expect(201).json();
    let hook = format!("/v0/webhook_subscriptions/{}", hook["subscriptionId"].as_str().unwrap());
    let mut opened = Opened::new(&app, opened.browser, "/webhooks", "list-live").await;
    client.patch(&hook, &json!({ "active": false })).await.expect(200);
    opened.hears("Not active").await;
}
