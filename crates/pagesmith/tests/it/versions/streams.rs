//! Streams of events: whose they are no more, and how many there may be.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use serde_json::json;
use tokio::time::timeout;

use super::Scene;

/// How soon a stream must have ended that nobody may read any more; the key ring learns of it by the test's hand.
const SOON: Duration = Duration::from_secs(3);

async fn follow(scene: &Scene, path: &str, key: &str) -> Response<Body> {
    let request = Request::get(path).header("x-api-key", key).header("accept", "text/event-stream");
    let request = request.body(Body::empty()).unwrap();
    tower::ServiceExt::oneshot(scene.app.router.clone(), request).await.unwrap()
}

async fn stream(scene: &Scene, path: &str, key: &str) -> Body {
    let response = follow(scene, path, key).await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"event: progress\n"));
    body
}

/// It ends, and tells of nothing before.
async fn ends_soon(body: Body) {
    let rest = timeout(SOON, body.collect()).await.unwrap().unwrap();
    assert_eq!(rest.to_bytes(), "");
}

/// It is still there when the version is written.
async fn goes_on(scene: &Scene, body: Body) {
    scene.write().await;
    let rest = body.collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&rest).contains("\"published\""), "it ended although all is in order");
}

fn new_key(expires_in: Option<Duration>) -> NewKey {
    NewKey {
        name: "followed".to_owned(),
        scope: Scope::Read,
        tenants: vec!["acme".to_owned()],
        expires_in,
        rate_limit: None,
    }
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_key_was_revoked() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let issued = scene.app.issue(new_key(None)).await;
    let body = stream(&scene, &path, &issued.secret).await;
    let other = stream(&scene, &path, &scene.app.key).await;
    scene.app.revoke(issued.key.key_id).await;
    ends_soon(body).await;
    goes_on(&scene, other).await;
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_key_has_expired() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let issued = scene.app.issue(new_key(Some(Duration::from_secs(60)))).await;
    let body = stream(&scene, &path, &issued.secret).await;
    let other = stream(&scene, &path, &scene.app.key).await;
    scene.app.advance(Duration::from_secs(61));
    ends_soon(body).await;
    goes_on(&scene, other).await;
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_tenant_was_suspended() {
    let scene = Scene::start().await;
    let path = format!("{}/progress", scene.path(1).await);
    let body = stream(&scene, &path, &scene.app.key).await;
    scene.app.suspend("acme").await;
    ends_soon(body).await;
}

#[tokio::test]
async fn a_tenant_has_so_many_streams_open() {
    let scene = Scene::of(json!({}), |plan| plan.settings.streams_per_tenant = 2).await;
    let path = format!("{}/progress", scene.path(1).await);
    let first = stream(&scene, &path, &scene.app.key).await;
    let second = stream(&scene, &path, &scene.app.key).await;
    let refused = follow(&scene, &path, &scene.app.key).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "5");
    // What is no stream needs no place.
    scene.get(&path).await;
    drop(first);
    let third = stream(&scene, &path, &scene.app.key).await;
    drop((second, third));
}
