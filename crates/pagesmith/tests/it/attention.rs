//! What waits for somebody, over all pages.

use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use crate::audiences::{audience, page};
use crate::questions::Scene;

/// An audience of a page, whose version becomes a draft.
async fn draft(client: &Client, page: &str, name: &str) -> String {
    audience(client, page, &json!({ "customName": name, "publishBehavior": "draft" })).await
}

async fn waiting(client: &Client) -> Value {
    client.get("/v0/attention").await.expect(200).json()
}

/// The audiences that wait, by name and status.
async fn audiences(client: &Client) -> Vec<(String, String)> {
    let waiting = waiting(client).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let named = |one: &Value| (text(&one["effectiveName"]), text(&one["status"]));
    waiting["audiences"].as_array().unwrap().iter().map(named).collect()
}

fn drafts(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| ((*name).to_owned(), "draft".to_owned())).collect()
}

#[tokio::test]
async fn nothing_waits_at_first_and_what_goes_live_never_does() {
    let app = TestApp::start().await;
    let client = app.client();
    let nothing = json!({
        "audiences": [], "pagesWithQuestions": [], "webhookSubscriptions": [], "tenantDomains": [], "hasMore": false,
    });
    assert_eq!(waiting(&client).await, nothing);
    let page = page(&client).await;
    audience(&client, &page, &json!({ "customName": "Live" })).await;
    assert_eq!(waiting(&client).await, nothing, "what is being written does not wait for anybody");
    app.write_versions().await;
    assert_eq!(waiting(&client).await, nothing);
}

#[tokio::test]
async fn a_draft_waits_until_it_is_published_or_overtaken() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut pages = Vec::new();
    // The start of the console shows eight pages; what waits on older ones counts as well.
    for number in 0..12 {
        let page = page(&client).await;
        let audience = draft(&client, &page, &format!("Audience {number}")).await;
        app.write_versions().await;
        app.advance(Duration::from_secs(1));
        pages.push((page, audience));
    }
    let found = waiting(&client).await;
    let names: Vec<&str> = found["audiences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["effectiveName"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..12).rev().map(|number| format!("Audience {number}")).collect();
    assert_eq!(names, expected, "the latest first");
    let oldest = &found["audiences"][11];
    let shown = client.get(&pages[0].1).await.expect(200).json();
    assert_eq!(oldest["since"], shown["latestVersion"]["becameDraftAt"]);
    assert_eq!(oldest["versionId"], shown["latestVersion"]["versionId"]);
    assert_eq!((&oldest["pageName"], &oldest["personId"]), (&json!("Spring launch"), &Value::Null));

    for (_, audience) in &pages[3..] {
        client.delete(audience).await.expect(200);
    }
    assert_eq!(audiences(&client).await, drafts(&["Audience 2", "Audience 1", "Audience 0"]));
    // A further version takes the place of the draft, and waits itself when it is written.
    client.post(&format!("{}/versions", pages[0].1), &json!({})).await.expect(201);
    assert_eq!(audiences(&client).await, drafts(&["Audience 2", "Audience 1"]));
    app.write_versions().await;
    assert_eq!(audiences(&client).await, drafts(&["Audience 0", "Audience 2", "Audience 1"]));
    let version = client.get(&pages[0].1).await.expect(200).json()["latestVersion"]["versionId"].clone();
    let version = format!("{}/versions/{}", pages[0].1, version.as_str().unwrap());
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    assert_eq!(audiences(&client).await, drafts(&["Audience 2", "Audience 1"]));
    client.post(&format!("{}/archive", pages[1].0), &json!({})).await.expect(200);
    assert_eq!(audiences(&client).await, drafts(&["Audience 2"]));
    client.post(&format!("{}/restore", pages[1].0), &json!({})).await.expect(200);
    client.delete(&pages[2].0).await.expect(200);
    assert_eq!(audiences(&client).await, drafts(&["Audience 1"]));
}

#[tokio::test]
async fn what_was_cancelled_waits_and_others_see_nothing_of_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    let audience = draft(&client, &page, "Bakers").await;
    let version = client.get(&audience).await.expect(200).json()["latestVersion"]["versionId"].clone();
    let version = format!("{audience}/versions/{}", version.as_str().unwrap());
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    assert_eq!(audiences(&client).await, [("Bakers".to_owned(), "cancelled".to_owned())]);
    app.add_tenant("globex").await;
    let other = app.client_with(&app.add_key("globex", Scope::Read).await);
    assert_eq!(waiting(&other).await["audiences"], json!([]));
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    assert_eq!(audiences(&client).await, []);
}

#[tokio::test]
async fn more_than_is_named_is_told_and_the_newest_are_named() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    for number in 0..51 {
        draft(&client, &page, &format!("Audience {number}")).await;
        if number == 49 {
            app.write_versions().await;
            assert_eq!(waiting(&client).await["hasMore"], false);
            app.advance(Duration::from_secs(1));
        }
    }
    app.write_versions().await;
    let found = waiting(&client).await;
    assert_eq!((found["audiences"].as_array().unwrap().len(), &found["hasMore"]), (50, &json!(true)));
    assert_eq!(found["audiences"][0]["effectiveName"], "Audience 50");
}

#[tokio::test]
async fn questions_are_counted_by_page() {
    let scene = Scene::start().await;
    for question in ["Is there a cinema?", "Do you sell tandems?"] {
        scene.ask(question).await.expect(200);
    }
    let expected = json!([{ "pageId": scene.page, "pageName": "Bikes", "unansweredQuestions": 2 }]);
    assert_eq!(waiting(&scene.client).await["pagesWithQuestions"], expected);
    let page = format!("/v0/pages/{}", scene.page);
    scene.client.post(&format!("{page}/archive"), &json!({})).await.expect(200);
    assert_eq!(waiting(&scene.client).await["pagesWithQuestions"], json!([]));
}

#[tokio::test]
async fn a_persons_page_waits_under_the_persons_name() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    let person = client.post("/v0/persons", &json!({ "name": "Ada Lovelace" })).await.expect(201).json();
    audience(&client, &page, &json!({ "personId": person["personId"], "publishBehavior": "draft" })).await;
    app.write_versions().await;
    let found = waiting(&client).await;
    assert_eq!(found["audiences"][0]["effectiveName"], "Ada Lovelace");
    assert_eq!(found["audiences"][0]["personId"], person["personId"]);
}
