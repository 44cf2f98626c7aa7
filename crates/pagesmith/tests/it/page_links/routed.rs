//! Links with a routing table.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pagesmith_model::PageLinkId;
use pagesmith_operations::visits::salts::{self, Salts};
use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

use super::{audience_of, link, page, path_of, routing};

fn visitor(app: &TestApp, number: usize) -> Client {
    app.anonymous().with("host", "acme.localhost").with("user-agent", &format!("visitor {number}"))
}

fn external(weights: &[u64]) -> Value {
    let route = |(at, weight)| json!({ "targetUrl": format!("https://acme.example/{at}"), "weight": weight });
    weights.iter().enumerate().map(route).collect()
}

fn location(answer: &Answer) -> &str {
    answer.header("location").unwrap()
}

/// Where so many visitors are sent.
async fn sent(app: &TestApp, path: &str, visitors: usize) -> BTreeMap<String, usize> {
    let mut sent = BTreeMap::new();
    for number in 0..visitors {
        let answer = visitor(app, number).get(path).await.expect(302);
        *sent.entry(location(&answer).to_owned()).or_default() += 1;
    }
    sent
}

#[tokio::test]
async fn visitors_are_shared_by_weight_and_each_keeps_its_target() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let made = link(&client, "/split", &routing(&spring, &external(&[1, 3]))).await;
    let first = sent(&app, "/split", 400).await;
    assert_eq!(first, sent(&app, "/Split/", 400).await, "a visitor comes back");
    let many = first["https://acme.example/1"];
    assert!((270..=330).contains(&many), "{first:?}");
    // On another day, and on another link, the dice are cast anew.
    link(&client, "/other", &routing(&spring, &external(&[1, 3]))).await;
    assert_ne!(first, sent(&app, "/other", 400).await);
    app.advance(Duration::from_secs(86_400));
    let mut kept = 0;
    for number in 0..50 {
        let answer = visitor(&app, number).get("/split").await.expect(302);
        kept += usize::from(location(&answer) == "https://acme.example/1");
    }
    assert!((20..50).contains(&kept), "{kept}");
    client.patch(&path_of(&made), &json!({ "target": routing(&spring, &external(&[1])) })).await.expect(200);
    assert_eq!(sent(&app, "/split", 20).await.len(), 1);
}

#[tokio::test]
async fn a_hundred_thousand_visitors_are_shared_within_one_percentage_point() {
    let app = TestApp::start().await;
    let tools = app.tools();
    let (context, salts) = (tools.platform.context(), Salts::default());
    let today = salts.of_today(&tools.store, &context).await.unwrap();
    let tenant = app.tenant.clone();
    let link = PageLinkId::parse("pagelink_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    let weights = [1, 2, 7, 40, 9_007_199_254_740_991 / 1_000_000_000_000_000];
    let (total, visitors): (u64, usize) = (weights.iter().sum(), 100_000);
    let mut counts = [0_usize; 5];
    for number in 0..visitors {
        let address = format!("203.0.113.{}", number % 256);
        let agent = format!("agent {number}");
        let number = today.visitor_of_link((&tenant, &link), (&address, &agent)).unwrap();
        counts[pagesmith_model::page_link::weighted(weights.iter().copied(), number).unwrap()] += 1;
    }
    for (weight, count) in weights.into_iter().zip(counts) {
        let (wanted, got) = (weight as f64 / total as f64, count as f64 / visitors as f64);
        assert!((wanted - got).abs() < 0.01, "{weight}: {got} instead of {wanted}");
    }
}

#[tokio::test]
async fn a_visitor_has_one_number_all_day_and_nobody_can_make_it_again_two_days_later() {
    let app = TestApp::start().await;
    let (tools, tenant) = (app.tools(), app.tenant.clone());
    let link = PageLinkId::parse("pagelink_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    let number = async |seconds: u64| {
        let mut context = tools.platform.context();
        context.now = context.now.plus(Duration::from_secs(seconds));
        let salts = Salts::default().of_today(&tools.store, &context).await.unwrap();
        salts.visitor_of_link((&tenant, &link), ("203.0.113.7", "agent")).unwrap()
    };
    let first = number(0).await;
    assert_eq!(first, number(0).await);
    // The day ends twelve hours after the test begins.
    assert_eq!(first, number(43_199).await);
    assert_ne!(first, number(43_200).await);
    let later = tools.platform.context().now.plus(Duration::from_secs(2 * 86_400));
    tools.store.write(move |tx| salts::destroy_old(tx, later)).await.unwrap();
    assert_ne!(first, number(0).await);
}

#[tokio::test]
async fn a_visitor_who_keeps_an_id_keeps_its_target() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    link(&client, "/split", &routing(&spring, &external(&[1, 1, 1, 1]))).await;
    let keeping = async |visitor: usize, cookie: &str| {
        let client = app.anonymous().with("host", "acme.localhost").with("cookie", cookie);
        let answer = client.with("user-agent", &format!("visitor {visitor}")).get("/split").await.expect(302);
        location(&answer).to_owned()
    };
    let mut targets = BTreeSet::new();
    for number in 0..40_u128 {
        let cookie = format!("other=1; page-visitor={number:032x}");
        let first = keeping(0, &cookie).await;
        app.advance(Duration::from_secs(86_400));
        assert_eq!(keeping(1, &cookie).await, first);
        targets.insert(first);
    }
    assert_eq!(targets.len(), 4);
    // What is no id is as no cookie.
    for cookie in ["page-visitor=1", "page-visitor=", "page-visitor", "page-visitor=XYZ; a=b"] {
        let mut targets = BTreeSet::new();
        for visitor in 0..20 {
            targets.insert(keeping(visitor, cookie).await);
        }
        assert!(targets.len() > 1, "{cookie}");
    }
}

#[tokio::test]
async fn a_redirect_carries_the_query_if_that_is_wanted() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    for (path, keeps) in [("/keeps", json!(true)), ("/drops", json!(false))] {
        let table = json!([{ "targetUrl": "https://acme.example/demo?plan=team#top", "weight": 1, "preserveQueryParams": keeps }]);
        link(&client, path, &routing(&spring, &table)).await;
    }
    let site = visitor(&app, 0);
    for _ in 0..2 {
        let kept = site.get("/keeps?utm_source=mail&plan=free").await.expect(302);
        assert_eq!(location(&kept), "https://acme.example/demo?plan=team&utm_source=mail#top");
        assert_eq!(kept.header("cache-control"), Some("no-store"));
        let dropped = site.get("/drops?utm_source=mail").await.expect(302);
        assert_eq!(location(&dropped), "https://acme.example/demo?plan=team#top");
        assert_eq!(
            location(&site.get("/keeps").await.expect(302)),
            "https://acme.example/demo?plan=team#top"
        );
    }
    for query in ["x=%0d%0aSet-Cookie:a", "x=%00", "%ff=%ff", "//evil.example", "x=@evil.example"] {
        let answer = site.get(&format!("/keeps?{query}")).await.expect(302);
        assert!(
            location(&answer).starts_with("https://acme.example/demo?plan=team&"),
            "{}",
            location(&answer)
        );
        assert!(answer.header("set-cookie").is_none());
    }
}

#[tokio::test]
async fn what_is_away_drops_out_of_the_table() {
    let app = TestApp::start().await;
    let client = app.client();
    let (spring, summer) = (page(&client, "Spring").await, page(&client, "Summer").await);
    let plants = audience_of(&client, &spring, "Plants").await;
    let labs = audience_of(&client, &summer, "Labs").await;
    app.write_versions().await;
    let late = audience_of(&client, &spring, "Late").await;
    let table: Value =
        [&plants, &labs, &late].map(|id| json!({ "audienceId": id, "weight": 1 })).into_iter().collect();
    link(&client, "/split", &routing(&spring, &table)).await;
    let texts = async |path: &str| {
        let mut seen = BTreeMap::<String, usize>::new();
        for number in 0..60 {
            let answer = visitor(&app, number).get(path).await.expect(200);
            *seen.entry(answer.text()).or_default() += 1;
        }
        seen.into_keys().collect::<Vec<String>>()
    };
    let one = async |path: &str| visitor(&app, 0).get(path).await.expect(200).text();
    let mut both = vec![one("/spring/plants").await, one("/summer/labs").await];
    both.sort_unstable();
    assert_eq!(texts("/split").await, both, "what is not published is not shown");
    let answer = visitor(&app, 0).get("/split").await.expect(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    client.delete(&format!("/v0/pages/{spring}/audiences/{plants}")).await.expect(200);
    assert_eq!(texts("/split").await, [one("/summer/labs").await]);
    app.write_versions().await;
    client.delete(&format!("/v0/pages/{summer}")).await.expect(200);
    assert_eq!(texts("/split").await, [one("/spring/late").await]);
    client.delete(&format!("/v0/pages/{spring}/audiences/{late}")).await.expect(200);
    // Nothing is left but the page, which has nothing to show either.
    visitor(&app, 0).get("/split").await.expect(404);
}

#[tokio::test]
async fn every_mistake_of_a_table_is_told_at_its_place() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let audience = audience_of(&client, &spring, "Plants").await;
    let url = "https://acme.example/";
    for (table, expected) in [
        (
            json!([{ "audienceId": audience, "weight": "1" }, { "targetUrl": url, "weight": 1.5 }]),
            vec![("invalid_type", "0.weight"), ("invalid_type", "1.weight")],
        ),
        (
            json!([{ "audienceId": 5, "weight": 0 }, { "targetUrl": "acme", "weight": -1, "preserveQueryParams": 1 }, 7]),
            vec![
                ("invalid_format", "1.targetUrl"),
                ("invalid_type", "0.audienceId"),
                ("invalid_type", "1.preserveQueryParams"),
                ("invalid_type", "2"),
                ("too_small", "0.weight"),
                ("too_small", "1.weight"),
            ],
        ),
        (
            json!([{ "audienceId": audience, "weight": "1", "preserveQueryParams": true }, { "targetUrl": url, "audience": "x" }]),
            vec![
                ("invalid_type", "0.weight"),
                ("required", "1.weight"),
                ("unrecognized_key", "0.preserveQueryParams"),
                ("unrecognized_key", "1.audience"),
            ],
        ),
        (json!("all"), vec![("invalid_type", "")]),
    ] {
        let body = json!({ "path": "/split", "target": routing(&spring, &table) });
        let mut found = client.post("/v0/page_links", &body).await.expect(400).issues();
        found.sort();
        let at = |place: &str| format!("target.routingTable.{place}").trim_end_matches('.').to_owned();
        let expected: Vec<_> =
            expected.into_iter().map(|(code, place)| (code.to_owned(), at(place))).collect();
        assert_eq!(found, expected, "{table}");
    }
}
