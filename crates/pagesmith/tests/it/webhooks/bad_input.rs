//! What is refused, with a reason at its place and nothing stored.

use serde_json::{Value, json};

use super::{PATH, Scene, URL};

async fn refused(scene: &Scene, body: &Value) -> Vec<(String, String)> {
    let issues = scene.client.post(PATH, body).await.issues();
    assert_eq!(scene.get(PATH).await["totalCount"], 0);
    issues
}

fn of_url(code: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), "url".to_owned())]
}

#[tokio::test]
async fn urls_that_lead_nowhere_or_inside_are_refused() {
    let scene = Scene::start().await;
    let long = format!("https://example.com/{}", "a".repeat(3_000));
    for (url, code) in [
        ("/hooks", "invalid_format"),
        ("//example.com/hooks", "invalid_format"),
        ("https://", "invalid_format"),
        ("", "invalid_format"),
        ("https://example.com/bücher", "invalid_format"),
        ("https://bü cher.example/", "invalid_format"),
        ("file:///etc/passwd", "invalid_value"),
        ("javascript:alert(1)", "invalid_value"),
        ("https://user:secret@example.com/", "invalid_value"),
        ("https://example.com/#part", "invalid_value"),
        (long.as_str(), "too_long"),
        ("http://[::1]/", "invalid_value"),
        ("http://[fe80::1]/", "invalid_value"),
        ("http://[::ffff:10.0.0.1]/", "invalid_value"),
        ("http://2130706433/", "invalid_value"),
        ("http://0177.0.0.1/", "invalid_value"),
        ("http://127.0.0.1/", "invalid_value"),
        ("http://169.254.169.254/", "invalid_value"),
        ("http://localhost/", "invalid_value"),
        ("http://localhost./", "invalid_value"),
        ("http://ｌｏｃａｌｈｏｓｔ/", "invalid_value"),
        ("https://example.com:0/", "invalid_value"),
    ] {
        assert_eq!(refused(&scene, &json!({ "url": url })).await, of_url(code), "{url}");
    }
    // No such port can be written, so that the text is no URL at all.
    let issues = refused(&scene, &json!({ "url": "https://example.com:99999/" })).await;
    assert_eq!(issues.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["url"]);
}

#[tokio::test]
async fn events_that_are_none_are_refused() {
    let scene = Scene::start().await;
    for (events, expected) in [
        (json!([]), ("too_short", "events")),
        (json!(["page.version.deleted"]), ("invalid_value", "events.0")),
        (json!(["form.submitted", "*"]), ("invalid_value", "events.1")),
        (json!("form.submitted"), ("invalid_type", "events")),
    ] {
        let issues = refused(&scene, &json!({ "url": URL, "events": events })).await;
        assert_eq!(issues, [(expected.0.to_owned(), expected.1.to_owned())], "{events}");
    }
    assert_eq!(refused(&scene, &json!({})).await, [("required".to_owned(), "url".to_owned())]);
    let issues = refused(&scene, &json!({ "url": URL, "signingSecret": "whsec_" })).await;
    assert_eq!(issues, [("unrecognized_key".to_owned(), "signingSecret".to_owned())]);
}

#[tokio::test]
async fn a_change_is_held_to_the_same_rules() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    let before = scene.get(&path).await;
    for body in [json!({ "url": "http://10.0.0.1/" }), json!({ "events": [] }), json!({ "active": "yes" })] {
        scene.client.patch(&path, &body).await.expect(400);
    }
    assert_eq!(scene.get(&path).await, before);
}

#[tokio::test]
async fn filters_and_bodies_of_our_own_operations_are_checked() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    for (query, name) in [
        ("type=page.deleted", "type"),
        ("status=lost", "status"),
        ("since=yesterday", "since"),
        ("until=", "until"),
    ] {
        let issues = scene.client.get(&format!("{path}/deliveries?{query}")).await.issues();
        assert_eq!(issues, [("invalid_value".to_owned(), name.to_owned())]);
    }
    scene.client.get("/v0/events?type=x").await.expect(400);
    scene.client.get("/v0/events?since=x").await.expect(400);
    scene.client.post(&format!("{path}/recover"), &json!({})).await.expect(400);
    scene.client.post(&format!("{path}/test"), &json!({ "type": "x" })).await.expect(400);
    scene
        .client
        .post(&format!("{path}/rotate_secret"), &json!({ "overlapSeconds": 604_801 }))
        .await
        .expect(400);
    scene.client.post(&format!("{path}/deliveries/delivery_x/resend"), &json!({})).await.expect(404);
}
