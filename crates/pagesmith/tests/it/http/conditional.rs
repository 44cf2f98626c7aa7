//! Tags of states: `ETag`, `If-None-Match`, `If-Match`.

use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;

async fn make(client: &Client) -> String {
    let page = client.post("/v0/pages", &fixtures::full_page()).await.expect(201).json();
    format!("/v0/pages/{}", page["pageId"].as_str().unwrap())
}

async fn tag(client: &Client, path: &str) -> String {
    client.get(path).await.expect(200).header("etag").unwrap().to_owned()
}

#[tokio::test]
async fn a_state_that_the_caller_has_is_not_sent_again() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    for path in [page.clone(), format!("{page}/link")] {
        let tag = tag(&client, &path).await;
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "a strong tag: {tag}");
        let weak = format!("W/{tag}");
        for known in [
            tag.clone(),
            weak.clone(),
            format!("\"other\", {tag}"),
            format!("\"a\",{weak},\"b\""),
            "*".to_owned(),
        ] {
            let answer = client.with("if-none-match", &known).get(&path).await.expect(304);
            assert_eq!(answer.header("etag"), Some(tag.as_str()));
            assert!(answer.bytes.is_empty());
            client.with("if-none-match", &known).send("HEAD", &path, None).await.expect(304);
        }
        client.with("if-none-match", "\"x\"").with("if-none-match", &tag).get(&path).await.expect(304);
        for unknown in ["\"other\"", "", "x", &tag[1..tag.len() - 1], "W/\"*\""] {
            client.with("if-none-match", unknown).get(&path).await.expect(200);
        }
    }
}

#[tokio::test]
async fn a_tag_changes_with_the_state_and_only_then() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    let first = tag(&client, &page).await;
    app.advance(Duration::from_secs(3_600));
    assert_eq!(tag(&client, &page).await, first);
    // A change that changes nothing.
    client.patch(&page, &json!({})).await.expect(200);
    client.patch(&page, &json!({ "name": "Spring Launch" })).await.expect(200);
    assert_eq!(tag(&client, &page).await, first);
    client.patch(&page, &json!({ "name": "Summer Launch" })).await.expect(200);
    let second = tag(&client, &page).await;
    assert_ne!(second, first);
    client.with("if-none-match", &first).get(&page).await.expect(200);
    client.post(&format!("{page}/archive"), &json!({})).await.expect(200);
    assert_ne!(tag(&client, &page).await, second);
}

#[tokio::test]
async fn every_key_of_a_tenant_gets_the_same_tag() {
    let app = TestApp::start().await;
    let key = app.add_key("acme", Scope::Read).await;
    let page = make(&app.client()).await;
    let other = app.client_with(&key);
    assert_eq!(tag(&app.client(), &page).await, tag(&other, &page).await);
    let node = Client::new(app.second_server(), Some(key));
    assert_eq!(tag(&app.client(), &page).await, tag(&node, &page).await);
}

#[tokio::test]
async fn a_change_happens_only_to_the_state_that_the_caller_names() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    let first = tag(&client, &page).await;
    let summer = json!({ "name": "Summer" });
    client.with("if-match", &first).patch(&page, &summer).await.expect(200);
    let second = tag(&client, &page).await;
    let weak = format!("W/{second}");
    let bare = second.trim_matches('"').to_owned();
    for stale in
        [first.as_str(), "\"other\"", "", weak.as_str(), bare.as_str(), "\"a\", \"b\"", "W/*", "\"*\""]
    {
        let stale = client.with("if-match", stale);
        stale.patch(&page, &json!({ "name": "Autumn" })).await.expect(412);
        stale.patch(&page, &json!({})).await.expect(412);
        stale.delete(&page).await.expect(412);
        assert_eq!(tag(&client, &page).await, second);
    }
    for fresh in [second.clone(), "*".to_owned(), format!("\"a\", {second}"), format!("\"a\",{second},\"b\"")]
    {
        client.with("if-match", &fresh).patch(&page, &summer).await.expect(200);
    }
    client.with("if-match", "\"a\"").with("if-match", &second).delete(&page).await.expect(200);
    client.get(&page).await.expect(404);
}

#[tokio::test]
async fn without_if_match_the_last_write_wins() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    for name in ["Summer", "Autumn"] {
        client.patch(&page, &json!({ "name": name })).await.expect(200);
    }
    assert_eq!(client.get(&page).await.expect(200).json()["name"], "Autumn");
}

#[tokio::test]
async fn a_deleted_page_is_deleted_again_whatever_the_caller_names() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    let tag = tag(&client, &page).await;
    // A retry of the very request, whose first answer was lost.
    client.with("if-match", &tag).delete(&page).await.expect(200);
    client.with("if-match", &tag).delete(&page).await.expect(200);
    client.with("if-match", &tag).patch(&page, &json!({ "name": "x" })).await.expect(404);
}

#[tokio::test]
async fn a_change_answers_the_very_bytes_that_are_read_afterwards() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make(&client).await;
    let changed = client.patch(&page, &json!({ "name": "Summer" })).await.expect(200);
    let read = client.get(&page).await.expect(200);
    assert_eq!(changed.bytes, read.bytes);
}

#[tokio::test]
async fn lists_carry_no_tag() {
    let app = TestApp::start().await;
    for path in ["/v0/pages", "/v0/pages/search"] {
        let answer = app.client().with("if-none-match", "*").get(path).await.expect(200);
        assert_eq!(answer.header("etag"), None);
    }
}
