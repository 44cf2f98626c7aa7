//! Walks with cursors over the list of a page, over the search and over the versions of an audience, while more come.
//!
//! What was there all along is met once, in order; what comes meanwhile is never met twice; each total is exact.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{audience, page};
use crate::property;

/// Takes a part of so many, or makes one more.
#[derive(Debug, Clone, Copy)]
enum Step {
    Take(usize),
    Make,
}

fn history() -> impl Strategy<Value = (usize, Vec<Step>)> {
    let step = prop_oneof![3 => (1..5_usize).prop_map(Step::Take), 1 => Just(Step::Make)];
    (1..12_usize, prop::collection::vec(step, 1..20))
}

/// A walk: how one more is made, where the parts are, and what names an item.
async fn walk(
    (before, steps): (usize, Vec<Step>),
    client: &pagesmith_testkit::Client,
    path: &str,
    name: &str,
    make: impl AsyncFn(),
) {
    for _ in 0..before {
        make().await;
    }
    let joint = if path.contains('?') { '&' } else { '?' };
    let whole = client.get(&format!("{path}{joint}limit=100")).await.expect(200).json();
    let names = |answer: &Value| -> Vec<String> {
        answer["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item[name].as_str().unwrap().to_owned())
            .collect()
    };
    let there = names(&whole);
    let (mut met, mut cursor, mut made) = (Vec::<String>::new(), None::<String>, there.len());
    for step in steps.into_iter().chain([Step::Take(4); 20]) {
        let Step::Take(limit) = step else {
            make().await;
            made += 1;
            continue;
        };
        let at = cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let part = client.get(&format!("{path}{joint}limit={limit}{at}")).await.expect(200).json();
        assert_eq!(part["totalCount"], made);
        met.extend(names(&part));
        match part["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    // Newest first: what was created after the first part was read is in front of it, and is not met.
    let met_again: Vec<&String> = met.iter().filter(|name| there.contains(name)).collect();
    assert_eq!(met_again, there.iter().collect::<Vec<_>>());
    let mut once = met.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), met.len());
}

#[test]
fn a_walk_over_a_pages_audiences_loses_and_repeats_nothing() {
    property::holds(8, &history(), async |case, history| {
        let page = page(&case.client).await;
        let make = async || drop(audience(&case.client, &page, &json!({})).await);
        walk(history, &case.client, &format!("{page}/audiences"), "audienceId", make).await;
    });
}

#[test]
fn a_walk_over_a_search_loses_and_repeats_nothing() {
    property::holds(8, &history(), async |case, history| {
        let page = page(&case.client).await;
        let make = async || drop(audience(&case.client, &page, &json!({ "customName": "North" })).await);
        walk(history, &case.client, "/v0/audiences/search?query=nor", "audienceId", make).await;
    });
}

#[test]
fn a_walk_over_an_audiences_versions_loses_and_repeats_nothing() {
    property::holds(8, &history(), async |case, history| {
        let page = page(&case.client).await;
        let audience = audience(&case.client, &page, &json!({})).await;
        let make = async || {
            case.client.post(&format!("{audience}/versions"), &json!({})).await.expect(201);
        };
        walk(history.clone(), &case.client, &format!("{audience}/versions"), "versionId", make).await;
        let waiting = async || {
            case.client.post(&format!("{audience}/versions"), &json!({})).await.expect(201);
        };
        let pending = format!("{audience}/versions?include=pending");
        walk(history, &case.client, &pending, "versionId", waiting).await;
    });
}
