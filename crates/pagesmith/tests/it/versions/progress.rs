//! How far a version has come, once or as events.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::{Scene, begin_writing};

#[tokio::test]
async fn a_version_that_waits_or_is_over_has_no_step() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let waiting = scene.get(&path).await;
    assert_eq!(
        (&waiting["status"], &waiting["step"], &waiting["tries"]),
        (&json!("queued"), &Value::Null, &json!(0))
    );
    scene.write().await;
    let over = scene.get(&path).await;
    assert_eq!(
        (&over["status"], &over["step"], &over["updatedAt"]),
        (&json!("published"), &Value::Null, &Value::Null)
    );
    let content = scene.get(&format!("{}/content", scene.path(1).await)).await;
    let blocks = content["blocks"].as_array().unwrap().len();
    assert_eq!((&waiting["blocks"], &over["blocks"]), (&json!(0), &json!(blocks)));
    assert!(blocks > 0);
}

#[tokio::test]
async fn what_a_worker_notes_at_a_beat_is_shown() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let (writing, _stop, shown) = begin_writing(&scene.app, &path).await;
    assert_eq!(
        (&shown["status"], &shown["step"], &shown["blocks"]),
        (&json!("processing"), &json!("writing"), &json!(2))
    );
    assert_eq!(shown["tries"], 1);
    writing.abort();
}

/// The data of every event on a line, as long as it is open.
async fn followed(scene: &Scene, path: &str) -> Vec<Value> {
    let request =
        Request::get(path).header("x-api-key", &scene.app.key).header("accept", "text/event-stream");
    let request = request.body(Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(scene.app.router.clone(), request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let body = String::from_utf8(body.to_vec()).unwrap();
    body.split_terminator("\n\n")
        .map(|event| serde_json::from_str(event.strip_prefix("event: progress\ndata: ").unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn events_tell_of_every_change_until_the_version_is_over() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let (told, ()) = tokio::join!(followed(&scene, &path), async {
        tokio::task::yield_now().await;
        scene.write().await;
    });
    assert_eq!(told.last().unwrap()["status"], "published");
    // Of what is over one event tells.
    let told = followed(&scene, &path).await;
    assert_eq!(told, [scene.get(&path).await]);
}

#[tokio::test]
async fn a_line_ends_when_the_server_stops() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    scene.app.state.ending.send_replace(true);
    let told = followed(&scene, &path).await;
    assert_eq!(told.len(), 1);
}
