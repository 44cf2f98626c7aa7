//! Reports that nobody's browser sends, and visitors that are no persons.

use std::time::Duration;

use pagesmith_http::Peer;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::visits::BROWSER;
use serde_json::{Value, json};

use super::{Scene, dropped, page, shown};
use crate::site::visitor;

#[tokio::test]
async fn what_is_no_report_is_dropped_and_says_why() {
    let scene = Scene::start().await;
    for body in [&b"{}"[..], b"", b"[]", b"\xff\xfe", b"{\"v\":1}", b"null", "\u{202e}{}".as_bytes()] {
        let answer = scene.site.send("POST", "/.pagesmith/v", Some(body.to_vec())).await;
        assert_eq!(dropped(&answer).as_deref(), Some("invalid"));
    }
    let long = scene.report(1, &json!({ "l": "x".repeat(5_000) }));
    assert_eq!(dropped(&scene.site.post("/.pagesmith/v", &long).await).as_deref(), Some("too_large"));
    for fields in [
        json!({ "e": -1 }),
        json!({ "t": -5_000 }),
        json!({ "c": 1.5 }),
        json!({ "s": 1_000 }),
        json!({ "more": 1 }),
    ] {
        assert_eq!(scene.send(1, &fields).await.as_deref(), Some("invalid"), "{fields}");
    }
    let nobody = "0".repeat(26);
    for fields in [json!({ "p": format!("page_{nobody}") }), json!({ "a": format!("audience_{nobody}") })] {
        assert_eq!(scene.send(1, &fields).await.as_deref(), Some("unknown_page"), "{fields}");
    }
    let elsewhere = scene.site.with("sec-fetch-site", "cross-site");
    assert_eq!(scene.send_as(&elsewhere, 1, &json!({})).await.as_deref(), Some("other_site"));
    let here = scene.site.with("sec-fetch-site", "same-origin");
    assert_eq!(scene.send_as(&here, 1, &json!({})).await, None);
    let listed = scene.sessions().await;
    assert_eq!(listed.len(), 1);
    for method in ["PUT", "DELETE", "PATCH", "HEAD"] {
        scene.site.send(method, "/.pagesmith/v", None).await.expect(405);
    }
    let picture = scene.site.get("/.pagesmith/v?p=1&a=2").await.expect(200);
    assert_eq!(picture.header("x-pagesmith-dropped"), Some("invalid"));
    scene.client.post("/.pagesmith/v", &scene.report(2, &json!({}))).await.expect(404);
    assert_eq!(scene.summary().await["totalSessions"], 1);
}

#[tokio::test]
async fn times_of_years_and_clocks_that_are_off_count_what_can_be() {
    let scene = Scene::start().await;
    let year = 365_u64 * 86_400_000;
    assert_eq!(scene.send(1, &json!({ "t": year, "e": year, "c": 4_000_000_000_u64 })).await, None);
    scene.app.advance(Duration::from_secs(60));
    scene.send(1, &json!({ "t": 2 * year, "e": 2 * year })).await;
    let session = scene.sessions().await.remove(0);
    // Half an hour that is believed at first, and a minute here.
    assert_eq!(session["timeSpentSeconds"], 30 * 60 + 60 + 5);
    assert_eq!(session["totalClicksCount"], 10_000);
}

#[tokio::test]
async fn a_page_of_another_tenant_is_none_of_this_site() {
    let scene = Scene::start().await;
    let stranger = scene.app.stranger().await;
    let foreign = page(&stranger, "Theirs").await;
    let audience = shown(&stranger, &foreign, &json!({})).await;
    let fields = json!({ "p": foreign, "a": audience });
    assert_eq!(scene.send(1, &fields).await.as_deref(), Some("unknown_page"));
    let mixed = json!({ "a": audience });
    assert_eq!(scene.send(1, &mixed).await.as_deref(), Some("unknown_page"));
    let theirs = visitor(&scene.app, "globex.localhost").with("user-agent", BROWSER);
    assert_eq!(scene.send_as(&theirs, 1, &fields).await, None);
    // The same number of a page view is another one there.
    assert_eq!(scene.send(1, &json!({})).await, None);
    let ours = scene.sessions().await;
    let theirs = stranger.get(&format!("/v0/pages/{foreign}/audience_sessions")).await.expect(200).json();
    assert_eq!((ours.len(), theirs["totalCount"].as_u64()), (1, Some(1)));
    for path in ["analytics/summary", "analytics/audiences", "audience_sessions"] {
        stranger.get(&format!("/v0/pages/{}/{path}", scene.page)).await.expect(404);
    }
    let id = ours[0]["audienceSessionId"].as_str().unwrap();
    stranger.get(&format!("/v0/audience_sessions/{id}/interactions")).await.expect(404);
    // A page view of one audience is not continued as that of another.
    let other = shown(&scene.client, &scene.page, &json!({})).await;
    assert_eq!(scene.send(1, &json!({ "a": other })).await.as_deref(), Some("unknown_page"));
}

#[tokio::test]
async fn programs_are_told_and_kept_apart() {
    let scene = Scene::start().await;
    let agent = |agent: &str| visitor(&scene.app, "acme.localhost").with("user-agent", agent);
    for (view, client, fields, reason) in [
        (
            1,
            agent("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
            json!({}),
            "crawler",
        ),
        (2, agent(""), json!({}), "crawler"),
        (3, agent(&BROWSER.replace("Chrome", "HeadlessChrome")), json!({}), "crawler"),
        (4, agent(BROWSER), json!({ "w": true }), "automated"),
        (5, agent(BROWSER).with("sec-purpose", "prefetch;prerender"), json!({}), "prefetch"),
        (6, agent(BROWSER), json!({ "r": "http://semalt.com/crawler.php" }), "referrer_spam"),
    ] {
        assert_eq!(scene.send_as(&client, view, &fields).await.as_deref(), Some(reason));
    }
    assert_eq!(scene.send(7, &json!({})).await, None);
    scene.after(31).await;
    assert_eq!(scene.sessions().await.len(), 1);
    assert_eq!(scene.summary().await["totalSessions"], 1);
    // What is not counted is told with why. All three crawlers have another user agent, and so are other visitors.
    let one = |reason: &str, sessions: u32| json!({ "reason": reason, "sessions": sessions });
    let told = json!({ "items": [
        one("crawler", 3), one("automated", 1), one("prefetch", 1), one("referrer_spam", 1),
    ] });
    assert_eq!(scene.get("analytics/dropped").await, told);
    let none = json!({ "items": [] });
    assert_eq!(scene.get("analytics/dropped?endDate=2020-01-01T00:00:00Z").await, none);
    let other = page(&scene.client, "Autumn").await;
    let path = |page: &str| format!("/v0/pages/{page}/analytics/dropped");
    assert_eq!(scene.client.get(&path(&other)).await.expect(200).json(), none);
    scene.client.get(&format!("{}?endDate=soon", path(&scene.page))).await.expect(400);
    scene.client.get(&path("page_01jpbz8n4xf5k9w2d7hq3mv6ta")).await.expect(404);
    scene.app.stranger().await.get(&path(&scene.page)).await.expect(404);
    // Rows that have expired are told no more.
    let kept = json!({ "retentionDays": 1, "privacySignal": "ignore", "ownNetworks": [] });
    scene.client.send("PUT", "/v0/visit_settings", Some(kept.to_string().into_bytes())).await.expect(200);
    scene.after(3 * 24 * 60).await;
    assert_eq!(scene.get("analytics/dropped").await, none);
}

#[tokio::test]
async fn an_address_sends_no_more_than_so_many_reports_in_a_minute() {
    let app = TestApp::with(|plan| plan.settings.reports_per_address = 3).await;
    let client = app.client();
    let page = page(&client, "Spring launch").await;
    let audience = shown(&client, &page, &json!({})).await;
    let send = async |view: u128, address: &str| -> Option<String> {
        let report = pagesmith_testkit::samples::visits::report(&format!("{view:032x}"), &page, &audience);
        let request = http::Request::post("/.pagesmith/v")
            .header("host", "acme.localhost")
            .header("user-agent", BROWSER)
            .extension(Peer(address.parse().unwrap()))
            .body(report.to_string().into());
        dropped(&client.raw(request.unwrap()).await)
    };
    for view in 0..3 {
        assert_eq!(send(view, "192.0.2.1").await, None);
    }
    for view in 3..40 {
        assert_eq!(send(view, "192.0.2.1").await.as_deref(), Some("too_many"));
    }
    assert_eq!(send(50, "192.0.2.2").await, None, "another address");
    app.advance(Duration::from_secs(60));
    assert_eq!(send(60, "192.0.2.1").await, None);
    let listed: Value = client.get(&format!("/v0/pages/{page}/audience_sessions")).await.expect(200).json();
    assert_eq!(listed["totalCount"], 2, "an address with one browser is one visitor");
}
