//! What is no entry: refused at its place, and nothing is written.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{persons, send};

#[tokio::test]
async fn an_entry_names_its_person_somehow() {
    let app = TestApp::start().await;
    for fields in [json!({}), json!({ "name": "Jane", "idempotencyKey": "k" })] {
        let refused = send(&app.client(), &fields).await.expect(400).json();
        let issue = &refused["details"][0]["issues"][0];
        assert_eq!((&issue["code"], &issue["path"]), (&json!("required"), &json!([])));
    }
    assert_eq!(persons(&app.client()).await, 0);
}

#[tokio::test]
async fn each_wrong_field_is_told_at_its_place_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut wrong: Vec<(&str, Value, &str)> = vec![
        ("personId", json!(""), "too_short"),
        ("name", json!(""), "too_short"),
        ("name", json!("a".repeat(256)), "too_long"),
        ("idempotencyKey", json!(""), "too_short"),
        ("idempotencyKey", json!("a".repeat(256)), "too_long"),
        ("idempotencyKey", json!(1), "invalid_type"),
        ("source", Value::Null, "invalid_type"),
        ("type", json!(1), "invalid_type"),
        ("payload", json!([]), "invalid_type"),
        ("payload", json!([{}]), "invalid_type"),
        ("payload", json!("{}"), "invalid_type"),
        ("payload", json!(1), "invalid_type"),
        ("payload", Value::Null, "invalid_type"),
        ("email", json!("jane@@acme.example"), "invalid_format"),
        ("email", json!(format!("{}@acme.example", "a".repeat(300))), "invalid_format"),
        ("phoneNumber", json!("+1-800-FLOWERS"), "invalid_format"),
        ("linkedinProfileUrl", json!("https://www.linkedin.com/company/acme"), "invalid_format"),
        ("createdAt", json!("2026-01-01T00:00:00Z"), "unrecognized_key"),
        ("personLogId", json!("x"), "unrecognized_key"),
        ("domain", json!("acme.example"), "unrecognized_key"),
    ];
    for label in ["Page-View", "page_view", "page--view", "-page", "page-", "page view", "é", "page\n"] {
        wrong.push(("type", json!(label), "invalid_format"));
        wrong.push(("source", json!(label), "invalid_format"));
    }
    for (field, value, code) in wrong {
        let mut fields = json!({ "email": "jane@acme.example" });
        fields[field] = value.clone();
        let issues = send(&client, &fields).await.issues();
        assert_eq!(issues, [(code.to_owned(), field.to_owned())], "{field}: {value}");
    }
    let issues = client.post("/v0/person_logs", &json!({ "email": "jane@acme.example" })).await.issues();
    assert_eq!(issues, [("required".to_owned(), "source".to_owned())]);
    assert_eq!(persons(&client).await, 0);
    assert_eq!(client.get("/v0/accounts").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn every_wrong_field_is_told_at_once() {
    let app = TestApp::start().await;
    let fields = json!({ "source": "A", "type": "B", "email": "c", "payload": [], "extra": 1 });
    let mut issues = send(&app.client(), &fields).await.issues();
    issues.sort();
    let expected = [
        ("invalid_format", "email"),
        ("invalid_format", "source"),
        ("invalid_format", "type"),
        ("invalid_type", "payload"),
        ("unrecognized_key", "extra"),
    ];
    assert_eq!(issues, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[tokio::test]
async fn a_key_that_may_only_read_writes_nothing() {
    let app = TestApp::start().await;
    let key = app.add_key("acme", pagesmith_model::key::Scope::Read).await;
    send(&app.client_with(&key), &json!({ "email": "jane@acme.example" })).await.expect(403);
    assert_eq!(persons(&app.client()).await, 0);
}
