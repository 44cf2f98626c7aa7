//! Making a further version.

use std::time::Duration;

use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn a_version_takes_the_next_number_and_waits_for_its_turn() {
    let scene = Scene::start().await;
    scene.client.patch(&scene.audience, &json!({ "supplementaryContext": "New words" })).await.expect(200);
    let second = scene.get(&scene.add().await).await;
    assert_eq!((&second["versionNumber"], &second["status"]), (&json!(2), &json!("pending")));
    assert_eq!((&second["supplementaryContext"], &second["queuedAt"]), (&json!("New words"), &Value::Null));
    scene.add().await;
    assert_eq!(scene.statuses().await, ["queued", "pending", "pending"]);
    scene.write().await;
    assert_eq!(scene.statuses().await, ["published", "draft", "draft"]);
    let audience = scene.get(&scene.audience).await;
    assert_eq!(audience["latestVersion"]["versionNumber"], 3);
    assert_eq!(
        (&audience["status"], &audience["publishedVersion"]["versionNumber"]),
        (&json!("published"), &json!(1))
    );
}

#[tokio::test]
async fn a_version_is_written_down_with_when_everything_happened() {
    let scene = Scene::start().await;
    scene.app.advance(Duration::from_millis(1_500));
    scene.write().await;
    let version = scene.get(&scene.path(1).await).await;
    insta::assert_snapshot!(format!("{version:#}"));
}

#[tokio::test]
async fn the_same_operation_key_makes_one_version_and_has_one_answer() {
    let scene = Scene::start().await;
    let path = format!("{}/versions", scene.audience);
    let keyed = json!({ "operationKey": "weekly" });
    let first = scene.client.post(&path, &keyed).await.expect(201);
    scene.write().await;
    let again = scene.client.post(&path, &keyed).await.expect(201);
    assert_eq!(again.bytes, first.bytes);
    let other = scene.client.post(&path, &json!({ "operationKey": "monthly" })).await.expect(201);
    assert_ne!(other.json()["versionId"], first.json()["versionId"]);
    assert_eq!(scene.statuses().await.len(), 3);
    // An archived audience still tells what it did.
    scene.client.delete(&scene.audience).await.expect(200);
    assert_eq!(scene.client.post(&path, &keyed).await.expect(201).bytes, first.bytes);
}

#[tokio::test]
async fn the_body_may_be_left_out_and_nothing_else_may_stand_in_it() {
    let scene = Scene::start().await;
    let path = format!("{}/versions", scene.audience);
    scene.client.send("POST", &path, None).await.expect(201);
    for (body, issue) in [
        (json!({ "operationKey": "" }), ("too_short", "operationKey")),
        (json!({ "operationKey": "x".repeat(129) }), ("too_long", "operationKey")),
        (json!({ "operationKey": null }), ("invalid_type", "operationKey")),
        (json!({ "publish": true }), ("unrecognized_key", "publish")),
    ] {
        let issues = scene.client.post(&path, &body).await.issues();
        assert_eq!(issues, [(issue.0.to_owned(), issue.1.to_owned())], "{body}");
    }
}

#[tokio::test]
async fn a_version_stands_under_its_own_audience_only() {
    let scene = Scene::start().await;
    let version = scene.path(1).await;
    let id = version.rsplit('/').next().unwrap();
    let (page, _) = scene.audience.split_once("/audiences/").unwrap();
    let other = crate::audiences::audience(&scene.client, page, &json!({})).await;
    for wrong in [format!("{other}/versions/{id}"), format!("{}/versions/x", scene.audience)] {
        for under in ["", "/content", "/progress"] {
            scene.client.get(&format!("{wrong}{under}")).await.expect(404);
        }
        for what in ["cancel", "publish"] {
            scene.client.post(&format!("{wrong}/{what}"), &json!({})).await.expect(404);
        }
        let content = super::document("x").to_string().into_bytes();
        scene.client.send("PUT", &format!("{wrong}/content"), Some(content)).await.expect(404);
    }
}

#[tokio::test]
async fn an_archived_page_takes_no_version() {
    let scene = Scene::start().await;
    scene.write().await;
    let (page, _) = scene.audience.split_once("/audiences/").unwrap();
    scene.client.post(&format!("{page}/archive"), &json!({})).await.expect(200);
    scene.client.post(&format!("{}/versions", scene.audience), &json!({})).await.expect(409);
    let publish = format!("{}/publish", scene.path(1).await);
    scene.client.post(&publish, &json!({})).await.expect(409);
}
