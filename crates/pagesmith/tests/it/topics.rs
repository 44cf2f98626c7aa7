//! `/v0/topics`.

pub(crate) mod entries;
mod order;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

async fn make(client: &Client, body: &Value) -> Value {
    client.post("/v0/topics", body).await.expect(201).json()
}

fn path(topic: &Value) -> String {
    format!("/v0/topics/{}", topic["topicId"].as_str().unwrap())
}

async fn list(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

/// The default topic of the tenant.
async fn default(client: &Client) -> Value {
    let mut all = list(client, "/v0/topics").await;
    all.retain(|topic| topic["isDefault"] == true);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[tokio::test]
async fn a_tenant_begins_with_its_default_topic() {
    let app = TestApp::start().await;
    let answer = app.client().get("/v0/topics").await.expect(200).json();
    let topic = &answer["items"][0];
    assert!(topic["topicId"].as_str().unwrap().starts_with("topic_"));
    let expected = json!({
        "items": [{
            "topicId": topic["topicId"], "title": "General", "purpose": null, "sortOrder": 0, "isDefault": true,
            "createdAt": topic["createdAt"], "updatedAt": topic["createdAt"], "entries": [],
        }],
        "hasMore": false,
        "nextCursor": null,
        "totalCount": 1,
    });
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn a_topic_is_placed_after_all_others_unless_it_says_where() {
    let app = TestApp::start().await;
    let client = app.client();
    for (body, expected) in [
        (json!({ "title": "Pricing" }), json!(1)),
        (json!({ "title": "References", "sortOrder": 40 }), json!(40)),
        (json!({ "title": "Support", "sortOrder": 0 }), json!(0)),
        (json!({ "title": "Security" }), json!(41)),
        (
            json!({ "title": "Last", "sortOrder": 9_007_199_254_740_991_u64 }),
            json!(9_007_199_254_740_991_u64),
        ),
        (json!({ "title": "Behind the last" }), json!(9_007_199_254_740_991_u64)),
    ] {
        assert_eq!(make(&client, &body).await["sortOrder"], expected, "{body}");
    }
    let titles: Vec<Value> =
        list(&client, "/v0/topics").await.iter().map(|topic| topic["title"].clone()).collect();
    let expected = ["General", "Support", "Pricing", "References", "Security", "Last", "Behind the last"];
    assert_eq!(titles, expected);
}

#[tokio::test]
async fn a_topic_is_changed_field_by_field() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "title": "Pricing" })).await;
    let path = path(&made);
    app.advance(std::time::Duration::from_secs(5));
    assert_eq!(client.patch(&path, &json!({})).await.expect(200).json(), made, "nothing was changed");
    let renamed = client.patch(&path, &json!({ "title": "Prix et remises" })).await.expect(200).json();
    assert_eq!((&renamed["title"], &renamed["sortOrder"]), (&json!("Prix et remises"), &made["sortOrder"]));
    assert_ne!(renamed["updatedAt"], made["updatedAt"]);
    let moved = client.patch(&path, &json!({ "sortOrder": 7 })).await.expect(200).json();
    assert_eq!((&moved["title"], &moved["sortOrder"]), (&renamed["title"], &json!(7)));
    assert_eq!(client.get(&path).await.expect(200).json(), moved);
    // A search finds the new title and not the old one.
    assert_eq!(list(&client, "/v0/topics/search?query=remises").await, [moved]);
    assert!(list(&client, "/v0/topics/search?query=pricing").await.is_empty());
}

#[tokio::test]
async fn the_default_topic_can_be_changed_and_not_be_deleted() {
    let app = TestApp::start().await;
    let client = app.client();
    let path = path(&default(&client).await);
    let renamed = client.patch(&path, &json!({ "title": "About us" })).await.expect(200).json();
    assert_eq!(renamed["isDefault"], true);
    client.delete(&path).await.expect(409);
    assert_eq!(client.get(&path).await.expect(200).json(), renamed);
    assert_eq!(client.get("/v0/topics").await.json()["totalCount"], 1);
}

#[tokio::test]
async fn a_deleted_topic_is_gone_and_not_counted() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "title": "Pricing" })).await;
    assert_eq!(client.get("/v0/topics").await.json()["totalCount"], 2);
    assert_eq!(client.delete(&path(&made)).await.expect(200).json(), json!({ "success": true }));
    for answer in [client.get(&path(&made)).await, client.delete(&path(&made)).await] {
        answer.expect(404);
    }
    client.patch(&path(&made), &json!({ "title": "Back" })).await.expect(404);
    assert_eq!(client.get("/v0/topics").await.json()["totalCount"], 1);
    assert!(list(&client, "/v0/topics/search?query=pricing").await.is_empty());
}

#[tokio::test]
async fn a_change_is_made_only_of_what_was_seen() {
    let app = TestApp::start().await;
    let client = app.client();
    let path = path(&make(&client, &json!({ "title": "Pricing" })).await);
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-none-match", &tag).get(&path).await.expect(304);
    client.with("if-match", &tag).patch(&path, &json!({ "title": "Prices" })).await.expect(200);
    client.with("if-match", &tag).patch(&path, &json!({ "title": "Lost" })).await.expect(412);
    client.with("if-match", &tag).delete(&path).await.expect(412);
    assert_eq!(client.get(&path).await.expect(200).json()["title"], "Prices");
    // Existence comes before the precondition, and the precondition before the state.
    client.with("if-match", &tag).delete("/v0/topics/topic_00000000000000000000000000").await.expect(404);
    let default = self::path(&default(&client).await);
    client.with("if-match", &tag).delete(&default).await.expect(412);
}

#[tokio::test]
async fn bad_input_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let path = path(&make(&client, &json!({ "title": "Pricing" })).await);
    let before = list(&client, "/v0/topics").await;
    for body in [
        json!({ "title": "" }),
        json!({ "title": " \u{a0}" }),
        json!({ "title": null }),
        json!({ "title": 7 }),
        json!({ "title": "x".repeat(1_001) }),
        json!({ "title": "T", "sortOrder": -1 }),
        json!({ "title": "T", "sortOrder": 1.5 }),
        json!({ "title": "T", "sortOrder": 9_007_199_254_740_992_u64 }),
        json!({ "title": "T", "sortOrder": "1" }),
        json!({ "title": "T", "sortOrder": null }),
        json!({ "title": "T", "isDefault": true }),
    ] {
        client.post("/v0/topics", &body).await.expect(400);
        client.patch(&path, &body).await.expect(400);
    }
    client.post("/v0/topics", &json!({})).await.expect(400);
    assert_eq!(list(&client, "/v0/topics").await, before);
    // The largest values are none of them.
    let body = json!({ "title": "日".repeat(1_000), "sortOrder": 9_007_199_254_740_991_u64 });
    client.patch(&path, &body).await.expect(200);
}

#[tokio::test]
async fn the_same_request_creates_one_topic() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "order-1");
    let body = json!({ "title": "Pricing" });
    let first = client.post("/v0/topics", &body).await.expect(201);
    let again = client.post("/v0/topics", &body).await.expect(201);
    assert_eq!(
        (again.bytes.clone(), again.header("idempotent-replayed")),
        (first.bytes.clone(), Some("true"))
    );
    assert_eq!(app.client().get("/v0/topics").await.json()["totalCount"], 2);
}
