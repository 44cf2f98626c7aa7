//! Visits to pages: what reports of page views come to, and what the analytics of a page say of it.

mod bounds;
mod crash;
mod exact;
mod export;
mod hostile;
mod live;
mod persons;
mod settings;
mod values;
mod zones;

use std::time::Duration;

use pagesmith_testkit::samples::visits::{BROWSER, report};
use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

use crate::site::visitor;

/// A server with a page that is shown: an action, a question, and somebody who looks at it.
pub(crate) struct Scene {
    pub app: TestApp,
    pub client: Client,
    pub site: Client,
    pub page: String,
    pub audience: String,
}

const BLOCKS: &str = r#"[
    { "type": "hero", "blockId": "top", "title": "Anvils" },
    { "type": "threads", "blockId": "ask", "question": "What do you do?", "choices": [
        { "label": "Forging", "markdown": "Hot." }, { "label": "Casting", "markdown": "Hotter." }] }]"#;

/// An audience of a page that shows the blocks above; its id.
pub(crate) async fn shown(client: &Client, page: &str, body: &Value) -> String {
    let audience = client.post(&format!("/v0/pages/{page}/audiences"), body).await.expect(201).json();
    let id = audience["audienceId"].as_str().unwrap().to_owned();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let version = format!("/v0/pages/{page}/audiences/{id}/versions/{version}");
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    let content = format!("{{\"blocks\":{BLOCKS}}}");
    client.send("PUT", &format!("{version}/content"), Some(content.into_bytes())).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    id
}

/// A page of that name with an action, without audiences; its id.
pub(crate) async fn page(client: &Client, name: &str) -> String {
    let body = json!({
        "name": name, "pageContext": "What we sell.", "brandId": "", "actionCardWidgets": [], "scripts": [],
        "actions": [
            { "actionId": "read", "purpose": "Read", "buttonTitle": "Read", "actionType": "open-url", "url": "https://acme.example/" },
            { "actionId": "book", "purpose": "Book", "buttonTitle": "Book", "actionType": "open-url", "url": "https://acme.example/book" },
        ],
        "headerActionId": "book",
    });
    let page = client.post("/v0/pages", &body).await.expect(201).json();
    page["pageId"].as_str().unwrap().to_owned()
}

impl Scene {
    pub async fn start() -> Scene {
        Scene::on(TestApp::start().await).await
    }

    /// On this server.
    pub async fn on(app: TestApp) -> Scene {
        let client = app.client();
        let page = page(&client, "Spring launch").await;
        let audience = shown(&client, &page, &json!({})).await;
        let site = visitor(&app, "acme.localhost:8080").with("user-agent", BROWSER);
        Scene { app, client, site, page, audience }
    }

    /// Somebody with another version of the browser.
    pub fn browser(&self, version: u32) -> Client {
        self.agent(&BROWSER.replace("141", &version.to_string()))
    }

    /// Somebody with that browser.
    pub fn agent(&self, user_agent: &str) -> Client {
        visitor(&self.app, "acme.localhost:8080").with("user-agent", user_agent)
    }

    /// A report of the page view of that number, with these fields instead of the usual ones.
    pub fn report(&self, view: u128, fields: &Value) -> Value {
        let mut report = report(&format!("{view:032x}"), &self.page, &self.audience);
        report.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        report
    }

    /// Sends a report; why it is not counted.
    pub async fn send(&self, view: u128, fields: &Value) -> Option<String> {
        self.send_as(&self.site, view, fields).await
    }

    pub async fn send_as(&self, site: &Client, view: u128, fields: &Value) -> Option<String> {
        dropped(&site.post("/.pagesmith/v", &self.report(view, fields)).await)
    }

    pub async fn summary(&self) -> Value {
        self.get("analytics/summary").await
    }

    pub async fn get(&self, path: &str) -> Value {
        self.client.get(&format!("/v0/pages/{}/{path}", self.page)).await.expect(200).json()
    }

    pub async fn sessions(&self) -> Vec<Value> {
        self.get("audience_sessions").await["items"].as_array().unwrap().clone()
    }

    /// Lets time pass, and ends what is over.
    pub async fn after(&self, minutes: u64) {
        self.app.advance(Duration::from_mins(minutes));
        self.app.run_due_work().await;
    }
}

/// Why a report is not counted.
#[track_caller]
pub(crate) fn dropped(answer: &Answer) -> Option<String> {
    assert_eq!(answer.status, 204, "{}", answer.text());
    assert!(answer.bytes.is_empty());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer.header("x-pagesmith-dropped").map(str::to_owned)
}

#[tokio::test]
async fn a_visit_is_told_as_it_was() {
    let scene = Scene::start().await;
    let location = "/spring-launch?utm_source=Mail+list&utm_medium=email&utm_campaign=Fr%C3%BChling&utm_term=a&utm_content=b";
    let first = json!({ "l": location, "r": "https://www.google.com/" });
    let german = scene.site.with("accept-language", "de-CH,de;q=0.9");
    assert_eq!(scene.send_as(&german, 1, &first).await, None);
    let open = scene.sessions().await;
    assert_eq!(
        (&open[0]["computationStatus"], &open[0]["sessionEndedAt"]),
        (&json!("pending"), &Value::Null)
    );
    scene.app.advance(Duration::from_secs(30));
    let more = json!({
        "l": location, "t": 40_000, "e": 31_500, "s": 80, "c": 3, "x": ["book", "nothing"], "q": ["1-1", "1-0", "0-0", "7-1"], "k": true,
    });
    assert_eq!(scene.send(1, &more).await, None);
    scene.after(31).await;

    let mut session = scene.sessions().await.remove(0);
    let id = session["audienceSessionId"].as_str().unwrap().to_owned();
    let one = scene.get(&format!("audience_sessions/{id}")).await;
    assert_eq!(one, session);
    assert_eq!(session["analyticsSessionId"].as_str().unwrap()["analytics".len()..], id);
    for (field, placeholder) in [
        ("audienceSessionId", "[session]"),
        ("analyticsSessionId", "[analytics session]"),
        ("pageId", "[page]"),
        ("audienceId", "[audience]"),
    ] {
        session[field] = json!(placeholder);
    }
    insta::assert_snapshot!(format!("{session:#}"));
    let answers = scene.client.get(&format!("/v0/audience_sessions/{id}/interactions")).await.expect(200);
    insta::assert_snapshot!(format!("{:#}", answers.json()));
    let mut audiences = scene.get("analytics/audiences").await;
    assert_eq!(audiences["items"][0]["audienceId"], scene.audience);
    audiences["items"][0]["audienceId"] = json!("[audience]");
    insta::assert_snapshot!(format!("{:#}\n{audiences:#}", scene.summary().await));
    for (by, value) in [
        ("source", "Mail list"),
        ("campaign", "Frühling"),
        ("referrer", "google.com"),
        ("device", "desktop"),
        ("language", "de"),
        ("audience", &scene.audience),
    ] {
        let breakdown = scene.get(&format!("analytics/breakdown?by={by}")).await;
        assert_eq!(breakdown["items"][0]["value"], value);
        assert_eq!(breakdown["items"][0]["summary"], scene.summary().await);
        assert_eq!(breakdown["other"], Value::Null);
    }
    for interval in ["week", "day", "hour"] {
        let series = scene.get(&format!("analytics/timeseries?interval={interval}")).await;
        assert_eq!(series["items"].as_array().unwrap().len(), 1, "{series}");
        assert_eq!(series["items"][0]["summary"]["totalSessions"], 1);
    }
    let steps = [("seen", 1), ("scrolled_half", 1), ("action", 1), ("form", 0)];
    let steps = steps.map(|(step, count)| json!({ "step": step, "sessions": count, "share": count }));
    assert_eq!(scene.get("analytics/funnel").await["items"], json!(steps));
}

#[tokio::test]
async fn nothing_counts_twice_and_what_is_late_changes_nothing() {
    let scene = Scene::start().await;
    let (early, late) =
        (json!({ "t": 10_000, "e": 9_000, "c": 1 }), json!({ "t": 50_000, "e": 40_000, "c": 2, "s": 90 }));
    scene.send(1, &early).await;
    scene.app.advance(Duration::from_secs(45));
    for fields in [&late, &early, &late, &early] {
        assert_eq!(scene.send(1, fields).await, None);
    }
    let open = scene.sessions().await.remove(0);
    assert_eq!((&open["timeSpentSeconds"], &open["totalClicksCount"]), (&json!(40), &json!(2)));
    assert_eq!(open["maxScrollDepthPercentage"], 90);
    // The session is over, whether or not somebody has closed it yet.
    scene.app.advance(Duration::from_mins(31));
    assert_eq!(scene.send(1, &json!({ "t": 1_900_000, "e": 90_000 })).await.as_deref(), Some("late"));
    scene.after(0).await;
    let closed = scene.sessions().await;
    assert_eq!((closed.len(), &closed[0]["timeSpentSeconds"]), (1, &json!(40)));
    for _ in 0..24 {
        scene.after(60).await;
        assert_eq!(scene.send(1, &late).await.as_deref(), Some("late"));
    }
    assert_eq!(scene.summary().await["totalSessions"], 1);
}

#[tokio::test]
async fn a_visitor_has_one_session_for_as_long_as_something_happens_even_at_midnight() {
    let scene = Scene::start().await;
    // Shortly before midnight.
    scene.app.advance(Duration::from_mins(12 * 60 - 10));
    scene.send(1, &json!({})).await;
    scene.after(20).await;
    scene.send(2, &json!({ "l": "/spring-launch?utm_campaign=another" })).await;
    scene.after(25).await;
    scene.send(3, &json!({})).await;
    assert_eq!(scene.sessions().await.len(), 1);
    let another = scene.browser(142).with("accept-language", "de");
    scene.send_as(&another, 4, &json!({})).await;
    assert_eq!(scene.sessions().await.len(), 2, "another browser");
    scene.after(31).await;
    scene.send(5, &json!({})).await;
    assert_eq!(scene.sessions().await.len(), 3, "later");

    // To another audience it is another session of the same visitor.
    let other = shown(&scene.client, &scene.page, &json!({})).await;
    scene.send(6, &json!({ "a": other })).await;
    let sessions = scene.sessions().await;
    assert_eq!(sessions.len(), 4);
    assert_eq!(sessions[0]["analyticsSessionId"], sessions[1]["analyticsSessionId"]);
    let listed = scene.get(&format!("audience_sessions?audienceId={other}")).await;
    assert_eq!((&listed["totalCount"], &listed["items"][0]), (&json!(1), &sessions[0]));
    // The salts are gone after two days.
    scene.after(3 * 24 * 60).await;
    let salts =
        scene.app.store.read(|tx| pagesmith_store::tables::visits::salts::of_two_days(tx, 20_513)).await;
    assert!(salts.unwrap().is_empty(), "of 2026-03-01 and the day after");
}

#[tokio::test]
async fn without_a_script_a_visit_counts_and_is_no_bounce() {
    let scene = Scene::start().await;
    let page = scene.site.get("/spring-launch").await.expect(200).text();
    let start = page.find("/.pagesmith/v?p=").unwrap();
    let path = page[start..].split('"').next().unwrap().replace("&amp;", "&");
    let shown = scene.site.with("referer", "http://acme.localhost:8080/spring-launch?ref=card");
    let answer = shown.get(&path).await.expect(200);
    assert_eq!(
        (answer.header("content-type"), answer.header("x-pagesmith-dropped")),
        (Some("image/gif"), None)
    );
    scene.after(31).await;
    let session = scene.sessions().await.remove(0);
    assert_eq!((&session["isBounce"], &session["timeSpentSeconds"]), (&json!(false), &Value::Null));
    assert_eq!(session["utmSource"], "card");
    let summary = scene.summary().await;
    assert_eq!((&summary["totalSessions"], &summary["avgTimeSpentSeconds"]), (&json!(1), &Value::Null));
    scene.send(1, &json!({ "e": 900, "s": 10 })).await;
    scene.after(31).await;
    assert_eq!(scene.sessions().await[0]["isBounce"], true);
    assert_eq!(scene.summary().await["bounceRate"], 1, "of those that were measured");
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_part_by_part() {
    let scene = Scene::start().await;
    for at in 0..5 {
        scene.send_as(&scene.browser(150 + at), u128::from(at), &json!({})).await;
        scene.after(10).await;
    }
    let all = scene.sessions().await;
    let (mut walked, mut cursor) = (vec![], String::new());
    loop {
        let part = scene.get(&format!("audience_sessions?limit=2{cursor}")).await;
        assert_eq!(part["totalCount"], 5);
        walked.extend(part["items"].as_array().unwrap().clone());
        let Some(next) = part["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(walked, all);
    let times: Vec<&str> = all.iter().map(|one| one["sessionStartedAt"].as_str().unwrap()).collect();
    assert!(times.windows(2).all(|two| two[0] > two[1]), "{times:?}");
    let ranged = format!("audience_sessions?startDate={}&endDate={}", times[3], times[0]);
    let ranged = scene.get(&ranged).await;
    assert_eq!(ranged["totalCount"], 3);
    assert_eq!(ranged["items"].as_array().unwrap()[..], all[1..4]);
    for (query, path) in [
        ("startDate=yesterday", "startDate"),
        ("endDate=2026-02-30T00:00:00Z", "endDate"),
        ("limit=0", "limit"),
    ] {
        let path_of = format!("/v0/pages/{}/audience_sessions?{query}", scene.page);
        assert_eq!(scene.client.get(&path_of).await.issues()[0].1, path);
    }
    let foreign = page(&scene.client, "Another").await;
    let id = all[0]["audienceSessionId"].as_str().unwrap();
    scene.client.get(&format!("/v0/pages/{foreign}/audience_sessions/{id}")).await.expect(404);
    let none = scene
        .client
        .get(&format!("/v0/pages/{foreign}/audience_sessions?audienceId={}", scene.audience))
        .await;
    assert_eq!(none.expect(200).json()["totalCount"], 0);
    let none = scene.get("audience_sessions?audienceId=everybody").await;
    assert_eq!(none["totalCount"], 0);
}
