//! What happens to a delivery that fails.

use pagesmith_testkit::Script;

use super::*;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn ten_attempts_come_in_their_time_with_the_same_bytes_and_then_no_more() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    scene.receiver.answer((0..20).map(|_| Script::status(500)));
    scene.happen().await;
    scene.deliver().await;
    let gaps =
        [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    for (at, gap) in gaps.into_iter().enumerate() {
        assert_eq!(scene.receiver.arrived().len(), at + 1);
        scene.app.advance(gap.mul_f64(0.79));
        scene.deliver().await;
        assert_eq!(scene.receiver.arrived().len(), at + 1, "before its time");
        scene.app.advance(gap.mul_f64(0.42));
        scene.deliver().await;
    }
    let arrived = scene.receiver.arrived();
    assert_eq!(arrived.len(), 10);
    assert!(arrived.iter().all(|one| one.body == arrived[0].body));
    let mut times: Vec<&str> = arrived.iter().map(|one| one.header("x-webhook-timestamp")).collect();
    times.dedup();
    assert_eq!(times.len(), 10, "each attempt is signed at its own time");
    let delivery = scene.deliveries(&subscription).await.remove(0);
    assert_eq!((&delivery["status"], &delivery["nextAttemptAt"]), (&"failed".into(), &Value::Null));
    assert_eq!(delivery["attempts"].as_array().unwrap().len(), 10);
    scene.app.advance(48 * HOUR);
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 10);
    // What was given up can be had again.
    let since = json!({ "since": "2026-03-01T00:00:00Z" });
    scene.client.post(&format!("{}/recover", subscription.path), &since).await;
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 11);
}

#[tokio::test]
async fn a_receiver_that_asks_for_time_has_it() {
    let scene = Scene::start().await;
    scene.subscribe(None).await;
    let date = "Sun, 01 Mar 2026 12:06:00 GMT";
    scene.receiver.answer([
        Script::status(503).with("retry-after", "120"),
        Script::status(429).with("retry-after", date),
        Script::status(503).with("retry-after", "1000000"),
    ]);
    scene.happen().await;
    scene.deliver().await;
    for (wait, arrived) in [
        (119 * SECOND, 1),
        (2 * SECOND, 2),
        // The date is nearer than the gap that is due anyway.
        (239 * SECOND, 2),
        (122 * SECOND, 3),
        // No more than the next gap is granted.
        (119 * MINUTE, 3),
        (2 * MINUTE, 4),
    ] {
        scene.app.advance(wait);
        scene.deliver().await;
        assert_eq!(scene.receiver.arrived().len(), arrived, "after {wait:?}");
    }
}

#[tokio::test]
async fn gone_deactivates_and_what_waits_goes_on_when_it_is_active_again() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(Some(&["page.version.created"])).await;
    scene.receiver.answer([Script::status(410)]);
    scene.happen().await;
    scene.deliver().await;
    assert_eq!(scene.get(&subscription.path).await["active"], false);
    // Nobody is told of this one.
    scene.happen().await;
    scene.app.advance(HOUR);
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 1);
    scene.client.patch(&subscription.path, &json!({ "active": true })).await.expect(200);
    scene.deliver().await;
    let arrived = scene.receiver.arrived();
    assert_eq!((arrived.len(), &arrived[0].body), (2, &arrived[1].body));
    assert_eq!(scene.deliveries(&subscription).await.len(), 1);
}

/// An event every eight hours for so many days, each attempt answered by 500; on which day the subscription was deactivated.
async fn failing(scene: &Scene, of: &Subscription, days: u32) -> Option<u32> {
    for turn in 0..days * 3 {
        scene.receiver.answer((0..100).map(|_| Script::status(500)));
        scene.happen().await;
        scene.deliver().await;
        if scene.get(&of.path).await["active"] == false {
            return Some(turn / 3);
        }
        scene.app.advance(8 * HOUR);
    }
    None
}

#[tokio::test]
async fn five_days_of_failures_deactivate() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(Some(&["page.version.created"])).await;
    assert_eq!(failing(&scene, &subscription, 10).await, Some(5));
    let before = scene.receiver.arrived().len();
    scene.app.advance(24 * HOUR);
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), before);
}

#[tokio::test]
async fn a_success_begins_the_five_days_anew() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(Some(&["page.version.created"])).await;
    assert_eq!(failing(&scene, &subscription, 4).await, None);
    let other = Receiver::start().await;
    scene.client.patch(&subscription.path, &json!({ "url": other.url() })).await.expect(200);
    scene.deliver().await;
    scene.client.patch(&subscription.path, &json!({ "url": scene.receiver.url() })).await.expect(200);
    assert_eq!(failing(&scene, &subscription, 4).await, None);
}

#[tokio::test]
async fn what_waits_for_a_deleted_subscription_is_never_sent() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    scene.receiver.answer([Script::status(500)]);
    scene.happen().await;
    scene.deliver().await;
    scene.happen().await;
    scene.client.delete(&subscription.path).await.expect(200);
    scene.app.advance(HOUR);
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 1);
}

#[tokio::test]
async fn a_new_url_is_where_the_next_attempt_goes() {
    let scene = Scene::start().await;
    let other = Receiver::start().await;
    let subscription = scene.subscribe(None).await;
    scene.receiver.answer([Script::status(500)]);
    scene.happen().await;
    scene.deliver().await;
    scene.client.patch(&subscription.path, &json!({ "url": other.url() })).await.expect(200);
    scene.app.advance(MINUTE);
    scene.deliver().await;
    assert_eq!((scene.receiver.arrived().len(), other.arrived().len()), (1, 1));
}
