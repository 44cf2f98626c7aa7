//! `GET` and `PATCH /v0/accounts/{account_id}`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::json;

use super::{address, make, make_named, read};

#[tokio::test]
async fn an_account_gets_another_name() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "acme.com", "Acme").await;
    app.advance(Duration::from_secs(1));
    let changed = client.patch(&address(&made), &json!({ "name": "Globex" })).await.expect(200).json();
    let mut expected = made.clone();
    expected["name"] = json!("Globex");
    expected["updatedAt"] = json!("2026-03-01T12:00:01.000Z");
    assert_eq!(changed, expected);
    assert_eq!(read(&client, &made).await, expected);
    // Searches follow.
    for (query, total) in [("globex", 1), ("acme", 1), ("incorporated", 0)] {
        let found = client.get(&format!("/v0/accounts/search?query={query}")).await.expect(200).json();
        assert_eq!(found["totalCount"], total, "{query}");
    }
    client.patch(&address(&made), &json!({ "name": "Initech" })).await.expect(200);
    assert_eq!(client.get("/v0/accounts/search?query=globex").await.json()["totalCount"], 0);
}

#[tokio::test]
async fn the_same_name_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "acme.com", "Acme").await;
    app.advance(Duration::from_secs(1));
    let same = client.patch(&address(&made), &json!({ "name": "Acme" })).await.expect(200).json();
    assert_eq!(same, made);
}

#[tokio::test]
async fn bad_changes_are_refused_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "acme.com", "Acme").await;
    for (body, path) in [
        (json!({}), "name"),
        (json!({ "name": null }), "name"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "a".repeat(256) }), "name"),
        (json!({ "name": ["Acme"] }), "name"),
        (json!({ "name": "New", "domain": "globex.com" }), "domain"),
        (json!({ "name": "New", "linkedPersons": [] }), "linkedPersons"),
    ] {
        let issues = client.patch(&address(&made), &body).await.issues();
        assert_eq!(issues.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), [path], "{body}");
    }
    assert_eq!(read(&client, &made).await, made);
    for unknown in ["account_00000000000000000000000000", "page_00000000000000000000000000", "x", "%FF"] {
        let path = format!("/v0/accounts/{unknown}");
        client.get(&path).await.expect(404);
        client.patch(&path, &json!({ "name": "New" })).await.expect(404);
    }
}

#[tokio::test]
async fn a_name_changes_only_in_the_state_that_the_caller_names() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, "acme.com").await;
    let path = address(&made);
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-none-match", &tag).get(&path).await.expect(304);
    client.with("if-match", "\"x\"").patch(&path, &json!({ "name": "A" })).await.expect(412);
    client.with("if-match", &tag).patch(&path, &json!({ "name": "A" })).await.expect(200);
    client.with("if-match", &tag).patch(&path, &json!({ "name": "B" })).await.expect(412);
    assert_eq!(read(&client, &made).await["name"], "A");
    // A new person of the account is another state of it.
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    super::person(&client, "Ada", "ada@acme.com").await;
    client.with("if-match", &tag).patch(&path, &json!({ "name": "B" })).await.expect(412);
}
