//! Entries for the same new person that come at the same time, on two servers.

use std::collections::BTreeSet;

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{log_of, person, persons, send, text};

/// Sends all entries at once, every other one to a second server.
async fn at_once(app: &TestApp, entries: Vec<Value>) -> Vec<Answer> {
    let nodes = [app.router.clone(), app.second_server()];
    let gate = std::sync::Arc::new(tokio::sync::Barrier::new(entries.len()));
    let mut running = JoinSet::new();
    for (number, fields) in entries.into_iter().enumerate() {
        let client = Client::new(nodes[number % 2].clone(), Some(app.key.clone()));
        let gate = gate.clone();
        running.spawn(async move {
            gate.wait().await;
            send(&client, &fields).await
        });
    }
    running.join_all().await
}

fn made(answers: &[Value]) -> usize {
    answers.iter().filter(|answer| answer["createdPerson"] == true).count()
}

fn owners(answers: &[Value]) -> BTreeSet<&str> {
    answers.iter().map(|answer| text(answer, "personId")).collect()
}

#[tokio::test]
async fn many_entries_for_one_new_address_make_one_person_and_one_of_them_says_so() {
    let app = TestApp::start().await;
    let entry = |number: usize| {
        let email = if number.is_multiple_of(2) { "jane@acme.example" } else { " JANE@Acme.Example" };
        json!({ "email": email, "name": format!("Jane {number}") })
    };
    let answers = at_once(&app, (0..200).map(entry).collect()).await;
    let answers: Vec<Value> = answers.into_iter().map(|answer| answer.expect(201).json()).collect();
    assert_eq!((made(&answers), owners(&answers).len()), (1, 1));
    assert_eq!(persons(&app.client()).await, 1);
    assert_eq!(log_of(&app.client(), &answers[0], "").await["totalCount"], 200);
    assert_eq!(answers.iter().map(|answer| text(answer, "personLogId")).collect::<BTreeSet<_>>().len(), 200);
    assert_eq!(app.client().get("/v0/accounts").await.expect(200).json()["totalCount"], 1);
}

#[tokio::test]
async fn many_entries_for_several_new_persons_of_one_company_keep_them_apart() {
    let app = TestApp::start().await;
    let entry = |number: usize| json!({ "email": format!("p{}@acme.example", number % 10) });
    let answers = at_once(&app, (0..100).map(entry).collect()).await;
    let answers: Vec<Value> = answers.into_iter().map(|answer| answer.expect(201).json()).collect();
    assert_eq!((made(&answers), owners(&answers).len()), (10, 10));
    assert_eq!(persons(&app.client()).await, 10);
    let accounts = app.client().get("/v0/accounts").await.expect(200).json();
    assert_eq!(
        (&accounts["totalCount"], &accounts["items"][0]["linkedPersonsCount"]),
        (&json!(1), &json!(10))
    );
}

#[tokio::test]
async fn different_identifiers_that_one_entry_joins_end_as_one_person_or_a_conflict() {
    for round in 0..8 {
        let app = TestApp::start().await;
        let (mail, phone) = (json!("jane@acme.example"), json!("+12"));
        let kinds = [
            json!({ "email": mail }),
            json!({ "email": mail, "phoneNumber": phone }),
            json!({ "phoneNumber": phone }),
        ];
        let entries = (0..24).map(|number| kinds[(number + round) % 3].clone()).collect();
        let answers = at_once(&app, entries).await;
        let (written, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status == 201);
        assert!(refused.iter().all(|answer| answer.status == 409), "{refused:?}");
        let written: Vec<Value> = written.iter().map(Answer::json).collect();
        // Either an entry with both came early enough, or both had a person before one did.
        let expected = if refused.is_empty() { 1 } else { 2 };
        assert_eq!((made(&written), owners(&written).len()), (expected, expected), "{written:#?}");
        assert_eq!(persons(&app.client()).await, expected);
        if refused.is_empty() {
            let person = person(&app.client(), &written[0]).await;
            assert_eq!((&person["email"], &person["phoneNumber"]), (&mail, &phone));
        } else {
            assert_eq!(refused.len(), 8);
        }
        let mut entries = 0;
        for id in owners(&written) {
            let log = log_of(&app.client(), &json!({ "personId": id }), "").await;
            entries += log["totalCount"].as_u64().unwrap();
        }
        assert_eq!(entries, written.len() as u64);
    }
}

#[tokio::test]
async fn an_identifier_that_many_entries_add_to_different_persons_goes_to_one() {
    let app = TestApp::start().await;
    for number in 0..8 {
        super::write(&app.client(), &json!({ "email": format!("p{number}@acme.example") })).await;
    }
    let entry = |number: usize| json!({ "email": format!("p{number}@acme.example"), "phoneNumber": "+12" });
    let answers = at_once(&app, (0..8).map(entry).collect()).await;
    let winners: Vec<Value> =
        answers.iter().filter(|answer| answer.status == 201).map(Answer::json).collect();
    assert_eq!(winners.len(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        let conflicts = answer.clone().expect(409).json()["details"]["conflicts"].clone();
        assert!(
            conflicts
                .as_array()
                .unwrap()
                .contains(&json!({ "field": "phoneNumber", "personId": winners[0]["personId"] }))
        );
    }
    assert_eq!(persons(&app.client()).await, 8);
}

#[tokio::test]
async fn entries_follow_a_person_who_moves_at_the_same_moment() {
    let app = TestApp::start().await;
    let known = send(&app.client(), &json!({ "email": "jane@acme.example" })).await.expect(201).json();
    let path = format!("/v0/persons/{}", text(&known, "personId"));
    for round in 0..6 {
        let client = app.client();
        let domain = format!("firm{round}.example");
        let (at, patch) = (path.clone(), json!({ "domain": domain }));
        let moving = tokio::spawn(async move { client.patch(&at, &patch).await.expect(200) });
        let entries = (0..12).map(|_| json!({ "email": "jane@acme.example" })).collect();
        for answer in at_once(&app, entries).await {
            answer.expect(201);
        }
        moving.await.unwrap();
        let account =
            app.client().post("/v0/accounts", &json!({ "domain": domain })).await.expect(200).json();
        let activity = format!(
            "/v0/accounts/{}/activity?includePersonActivity=true&limit=1",
            text(&account, "accountId")
        );
        let activity = app.client().get(&activity).await.expect(200).json();
        assert_eq!(activity["totalCount"], 1 + 12 * (round + 1));
    }
}
