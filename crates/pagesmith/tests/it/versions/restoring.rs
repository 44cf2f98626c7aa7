//! A version's content as a new draft, and the history of versions.

use serde_json::{Value, json};

use super::{Scene, document};

/// What was done with a version, newest first, and by whom.
async fn history(scene: &Scene, path: &str) -> Vec<(String, String)> {
    let listed = scene.get(&format!("{path}/history?limit=100")).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let items = listed["items"].as_array().unwrap().iter();
    items.map(|item| (text(&item["action"]), text(&item["actor"]))).collect()
}

#[tokio::test]
async fn what_a_version_says_becomes_a_new_draft_once() {
    let scene = Scene::start().await;
    let first = scene.path(1).await;
    scene.client.post(&format!("{first}/restore"), &json!({})).await.expect(409);
    scene.write().await;
    let body = json!({ "operationKey": "once" });
    let made = scene.client.post(&format!("{first}/restore"), &body).await.expect(201).json();
    let again = scene.client.post(&format!("{first}/restore"), &body).await.expect(201).json();
    assert_eq!((&made, &made["status"], &made["versionNumber"]), (&again, &json!("draft"), &json!(2)));
    let second = scene.path(2).await;
    let content = scene.get(&format!("{second}/content")).await;
    assert_eq!(content, scene.get(&format!("{first}/content")).await);
    assert_eq!(scene.statuses().await, ["published", "draft"]);
    let listed = scene.get(&format!("{second}/history")).await;
    assert_eq!((&listed["items"][0]["action"], &listed["totalCount"]), (&json!("restored"), &json!(2)));
    assert_eq!(listed["items"][0]["sourceVersionId"], scene.get(&first).await["versionId"]);
    assert!(listed["items"][0]["requestId"].as_str().is_some_and(|id| id.starts_with("req_")));
    scene.client.delete(&scene.audience).await.expect(200);
    scene.client.post(&format!("{first}/restore"), &json!({})).await.expect(409);
}

#[tokio::test]
async fn a_history_tells_what_was_done_and_by_whom() {
    let scene = Scene::with_draft().await;
    let first = scene.path(1).await;
    scene.write().await;
    let body = Some(document("x").to_string().into_bytes());
    scene.client.send("PUT", &format!("{first}/content"), body).await.expect(200);
    scene.ask(&first, "publish").await;
    let second = scene.add().await;
    scene.ask(&second, "cancel").await;
    let told = history(&scene, &first).await;
    let actions: Vec<&str> = told.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["published", "edited", "generated", "created"]);
    assert_eq!(told[2].1, "worker");
    assert!([0, 1, 3].iter().all(|at| told[*at].1.starts_with("key_")), "{told:?}");
    let cancelled = history(&scene, &second).await;
    assert_eq!((cancelled[0].0.as_str(), cancelled.len()), ("cancelled", 2));
    let part = scene.get(&format!("{first}/history?limit=2")).await;
    let cursor = part["nextCursor"].as_str().unwrap();
    let rest = scene.get(&format!("{first}/history?limit=2&cursor={cursor}")).await;
    assert_eq!((&rest["items"][0]["action"], &rest["hasMore"]), (&json!("generated"), &json!(false)));
}
