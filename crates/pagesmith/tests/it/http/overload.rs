//! A database that is busy, full or silent: a clear refusal in time, and nothing lost or done twice.
//!
//! A closure that waits for the test holds the engine's only writing thread, so that what happens meanwhile
//! depends on no timing.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use pagesmith_http::Settings;
use pagesmith_http::state::Shared;
use pagesmith_operations::tenant_domains::check::NoNames;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The writing thread, held until this is let go.
struct Hold {
    release: mpsc::Sender<()>,
    held: JoinHandle<pagesmith_model::Result<()>>,
}

impl Hold {
    async fn of(app: &TestApp) -> Hold {
        let (release, released) = mpsc::channel::<()>();
        let (started, begun) = oneshot::channel();
        let (released, mut started) = (std::sync::Mutex::new(released), Some(started));
        let store = app.store.clone();
        let held = tokio::spawn(async move {
            let wait = move |_: &mut pagesmith_store::Tx<'_>| {
                if let Some(started) = started.take() {
                    started.send(()).unwrap();
                }
                // Ends as well when the test has ended without a word.
                released.lock().unwrap().recv().ok();
                Ok(())
            };
            store.write(wait).await
        });
        begun.await.unwrap();
        Hold { release, held }
    }

    async fn let_go(self) {
        self.release.send(()).unwrap();
        self.held.await.unwrap().unwrap();
    }
}

/// A server whose engine has one writing thread and room for so many waiting closures.
async fn narrow(queue: usize) -> TestApp {
    TestApp::with(|plan| {
        plan.options = Box::new(move |options| {
            options.connections = 1;
            options.queue = queue;
        });
    })
    .await
}

/// Waits until that many closures wait for the writing thread.
async fn queued(app: &TestApp, count: usize) {
    while app.store.queue_depth() < count {
        tokio::task::yield_now().await;
    }
}

fn post(client: &Client, name: &'static str) -> JoinHandle<pagesmith_testkit::Answer> {
    let client = client.clone();
    tokio::spawn(async move { client.post("/v0/pages", &fixtures::page(name)).await })
}

/// Another server on the same store that gives a request so much time.
fn impatient(app: &TestApp, request_timeout: Duration) -> Client {
    let settings = Settings { request_timeout, ..app.state.settings.clone() };
    let (keys, platform) = (Arc::clone(&app.state.keys), Arc::clone(&app.platform));
    let (files, names) = (app.files.clone(), Arc::new(NoNames));
    let state = Shared::new(settings, app.store.clone(), files, platform, keys, names);
    Client::new(pagesmith_http::app(state), Some(app.key.clone()))
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let app = narrow(1).await;
    let hold = Hold::of(&app).await;
    let waiting = post(&app.client(), "Waiting");
    queued(&app, 1).await;
    // Answered although the thread is still held.
    let refused = app.client().post("/v0/pages", &fixtures::page("Refused")).await.expect(503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.json()["detail"], "The server has too much to do right now.");
    let text = app.anonymous().get("/metrics").await.expect(200).text();
    assert!(text.contains("pagesmith_database_queue_depth 1"), "{text}");
    hold.let_go().await;
    waiting.await.unwrap().expect(201);
    let pages = app.client().get("/v0/pages").await.expect(200).json();
    assert_eq!((&pages["totalCount"], &pages["items"][0]["name"]), (&json!(1), &json!("Waiting")));
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_answered_all_the_same() {
    let app = narrow(8).await;
    let client = impatient(&app, Duration::from_millis(1));
    let hold = Hold::of(&app).await;
    let refused = client.post("/v0/pages", &fixtures::page("Late")).await.expect(503);
    assert!(refused.header("retry-after").is_some());
    assert!(refused.json()["detail"].as_str().unwrap().contains("took too long"));
    hold.let_go().await;
    // Nobody waited for it any more when its turn came: it was left undone.
    app.client().post("/v0/pages", &fixtures::page("Next")).await.expect(201);
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 1);
}

#[tokio::test]
async fn a_request_given_up_frees_its_idempotency_key() {
    let app = narrow(8).await;
    let client = impatient(&app, Duration::from_millis(1)).with("idempotency-key", "once");
    let hold = Hold::of(&app).await;
    client.post("/v0/pages", &fixtures::page("Late")).await.expect(503);
    hold.let_go().await;
    app.client().post("/v0/pages", &fixtures::page("Next")).await.expect(201);
    let answer = app
        .client()
        .with("idempotency-key", "once")
        .post("/v0/pages", &fixtures::page("Late"))
        .await
        .expect(201);
    assert_eq!(answer.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn the_same_request_still_running_is_a_conflict_to_repeat() {
    let app = narrow(8).await;
    let client = app.client().with("idempotency-key", "once");
    let hold = Hold::of(&app).await;
    let first = post(&client, "Spring");
    queued(&app, 1).await;
    let second = client
        .with("x-request-id", "req_second")
        .post("/v0/pages", &fixtures::page("Spring"))
        .await
        .expect(409);
    assert_eq!(second.header("retry-after"), Some("1"));
    assert_eq!(second.json()["detail"], "A request with this Idempotency-Key is still running.");
    // Another key, and the same key of another path, are not concerned.
    let other = post(&app.client().with("idempotency-key", "twice"), "Summer");
    queued(&app, 2).await;
    hold.let_go().await;
    let first = first.await.unwrap().expect(201);
    other.await.unwrap().expect(201);
    let third = client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
    assert_eq!(third.header("idempotent-replayed"), Some("true"));
    assert_eq!(third.bytes, first.bytes);
}

#[tokio::test]
async fn a_caller_that_hangs_up_leaves_nothing_behind() {
    let app = narrow(8).await;
    let hold = Hold::of(&app).await;
    let gone = post(&app.client().with("idempotency-key", "once"), "Gone");
    queued(&app, 1).await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    hold.let_go().await;
    app.client().post("/v0/pages", &fixtures::page("Next")).await.expect(201);
    let again = app
        .client()
        .with("idempotency-key", "once")
        .post("/v0/pages", &fixtures::page("Gone"))
        .await
        .expect(201);
    assert_eq!(again.header("idempotent-replayed"), None);
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 2);
}

#[tokio::test]
async fn a_panic_in_a_transaction_ends_that_request_alone() {
    let app = narrow(8).await;
    let failed =
        app.store.write(|_| -> pagesmith_model::Result<()> { panic!("on purpose") }).await.unwrap_err();
    assert_eq!(*failed.kind(), pagesmith_model::Kind::Internal);
    assert!(!failed.detail().contains("on purpose"), "the caller learns nothing");
    app.client().post("/v0/pages", &fixtures::page("Next")).await.expect(201);
}
