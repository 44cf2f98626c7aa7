//! `GET /v0/accounts/{account_id}/logs`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use super::{address, entries, note, write};
use crate::property;

#[derive(Debug, Clone)]
enum Step {
    Take(usize),
    Write,
    Delete(Index),
    Restore(Index),
}

fn any_history() -> impl Strategy<Value = (bool, Vec<Step>)> {
    let step = prop_oneof![
        3 => (1..5_usize).prop_map(Step::Take),
        2 => Just(Step::Write),
        3 => any::<Index>().prop_map(Step::Delete),
        1 => any::<Index>().prop_map(Step::Restore),
    ];
    (any::<bool>(), prop::collection::vec(step, 0..25))
}

#[test]
fn a_walk_loses_and_repeats_nothing_while_entries_come_and_go() {
    property::holds(12, &any_history(), async |case, (deleted_too, history)| {
        let client = &case.client;
        let mut known = Vec::new();
        for number in 0..6 {
            known.push((note(client, "acme.com", &number.to_string()).await, false));
        }
        note(client, "globex.com", "another's").await;
        let path = format!("{}?includeDeleted={deleted_too}", entries(&known[0].0));
        let (mut cursor, mut last, mut ended) = (String::new(), None::<String>, false);
        for step in history.into_iter().chain((0..20).map(|_| Step::Take(3))) {
            match step {
                Step::Write => known.push((note(client, "acme.com", "new").await, false)),
                Step::Delete(at) => {
                    let one = at.get_mut(&mut known);
                    client.delete(&address(&one.0)).await.expect(200);
                    one.1 = true;
                }
                Step::Restore(at) => {
                    let one = at.get_mut(&mut known);
                    client.post(&format!("{}/restore", address(&one.0)), &json!({})).await.expect(200);
                    one.1 = false;
                }
                Step::Take(limit) if !ended => {
                    let part = client.get(&format!("{path}&limit={limit}{cursor}")).await.expect(200).json();
                    let all: Vec<&str> = (known.iter().rev())
                        .filter(|(_, deleted)| deleted_too || !deleted)
                        .map(|(log, _)| log["accountLogId"].as_str().unwrap())
                        .collect();
                    assert_eq!(part["totalCount"], all.len());
                    let rest: Vec<&str> =
                        all.into_iter().filter(|id| last.as_deref().is_none_or(|last| *id < last)).collect();
                    let found: Vec<&str> = (part["items"].as_array().unwrap().iter())
                        .map(|item| item["accountLogId"].as_str().unwrap())
                        .collect();
                    assert_eq!(found, rest[..limit.min(rest.len())]);
                    ended = rest.len() <= limit;
                    assert_eq!(part["hasMore"], !ended);
                    last = found.last().map(|id| (*id).to_owned()).or(last);
                    cursor =
                        part["nextCursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
                }
                Step::Take(_) => {}
            }
        }
        assert!(ended);
    });
}

#[tokio::test]
async fn a_total_stays_exact_when_a_tally_carries_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let log = note(&client, "acme.com", "first").await;
    for _ in 0..1_050 {
        write(&client, &json!({ "domain": "acme.com", "source": "crm" })).await;
    }
    app.advance(Duration::from_secs(3_600));
    let path = entries(&log);
    let activity = format!("{}/activity", path.trim_end_matches("/logs"));
    let mut expected = 1_051;
    for round in 0..6 {
        for path in [&path, &activity] {
            let listed = client.get(path).await.expect(200).json();
            assert_eq!(listed["totalCount"], expected, "round {round}");
        }
        match round % 3 {
            0 => client.delete(&address(&log)).await.expect(200),
            1 => client.post(&format!("{}/restore", address(&log)), &json!({})).await.expect(200),
            _ => client
                .post("/v0/account_logs", &json!({ "domain": "acme.com", "source": "crm" }))
                .await
                .expect(201),
        };
        expected = match round % 3 {
            0 => expected - 1,
            _ => expected + 1,
        };
        let with = client.get(&format!("{path}?includeDeleted=true")).await.expect(200).json();
        assert_eq!(with["totalCount"], if round % 3 == 0 { expected + 1 } else { expected });
    }
}

#[tokio::test]
async fn a_cursor_is_of_no_use_under_another_filter_or_account() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut paths = Vec::new();
    for domain in ["acme.com", "globex.com"] {
        note(&client, domain, "one").await;
        let log = note(&client, domain, "two").await;
        let activity = format!("{}/activity", entries(&log).trim_end_matches("/logs"));
        paths.push(format!("{}?limit=1", entries(&log)));
        paths.push(format!("{}?limit=1&includeDeleted=true", entries(&log)));
        paths.push(format!("{activity}?limit=1"));
        paths.push(format!("{activity}?limit=1&includePersonActivity=true"));
        paths.push(format!("{activity}?limit=1&includeDeleted=true"));
    }
    for path in &paths {
        let cursor = client.get(path).await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
        for other in &paths {
            let answer = client.get(&format!("{other}&cursor={cursor}")).await;
            match other == path {
                true => drop(answer.expect(200)),
                false => assert_eq!(answer.issues(), [("invalid_cursor".to_owned(), "cursor".to_owned())]),
            }
        }
    }
}
