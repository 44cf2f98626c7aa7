//! `GET /v0/accounts/{account_id}/activity`.

mod model;

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use crate::accounts;
use crate::logs::accounts::note;

/// The ids of the items of a collection.
fn ids(collection: &Value) -> Vec<&str> {
    collection["items"].as_array().unwrap().iter().map(|item| item["activityId"].as_str().unwrap()).collect()
}

/// The id of an entry that was written.
fn id(written: &Value) -> &str {
    written["personLogId"].as_str().or(written["accountLogId"].as_str()).unwrap()
}

async fn activity(app: &TestApp, account: &Value, query: &str) -> Value {
    app.client().get(&format!("{}/activity{query}", accounts::address(account))).await.expect(200).json()
}

/// An entry for the person with this e-mail address.
async fn of_person(app: &TestApp, email: &str) -> Value {
    let body = json!({ "email": email, "source": "form", "type": "visit", "payload": { "page": "/" } });
    app.client().post("/v0/person_logs", &body).await.expect(201).json()
}

#[tokio::test]
async fn entries_of_both_kinds_are_shown_whole() {
    let app = TestApp::start().await;
    let account = accounts::make(&app.client(), "acme.com").await;
    let ada = accounts::person(&app.client(), "Ada Lovelace", "ada@acme.com").await;
    let own = note(&app.client(), "acme.com", "Called.").await;
    app.advance(Duration::from_secs(1));
    let theirs = of_person(&app, "ada@acme.com").await;
    let shown = activity(&app, &account, "?includePersonActivity=true").await;
    let mut text = format!("{shown:#}");
    for (id, name) in [
        (accounts::id(&account), "account_ID"),
        (ada["personId"].as_str().unwrap(), "person_ID"),
        (id(&own), "accountlog_ID"),
        (id(&theirs), "personlog_ID"),
    ] {
        text = text.replace(id, name);
    }
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn persons_entries_show_only_where_they_are_asked_for() {
    let app = TestApp::start().await;
    let account = accounts::make(&app.client(), "acme.com").await;
    let mut written = Vec::new();
    for number in 0..3 {
        written.insert(0, note(&app.client(), "acme.com", "own").await);
        written.insert(0, of_person(&app, &format!("p{number}@eu.acme.com")).await);
        of_person(&app, &format!("p{number}@globex.com")).await;
        note(&app.client(), "globex.com", "another's").await;
    }
    let all: Vec<&str> = written.iter().map(id).collect();
    let own: Vec<&str> = all.iter().filter(|id| id.starts_with("accountlog_")).copied().collect();
    for (query, expected) in [
        ("", &own),
        ("?includePersonActivity=false", &own),
        ("?includePersonActivity=0", &own),
        ("?includePersonActivity=true", &all),
        ("?includePersonActivity=1", &all),
    ] {
        let shown = activity(&app, &account, query).await;
        assert_eq!((&ids(&shown), &shown["totalCount"]), (expected, &json!(expected.len())), "{query}");
    }
}

#[tokio::test]
async fn a_persons_entries_go_where_the_person_goes() {
    let app = TestApp::start().await;
    let client = app.client();
    let acme = accounts::make(&client, "acme.com").await;
    let globex = accounts::make(&client, "globex.com").await;
    let entry = of_person(&app, "ada@acme.com").await;
    let path = format!("/v0/persons/{}", entry["personId"].as_str().unwrap());
    let (of_one, of_none) = (vec![id(&entry)], Vec::<&str>::new());
    for (method, end, body, expected) in [
        ("PATCH", "", Some(json!({ "name": "Ada" })), [&of_one, &of_none]),
        ("PATCH", "", Some(json!({ "domain": "globex.com" })), [&of_none, &of_one]),
        ("DELETE", "", None, [&of_none, &of_none]),
        ("POST", "/restore", None, [&of_none, &of_one]),
        ("PATCH", "", Some(json!({ "domain": null })), [&of_none, &of_none]),
        ("PATCH", "", Some(json!({ "domain": "eu.acme.com" })), [&of_one, &of_none]),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        client.send(method, &format!("{path}{end}"), body).await.expect(200);
        for (account, expected) in [&acme, &globex].into_iter().zip(expected) {
            for query in ["?includePersonActivity=true", "?includePersonActivity=true&includeDeleted=true"] {
                let shown = activity(&app, account, query).await;
                assert_eq!(
                    (&ids(&shown), &shown["totalCount"]),
                    (expected, &json!(expected.len())),
                    "{method}"
                );
            }
        }
    }
    // It is told under the name that the person has now.
    let shown = activity(&app, &acme, "?includePersonActivity=true").await;
    assert_eq!(shown["items"][0]["personName"], "Ada");
}

#[tokio::test]
async fn bad_requests_are_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = accounts::make(&client, "acme.com").await;
    let path = format!("{}/activity", accounts::address(&account));
    for (query, name) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("includePersonActivity=yes", "includePersonActivity"),
        ("includeDeleted=", "includeDeleted"),
    ] {
        let issues = client.get(&format!("{path}?{query}")).await.issues();
        assert_eq!(issues.len(), 1, "{query}");
        assert_eq!(issues[0].1, name, "{query}");
    }
    for unknown in ["account_00000000000000000000000000", "x", "%FF"] {
        client.get(&format!("/v0/accounts/{unknown}/activity")).await.expect(404);
    }
}
