//! What a receiver is sent.

use pagesmith_model::webhook::{Secret, signature};
use pagesmith_testkit::Script;
use pagesmith_testkit::receiver::Arrived;

use super::*;

#[tokio::test]
async fn a_version_on_its_way_is_told_step_by_step_and_signed_in_both_forms() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    scene.happen().await;
    scene.app.write_versions().await;
    scene.deliver().await;
    let arrived = scene.receiver.arrived();
    let mut kinds: Vec<String> = arrived.iter().map(Arrived::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["page.version.created", "page.version.processed", "page.version.published"]);
    let secret = Secret::parse(&subscription.secret).unwrap();
    for one in &arrived {
        let event = one.json();
        let id = event["eventId"].as_str().unwrap();
        let text = String::from_utf8(one.body.to_vec()).unwrap();
        assert!(text.starts_with("{\"timestamp\":\"") && text.contains("\"payload\":{\"type\":\""), "{text}");
        assert_eq!(event.as_object().unwrap().len(), 3);
        assert_eq!(one.path, "/hook?from=pagesmith");
        assert_eq!(one.header("content-type"), "application/json");
        assert!(one.header("user-agent").starts_with("Pagesmith/"));
        assert_eq!(one.header("webhook-id"), id);
        let now = scene.app.platform.clock().now().as_millis();
        assert_eq!(one.header("x-webhook-timestamp"), now.to_string());
        assert_eq!(one.header("webhook-timestamp"), (now / 1000).to_string());
        assert!(signature::verify_body(&secret, &one.body, one.header("x-webhook-signature-256")));
        let signatures = one.header("webhook-signature");
        assert!(signature::verify_standard(&secret, id, now / 1000, &one.body, signatures));
    }
    let stats = scene.get(&format!("{}/stats", subscription.path)).await;
    assert_eq!((&stats["delivered"], &stats["waiting"], &stats["failed"]), (&3.into(), &0.into(), &0.into()));
}

#[tokio::test]
async fn every_subscription_has_the_same_bytes_and_only_what_it_wants() {
    let scene = Scene::start().await;
    let other = Receiver::start().await;
    scene.subscribe(Some(&["page.version.created"])).await;
    scene.subscribe_url(&other.url(), None).await;
    scene.happen().await;
    scene.app.write_versions().await;
    scene.deliver().await;
    let (one, all) = (scene.receiver.arrived(), other.arrived());
    assert_eq!((one.len(), all.len()), (1, 3));
    let same = all.iter().find(|event| event.kind() == "page.version.created").unwrap();
    assert_eq!(same.body, one[0].body);
}

#[tokio::test]
async fn an_answer_is_kept_and_a_redirect_is_a_failure() {
    let scene = Scene::start().await;
    let elsewhere = Receiver::start().await;
    let subscription = scene.subscribe(None).await;
    let redirect = Script { body: "go away".to_owned(), ..Script::status(308) };
    scene.receiver.answer([redirect.with("location", &elsewhere.url())]);
    scene.happen().await;
    scene.deliver().await;
    assert_eq!(elsewhere.arrived().len(), 0);
    let delivery = scene.deliveries(&subscription).await.remove(0);
    assert_eq!(delivery["status"], "waiting");
    let attempt = &delivery["attempts"][0];
    assert_eq!((&attempt["number"], &attempt["status"]), (&1.into(), &308.into()));
    assert_eq!((&attempt["response"], &attempt["error"]), (&"go away".into(), &Value::Null));
}

#[tokio::test]
async fn an_address_that_must_not_be_called_is_a_failure_without_a_reason_for_its_owner() {
    let scene = Scene::start().await;
    let mut app = scene.app;
    let body = json!({ "url": scene.receiver.url() });
    let made = scene.client.post("/v0/webhook_subscriptions", &body).await.expect(201).json();
    audiences::audience(&scene.client, &scene.page, &json!({})).await;
    // The operator has changed their mind.
    app.egress.allowed = "10.0.0.0/8".parse().unwrap();
    app.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 0);
    let path = format!("/v0/webhook_subscriptions/{}/deliveries", made["subscriptionId"].as_str().unwrap());
    let listed = scene.client.get(&path).await.expect(200).json();
    let error = listed["items"][0]["attempts"][0]["error"].as_str().unwrap();
    assert!(error.contains("could not be reached") && !error.contains("reserved"), "{error}");
}

#[tokio::test]
async fn a_new_secret_signs_at_once_and_the_old_one_beside_it_for_a_while() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    let rotated = format!("{}/rotate_secret", subscription.path);
    let new = scene.client.post(&rotated, &json!({ "overlapSeconds": 3600 })).await.expect(200).json();
    let old = Secret::parse(&subscription.secret).unwrap();
    let new = Secret::parse(new["signingSecret"].as_str().unwrap()).unwrap();
    for (hour, both) in [(0, true), (2, false)] {
        scene.app.advance(hour * 3600 * SECOND);
        scene.happen().await;
        scene.deliver().await;
        let one = scene.receiver.arrived().pop().unwrap();
        let (id, seconds) = (one.header("webhook-id"), one.header("webhook-timestamp").parse().unwrap());
        let standard = |secret| {
            signature::verify_standard(secret, id, seconds, &one.body, one.header("webhook-signature"))
        };
        assert!(signature::verify_body(&new, &one.body, one.header("x-webhook-signature-256")));
        assert_eq!((standard(&new), standard(&old)), (true, both));
    }
}

#[tokio::test]
async fn a_test_event_and_one_that_is_sent_again_arrive() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    scene.client.post(&format!("{}/test", subscription.path), &json!({})).await;
    scene.deliver().await;
    let delivery = scene.deliveries(&subscription).await.remove(0);
    assert_eq!(delivery["status"], "delivered");
    let path =
        format!("{}/deliveries/{}/resend", subscription.path, delivery["deliveryId"].as_str().unwrap());
    scene.client.post(&path, &json!({})).await;
    scene.deliver().await;
    let arrived = scene.receiver.arrived();
    assert_eq!((arrived.len(), &arrived[0].body), (2, &arrived[1].body));
}

#[tokio::test]
async fn a_host_in_another_script_is_called_by_its_ascii_form() {
    let scene = Scene::start().await;
    let port = scene.receiver.url();
    let port = port.strip_prefix("http://127.0.0.1:").unwrap().split('/').next().unwrap();
    for host in ["bücher.localhost", "b%C3%BCcher.localhost", "BÜCHER.localhost.", "xn--bcher-kva.localhost"]
    {
        scene.subscribe_url(&format!("http://{host}:{port}/hook"), None).await;
    }
    scene.happen().await;
    scene.deliver().await;
    let arrived = scene.receiver.arrived();
    assert_eq!(arrived.len(), 4);
    for one in arrived {
        assert_eq!(one.header("host"), format!("xn--bcher-kva.localhost:{port}"));
    }
}
