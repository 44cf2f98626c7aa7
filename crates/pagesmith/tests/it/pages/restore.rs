//! `POST /v0/pages/{page_id}/restore`.

use std::time::Duration;

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::json;

use super::{address, make, make_named, read, with};

#[tokio::test]
async fn a_page_comes_back_whole_however_it_was_put_away() {
    let app = TestApp::start().await;
    let client = app.client();
    for (archive, delete) in [(true, false), (false, true), (true, true)] {
        let made = make(&client, &fixtures::full_page()).await;
        let address = address(&made);
        let link = client.get(&format!("{address}/link")).await.expect(200).json();
        if archive {
            client.post(&format!("{address}/archive"), &json!({})).await.expect(200);
        }
        if delete {
            client.delete(&address).await.expect(200);
        }
        app.advance(Duration::from_secs(1));
        let restored = client.post(&format!("{address}/restore"), &json!({})).await.expect(200).json();
        let now = restored["updatedAt"].clone();
        assert_ne!(now, made["updatedAt"]);
        assert_eq!(restored, with(made.clone(), json!({ "updatedAt": now })));
        assert_eq!(read(&client, &made).await, restored);
        assert_eq!(client.get(&format!("{address}/link")).await.expect(200).json(), link);
    }
}

#[tokio::test]
async fn a_page_that_is_neither_archived_nor_deleted_is_left_as_it_is() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    app.advance(Duration::from_secs(1));
    let restored =
        app.client().post(&format!("{}/restore", address(&made)), &json!({})).await.expect(200).json();
    assert_eq!(restored, made);
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn restoring_again_changes_nothing() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let restore = format!("{}/restore", address(&made));
    app.client().delete(&address(&made)).await.expect(200);
    app.advance(Duration::from_secs(1));
    let first = app.client().post(&restore, &json!({})).await.expect(200).json();
    app.advance(Duration::from_secs(1));
    assert_eq!(app.client().post(&restore, &json!({})).await.expect(200).json(), first);
}

#[tokio::test]
async fn what_is_not_there_cannot_be_restored() {
    let app = TestApp::start().await;
    app.client().post("/v0/pages/page_01h2xcejqtf2nbrexx3vqjhp41/restore", &json!({})).await.expect(404);
    app.client().post("/v0/pages/nonsense/restore", &json!({})).await.expect(404);
}
