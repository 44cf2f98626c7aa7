//! What is no person: refused at its place, and nothing is written; and odd input that is one.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{accounts, make, read, total};

/// A field's value, and the code of the issue that it gives.
fn wrong_fields() -> Vec<(&'static str, Value, &'static str)> {
    let mut wrong = vec![
        ("name", json!(""), "too_short"),
        ("name", json!("a".repeat(256)), "too_long"),
        ("name", json!("a\0b"), "invalid_character"),
        ("name", json!(1), "invalid_type"),
        ("name", json!(["Jane"]), "invalid_type"),
        ("email", json!(format!("{}@example.com", "a".repeat(300))), "invalid_format"),
        ("email", json!(1), "invalid_type"),
        ("phoneNumber", json!(4915112345678_u64), "invalid_type"),
        ("linkedinProfileUrl", json!({}), "invalid_type"),
        ("domain", json!(false), "invalid_type"),
    ];
    for email in [
        "",
        " ",
        "jane",
        "@",
        "jane@",
        "@example.com",
        "jane@@example.com",
        "jane@doe@example.com",
        "jane@example",
        "jane doe@example.com",
        "Jane <jane@example.com>",
        "<b>jane</b>@example.com",
        "jane@<b>example</b>.com",
        "jörg@example.com",
        "🦀@example.com",
        "jane@example.com,joe@example.com",
        "jane@[127.0.0.1]",
    ] {
        wrong.push(("email", json!(email), "invalid_format"));
    }
    for phone in [
        "",
        "+",
        "+1",
        "+0151",
        "4915112345678",
        "+49 151 12345678",
        "+49151x",
        "+1-800-FLOWERS",
        "+1234567890123456",
    ] {
        wrong.push(("phoneNumber", json!(phone), "invalid_format"));
    }
    for profile in [
        "jane-doe",
        "https://www.linkedin.com/company/acme",
        "https://www.linkedin.com/school/acme",
        "https://www.linkedin.com/in/",
        "https://example.com/in/jane",
        "https://linkedin.com.evil.example/in/jane",
        "https://www.linkedin.com/in/<script>",
        "javascript://linkedin.com/in/jane",
    ] {
        wrong.push(("linkedinProfileUrl", json!(profile), "invalid_format"));
    }
    for domain in [" ", "localhost", "127.0.0.1", "acme", "acme..com", "-acme.com", "acme com", "a@acme.com"]
    {
        wrong.push(("domain", json!(domain), "invalid_format"));
    }
    wrong
}

#[tokio::test]
async fn each_wrong_field_is_told_at_its_place_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let good = json!({ "name": "Jane", "email": "jane@acme.example" });
    let made = make(&client, &json!({ "name": "Joe" })).await;
    for (field, value, code) in wrong_fields() {
        let mut body = good.clone();
        body[field] = value.clone();
        let expected = [(code.to_owned(), field.to_owned())];
        assert_eq!(client.post("/v0/persons", &body).await.issues(), expected, "{field}: {value}");
        let patch = json!({ field: value });
        assert_eq!(client.patch(&super::address(&made), &patch).await.issues(), expected, "{field}: {value}");
    }
    assert_eq!(total(&client).await, 1);
    assert_eq!(read(&client, &made).await, made);
    assert_eq!(accounts(&client).await, []);
}

#[tokio::test]
async fn every_wrong_field_is_told_at_once() {
    let app = TestApp::start().await;
    let body = json!({
        "email": "x", "phoneNumber": "x", "linkedinProfileUrl": "x", "domain": "x", "slug": "x", "personId": "x",
    });
    let mut issues = app.client().post("/v0/persons", &body).await.issues();
    issues.sort();
    let expected = [
        ("invalid_format", "domain"),
        ("invalid_format", "email"),
        ("invalid_format", "linkedinProfileUrl"),
        ("invalid_format", "phoneNumber"),
        ("required", "name"),
        ("unrecognized_key", "personId"),
        ("unrecognized_key", "slug"),
    ];
    assert_eq!(issues, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
    assert_eq!(total(&app.client()).await, 0);
}

#[tokio::test]
async fn null_empties_nothing_that_is_being_made() {
    let app = TestApp::start().await;
    for field in ["email", "phoneNumber", "linkedinProfileUrl", "domain"] {
        let body = json!({ "name": "Jane", field: null });
        let issues = app.client().post("/v0/persons", &body).await.issues();
        assert_eq!(issues.len(), 1);
        assert_eq!(issues[0].1, field);
    }
    assert_eq!(total(&app.client()).await, 0);
}

#[tokio::test]
async fn international_hosts_tags_and_capitals_are_normal() {
    let app = TestApp::start().await;
    let client = app.client();
    for (sent, email, domain) in [
        ("JANE+Tag@Acme.EXAMPLE", "jane+tag@acme.example", "acme.example"),
        ("jane@Bücher.de", "jane@xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("o'brien_{x}@mail.acme.co.uk", "o'brien_{x}@mail.acme.co.uk", "mail.acme.co.uk"),
    ] {
        let made = make(&client, &json!({ "name": "Jane", "email": sent })).await;
        assert_eq!((&made["email"], &made["domain"]), (&json!(email), &json!(domain)));
    }
    client.post("/v0/persons", &json!({ "name": "J", "email": "jane@xn--bcher-KVA.de" })).await.expect(200);
    let padded = format!("{:>300}", "jane@padded.example");
    let made = make(&client, &json!({ "name": "Jane", "email": padded })).await;
    assert_eq!(made["email"], "jane@padded.example");
}

#[tokio::test]
async fn names_are_kept_as_they_were_sent() {
    let app = TestApp::start().await;
    for name in [
        " a ",
        "<script>alert(1)</script>",
        "'; DROP TABLE persons; --",
        "مرحبا",
        "👩‍👩‍👧",
        &"é".repeat(255),
        "a\nb",
    ] {
        let made = make(&app.client(), &json!({ "name": name })).await;
        assert_eq!(made["name"], name);
        assert_eq!(read(&app.client(), &made).await, made);
    }
}
