//! Requests under one key that come at the same time, on one server and on two.

use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use proptest::prelude::*;
use serde_json::Value;
use tokio::task::JoinSet;

use super::{assert_replay, total};
use crate::property::{self, Case};

/// Sends all requests at once, each to one of two servers; the answers in the order of the requests.
async fn at_once(app: &TestApp, key: &str, requests: Vec<(bool, Value)>) -> Vec<Answer> {
    let nodes = [app.router.clone(), app.second_server()];
    let gate = std::sync::Arc::new(tokio::sync::Barrier::new(requests.len()));
    let mut running = JoinSet::new();
    for (number, (second, body)) in requests.into_iter().enumerate() {
        let router = nodes[usize::from(second)].clone();
        let client = Client::new(router, Some(key.to_owned())).with("idempotency-key", "k");
        let gate = gate.clone();
        running.spawn(async move {
            gate.wait().await;
            (number, client.post("/v0/pages", &body).await)
        });
    }
    let mut answers = running.join_all().await;
    answers.sort_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// The made page's answers, and those that were told to wait.
fn sorted(answers: Vec<Answer>) -> (Vec<Answer>, Vec<Answer>) {
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert!(refused.iter().all(|answer| answer.status == 409), "{refused:?}");
    (made, refused)
}

async fn key_of(case: &Case) -> String {
    case.app.add_key(&case.tenant, pagesmith_model::key::Scope::Write).await
}

#[test]
fn of_many_identical_requests_one_makes_the_page_and_the_others_get_its_answer_or_wait() {
    let nodes = prop::collection::vec(any::<bool>(), 2..24);
    property::holds(12, &nodes, async |case, nodes| {
        let key = key_of(&case).await;
        let requests = nodes.iter().map(|second| (*second, fixtures::full_page())).collect();
        let (made, refused) = sorted(at_once(&case.app, &key, requests).await);
        let fresh: Vec<&Answer> =
            made.iter().filter(|answer| answer.header("idempotent-replayed").is_none()).collect();
        let [first] = fresh.as_slice() else { panic!("{} pages were made", fresh.len()) };
        for replay in made.iter().filter(|answer| answer.header("idempotent-replayed").is_some()) {
            assert_replay(replay, first);
        }
        for waiting in &refused {
            assert_eq!(waiting.header("retry-after"), Some("1"));
        }
        assert_eq!(total(&case.client).await, 1);
        let client = case.client.with("idempotency-key", "k");
        assert_replay(&client.post("/v0/pages", &fixtures::full_page()).await, first);
        assert_eq!(total(&case.client).await, 1);
    });
}

#[test]
fn of_many_different_requests_under_one_key_exactly_one_is_done() {
    let nodes = prop::collection::vec(any::<bool>(), 2..16);
    property::holds(12, &nodes, async |case, nodes| {
        let key = key_of(&case).await;
        let body = |number: usize| fixtures::page(&format!("Page {number}"));
        let requests = nodes.iter().enumerate().map(|(number, second)| (*second, body(number))).collect();
        let (made, _) = sorted(at_once(&case.app, &key, requests).await);
        let [first] = made.as_slice() else { panic!("{} pages were made", made.len()) };
        let listed = case.client.get("/v0/pages").await.expect(200).json();
        assert_eq!(listed["items"], Value::from(vec![first.json()]));
        assert_eq!(listed["totalCount"], 1);
        let client = case.client.with("idempotency-key", "k");
        for number in 0..nodes.len() {
            let again = client.post("/v0/pages", &body(number)).await;
            if first.json()["name"] == body(number)["name"] {
                assert_replay(&again, first);
            } else {
                again.expect(409);
            }
        }
    });
}

#[test]
fn requests_under_keys_of_their_own_are_all_done() {
    property::holds(4, &(2..16_usize), async |case, count| {
        let mut running = JoinSet::new();
        for number in 0..count {
            let client = case.client.with("idempotency-key", &format!("k{number}"));
            running.spawn(async move {
                client.post("/v0/pages", &fixtures::page("Same")).await.expect(201).json()
            });
        }
        let mut ids: Vec<String> =
            running.join_all().await.iter().map(|page| page["pageId"].as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert_eq!(total(&case.client).await, count as u64);
    });
}
