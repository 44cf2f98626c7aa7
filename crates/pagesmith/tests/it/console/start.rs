//! The start: what needs attention, and what came of the pages in the last days.

use http_body_util::BodyExt;
use pagesmith_model::user::Role;
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::{Receiver, TestApp};
use serde_json::json;

use super::browser::{Browser, PASSWORD, events_of};
use super::making::make;
use crate::questions::Scene;
use crate::visits;

#[tokio::test]
async fn what_was_asked_in_vain_leads_to_the_questions_which_are_ticked_off() {
    let scene = Scene::start().await;
    for question in ["Is there a cinema?", "Do you <b>sell</b> tandems?"] {
        scene.ask(question).await.expect(200);
    }
    let mut owner = Browser::owner(&scene.app).await;
    let start = owner.open("/console/t/acme").await.expect(200).text();
    let questions = format!("/console/t/acme/visits/{}/questions", scene.page);
    assert!(start.contains("2 unanswered questions") && start.contains(&questions), "{start}");
    assert!(start.contains("1 visit in 7 days"), "{start}");
    let list = owner.open(&questions).await.expect(200).text();
    assert!(list.contains("Is there a cinema?") && !list.contains("<b>sell"), "{list}");
    let mut analyst = Browser::with_role(&scene.app, Role::Analyst).await;
    assert!(!analyst.open(&questions).await.expect(200).text().contains("/questions/done"));

    for left in [1, 0] {
        let open = scene.unanswered().await;
        let id = open[0]["unansweredQuestionId"].as_str().unwrap();
        owner.send(&format!("{questions}/done"), &[("question", id)]).await.expect(303);
        assert_eq!(scene.unanswered().await.len(), left);
        owner.send(&format!("{questions}/done"), &[("question", id)]).await.expect(404);
    }
    assert!(owner.open(&questions).await.expect(200).text().contains("Every question was answered."));
    assert!(!owner.open("/console/t/acme").await.expect(200).text().contains("unanswered question"));
}

#[tokio::test]
async fn drafts_and_webhooks_and_domains_that_wait_are_named() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (mut owner, client, receiver) = (Browser::owner(&app).await, app.client(), Receiver::start().await);
    let empty = owner.open("/console/t/acme").await.expect(200).text();
    assert!(empty.contains("/pages/new"), "{empty}");
    for url in [receiver.url(), "https://paused.example/in".to_owned()] {
        client.post("/v0/webhook_subscriptions", &json!({ "url": url })).await.expect(201);
    }
    let listed = client.get("/v0/webhook_subscriptions").await.expect(200).json();
    for one in
        listed["items"].as_array().unwrap().iter().filter(|one| one["url"] == "https://paused.example/in")
    {
        let path = format!("/v0/webhook_subscriptions/{}", one["subscriptionId"].as_str().unwrap());
        client.patch(&path, &json!({ "active": false })).await.expect(200);
    }
    client.post("/v0/tenant_domains", &json!({ "domain": "pages.acme.example" })).await.expect(201);
    // Also while there is no page, beside the first step.
    let start = owner.open("/console/t/acme").await.expect(200).text();
    assert!(start.contains("pages.acme.example") && start.contains("/pages/new"), "{start}");
    let mut events = owner.listen(&app, &events_of(&start, "start")).await;
    receiver.answer([Script::status(410)]);
    let (_, audience) = make(&mut owner).await;
    app.write_versions().await;
    app.deliver().await;
    let heard = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(heard.starts_with(b"event: attention\n"), "{heard:?}");
    let start = owner.open("/console/t/acme").await.expect(200).text();
    assert!(start.contains(&audience) && start.contains("Draft"), "{start}");
    assert!(start.contains("127.0.0.1") && start.contains("Turned off after failures"), "{start}");
    assert!(!start.contains("paused.example"), "whoever turned it off knows: {start}");
    assert!(start.contains("pages.acme.example"), "{start}");
}

#[tokio::test]
async fn who_sees_no_personal_data_is_told_of_a_persons_draft_without_a_name() {
    let app = TestApp::start().await;
    let (client, mut owner) = (app.client(), Browser::owner(&app).await);
    let page = crate::audiences::page(&client).await;
    let person = client.post("/v0/persons", &json!({ "name": "Ada Lovelace" })).await.expect(201).json();
    let body = json!({ "personId": person["personId"], "publishBehavior": "draft" });
    let audience = crate::audiences::audience(&client, &page, &body).await;
    app.write_versions().await;
    let path = audience.trim_start_matches("/v0");
    let shown = owner.open("/console/t/acme").await.expect(200).text();
    assert!(shown.contains("Ada Lovelace") && shown.contains(path), "{shown}");
    let mut analyst = Browser::with_role(&app, Role::Analyst).await;
    let shown = analyst.open("/console/t/acme").await.expect(200).text();
    assert!(shown.contains("Draft") && shown.contains(path) && !shown.contains("Ada"), "{shown}");
}

#[tokio::test]
async fn many_drafts_of_a_page_stand_together() {
    let app = TestApp::start().await;
    let (client, mut owner) = (app.client(), Browser::owner(&app).await);
    let mut paths = Vec::new();
    let page = crate::audiences::page(&client).await;
    for name in ["Bakers", "Butchers", "Brewers <b>"] {
        let body = json!({ "customName": name, "publishBehavior": "draft" });
        paths.push(crate::audiences::audience(&client, &page, &body).await);
    }
    app.write_versions().await;
    let start = owner.open("/console/t/acme").await.expect(200).text();
    let together = start.split("<summary>").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(together.contains("3 audiences") && !together.contains("<b>"), "{together}");
    for path in &paths {
        assert!(together.contains(path.trim_start_matches("/v0")), "{path}: {together}");
    }
    // Two are named at once.
    client.delete(&paths[0]).await.expect(200);
    let start = owner.open("/console/t/acme").await.expect(200).text();
    assert!(!start.contains("2 audiences</summary>") && !start.contains("3 audiences</summary>"), "{start}");
    for path in &paths[1..] {
        assert!(start.contains(path.trim_start_matches("/v0")), "{path}: {start}");
    }
    assert!(!start.contains(paths[0].trim_start_matches("/v0")), "{start}");
}

#[tokio::test]
async fn the_visits_of_the_week_to_all_pages_stand_beside_those_of_the_week_before() {
    let scene = visits::Scene::start().await;
    let start = Browser::owner(&scene.app).await.open("/console/t/acme").await.expect(200).text();
    assert!(!start.contains("Visits in 7 days"), "nobody has come yet: {start}");
    let page = visits::page(&scene.client, "Autumn").await;
    let audience = visits::shown(&scene.client, &page, &json!({})).await;
    let to_other = json!({ "p": page, "a": audience });
    for (view, fields) in [(1, &to_other), (2, &to_other), (3, &json!({})), (4, &json!({}))] {
        let browser = scene.browser(150 + u32::try_from(view).unwrap());
        assert_eq!(scene.send_as(&browser, view, fields).await, None);
    }
    scene.after(7 * 24 * 60).await;
    // One is over and one is not, and they are of two pages.
    assert_eq!(scene.send_as(&scene.browser(160), 5, &to_other).await, None);
    scene.after(60).await;
    assert_eq!(scene.send_as(&scene.browser(161), 6, &json!({})).await, None);
    let mut owner = Browser::new(&scene.app);
    let fields = [("email", "olga@acme.example"), ("password", PASSWORD)];
    owner.send("/console/sign-in", &fields).await.expect(303);
    let start = owner.open("/console/t/acme").await.expect(200).text();
    let (_, week) = start.split_once("Visits in 7 days").unwrap();
    assert!(week.contains("<dd class=\"stat\">2</dd>"), "{week}");
    assert!(week.contains("Before: 4 (−50\u{a0}%)"), "{week}");
    assert!(start.contains("/v0/analytics/summary?startDate="), "{start}");
}
