//! `DELETE /v0/pages/{page_id}`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, make_named, read, with};

#[tokio::test]
async fn a_deleted_page_is_not_found_anywhere() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "Page").await;
    assert_eq!(client.delete(&address(&made)).await.expect(200).json(), json!({ "success": true }));
    client.get(&address(&made)).await.expect(404);
    client.get(&format!("{}/link", address(&made))).await.expect(404);
    client.patch(&address(&made), &json!({ "name": "Other" })).await.expect(404);
    client.patch(&address(&made), &json!({})).await.expect(404);
    client.post(&format!("{}/archive", address(&made)), &json!({})).await.expect(404);
    assert_eq!(client.get("/v0/pages").await.expect(200).json()["items"], json!([]));
    assert_eq!(client.get("/v0/pages/search?query=page").await.expect(200).json()["items"], json!([]));
}

#[tokio::test]
async fn deleting_again_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "Page").await;
    let first = client.delete(&address(&made)).await.expect(200);
    app.advance(Duration::from_secs(60));
    let again = client.delete(&address(&made)).await.expect(200);
    assert_eq!(again.bytes, first.bytes);
    // Brought back, it shows no trace of the second time.
    app.advance(Duration::from_secs(60));
    let restored = client.post(&format!("{}/restore", address(&made)), &json!({})).await.expect(200).json();
    assert_eq!(restored, with(made, json!({ "updatedAt": "2026-03-01T12:02:00.000Z" })));
}

#[tokio::test]
async fn an_archived_page_can_be_deleted() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make_named(&client, "Page").await;
    client.post(&format!("{}/archive", address(&made)), &json!({})).await.expect(200);
    client.delete(&address(&made)).await.expect(200);
    client.get(&address(&made)).await.expect(404);
}

#[tokio::test]
async fn what_is_not_there_cannot_be_deleted() {
    let app = TestApp::start().await;
    app.client().delete("/v0/pages/page_01h2xcejqtf2nbrexx3vqjhp41").await.expect(404);
    app.client().delete("/v0/pages/nonsense").await.expect(404);
}

#[tokio::test]
async fn other_pages_stay_as_they_are() {
    let app = TestApp::start().await;
    let (gone, kept) = (make_named(&app.client(), "Page").await, make_named(&app.client(), "Page").await);
    app.client().delete(&address(&gone)).await.expect(200);
    assert_eq!(read(&app.client(), &kept).await, kept);
    assert_eq!(kept["deletedAt"], Value::Null);
}
