//! Changing, deleting and restoring an account's entries.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::json;

use super::{address, entries, note, read, write};

#[tokio::test]
async fn a_note_gets_another_text_and_keeps_the_rest() {
    let app = TestApp::start().await;
    let client = app.client();
    let body =
        br#"{"domain":"acme.com","source":"app","type":"note","payload":{"z":1.00,"text":"old","a":[1e2]}}"#;
    let log = client.send("POST", "/v0/account_logs", Some(body.to_vec())).await.expect(201).json();
    app.advance(Duration::from_secs(1));
    let answer = client.patch(&address(&log), &json!({ "text": "new \"one\"" })).await.expect(200);
    assert_eq!(answer.json(), json!({ "success": true }));
    let shown = client.get(&address(&log)).await.expect(200);
    assert!(
        shown.text().contains(r#""payload":{"z":1.00,"text":"new \"one\"","a":[1e2]}"#),
        "{}",
        shown.text()
    );
    assert_eq!(shown.json()["updatedAt"], "2026-03-01T12:00:01.000Z");
    assert_eq!(shown.json()["createdAt"], log["createdAt"]);
    // The same text again changes nothing.
    app.advance(Duration::from_secs(1));
    client.patch(&address(&log), &json!({ "text": "new \"one\"" })).await.expect(200);
    assert_eq!(client.get(&address(&log)).await.expect(200).bytes, shown.bytes);
}

#[tokio::test]
async fn what_is_no_note_has_no_text_to_change() {
    let app = TestApp::start().await;
    let client = app.client();
    for payload in
        [json!({}), json!({ "text": null }), json!({ "text": 1 }), json!({ "note": { "text": "x" } })]
    {
        let log = write(&client, &json!({ "domain": "acme.com", "source": "crm", "payload": payload })).await;
        let before = read(&client, &log).await;
        client.patch(&address(&log), &json!({ "text": "new" })).await.expect(409);
        assert_eq!(read(&client, &log).await, before);
    }
    let log = note(&client, "acme.com", "old").await;
    for (body, path) in [
        (json!({}), "text"),
        (json!({ "text": "" }), "text"),
        (json!({ "text": null }), "text"),
        (json!({ "text": "x", "payload": {} }), "payload"),
    ] {
        let issues = client.patch(&address(&log), &body).await.issues();
        assert_eq!(issues.len(), 1, "{body}");
        assert_eq!(issues[0].1, path, "{body}");
    }
    assert_eq!(read(&client, &log).await["payload"]["text"], "old");
}

#[tokio::test]
async fn a_deleted_entry_shows_only_where_it_is_asked_for_and_comes_back_as_it_was() {
    let app = TestApp::start().await;
    let client = app.client();
    let log = note(&client, "acme.com", "text").await;
    let before = read(&client, &log).await;
    app.advance(Duration::from_secs(1));
    for _ in 0..2 {
        let answer = client.delete(&address(&log)).await.expect(200).json();
        assert_eq!(answer, json!({ "success": true }));
        client.get(&address(&log)).await.expect(404);
        client.patch(&address(&log), &json!({ "text": "new" })).await.expect(404);
        let listed = client.get(&entries(&log)).await.expect(200).json();
        assert_eq!((&listed["items"], &listed["totalCount"]), (&json!([]), &json!(0)));
        let with = client.get(&format!("{}?includeDeleted=true", entries(&log))).await.expect(200).json();
        let mut expected = before.clone();
        expected["deletedAt"] = json!("2026-03-01T12:00:01.000Z");
        assert_eq!((&with["items"], &with["totalCount"]), (&json!([expected]), &json!(1)));
    }
    for _ in 0..2 {
        client.post(&format!("{}/restore", address(&log)), &json!({})).await.expect(200);
        assert_eq!(read(&client, &log).await, before);
        assert_eq!(client.get(&entries(&log)).await.expect(200).json()["totalCount"], 1);
    }
}

#[tokio::test]
async fn an_entry_is_found_only_under_its_own_account() {
    let app = TestApp::start().await;
    let client = app.client();
    let (acme, globex) = (note(&client, "acme.com", "a").await, note(&client, "globex.com", "g").await);
    let id = |log: &serde_json::Value| log["accountLogId"].as_str().unwrap().to_owned();
    let before = read(&client, &globex).await;
    for wrong in [
        format!("{}/{}", entries(&acme), id(&globex)),
        format!("{}/accountlog_00000000000000000000000000", entries(&acme)),
        format!("{}/x", entries(&acme)),
        format!("/v0/accounts/account_00000000000000000000000000/logs/{}", id(&globex)),
    ] {
        client.get(&wrong).await.expect(404);
        client.patch(&wrong, &json!({ "text": "new" })).await.expect(404);
        client.delete(&wrong).await.expect(404);
        client.post(&format!("{wrong}/restore"), &json!({})).await.expect(404);
    }
    assert_eq!(read(&client, &globex).await, before);
    for unknown in ["account_00000000000000000000000000", "x"] {
        client.get(&format!("/v0/accounts/{unknown}/logs")).await.expect(404);
    }
}

#[tokio::test]
async fn an_entry_changes_only_in_the_state_that_the_caller_names() {
    let app = TestApp::start().await;
    let client = app.client();
    let log = note(&client, "acme.com", "old").await;
    let path = address(&log);
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-none-match", &tag).get(&path).await.expect(304);
    let stale = client.with("if-match", "\"x\"");
    stale.patch(&path, &json!({ "text": "new" })).await.expect(412);
    stale.delete(&path).await.expect(412);
    client.with("if-match", &tag).patch(&path, &json!({ "text": "new" })).await.expect(200);
    client.with("if-match", &tag).delete(&path).await.expect(412);
    assert_eq!(read(&client, &log).await["payload"]["text"], "new");
}
