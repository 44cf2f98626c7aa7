//! Secrets: kept sealed, rotated with an overlap.

use std::time::Duration;

use pagesmith_model::webhook::{Secret, signature};
use serde_json::json;

use super::{PATH, Scene, URL};

#[tokio::test]
async fn no_secret_stands_in_the_database() {
    let scene = Scene::start().await;
    let client = scene.client.with("idempotency-key", "k");
    let made = client.post(PATH, &json!({ "url": URL })).await.expect(201).json();
    let secret = made["signingSecret"].as_str().unwrap();
    let stored = scene.app.database.everything(&scene.app.store).await;
    for needle in [secret, "whsec_"] {
        assert!(!stored.windows(needle.len()).any(|bytes| bytes == needle.as_bytes()));
    }
    assert!(stored.windows(URL.len()).any(|bytes| bytes == URL.as_bytes()), "something is looked at");
}

#[tokio::test]
async fn a_rotated_secret_signs_beside_the_new_one_until_its_time_is_over() {
    let scene = Scene::start().await;
    let made = scene.client.post(PATH, &json!({ "url": URL })).await.expect(201).json();
    let path = format!("{PATH}/{}", made["subscriptionId"].as_str().unwrap());
    let old = Secret::parse(made["signingSecret"].as_str().unwrap()).unwrap();
    let rotated = format!("{path}/rotate_secret");
    let rotated = scene.client.post(&rotated, &json!({ "overlapSeconds": 60 })).await.expect(200).json();
    let new = Secret::parse(rotated["signingSecret"].as_str().unwrap()).unwrap();
    assert_ne!(old, new);
    scene.happen().await;
    let due = scene.claim(1, 1).await.due.remove(0);
    let (id, body) = (due.key.event_id.as_str(), due.body.as_str().as_bytes());
    let verified = |hours| {
        let at = scene.app.platform.clock().now().plus(Duration::from_hours(hours));
        let headers = signature::headers(&due.secrets, id, body, at);
        let seconds = at.as_millis() / 1_000;
        let standard = |secret| signature::verify_standard(secret, id, seconds, body, &headers[4].1);
        let plain = |secret| signature::verify_body(secret, body, &headers[0].1);
        [standard(&old), standard(&new), plain(&old), plain(&new)]
    };
    assert_eq!(verified(0), [true, true, false, true]);
    assert_eq!(verified(1), [false, true, false, true]);
}

#[tokio::test]
async fn without_an_overlap_the_old_secret_ends_at_once() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.client.post(&format!("{path}/rotate_secret"), &json!({ "overlapSeconds": 0 })).await.expect(200);
    scene.happen().await;
    let due = scene.claim(1, 1).await.due.remove(0);
    assert_eq!(due.secrets.signing(scene.app.platform.clock().now()).count(), 1);
}
