//! How far a version has come, once or as events.

use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::{Scene, begin_writing, follow, progress_events};

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
    let response = follow(&scene.app, path, None).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let body = response.into_body().collect().await.unwrap().to_bytes();
    progress_events(&body).into_iter().map(|(data, _)| data).collect()
}

#[tokio::test]
async fn events_tell_of_every_change_until_the_version_is_over() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let (events, ()) = tokio::join!(followed(&scene, &path), async {
        tokio::task::yield_now().await;
        scene.write().await;
    });
    assert_eq!(events.last().unwrap()["status"], "published");
    // Of what is over one event tells.
    let events = followed(&scene, &path).await;
    assert_eq!(events, [scene.get(&path).await]);
}

#[tokio::test]
async fn who_connects_again_is_not_told_what_they_know() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let mut events = follow(&scene.app, &path, None).await.into_body();
    let first = progress_events(&events.frame().await.unwrap().unwrap().into_data().unwrap()).remove(0);
    let once = scene.client.get(&path).await;
    assert_eq!(once.header("etag").unwrap().trim_matches('"'), first.1, "an event has the tag of its state");
    drop(events);
    let again = follow(&scene.app, &path, Some(&first.1)).await.into_body();
    let stale = follow(&scene.app, &path, Some("another")).await.into_body();
    scene.write().await;
    let again = progress_events(&again.collect().await.unwrap().to_bytes());
    assert!(!again.contains(&first), "{again:?}");
    assert_eq!(again.last().unwrap().0["status"], "published");
    let stale = progress_events(&stale.collect().await.unwrap().to_bytes());
    assert_eq!(stale[0], first);
}

#[tokio::test]
async fn a_line_ends_when_the_server_stops() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    scene.app.state.ending.send_replace(true);
    assert_eq!(followed(&scene, &path).await.len(), 1);
}
