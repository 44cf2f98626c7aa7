//! Many callers at once: one account for a domain, and empty accounts told exactly.

use std::collections::BTreeSet;

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{domains, of_person, person};

/// Sends all these at once.
async fn at_once(client: &Client, requests: Vec<(&'static str, String, Value)>) -> Vec<Answer> {
    let mut running = JoinSet::new();
    for (method, path, body) in requests {
        let client = client.clone();
        let body = (method != "DELETE").then(|| body.to_string().into_bytes());
        running.spawn(async move { client.send(method, &path, body).await });
    }
    running.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn many_persons_of_one_new_domain_make_one_account() {
    let app = TestApp::start().await;
    let mut requests = Vec::new();
    for number in 0..40 {
        let email = format!("p{number}@eu{number}.acme.com");
        requests.push(match number % 4 {
            0 => ("POST", "/v0/persons".to_owned(), json!({ "name": "P", "email": email })),
            1 => ("POST", "/v0/person_logs".to_owned(), json!({ "email": email, "source": "crm" })),
            2 => ("POST", "/v0/accounts".to_owned(), json!({ "domain": "www.acme.com" })),
            _ => ("POST", "/v0/account_logs".to_owned(), json!({ "domain": "acme.com", "source": "crm" })),
        });
    }
    for answer in at_once(&app.client(), requests).await {
        assert!(answer.status.is_success(), "{}", answer.text());
    }
    let listed = app.client().get("/v0/accounts").await.expect(200).json();
    assert_eq!((domains(&listed), &listed["totalCount"]), (vec!["acme.com"], &json!(1)));
    assert_eq!(listed["items"][0]["linkedPersonsCount"], 20);
    let account = listed["items"][0]["accountId"].as_str().unwrap();
    let logs = app.client().get(&format!("/v0/accounts/{account}/logs")).await.expect(200).json();
    assert_eq!(logs["totalCount"], 10);
    let empty = app.client().get("/v0/accounts?includeEmptyOnly=true").await.expect(200).json();
    assert_eq!((domains(&empty), &empty["totalCount"]), (vec![], &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_empty_exactly_if_its_last_person_has_gone() {
    let app = TestApp::start().await;
    let client = app.client();
    let names = ["acme.com", "globex.com", "initech.com"];
    let mut persons = Vec::new();
    for number in 0..6 {
        let email = format!("p{number}@{}", names[number % names.len()]);
        persons.push(person(&client, "P", &email).await);
    }
    for round in 0..12_usize {
        let mut requests = Vec::new();
        for (number, person) in persons.iter().enumerate() {
            let path = of_person(person);
            requests.push(match (round + number) % 4 {
                0 => ("DELETE", path, Value::Null),
                1 => ("POST", format!("{path}/restore"), json!({})),
                2 => ("PATCH", path, json!({ "domain": names[(round + number) % names.len()] })),
                _ => ("PATCH", path, json!({ "domain": names[round % names.len()] })),
            });
        }
        for answer in at_once(&client, requests).await {
            assert!(matches!(answer.status.as_u16(), 200 | 404), "{}", answer.text());
        }
        let all = client.get("/v0/accounts").await.expect(200).json();
        let without: BTreeSet<&str> = (all["items"].as_array().unwrap().iter())
            .filter(|item| item["linkedPersonsCount"] == 0)
            .map(|item| item["domain"].as_str().unwrap())
            .collect();
        let empty = client.get("/v0/accounts?includeEmptyOnly=true").await.expect(200).json();
        assert_eq!(domains(&empty).into_iter().collect::<BTreeSet<_>>(), without, "round {round}");
        assert_eq!(empty["totalCount"], without.len(), "round {round}");
        assert_eq!(all["totalCount"], names.len(), "round {round}");
    }
}
