//! When a subscription is deactivated by the service itself.

use pagesmith_model::webhook::Stopped;
use serde_json::json;

use super::{Scene, URL};

#[tokio::test]
async fn an_answer_of_410_deactivates() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.happen().await;
    let recorded = scene.attempt(410).await;
    assert_eq!(recorded.stopped.iter().map(|(_, why)| *why).collect::<Vec<_>>(), [Stopped::Gone]);
    assert_eq!(scene.get(&path).await["active"], false);
    assert_eq!(scene.get(&format!("{path}/stats")).await["deactivatedBecause"], "gone");
    scene.pass(1);
    assert_eq!(scene.claim(10, 10).await.due, []);
    // What waits goes on when its owner says so.
    scene.client.patch(&path, &json!({ "active": true })).await.expect(200);
    assert_eq!(scene.claim(10, 10).await.due.len(), 2);
    assert_eq!(scene.get(&format!("{path}/stats")).await["deactivatedBecause"], json!(null));
}

#[tokio::test]
async fn five_days_of_failures_deactivate_and_one_success_does_not_let_it_come_to_that() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    let mut stopped_after = None;
    for day in 0..8 {
        scene.happen().await;
        let due = scene.claim(100, 100).await.due;
        // On the second day one gets through.
        let status = if day == 1 { 200 } else { 500 };
        if !scene.answer(&due, status).await.stopped.is_empty() {
            stopped_after = Some(day);
            break;
        }
        scene.pass(24);
    }
    // The run of failures began on the third day.
    assert_eq!(stopped_after, Some(7));
    let stats = scene.get(&format!("{path}/stats")).await;
    assert_eq!(stats["deactivatedBecause"], "failing");
    assert_eq!(stats["failingSince"], "2026-03-03T12:00:00.000Z");
    let again = scene.client.patch(&path, &json!({ "active": true })).await.expect(200).json();
    assert_eq!(again["active"], true);
    assert_eq!(scene.get(&format!("{path}/stats")).await["failingSince"], json!(null));
}
