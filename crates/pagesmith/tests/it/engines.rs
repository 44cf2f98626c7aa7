//! Both engines answer alike: the same requests, at the same instants, with the same randomness.

use std::time::Duration;

use pagesmith_http::routes::routes;
use pagesmith_testkit::database::{is_postgres, is_sharded};
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Answer, TestApp};
use serde_json::Value;

/// What a caller can tell of an answer: its status, its headers and its body.
fn told(answer: &Answer) -> (u16, Vec<(String, String)>, Value) {
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    headers.sort();
    let body = serde_json::from_slice(&answer.bytes);
    let text = || String::from_utf8_lossy(&answer.bytes).into_owned().into();
    (answer.status.as_u16(), headers, body.unwrap_or_else(|_| text()))
}

/// Every operation of the contract, and those of ours, is answered by PostgreSQL as by the embedded database; and so is everything that can be read
/// after it. A run on the embedded database alone has nothing to compare, and one on partitions answers as one without.
#[tokio::test]
async fn every_operation_is_answered_alike_by_both() {
    if !is_postgres() || is_sharded() {
        return;
    }
    let mut asked = 0;
    // A tenant may not have as many brands, forms and the like as there are routes.
    for some in routes().chunks(100) {
        // What the server itself does is in no order, and tells of the engine.
        let of_tenants = some.iter().filter(|route| route.operation != "metrics");
        let apps = [TestApp::start().await, TestApp::with(|plan| plan.is_embedded = true).await];
        let mut left = [None, None];
        for (number, route) in of_tenants.enumerate() {
            let mut seen = Vec::new();
            for (app, left) in apps.iter().zip(&mut left) {
                // What is asked of all routes together is more than a minute allows.
                app.advance(Duration::from_mins(2));
                let client = app.client();
                let owned = Owned::left_or_made(left, &client, number).await;
                let body = owned.body(route);
                let answer = client.send(route.method, &owned.fill(route.path), body).await;
                assert!(answer.status.is_success(), "{} answered {}", route.operation, answer.text());
                let ids: Vec<String> = owned.ids().map(str::to_owned).collect();
                let after = if route.method == "GET" { vec![] } else { client_sees(app, &owned).await };
                seen.push((ids, told(&answer), after));
                *left = (route.method == "GET").then_some(owned);
            }
            assert_eq!(seen[0], seen[1], "{}", route.operation);
            asked += 1;
        }
    }
    assert!(asked >= 94, "only {asked} operations were asked");
}

/// Everything of a tenant that can still be read.
async fn client_sees(app: &TestApp, owned: &Owned) -> Vec<Value> {
    let mut seen = Vec::new();
    for template in pagesmith_testkit::samples::SAMPLES.iter().flat_map(|sample| sample.reads) {
        let answer = app.client().get(&owned.fill(template)).await;
        seen.push(serde_json::from_slice(&answer.bytes).unwrap());
    }
    seen
}
