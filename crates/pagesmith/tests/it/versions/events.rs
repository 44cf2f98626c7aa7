//! What is told of versions: written once, in the transaction that makes it true, in the form that is delivered.

use pagesmith_store::tables::events::Event;
use pagesmith_testkit::contract::event_problems;
use serde_json::{Value, json};

use super::{Scene, document};

/// Everything that was told, oldest first, checked against the contract.
async fn told(scene: &Scene) -> Vec<(String, Value)> {
    let events = scene.events().await;
    let mut told = Vec::new();
    for Event { event_id: id, kind, body, .. } in events {
        let text = body.as_str();
        let body: Value = serde_json::from_str(text).unwrap();
        assert_eq!(event_problems(&kind, &body), Vec::<String>::new(), "{body}");
        assert_eq!(body["eventId"], id.as_str());
        // `type` is the payload's first field.
        assert!(text.contains(&format!("\"payload\":{{\"type\":\"{kind}\",")), "{text}");
        assert_eq!(body.as_object().unwrap().len(), 3);
        assert_eq!(body["payload"].as_object().unwrap().len(), 4);
        told.push((kind, body));
    }
    told
}

fn kinds(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(kind, _)| kind.strip_prefix("page.version.").unwrap()).collect()
}

#[tokio::test]
async fn a_version_is_told_of_when_it_is_made_written_and_live() {
    let scene = Scene::start().await;
    assert_eq!(kinds(&told(&scene).await), ["created"]);
    scene.write().await;
    let version = scene.get(&scene.path(1).await).await;
    let told = told(&scene).await;
    assert_eq!(kinds(&told), ["created", "processed", "published"]);
    for ((_, body), (field, at)) in told.iter().zip([
        ("createdAt", "createdAt"),
        ("processedAt", "becameDraftAt"),
        ("publishedAt", "publishedAt"),
    ]) {
        assert_eq!(body["payload"]["versionId"], version["versionId"]);
        assert_eq!((&body["payload"][field], &body["timestamp"]), (&version[at], &version[at]));
        assert!(scene.audience.contains(body["payload"]["pageId"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn nothing_is_told_twice_and_a_cancelled_version_was_not_processed() {
    let scene = Scene::with_draft().await;
    let second = scene.add().await;
    scene.ask(&second, "cancel").await;
    scene.write().await;
    assert_eq!(kinds(&told(&scene).await), ["created", "created", "processed"]);
    let first = scene.path(1).await;
    scene.ask(&first, "publish").await;
    scene.ask(&first, "publish").await;
    let body = document("x").to_string().into_bytes();
    scene.client.send("PUT", &format!("{second}/content"), Some(body)).await.expect(200);
    scene.ask(&second, "publish").await;
    let told = told(&scene).await;
    assert_eq!(kinds(&told), ["created", "created", "processed", "published", "published"]);
    scene.client.post(&format!("{second}/cancel"), &json!({})).await.expect(409);
    scene.client.delete(&scene.audience).await.expect(200);
    assert_eq!(super::events::told(&scene).await, told);
}
