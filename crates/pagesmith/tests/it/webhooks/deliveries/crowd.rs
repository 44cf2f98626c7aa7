//! Several workers, many events, and receivers beside each other.

use std::collections::BTreeMap;

use pagesmith_worker::delivery;
use pagesmith_worker::tools::Tools;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::*;

/// A worker that runs until it is told to stop.
fn worker(tools: Tools, stop: &watch::Sender<bool>) -> JoinHandle<()> {
    tokio::spawn(delivery::run(tools, stop.subscribe()))
}

/// How often each event arrived.
fn counted(receiver: &Receiver) -> BTreeMap<String, usize> {
    receiver.arrived().iter().fold(BTreeMap::new(), |mut counts, one| {
        *counts.entry(one.header("webhook-id").to_owned()).or_default() += 1;
        counts
    })
}

#[tokio::test]
async fn an_event_is_sent_as_soon_as_it_is_committed() {
    let scene = Scene::start().await;
    scene.subscribe(None).await;
    let stop = watch::Sender::new(false);
    let mut tools = scene.app.tools();
    // The worker does not poll: only the wake-up of the commit lets it send.
    tools.delivery.poll = Duration::from_secs(3600);
    let running = worker(tools, &stop);
    for count in 1..=3 {
        scene.happen().await;
        scene.receiver.wait_for(count).await;
    }
    stop.send_replace(true);
    running.await.unwrap();
}

#[tokio::test]
async fn two_workers_share_the_queue_and_nothing_is_sent_twice() {
    let scene = Scene::start().await;
    scene.subscribe(None).await;
    let stop = watch::Sender::new(false);
    let mut running = Vec::new();
    for _ in 0..2 {
        let store = scene.app.database.open_with(|options| options.serves = false);
        running.push(worker(Tools { store, ..scene.app.tools() }, &stop));
    }
    for _ in 0..60 {
        scene.happen().await;
    }
    scene.receiver.wait_for(60).await;
    stop.send_replace(true);
    for running in running {
        running.await.unwrap();
    }
    let counted = counted(&scene.receiver);
    assert_eq!((counted.len(), counted.values().all(|times| *times == 1)), (60, true));
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 60, "each was noted");
}

#[tokio::test]
async fn a_worker_that_stops_notes_what_has_arrived_and_leaves_the_rest_to_others() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(None).await;
    let stop = watch::Sender::new(false);
    let running = worker(scene.app.tools(), &stop);
    scene.happen().await;
    scene.receiver.wait_for(1).await;
    stop.send_replace(true);
    running.await.unwrap();
    assert_eq!(scene.deliveries(&subscription).await[0]["status"], "delivered");
    scene.happen().await;
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 2);
}

#[tokio::test]
async fn a_lease_that_nobody_ends_ends_by_itself() {
    let scene = Scene::start().await;
    scene.subscribe(None).await;
    scene.happen().await;
    let ctx = scene.app.platform.context();
    let capacity =
        pagesmith_operations::webhooks::deliveries::Capacity { free: 9, per_queue: 9, ..Default::default() };
    let claim = scene.app.store.claim(move |tx| {
        pagesmith_operations::webhooks::deliveries::claim(
            tx,
            &ctx,
            &pagesmith_operations::webhooks::deliveries::Turn::default(),
            &capacity,
        )
    });
    assert_eq!(claim.await.unwrap().due.len(), 1);
    // A worker has died with it.
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 0);
    scene.app.advance(Duration::from_secs(60));
    scene.deliver().await;
    assert_eq!(scene.receiver.arrived().len(), 1);
}

#[tokio::test]
async fn many_events_of_one_tenant_do_not_delay_another() {
    let scene = Scene::start().await;
    scene.subscribe(Some(&["page.version.created"])).await;
    for _ in 0..40 {
        scene.happen().await;
    }
    scene.app.add_tenant("globex").await;
    let key = scene.app.add_key("globex", pagesmith_model::key::Scope::Write).await;
    let other = scene.app.client_with(&key);
    let receiver = &scene.receiver;
    let body = json!({ "url": receiver.url(), "events": ["page.version.created"] });
    other.post("/v0/webhook_subscriptions", &body).await.expect(201);
    let page = audiences::page(&other).await;
    audiences::audience(&other, &page, &json!({})).await;
    let mut tools = scene.app.tools();
    tools.delivery.concurrency = 4;
    delivery::drain(&tools).await.unwrap();
    let arrived = receiver.arrived();
    assert_eq!(arrived.len(), 41);
    let theirs = arrived.iter().position(|one| one.json()["payload"]["pageId"] == page["/v0/pages/".len()..]);
    assert!(theirs.unwrap() < 4, "it came at {theirs:?}");
}
