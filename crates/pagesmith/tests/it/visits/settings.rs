//! What a tenant chooses: how long rows are kept, and what is not counted.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_http::Peer;
use pagesmith_model::network::ManyNetworks;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::visits::BROWSER;
use serde_json::json;

use super::{Scene, dropped};

#[tokio::test]
async fn rows_go_after_their_time_and_sums_stay() {
    let scene = Scene::start().await;
    let days = json!({ "retentionDays": 7, "privacySignal": "ignore", "ownNetworks": [] });
    let set = scene.client.send("PUT", "/v0/visit_settings", Some(days.to_string().into_bytes())).await;
    assert_eq!(set.expect(200).json(), days);
    scene.send(1, &json!({ "q": ["1-0"], "k": true })).await;
    scene.after(31).await;
    let id = scene.sessions().await[0]["audienceSessionId"].as_str().unwrap().to_owned();
    let before = scene.summary().await;
    scene.after(7 * 24 * 60).await;
    scene.send(2, &json!({})).await;
    assert_eq!(scene.get("audience_sessions").await["totalCount"], 2, "within the day");
    scene.after(24 * 60).await;
    let listed = scene.get("audience_sessions").await;
    assert_eq!((&listed["totalCount"], listed["items"].as_array().unwrap().len()), (&json!(1), 1));
    scene.client.get(&format!("/v0/audience_sessions/{id}/interactions")).await.expect(404);
    assert_eq!(scene.summary().await["totalSessions"], 2, "sums stay");
    // Long after quarters are gone the days are there.
    scene.after(60 * 24 * 60).await;
    assert_eq!(scene.get("analytics/summary?endDate=2026-03-02T00:00:00Z").await, before);
    assert_eq!(scene.get("analytics/timeseries?interval=hour").await["items"], json!([]));
    assert_eq!(scene.get("analytics/timeseries").await["items"].as_array().unwrap().len(), 2);
}

/// Sends a report from an address; why it is not counted.
async fn from(scene: &Scene, view: u128, address: &str) -> Option<String> {
    let request = http::Request::post("/.pagesmith/v")
        .header("host", "acme.localhost")
        .header("user-agent", BROWSER)
        .extension(Peer(address.parse().unwrap()))
        .body(scene.report(view, &json!({})).to_string().into());
    dropped(&scene.site.raw(request.unwrap()).await)
}

#[tokio::test]
async fn nothing_is_counted_from_the_data_centres_that_the_operator_names() {
    let networks = ManyNetworks::read("# A cloud\n203.0.113.0/24\n2001:db8:7::/48\n").unwrap();
    let app = TestApp::with(|plan| plan.settings.data_centres = Arc::new(networks)).await;
    let scene = Scene::on(app).await;
    for (view, address) in [(1, "203.0.113.9"), (2, "2001:db8:7::1"), (3, "::ffff:203.0.113.9")] {
        assert_eq!(from(&scene, view, address).await.as_deref(), Some("data_centre"), "{address}");
    }
    assert_eq!(from(&scene, 4, "203.0.114.9").await, None);
    scene.after(31).await;
    assert_eq!(scene.summary().await["totalSessions"], 1);
    assert_eq!(scene.sessions().await.len(), 1);
}

#[tokio::test]
async fn own_networks_and_wishes_of_browsers_count_as_the_tenant_says() {
    let scene = Scene::start().await;
    let usual = scene.client.get("/v0/visit_settings").await.expect(200).json();
    assert_eq!(usual, json!({ "retentionDays": 400, "privacySignal": "ignore", "ownNetworks": [] }));
    let private = scene.site.with("sec-gpc", "1");
    assert_eq!(scene.send_as(&private, 1, &json!({})).await, None);
    let put = async |body: serde_json::Value| {
        scene.client.send("PUT", "/v0/visit_settings", Some(body.to_string().into_bytes())).await
    };
    let chosen =
        json!({ "retentionDays": 30, "privacySignal": "count_nothing", "ownNetworks": ["203.0.113.0/24"] });
    put(chosen).await.expect(200);
    assert_eq!(scene.send_as(&private, 2, &json!({})).await.as_deref(), Some("opted_out"));
    assert_eq!(
        scene.send_as(&scene.site.with("dnt", "1"), 2, &json!({})).await.as_deref(),
        Some("opted_out")
    );
    assert_eq!(from(&scene, 3, "203.0.113.9").await.as_deref(), Some("own_address"));
    assert_eq!(from(&scene, 4, "203.0.114.9").await, None);
    scene.app.advance(Duration::from_secs(1));
    for wrong in [
        json!({ "retentionDays": 0, "privacySignal": "ignore", "ownNetworks": [] }),
        json!({ "retentionDays": 30, "privacySignal": "obey", "ownNetworks": [] }),
        json!({ "retentionDays": 30, "privacySignal": "ignore", "ownNetworks": ["everywhere"] }),
        json!({ "retentionDays": 30, "privacySignal": "ignore" }),
    ] {
        put(wrong).await.expect(400);
    }
    assert_eq!(scene.client.get("/v0/visit_settings").await.expect(200).json()["retentionDays"], 30);
}
