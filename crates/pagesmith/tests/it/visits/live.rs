//! Who is on a page at present.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::json;

use super::{Scene, shown};

#[tokio::test]
async fn who_has_done_nothing_for_five_minutes_is_not_there() {
    let scene = Scene::start().await;
    let other = shown(&scene.client, &scene.page, &json!({})).await;
    let nobody = json!({ "activeVisitors": 0, "activeSessions": 0, "audiences": [] });
    assert_eq!(scene.get("analytics/live").await, nobody);
    scene.send(1, &json!({})).await;
    scene.send(2, &json!({ "a": other })).await;
    scene.send_as(&scene.browser(150), 3, &json!({ "a": other })).await;
    let audience = |id: &str, sessions: u32| json!({ "audienceId": id, "activeSessions": sessions });
    let all = json!({
        "activeVisitors": 2, "activeSessions": 3, "audiences": [audience(&other, 2), audience(&scene.audience, 1)],
    });
    assert_eq!(scene.get("analytics/live").await, all);
    scene.app.advance(Duration::from_mins(4));
    scene.send(1, &json!({ "t": 240_000, "e": 20_000 })).await;
    scene.app.advance(Duration::from_mins(2));
    let one =
        json!({ "activeVisitors": 1, "activeSessions": 1, "audiences": [audience(&scene.audience, 1)] });
    assert_eq!(scene.get("analytics/live").await, one);
    assert_eq!(scene.sessions().await[0]["computationStatus"], "pending");
    scene.app.advance(Duration::from_mins(3));
    assert_eq!(scene.get("analytics/live").await, nobody);
    scene.client.get("/v0/pages/page_01jpbz8n4xf5k9w2d7hq3mv6ta/analytics/live").await.expect(404);
}

#[tokio::test]
async fn a_stream_tells_of_each_change() {
    let scene = Scene::start().await;
    scene.send(1, &json!({})).await;
    let request = Request::get(format!("/v0/pages/{}/analytics/live", scene.page))
        .header("x-api-key", &scene.app.key)
        .header("accept", "text/event-stream")
        .body(Body::empty());
    let answer = tower::ServiceExt::oneshot(scene.app.router.clone(), request.unwrap()).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut body = answer.into_body();
    for visitors in ["1", "2", "0"] {
        let event = body.frame().await.unwrap().unwrap().into_data().unwrap();
        let begin = format!("event: live\ndata: {{\"activeVisitors\":{visitors},");
        assert!(event.starts_with(begin.as_bytes()), "{}", String::from_utf8_lossy(&event));
        match visitors {
            "1" => assert_eq!(scene.send_as(&scene.browser(150), 2, &json!({})).await, None),
            _ => scene.app.advance(Duration::from_mins(6)),
        }
    }
}
