//! The rate limit: headers, refusal, and the way back, on the test's clock.

use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::app::START;
use pagesmith_testkit::{Client, TestApp};
use serde_json::json;

async fn limited_app(limit: u32) -> TestApp {
    TestApp::with(|plan| plan.settings.rate_limit = limit).await
}

async fn key_with(app: &TestApp, rate_limit: Option<u32>) -> Client {
    let new = NewKey {
        name: "limited".to_owned(),
        scope: Scope::Write,
        tenants: vec!["acme".to_owned()],
        expires_in: None,
        rate_limit,
    };
    app.client_with(&app.issue(new).await.secret)
}

#[tokio::test]
async fn each_answer_tells_what_is_left() {
    let app = limited_app(3).await;
    let client = app.client();
    for left in [2, 1, 0] {
        let answer = client.get("/v0/pages").await.expect(200);
        assert_eq!(answer.header("ratelimit-policy"), Some("\"default\";q=3;w=60"));
        assert_eq!(answer.header("ratelimit"), Some(format!("\"default\";r={left};t=60").as_str()));
    }
    let answer = client.get("/v0/pages").await.expect(429);
    assert_eq!(answer.header("ratelimit-policy"), Some("\"default\";q=3;w=60"));
    assert_eq!(answer.header("ratelimit"), Some("\"default\";r=0;t=60"));
    assert_eq!(answer.header("retry-after"), Some("60"));
    let reset = START / 1_000 + 60_000;
    assert_eq!(
        answer.json()["details"],
        json!({ "limit": 3, "remaining": 0, "resetTime": reset, "retryAfter": 60 })
    );
}

#[tokio::test]
async fn errors_count_and_tell_as_well() {
    let app = limited_app(4).await;
    let client = app.client();
    for (method, path, status) in [
        ("GET", "/v0/pages/none", 404),
        ("POST", "/v0/pages", 400),
        ("GET", "/v0/pages?limit=0", 400),
        ("DELETE", "/v0/pages/none", 404),
    ] {
        assert!(client.send(method, path, None).await.expect(status).header("ratelimit").is_some());
    }
    client.get("/v0/pages").await.expect(429);
    // What has no key behind it has no limit.
    for path in ["/healthz", "/nothing", "/v0/nothing"] {
        assert_eq!(client.get(path).await.header("ratelimit"), None);
    }
    assert_eq!(client.send("PUT", "/v0/pages", None).await.expect(405).header("ratelimit"), None);
    assert_eq!(app.anonymous().get("/v0/pages").await.expect(401).header("ratelimit"), None);
}

#[tokio::test]
async fn who_waits_as_told_is_let_in_and_not_a_moment_before() {
    let app = limited_app(2).await;
    let client = app.client();
    client.get("/v0/pages").await.expect(200);
    app.advance(Duration::from_secs(30));
    client.get("/v0/pages").await.expect(200);
    let refused = client.get("/v0/pages").await.expect(429);
    let wait = refused.json()["details"]["retryAfter"].as_u64().unwrap();
    assert_eq!((wait, refused.header("retry-after")), (30, Some("30")));
    app.advance(Duration::from_secs(wait) - Duration::from_micros(1));
    client.get("/v0/pages").await.expect(429);
    app.advance(Duration::from_micros(1));
    // The window slides: the first request has left it, the second has not.
    client.get("/v0/pages").await.expect(200);
    client.get("/v0/pages").await.expect(429);
    app.advance(Duration::from_secs(30));
    client.get("/v0/pages").await.expect(200);
}

#[tokio::test]
async fn a_refused_request_does_not_make_the_wait_longer() {
    let app = limited_app(1).await;
    let client = app.client();
    client.get("/v0/pages").await.expect(200);
    for second in 0..60 {
        let answer = client.get("/v0/pages").await.expect(429);
        assert_eq!(answer.json()["details"]["retryAfter"], 60 - second);
        app.advance(Duration::from_secs(1));
    }
    client.get("/v0/pages").await.expect(200);
}

#[tokio::test]
async fn each_key_has_a_limit_of_its_own() {
    let app = limited_app(2).await;
    let (usual, tight, wide) =
        (key_with(&app, None).await, key_with(&app, Some(1)).await, key_with(&app, Some(5)).await);
    for (client, limit) in [(usual, 2), (tight, 1), (wide, 5)] {
        for _ in 0..limit {
            let answer = client.get("/v0/pages").await.expect(200);
            assert_eq!(
                answer.header("ratelimit-policy"),
                Some(format!("\"default\";q={limit};w=60").as_str())
            );
        }
        let refused = client.get("/v0/pages").await.expect(429).json();
        assert_eq!(refused["details"]["limit"], limit);
    }
    app.client().get("/v0/pages").await.expect(200);
}

#[tokio::test]
async fn a_reload_of_the_keys_forgets_no_request() {
    let app = limited_app(2).await;
    let client = app.client();
    client.get("/v0/pages").await.expect(200);
    app.add_tenant("globex").await;
    client.get("/v0/pages").await.expect(200);
    app.add_key("globex", Scope::Read).await;
    client.get("/v0/pages").await.expect(429);
}

#[tokio::test]
async fn another_window_is_told_and_kept() {
    let app = TestApp::with(|plan| {
        plan.settings.rate_limit = 1;
        plan.settings.rate_window = Duration::from_secs(600);
    })
    .await;
    let answer = app.client().get("/v0/pages").await.expect(200);
    assert_eq!(answer.header("ratelimit-policy"), Some("\"default\";q=1;w=600"));
    app.advance(Duration::from_secs(599));
    app.client().get("/v0/pages").await.expect(429);
    app.advance(Duration::from_secs(11));
    app.client().get("/v0/pages").await.expect(200);
}
