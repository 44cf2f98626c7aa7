//! Letting a version be live.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Scene, document};

#[tokio::test]
async fn a_draft_goes_live_and_replaces_what_was() {
    let scene = Scene::start().await;
    let second = scene.add().await;
    scene.write().await;
    scene.app.advance(Duration::from_secs(60));
    let published = scene.ask(&second, "publish").await;
    assert_eq!(published["status"], "published");
    let first = scene.get(&scene.path(1).await).await;
    assert_eq!(first["status"], "archived");
    assert_eq!(
        (&first["archivedAt"], &first["obsoleteAt"]),
        (&published["publishedAt"], &published["publishedAt"])
    );
    assert_ne!(first["publishedAt"], published["publishedAt"]);
    let audience = scene.get(&scene.audience).await;
    assert_eq!(audience["publishedVersion"], published);
    // Back again: the instants of being over are gone.
    scene.app.advance(Duration::from_secs(60));
    let back = scene.ask(&scene.path(1).await, "publish").await;
    assert_eq!(
        (&back["status"], &back["archivedAt"], &back["obsoleteAt"]),
        (&json!("published"), &Value::Null, &Value::Null)
    );
    assert_eq!(scene.statuses().await, ["published", "archived"]);
}

#[tokio::test]
async fn what_is_live_already_is_left_as_it_is() {
    let scene = Scene::start().await;
    scene.write().await;
    let first = scene.get(&scene.path(1).await).await;
    scene.app.advance(Duration::from_secs(60));
    assert_eq!(scene.ask(&scene.path(1).await, "publish").await, first);
}

#[tokio::test]
async fn what_waits_goes_live_when_it_is_written() {
    let scene = Scene::with_draft().await;
    let (second, third) = (scene.add().await, scene.add().await);
    assert_eq!(scene.ask(&second, "publish").await["status"], "pending");
    assert_eq!(scene.ask(&scene.path(1).await, "publish").await["status"], "queued");
    drop(third);
    scene.write().await;
    assert_eq!(scene.statuses().await, ["archived", "published", "draft"]);
}

#[tokio::test]
async fn drafts_below_a_newer_live_version_are_obsolete() {
    let scene = Scene::with_draft().await;
    let (second, third) = (scene.add().await, scene.add().await);
    scene.write().await;
    scene.ask(&second, "publish").await;
    assert_ne!(scene.get(&scene.path(1).await).await["obsoleteAt"], Value::Null);
    assert_eq!(scene.get(&third).await["obsoleteAt"], Value::Null);
    // A draft that is written later than a newer one went live is obsolete at once.
    let (fourth, fifth) = (scene.add().await, scene.add().await);
    scene.ask(&fifth, "cancel").await;
    scene
        .client
        .send("PUT", &format!("{fifth}/content"), Some(document("x").to_string().into_bytes()))
        .await
        .expect(200);
    scene.ask(&fifth, "publish").await;
    scene.write().await;
    let fourth = scene.get(&fourth).await;
    assert_eq!(fourth["status"], "draft");
    assert_eq!(fourth["obsoleteAt"], fourth["becameDraftAt"]);
}

#[tokio::test]
async fn a_cancelled_version_without_content_is_written_after_all() {
    let scene = Scene::with_draft().await;
    let second = scene.add().await;
    scene.ask(&scene.path(1).await, "cancel").await;
    scene.app.advance(Duration::from_secs(1));
    let again = scene.ask(&scene.path(1).await, "publish").await;
    assert_eq!(
        (&again["status"], &again["cancelledAt"], &again["queuedAt"]),
        (&json!("pending"), &Value::Null, &Value::Null)
    );
    scene.ask(&second, "cancel").await;
    assert_eq!(scene.statuses().await, ["queued", "cancelled"]);
    scene.write().await;
    assert_eq!(scene.statuses().await, ["published", "cancelled"]);
}

#[tokio::test]
async fn the_same_operation_key_has_the_same_answer() {
    let scene = Scene::with_draft().await;
    let second = scene.add().await;
    scene.write().await;
    let keyed = json!({ "operationKey": "go" });
    let first = scene.path(1).await;
    let published = scene.client.post(&format!("{first}/publish"), &keyed).await.expect(200);
    // Of the same audience, it is another request.
    let refused = scene.client.post(&format!("{second}/publish"), &keyed).await.expect(409).json();
    assert_eq!(refused["detail"], "This operationKey was used to publish another version.");
    assert_eq!(refused["details"]["versionId"], published.json()["versionId"]);
    assert_eq!(scene.statuses().await, ["published", "draft"]);
    scene.client.post(&format!("{second}/publish"), &json!({ "operationKey": "on" })).await.expect(200);
    // The key was used: asked again it publishes nothing.
    let again = scene.client.post(&format!("{first}/publish"), &keyed).await.expect(200);
    assert_eq!(again.bytes, published.bytes);
    assert_eq!(scene.statuses().await, ["archived", "published"]);
    scene.client.post(&format!("{first}/publish"), &json!({ "operationKey": "back" })).await.expect(200);
    assert_eq!(scene.statuses().await, ["published", "archived"]);
}
