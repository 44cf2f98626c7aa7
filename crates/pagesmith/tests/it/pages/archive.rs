//! `POST /v0/pages/{page_id}/archive`.

use std::time::Duration;

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{address, make, make_named, read, with};

#[tokio::test]
async fn archiving_sets_the_instant_and_leaves_the_rest() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    app.advance(Duration::from_millis(1_500));
    let archived =
        app.client().post(&format!("{}/archive", address(&made)), &json!({})).await.expect(200).json();
    let now = "2026-03-01T12:00:01.500Z";
    let changes = json!({ "status": "archived", "archivedAt": now, "updatedAt": now });
    assert_eq!(archived, with(made.clone(), changes));
    assert_eq!(read(&app.client(), &made).await, archived);
}

#[tokio::test]
async fn archiving_again_changes_nothing() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let archive = format!("{}/archive", address(&made));
    let first = app.client().post(&archive, &json!({})).await.expect(200).json();
    app.advance(Duration::from_secs(60));
    assert_eq!(app.client().post(&archive, &json!({})).await.expect(200).json(), first);
    assert_eq!(read(&app.client(), &made).await, first);
}

#[tokio::test]
async fn an_archived_page_can_be_changed_and_stays_archived() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let archived =
        app.client().post(&format!("{}/archive", address(&made)), &json!({})).await.expect(200).json();
    let changed = app.client().patch(&address(&made), &json!({ "name": "Other" })).await.expect(200).json();
    assert_eq!((&changed["name"], &changed["status"]), (&json!("Other"), &json!("archived")));
    assert_eq!(changed["archivedAt"], archived["archivedAt"]);
}

#[tokio::test]
async fn what_is_not_there_or_deleted_cannot_be_archived() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    app.client().delete(&address(&made)).await.expect(200);
    app.client().post(&format!("{}/archive", address(&made)), &json!({})).await.expect(404);
    app.client().post("/v0/pages/page_01h2xcejqtf2nbrexx3vqjhp41/archive", &json!({})).await.expect(404);
    app.client().post("/v0/pages/nonsense/archive", &json!({})).await.expect(404);
}

#[tokio::test]
async fn the_body_is_an_empty_object_or_none() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    for operation in ["archive", "restore"] {
        let path = format!("{}/{operation}", address(&made));
        app.client().send("POST", &path, None).await.expect(200);
        app.client().send("POST", &path, Some(b" {} ".to_vec())).await.expect(200);
        for wrong in [Value::Null, json!([]), json!({ "archivedAt": null }), json!("")] {
            app.client().post(&path, &wrong).await.expect(400);
        }
    }
}
