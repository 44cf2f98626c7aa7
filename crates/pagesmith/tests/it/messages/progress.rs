//! How far messages are, once or as events.

use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::Scene;
use crate::versions::{follow, progress_events};

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
    let response = follow(&scene.app, &path, None).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let (body, ()) = tokio::join!(response.into_body().collect(), scene.app.carry_messages_out());
    let events = progress_events(&body.unwrap().to_bytes());
    let (last, id) = events.last().unwrap();
    assert_eq!((&events[0].0, &last["activeRun"], &last["waiting"]), (&waits, &Value::Null, &json!(0)));
    assert_eq!(last["lastMessageId"], scene.messages().await.last().unwrap()["messageId"]);
    // Whoever knows that nothing waits hears of nothing but what is said next.
    let mut idle = follow(&scene.app, &path, Some(id)).await.into_body();
    scene.send(&json!({ "message": "Remove the headline" })).await.expect(202);
    let event = idle.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(progress_events(&event)[0].0["waiting"], 1);
    scene.app.carry_messages_out().await;
    let rest = progress_events(&idle.collect().await.unwrap().to_bytes());
    assert_eq!(rest.last().unwrap().0["activeRun"], Value::Null, "it ends with what was begun");
}
