//! Calling a version off.

use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn what_is_not_written_yet_can_be_called_off_and_the_next_has_its_turn() {
    let scene = Scene::start().await;
    let (second, third) = (scene.add().await, scene.add().await);
    let first = scene.ask(&scene.path(1).await, "cancel").await;
    assert_eq!(first["status"], "cancelled");
    assert_ne!(first["cancelledAt"], Value::Null);
    assert_eq!(scene.statuses().await, ["cancelled", "queued", "pending"]);
    scene.ask(&third, "cancel").await;
    scene.ask(&second, "cancel").await;
    assert_eq!(scene.statuses().await, ["cancelled"; 3]);
    scene.write().await;
    assert_eq!(scene.statuses().await, ["cancelled"; 3]);
    assert_eq!(scene.get(&scene.audience).await["status"], "cancelled");
}

#[tokio::test]
async fn what_is_over_cannot_be_called_off() {
    let scene = Scene::start().await;
    scene.add().await;
    scene.write().await;
    let cancelled = scene.add().await;
    scene.ask(&cancelled, "cancel").await;
    let second = scene.path(2).await;
    for (path, status) in
        [(scene.path(1).await, "published"), (second.clone(), "draft"), (cancelled, "cancelled")]
    {
        let refused = scene.client.post(&format!("{path}/cancel"), &json!({})).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "status": status }));
    }
    scene.ask(&second, "publish").await;
    let path = scene.path(1).await;
    let refused = scene.client.post(&format!("{path}/cancel"), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "status": "archived" }));
}

#[tokio::test]
async fn cancelling_takes_an_empty_object_or_nothing() {
    let scene = Scene::start().await;
    let path = format!("{}/cancel", scene.path(1).await);
    let issues = scene.client.post(&path, &json!({ "why": "x" })).await.issues();
    assert_eq!(issues, [("unrecognized_key".to_owned(), "why".to_owned())]);
    let keyed = scene.client.clone().with("idempotency-key", "k");
    let first = keyed.send("POST", &path, None).await.expect(200);
    let again = keyed.send("POST", &path, None).await.expect(200);
    assert_eq!((again.header("idempotent-replayed"), &again.bytes), (Some("true"), &first.bytes));
}
