//! What an operator's machines ask: `/healthz`, `/readyz`, `/metrics`.

use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_http::state::Shared;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::check::NoNames;
use pagesmith_testkit::database::{self, TestDatabase};
use pagesmith_testkit::{Client, TestApp, fixtures};

use crate::log_lines::LogLines;

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
async fn with_a_database_that_only_reads_a_server_serves_reads_and_is_not_ready() {
    if database::is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let (anonymous, client) = (app.anonymous(), app.client());
    anonymous.get("/readyz").await.expect(200);
    assert!(app.store.empty_journal().await.unwrap());
    // A file that SQLite takes for one of a later version, which it only reads: so it is on a file system that is mounted for reading.
    let file =
        std::fs::OpenOptions::new().write(true).open(app.database.folder.path().join("test.db")).unwrap();
    let write_version = |version: u8| file.write_all_at(&[version], 18).unwrap();
    write_version(3);
    app.advance(Duration::from_secs(1));
    let answer = anonymous.get("/readyz").await.expect(503);
    assert_eq!(answer.json()["detail"], "The database can be read, but nothing can be written to it.");
    assert!(answer.header("retry-after").is_some());
    anonymous.get("/healthz").await.expect(200);
    client.get("/v0/pages").await.expect(200);
    client.post("/v0/pages", &fixtures::page("Spring")).await.expect(503);

    write_version(2);
    let again = Client::new(app.another_server(), Some(app.key.clone()));
    again.get("/readyz").await.expect(200);
    again.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
}

#[tokio::test]
async fn without_a_place_for_files_uploads_alone_are_refused_and_the_server_is_ready() {
    let app = TestApp::start().await;
    let client = app.client();
    let folder = app.database.folder.path().join("files");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "not a folder").unwrap();
    let refused = client.upload("a", b"bytes").await.expect(503);
    assert_eq!(refused.json()["code"], "SERVICE_UNAVAILABLE");
    app.anonymous().get("/readyz").await.expect(200);
    client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
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
async fn a_damaged_file_reaches_the_metric_and_the_log_once() {
    if database::is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let log = LogLines::default();
    let _collected = log.collect();
    let problems = async || {
        app.run_due_work().await;
        let text = app.anonymous().get("/metrics").await.expect(200).text();
        let problems =
            text.lines().find_map(|line| line.strip_prefix("pagesmith_database_integrity_problems "));
        problems.unwrap().to_owned()
    };
    assert_eq!(problems().await, "0");

    // The first page of a table that none of the background reads.
    let page =
        "SELECT CAST(rootpage AS TEXT) FROM sqlite_schema WHERE type = 'table' AND name = 'erased_slugs'";
    let page: u64 = database::ask_at(&app.database.address, page).await.parse().unwrap();
    let path = app.database.folder.path().join("test.db");
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(&[0xff; 4096], (page - 1) * 4096).unwrap();
    let lines = || log.text().matches("the database's file is damaged").count();
    app.advance(Duration::from_hours(23));
    assert_eq!((problems().await.as_str(), lines()), ("0", 0));
    app.advance(Duration::from_hours(1));
    assert_eq!(problems().await, "1");
    let text = log.text();
    let line = text.lines().find(|line| line.contains("the database's file is damaged")).unwrap();
    for part in ["ERROR", "stop the server and restore a backup", "test.db", "problem="] {
        assert!(line.contains(part), "{part}: {line}");
    }
    app.advance(Duration::from_hours(1));
    assert_eq!((problems().await.as_str(), lines()), ("1", 1));
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
