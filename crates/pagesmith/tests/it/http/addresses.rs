//! Whose request it is behind a proxy, and how many one address may have in flight.

use axum::body::Body;
use axum::http::{Request, Response};
use pagesmith_http::Peer;
use pagesmith_testkit::TestApp;

async fn behind_proxies() -> TestApp {
    TestApp::with(|plan| {
        plan.settings.trusted_proxies = "10.0.0.0/8".parse().unwrap();
        plan.settings.connections_per_address = 2;
    })
    .await
}

/// The answer to a request that came from `peer`, its body not yet taken.
async fn ask(app: &TestApp, peer: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::get("/healthz").extension(Peer(peer.parse().unwrap()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    tower::ServiceExt::oneshot(app.router.clone(), request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_client_behind_a_proxy_has_so_many_requests_in_flight() {
    let app = behind_proxies().await;
    let asks = async |client: &str| ask(&app, "10.0.0.1", &[("x-forwarded-for", client)]).await;
    let (first, second) = (asks("192.0.2.1").await, asks("198.51.100.9, 192.0.2.1").await);
    let refused = asks("192.0.2.1").await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["retry-after"], "1");
    assert!(refused.headers().contains_key("x-request-id"));
    assert_eq!(asks("192.0.2.2").await.status(), 200);
    // The place is given back with the answer's last byte.
    drop(first);
    assert_eq!(asks("192.0.2.1").await.status(), 200);
    drop(second);
    let ipv6 = (asks("2001:db8::1").await, asks("2001:db8::2").await);
    assert_eq!(asks("2001:db8::ffff").await.status(), 429);
    drop(ipv6);
}

#[tokio::test]
async fn whoever_is_no_trusted_proxy_speaks_for_itself() {
    let app = behind_proxies().await;
    let header = [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=192.0.2.1")];
    // Its connections are counted where they are accepted; its requests are not.
    let kept: Vec<_> =
        [ask(&app, "203.0.113.5", &header).await, ask(&app, "203.0.113.5", &header).await].into();
    for response in kept.iter().chain([&ask(&app, "203.0.113.5", &header).await]) {
        assert_eq!(response.status(), 200);
    }
    assert_eq!(ask(&app, "10.0.0.1", &header).await.status(), 200);
}
