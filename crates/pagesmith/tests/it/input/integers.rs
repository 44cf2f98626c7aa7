//! Integers: every spelling that JSON Schema takes for one, and numbers that are none or too large.

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::json;

use crate::page_links::{audience_of, page};

async fn patched(client: &Client, path: &str, body: &str) -> Answer {
    client.send("PATCH", path, Some(body.as_bytes().to_vec())).await
}

/// A message about the component of that number.
fn message(number: &str) -> String {
    let selected =
        r#""blockId": "b", "elementId": "e", "elementType": "text", "blockTitle": null, "content": null"#;
    format!(r#"{{"message": "Shorter", "selectedElement": {{{selected}, "componentIndex": {number}}}}}"#)
}

#[tokio::test]
async fn an_integer_is_taken_in_every_spelling() {
    let app = TestApp::start().await;
    let client = app.client();
    let topic = client.post("/v0/topics", &json!({ "title": "Prices" })).await.expect(201).json();
    let topic = format!("/v0/topics/{}", topic["topicId"].as_str().unwrap());
    for (spelling, number) in [
        ("1.0", 1),
        ("1e2", 100),
        ("1.5E+1", 15),
        ("-0", 0),
        ("-0.0", 0),
        ("700e-2", 7),
        ("9007199254740991.0", 9_007_199_254_740_991_u64),
    ] {
        let body = format!(r#"{{ "title": "1.0 \"2.0\"", "sortOrder": {spelling} }}"#);
        let changed = patched(&client, &topic, &body).await.expect(200).json();
        let expected = (json!("1.0 \"2.0\""), json!(number));
        assert_eq!((&changed["title"], &changed["sortOrder"]), (&expected.0, &expected.1), "{spelling}");
    }
    let page = page(&client, "Spring").await;
    let audience = audience_of(&client, &page, "Plants").await;
    let body = format!(
        r#"{{"path": "/split", "target": {{"targetType": "page_routing", "pageId": "{page}", "routingTable": [
            {{"audienceId": "{audience}", "weight": 1.0}}, {{"targetUrl": "https://acme.example/", "weight": 3e0}}]}}}}"#
    );
    let made = client.send("POST", "/v0/page_links", Some(body.into_bytes())).await.expect(200).json();
    assert_eq!(made["target"]["routingTable"][0]["weight"], 1);
    assert_eq!(made["target"]["routingTable"][1]["weight"], 3);
    let path = format!("/v0/pages/{page}/audiences/{audience}/messages");
    client.send("POST", &path, Some(message("0.0").into_bytes())).await.expect(202);
}

#[tokio::test]
async fn what_is_no_integer_or_too_large_is_told_at_its_place() {
    let app = TestApp::start().await;
    let client = app.client();
    let topic = client.post("/v0/topics", &json!({ "title": "Prices" })).await.expect(201).json();
    let topic = format!("/v0/topics/{}", topic["topicId"].as_str().unwrap());
    for (number, code) in [
        ("1.5", "invalid_type"),
        ("1e-1", "invalid_type"),
        ("-1.0", "too_small"),
        ("9007199254740992.0", "too_big"),
        ("1e400", "too_big"),
    ] {
        let answer = patched(&client, &topic, &format!(r#"{{"sortOrder": {number}}}"#)).await;
        assert_eq!(answer.issues(), [(code.to_owned(), "sortOrder".to_owned())], "{number}");
    }
    let page = page(&client, "Spring").await;
    let audience = audience_of(&client, &page, "Plants").await;
    let path = format!("/v0/pages/{page}/audiences/{audience}/messages");
    for number in ["18446744073709551616", "2e19", "1e400"] {
        let answer = client.send("POST", &path, Some(message(number).into_bytes())).await.expect(400);
        let expected = [("too_big".to_owned(), "selectedElement.componentIndex".to_owned())];
        assert_eq!(answer.issues(), expected, "{number}");
    }
}
