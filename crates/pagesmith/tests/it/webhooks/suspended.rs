//! A tenant that is suspended: what waits for its receivers is held back, and sent when it is resumed.

use std::time::Duration;

use futures_util::FutureExt;
use pagesmith_model::key::Scope;
use pagesmith_operations::webhooks::deliveries::{self, Capacity, Depth, Turn};
use pagesmith_store::Wakeup;
use serde_json::json;

use super::{Scene, URL, happen, subscribe};

#[tokio::test]
async fn nothing_is_given_to_workers_until_the_tenant_is_resumed() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.app.suspend("acme").await;
    assert_eq!(scene.claim(10, 10).await.due, []);
    scene.pass(1);
    assert_eq!(scene.claim(10, 10).await.due, []);
    scene.app.resume("acme").await;
    let due = scene.claim(10, 10).await.due;
    assert_eq!((due.len(), due[0].number), (1, 1), "no attempt was counted");
    assert_eq!(scene.answer(&due, 204).await.kept, 1);
    assert_eq!(scene.get(&format!("{path}/deliveries")).await["items"][0]["status"], "delivered");
}

#[tokio::test]
async fn what_is_on_its_way_may_end_and_its_next_attempt_is_held_back() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let due = scene.claim(1, 1).await.due;
    scene.app.suspend("acme").await;
    assert_eq!(scene.answer(&due, 500).await.kept, 1);
    scene.pass(1);
    assert_eq!(scene.claim(10, 10).await.due, []);
    scene.app.resume("acme").await;
    let due = scene.claim(10, 10).await.due;
    assert_eq!((due.len(), due[0].number, due[0].tries), (1, 2, 1));
}

#[tokio::test]
async fn a_resumed_tenant_wakes_whoever_sends_and_whoever_writes() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.app.suspend("acme").await;
    scene.app.write_versions().await;
    let called = || {
        [Wakeup::Deliveries, Wakeup::Generations]
            .map(|wakeup| scene.app.store.wait_for(wakeup).now_or_never().is_some())
    };
    // A call is heard once.
    called();
    assert_eq!(called(), [false, false]);
    scene.app.resume("acme").await;
    assert_eq!(called(), [true, true]);
    // The version has waited too; two events tell of it now.
    assert_eq!(scene.get(&format!("{path}/deliveries")).await["items"].as_array().unwrap().len(), 1);
    scene.app.write_versions().await;
    assert_eq!(scene.claim(10, 10).await.due.len(), 3);
}

#[tokio::test]
async fn a_suspended_tenant_costs_a_claim_one_step_and_its_backlog_does_not_count_as_ready() {
    let scene = Scene::start().await;
    for _ in 0..50 {
        scene.subscribe(json!({ "url": URL })).await;
    }
    for _ in 0..3 {
        scene.happen().await;
    }
    let now = scene.app.platform.clock().now();
    let depth = async |now| scene.app.store.read(move |tx| deliveries::depth(tx, now)).await.unwrap();
    assert_eq!(depth(now).await.ready, 150);
    scene.app.suspend("acme").await;
    assert_eq!(depth(now).await, Depth::default());
    // A claim takes 64 steps: one passes over the fifty queues, the others find one queue each.
    for number in 0..64 {
        let name = format!("t{number}");
        scene.app.add_tenant(&name).await;
        let client = scene.app.client_with(&scene.app.add_key(&name, Scope::Write).await);
        subscribe(&client, json!({ "url": URL })).await;
        happen(&client).await;
    }
    let first = scene.claim(1_000, 10).await;
    assert_eq!((first.due.len(), first.is_more), (63, true));
    let capacity = Capacity { free: 1_000, per_queue: 10, ..Capacity::default() };
    let second = scene.claim_with(first.turn, capacity.clone()).await;
    assert_eq!((second.due.len(), second.is_more), (1, false));
    // The same from a position among its queues.
    scene.app.resume("acme").await;
    let some =
        scene.claim_with(Turn::default(), Capacity { free: 64, per_queue: 1, ..Capacity::default() }).await;
    assert_eq!(some.due.len(), 50);
    scene.app.suspend("acme").await;
    assert_eq!(scene.claim_with(some.turn, capacity).await.due, []);
}

#[tokio::test]
async fn the_time_of_a_suspension_counts_neither_for_giving_a_receiver_up_nor_as_silence() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL, "events": ["page.version.created"] })).await;
    let fail = async || {
        scene.happen().await;
        let due = scene.claim(100, 100).await.due;
        scene.answer(&due, 500).await
    };
    // Four days of failures, ten days of suspension, and the fifth day.
    for _ in 0..12 {
        assert_eq!(fail().await.stopped, []);
        scene.pass(8);
    }
    scene.app.suspend("acme").await;
    scene.pass(24 * 10);
    scene.app.resume("acme").await;
    for _ in 0..3 {
        assert_eq!(fail().await.stopped, []);
        scene.pass(8);
    }
    assert_eq!(fail().await.stopped.len(), 1);
    assert_eq!(scene.get(&path).await["active"], false);
}

#[tokio::test]
async fn a_failure_noted_after_the_suspension_began_is_none_from_the_future() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL, "events": ["page.version.created"] })).await;
    scene.happen().await;
    let due = scene.claim(1, 1).await.due;
    scene.app.suspend("acme").await;
    scene.app.advance(Duration::from_secs(10));
    scene.answer(&due, 500).await;
    scene.pass(24 * 7);
    scene.app.resume("acme").await;
    let again = scene.claim(1, 1).await.due;
    assert_eq!(scene.answer(&again, 500).await.stopped, []);
}

#[tokio::test]
async fn what_is_held_back_for_months_is_not_cleared_away() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    let gone = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.client.delete(&gone).await.expect(200);
    scene.app.suspend("acme").await;
    scene.pass(24 * 90);
    scene.app.run_due_work().await;
    let left = scene.app.store.clone();
    let tenant = scene.app.tenant.clone();
    let left =
        left.read(move |tx| pagesmith_store::tables::webhooks::subscriptions::list_for_sweep(tx, &tenant));
    assert_eq!(left.await.unwrap().len(), 1, "what belongs to a deleted subscription goes");
    scene.app.resume("acme").await;
    let count = async || scene.get(&format!("{path}/deliveries")).await["items"].as_array().unwrap().len();
    for task in pagesmith_worker::tasks::TASKS {
        task.run(&scene.app.tools()).await.unwrap();
    }
    assert_eq!(count().await, 1);
    // After as long as all attempts take, age counts again.
    scene.pass(24 * 5);
    for task in pagesmith_worker::tasks::TASKS {
        task.run(&scene.app.tools()).await.unwrap();
    }
    assert_eq!(count().await, 0);
}
