//! One person's log: read, noted, deleted, brought back, listed.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, ids, log_of, read, text, write};

#[tokio::test]
async fn a_notes_text_can_be_replaced_and_nothing_else() {
    let app = TestApp::start().await;
    let client = app.client();
    let body =
        r#"{"source":"crm","type":"note","phoneNumber":"+12","payload":{"by":"joe","text":"old","n":1.00}}"#;
    let note = client.send("POST", "/v0/person_logs", Some(body.into())).await.expect(201).json();
    let before = read(&client, &note).await;
    app.advance(Duration::from_secs(1));
    let done = client.patch(&address(&note), &json!({ "text": "new \"one\" 🚀" })).await.expect(200).json();
    assert_eq!(done, json!({ "success": true }));
    let after = client.get(&address(&note)).await.expect(200);
    assert!(after.text().contains(r#"{"by":"joe","text":"new \"one\" 🚀","n":1.00}"#), "{}", after.text());
    let mut expected = before.clone();
    expected["payload"]["text"] = "new \"one\" 🚀".into();
    expected["updatedAt"] = "2026-03-01T12:00:01.000Z".into();
    assert_eq!(after.json(), expected);
    // The same text again is no change.
    app.advance(Duration::from_secs(1));
    client.patch(&address(&note), &json!({ "text": "new \"one\" 🚀" })).await.expect(200);
    assert_eq!(read(&client, &note).await, expected);
}

#[tokio::test]
async fn what_is_no_note_is_history() {
    let app = TestApp::start().await;
    let client = app.client();
    for payload in
        [json!({}), json!({ "text": 1 }), json!({ "text": null }), json!({ "note": { "text": "x" } })]
    {
        let written =
            write(&client, &json!({ "phoneNumber": "+12", "type": "note", "payload": payload })).await;
        let before = read(&client, &written).await;
        let refused = client.patch(&address(&written), &json!({ "text": "new" })).await.expect(409).json();
        assert_eq!(refused["code"], "CONFLICT");
        assert_eq!(read(&client, &written).await, before);
    }
    let note = write(&client, &json!({ "phoneNumber": "+12", "payload": { "text": "x" } })).await;
    for (patch, code, path) in [
        (json!({}), "required", "text"),
        (json!({ "text": "" }), "too_short", "text"),
        (json!({ "text": null }), "invalid_type", "text"),
        (json!({ "text": "a", "payload": {} }), "unrecognized_key", "payload"),
        (json!({ "text": "a\0" }), "invalid_character", "text"),
    ] {
        let issues = client.patch(&address(&note), &patch).await.issues();
        assert_eq!(issues, [(code.to_owned(), path.to_owned())]);
    }
    assert_eq!(read(&client, &note).await["payload"], json!({ "text": "x" }));
}

#[tokio::test]
async fn a_deleted_entry_shows_only_to_who_asks_for_deleted_ones() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = write(&client, &json!({ "phoneNumber": "+12", "payload": { "text": "x" } })).await;
    let second = write(&client, &json!({ "phoneNumber": "+12" })).await;
    app.advance(Duration::from_secs(1));
    let done = client.delete(&address(&first)).await.expect(200).json();
    assert_eq!(done, json!({ "success": true }));
    app.advance(Duration::from_secs(1));
    client.delete(&address(&first)).await.expect(200);
    client.get(&address(&first)).await.expect(404);
    client.patch(&address(&first), &json!({ "text": "y" })).await.expect(404);
    for without in ["", "includeDeleted=false", "includeDeleted=0"] {
        let log = log_of(&client, &first, without).await;
        assert_eq!((ids(&log), &log["totalCount"]), (vec![text(&second, "personLogId")], &json!(1)));
    }
    for with in ["includeDeleted=true", "includeDeleted=1"] {
        let log = log_of(&client, &first, with).await;
        assert_eq!(ids(&log), [text(&second, "personLogId"), text(&first, "personLogId")]);
        assert_eq!(log["totalCount"], 2);
        assert_eq!(log["items"][1]["deletedAt"], "2026-03-01T12:00:01.000Z");
        assert_eq!(log["items"][0]["deletedAt"], Value::Null);
    }
    let wrong = format!("/v0/persons/{}/logs?includeDeleted=yes", text(&first, "personId"));
    assert_eq!(client.get(&wrong).await.issues()[0].1, "includeDeleted");
}

#[tokio::test]
async fn a_restored_entry_is_as_it_was() {
    let app = TestApp::start().await;
    let client = app.client();
    let written = write(&client, &json!({ "phoneNumber": "+12", "payload": { "text": "x" } })).await;
    let before = read(&client, &written).await;
    let restore = format!("{}/restore", address(&written));
    client.post(&restore, &json!({})).await.expect(200);
    client.delete(&address(&written)).await.expect(200);
    for _ in 0..2 {
        app.advance(Duration::from_secs(1));
        let done = client.post(&restore, &json!({})).await.expect(200).json();
        assert_eq!(done, json!({ "success": true }));
        assert_eq!(read(&client, &written).await, before);
    }
    assert_eq!(
        client.post(&restore, &json!({ "a": 1 })).await.issues(),
        [("unrecognized_key".to_owned(), "a".to_owned())]
    );
    assert_eq!(log_of(&client, &written, "").await["totalCount"], 1);
}

#[tokio::test]
async fn if_match_guards_entries() {
    let app = TestApp::start().await;
    let client = app.client();
    let note = write(&client, &json!({ "phoneNumber": "+12", "payload": { "text": "x" } })).await;
    let tag = client.get(&address(&note)).await.expect(200).header("etag").unwrap().to_owned();
    let holding = client.with("if-match", &tag);
    client.with("if-none-match", &tag).get(&address(&note)).await.expect(304);
    holding.patch(&address(&note), &json!({ "text": "first" })).await.expect(200);
    holding.patch(&address(&note), &json!({ "text": "second" })).await.expect(412);
    holding.delete(&address(&note)).await.expect(412);
    assert_eq!(read(&client, &note).await["payload"]["text"], "first");
}

#[tokio::test]
async fn an_entry_is_found_under_its_own_living_person_and_tenant_alone() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let written = write(&client, &json!({ "phoneNumber": "+12", "payload": { "text": "x" } })).await;
    let other = write(&client, &json!({ "phoneNumber": "+13" })).await;
    let theirs = write(&stranger, &json!({ "phoneNumber": "+12" })).await;
    let before = read(&client, &written).await;
    let (log_id, own) = (text(&written, "personLogId"), text(&written, "personId"));
    let under = |person: &Value| format!("/v0/persons/{}/logs/{log_id}", text(person, "personId"));
    let wrong = [
        (&client, under(&other)),
        (&client, under(&theirs)),
        (&stranger, under(&written)),
        (&stranger, under(&theirs)),
        (&client, format!("/v0/persons/nonsense/logs/{log_id}")),
        (&client, format!("/v0/persons/{own}/logs/nonsense")),
        (&client, format!("/v0/persons/{own}/logs/personlog_01h2xcejqtf2nbrexx3vqjhp41")),
    ];
    for (client, path) in wrong {
        client.get(&path).await.expect(404);
        client.patch(&path, &json!({ "text": "y" })).await.expect(404);
        client.delete(&path).await.expect(404);
        client.post(&format!("{path}/restore"), &json!({})).await.expect(404);
    }
    assert_eq!(read(&client, &written).await, before);
    // Nor are the entries of a deleted person there, until it comes back.
    client.delete(&format!("/v0/persons/{own}")).await.expect(200);
    client.get(&address(&written)).await.expect(404);
    client.delete(&address(&written)).await.expect(404);
    client.get(&format!("/v0/persons/{own}/logs")).await.expect(404);
    client.post(&format!("/v0/persons/{own}/restore"), &json!({})).await.expect(200);
    assert_eq!(read(&client, &written).await, before);
}

#[tokio::test]
async fn a_log_is_newest_first_and_its_cursors_are_its_own() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut written = Vec::new();
    for number in 0..5 {
        written.insert(0, write(&client, &json!({ "phoneNumber": "+12", "payload": { "n": number } })).await);
        app.advance(Duration::from_millis(number));
    }
    let other = write(&client, &json!({ "phoneNumber": "+13" })).await;
    let log = log_of(&client, &written[0], "").await;
    assert_eq!(ids(&log), written.iter().map(|entry| text(entry, "personLogId")).collect::<Vec<_>>());
    let part = log_of(&client, &written[0], "limit=2").await;
    let cursor = text(&part, "nextCursor");
    assert_eq!((&part["hasMore"], &part["totalCount"]), (&json!(true), &json!(5)));
    let rest = log_of(&client, &written[0], &format!("limit=2&cursor={cursor}")).await;
    assert_eq!(ids(&rest), ids(&log)[2..4]);
    let refused = [("invalid_cursor".to_owned(), "cursor".to_owned())];
    for path in [
        format!("/v0/persons/{}/logs?cursor={cursor}", text(&other, "personId")),
        format!("/v0/persons/{}/logs?includeDeleted=true&cursor={cursor}", text(&written[0], "personId")),
        format!("/v0/persons?cursor={cursor}"),
    ] {
        assert_eq!(client.get(&path).await.issues(), refused);
    }
}
