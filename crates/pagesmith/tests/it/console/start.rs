//! The start: what needs attention, and what came of the pages in the last days.

use http_body_util::BodyExt;
use pagesmith_model::user::Role;
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::{Receiver, TestApp};
use serde_json::json;

use super::browser::{Browser, events_of};
use super::making::make;
use crate::questions::Scene;

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
