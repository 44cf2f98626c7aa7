//! What an operator's machines ask: `/healthz`, `/readyz`, `/metrics`.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_http::state::Shared;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::look::NoNames;
use pagesmith_testkit::database::{self, TestDatabase};
use pagesmith_testkit::{Client, TestApp, fixtures};

#[tokio::test]
async fn a_whole_server_is_alive_and_ready() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz"] {
        let answer = app.anonymous().get(path).await.expect(200);
        assert_eq!(
            (answer.text().as_str(), answer.header("content-type")),
            ("ok\n", Some("text/plain; charset=utf-8"))
        );
    }
}

#[tokio::test]
async fn without_its_database_a_server_is_alive_and_not_ready() {
    let app = TestApp::start().await;
    app.store.close().await.unwrap();
    app.anonymous().get("/healthz").await.expect(200);
    let answer = app.anonymous().get("/readyz").await.expect(503);
    assert_eq!(answer.json()["code"], "SERVICE_UNAVAILABLE");
    assert!(answer.header("retry-after").is_some());
    app.client().get("/v0/pages").await.expect(503);
    // A key is known without the database, and so is a wrong one.
    app.anonymous().get("/v0/pages").await.expect(401);
}

#[tokio::test]
async fn without_its_tables_a_server_is_not_ready() {
    let app = TestApp::start().await;
    let database = TestDatabase::create().await;
    let store = database.open();
    let ring = Arc::new(KeyRing::new(store.clone()));
    let settings = app.state.settings.clone();
    let (files, platform) = (app.files.clone(), Arc::clone(&app.platform));
    let state = Shared::new(settings, store.clone(), files, platform, ring, Arc::new(NoNames));
    let client = Client::new(pagesmith_http::app(state), None);
    let answer = client.get("/readyz").await.expect(503);
    assert!(
        answer.json()["detail"].as_str().unwrap().contains("lacks the migrations 0001"),
        "{}",
        answer.text()
    );
    store.migrate().await.unwrap();
    app.advance(Duration::from_secs(1));
    client.get("/readyz").await.expect(200);
}

#[tokio::test]
async fn the_embedded_database_s_file_is_looked_through_once_a_day() {
    if database::is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let measured = async || {
        app.run_due_work().await;
        let text = app.anonymous().get("/metrics").await.expect(200).text();
        let of = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("pagesmith_{name} ")));
            line.unwrap().parse::<i64>().unwrap()
        };
        (of("database_integrity_problems"), of("database_integrity_check_timestamp_seconds"))
    };
    let start = app.platform.clock().now().as_micros() / 1_000_000;
    assert_eq!(measured().await, (0, start));
    app.advance(Duration::from_hours(23));
    assert_eq!(measured().await, (0, start));
    app.advance(Duration::from_hours(1));
    assert_eq!(measured().await, (0, start + 24 * 3600));
}

#[tokio::test]
async fn readiness_is_tried_by_a_write_at_most_once_a_second() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    let before = app.store.commits();
    let many = (0..50).map(|_| {
        let anonymous = anonymous.clone();
        tokio::spawn(async move { anonymous.get("/readyz").await.expect(200) })
    });
    for one in many.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    assert_eq!(app.store.commits(), before + 1);
    app.advance(Duration::from_millis(999));
    anonymous.get("/readyz").await.expect(200);
    assert_eq!(app.store.commits(), before + 1);
    app.advance(Duration::from_millis(1));
    anonymous.get("/readyz").await.expect(200);
    assert_eq!(app.store.commits(), before + 2);
}

#[tokio::test]
async fn requests_are_counted_by_operation_and_status() {
    let app = TestApp::start().await;
    let client = app.client();
    client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
    client.post("/v0/pages", &fixtures::page("Summer")).await.expect(201);
    client.get("/v0/pages?limit=0").await.expect(400);
    app.anonymous().get("/v0/pages").await.expect(401);
    client.get("/v0/nothing").await.expect(404);
    client.send("PUT", "/v0/pages", None).await.expect(405);
    app.anonymous().with("host", "acme.localhost").get("/spring").await.expect(404);
    let answer = app.anonymous().get("/metrics").await.expect(200);
    assert_eq!(
        answer.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    let text = answer.text();
    for line in [
        "pagesmith_http_requests_total{operation=\"createPage\",status=\"201\"} 2",
        "pagesmith_http_requests_total{operation=\"listPages\",status=\"400\"} 1",
        "pagesmith_http_requests_total{operation=\"listPages\",status=\"401\"} 1",
        "pagesmith_http_requests_total{operation=\"none\",status=\"404\"} 1",
        "pagesmith_http_requests_total{operation=\"none\",status=\"405\"} 1",
        "pagesmith_http_requests_total{operation=\"site\",status=\"404\"} 1",
        "pagesmith_http_request_seconds_count{operation=\"createPage\"} 2",
        "pagesmith_database_queue_depth 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    // Neither keys nor what anyone made.
    for secret in [app.key.as_str(), "Spring", "acme"] {
        assert!(!text.contains(secret), "{secret}");
    }
}
