//! How far messages are, once or as events.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn events_tell_of_every_message_until_none_waits() {
    let scene = Scene::with_draft().await;
    let path = format!("{}/messages/active_run/progress", scene.audience);
    let idle = scene.client.get(&path).await.expect(200).json();
    assert_eq!((&idle["activeRun"], &idle["waiting"]), (&Value::Null, &json!(0)));
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    scene.send(&json!({ "message": "Remove the text" })).await.expect(202);
    let waits = scene.client.get(&path).await.expect(200).json();
    assert_eq!((&waits["waiting"], &waits["activeRun"]["messagesProcessed"]), (&json!(2), &json!(0)));
    let request =
        Request::get(&path).header("x-api-key", &scene.app.key).header("accept", "text/event-stream");
    let request = request.body(Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(scene.app.router.clone(), request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let (body, ()) = tokio::join!(response.into_body().collect(), scene.app.carry_messages_out());
    let body = String::from_utf8(body.unwrap().to_bytes().to_vec()).unwrap();
    let told: Vec<Value> = body
        .split_terminator("\n\n")
        .map(|event| serde_json::from_str(event.strip_prefix("event: progress\ndata: ").unwrap()).unwrap())
        .collect();
    let last = told.last().unwrap();
    assert_eq!((&told[0], &last["activeRun"], &last["waiting"]), (&waits, &Value::Null, &json!(0)));
    assert_eq!(last["lastMessageId"], scene.messages().await.last().unwrap()["messageId"]);
}
