//! A way to the S3 server that breaks: what may pass is tried again, what does not is told, and nothing is kept by halves.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use pagesmith_worker::tasks::TASKS;

use super::breaker::{Breaker, Fault};
use super::{Server, bytes, storage, sweep};

/// How long an answer may take here.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// Every connection.
const ALL: usize = usize::MAX;
/// More than two parts.
const LARGE: usize = 12 * 1024 * 1024 + 7;

/// What is tried with a fault: silence takes its time, which does not depend on the size.
fn sizes(fault: Fault) -> Vec<usize> {
    if fault == Fault::Silent { vec![1_000] } else { vec![1_000, LARGE] }
}

async fn scene() -> Option<(Server, Breaker, TestApp)> {
    let server = Server::start()?;
    let breaker = Breaker::before(&server.endpoint).await;
    let options = pagesmith_file_storage::BucketOptions {
        time_limit: Duration::from_secs(10),
        ..Server::options(&breaker.endpoint())
    };
    let app = TestApp::with(|plan| plan.files = Some(storage(options, TIME_LIMIT))).await;
    Some((server, breaker, app))
}

#[tokio::test]
async fn a_failure_that_passes_is_not_seen() {
    let (_server, breaker, app) = skip_without!(scene().await);
    let client = app.client();
    for (number, fault) in [
        Fault::Closed,
        Fault::Silent,
        Fault::CutRequest(600),
        Fault::CutRequest(4_000_000),
        Fault::CutAnswer(20),
        Fault::Status(500),
        Fault::Status(503),
    ]
    .into_iter()
    .enumerate()
    {
        for size in sizes(fault) {
            let sent = bytes(size, number as u8);
            breaker.breaks(fault, 2);
            let answer = client.upload("a", &sent).await;
            let met = breaker.heals();
            assert_eq!(answer.status, 201, "{fault:?}, {size}: {}", answer.text());
            assert!(met > 0, "{fault:?}, {size}: no connection was broken");
            let path = format!("/v0/files/{}/content", answer.json()["fileId"].as_str().unwrap());
            breaker.breaks(fault, 1);
            let got = client.get(&path).await.expect(200);
            breaker.heals();
            assert!(got.bytes == sent, "{fault:?}, {size}: {} bytes", got.bytes.len());
        }
    }
}

#[tokio::test]
async fn a_failure_that_stays_is_told_and_leaves_nothing_but_what_the_sweep_finds() {
    let (server, breaker, app) = skip_without!(scene().await);
    let client = app.client();
    let kept = client.upload("kept", b"kept").await.expect(201).json();
    for fault in
        [Fault::Closed, Fault::Silent, Fault::CutRequest(600), Fault::CutAnswer(20), Fault::Status(503)]
    {
        for size in sizes(fault) {
            breaker.breaks(fault, ALL);
            let answer = client.upload("a", &bytes(size, 9)).await;
            breaker.heals();
            assert_eq!(answer.status, 503, "{fault:?}, {size}: {}", answer.text());
            assert!(answer.text().contains("storage of files"), "{}", answer.text());
            assert_eq!(client.get("/v0/files").await.expect(200).json()["totalCount"], 1);
        }
    }
    let path = format!("/v0/files/{}/content", kept["fileId"].as_str().unwrap());
    breaker.breaks(Fault::Status(500), ALL);
    client.get(&path).await.expect(503);
    breaker.heals();
    app.advance(Duration::from_hours(25));
    sweep(&app).await;
    assert_eq!(&client.get(&path).await.expect(200).bytes[..], b"kept");
    assert_eq!(server.content().len(), 1);
}

#[tokio::test]
async fn a_sweep_that_fails_removes_the_rest_the_next_time() {
    let (server, breaker, app) = skip_without!(scene().await);
    let client = app.client();
    for size in [10, LARGE] {
        let file = client.upload("a", &bytes(size, 5)).await.expect(201).json();
        client.delete(&format!("/v0/files/{}", file["fileId"].as_str().unwrap())).await.expect(200);
    }
    app.advance(Duration::from_hours(25));
    breaker.breaks(Fault::Closed, ALL);
    let mut failures = 0;
    for task in TASKS.iter().filter(|task| task.name.ends_with("_files")) {
        failures += usize::from(task.run(&app.tools()).await.is_err());
    }
    assert!(breaker.heals() > 0 && failures > 0);
    assert_eq!(server.content().len(), 2);
    sweep(&app).await;
    assert_eq!(server.content(), []);
}

#[tokio::test]
async fn a_removal_whose_answer_is_lost_is_repeated() {
    let (server, breaker, app) = skip_without!(scene().await);
    let client = app.client();
    for fault in [Fault::CutRequest(100), Fault::CutAnswer(20), Fault::Silent] {
        let file = client.upload("a", &bytes(10, 4)).await.expect(201).json();
        client.delete(&format!("/v0/files/{}", file["fileId"].as_str().unwrap())).await.expect(200);
        app.advance(Duration::from_hours(25));
        breaker.breaks(fault, 1);
        sweep(&app).await;
        assert_eq!(breaker.heals(), 1, "{fault:?}");
        assert_eq!(server.content(), [], "{fault:?}");
    }
}

#[tokio::test]
async fn bytes_that_change_on_the_way_are_not_kept() {
    let (_server, breaker, app) = skip_without!(scene().await);
    let client = app.client();
    // In the head, which is signed; in a body; and in a part of a larger one.
    for (at, size) in [(40, 20_000), (3_000, 20_000), (1_000_000, LARGE)] {
        let sent = bytes(size, 6);
        breaker.breaks(Fault::Flipped(at), ALL);
        let answer = client.upload("a", &sent).await;
        assert!(breaker.heals() > 0);
        assert_ne!(answer.status, 201, "byte {at}");
    }
    assert_eq!(client.get("/v0/files").await.expect(200).json()["totalCount"], 0);
}
