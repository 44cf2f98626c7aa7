//! The persons of an account: shown newest first, counted, and missed where there are none.

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{domains, id, make, of_person, person, read};

fn names(account: &Value) -> Vec<&str> {
    account["linkedPersons"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

/// How many persons each account is told to have, newest account first; and the empty accounts.
async fn counts(client: &Client) -> (Vec<u64>, Vec<String>) {
    let all = client.get("/v0/accounts").await.expect(200).json();
    let items = all["items"].as_array().unwrap();
    assert_eq!(all["totalCount"], items.len());
    let counted = items.iter().map(|item| item["linkedPersonsCount"].as_u64().unwrap()).collect();
    let empty = client.get("/v0/accounts?includeEmptyOnly=true").await.expect(200).json();
    let found = client.get("/v0/accounts/search?query=com&includeEmptyOnly=1").await.expect(200).json();
    assert_eq!((&empty["items"], &empty["totalCount"]), (&found["items"], &found["totalCount"]));
    let empty_domains: Vec<String> = domains(&empty).into_iter().map(str::to_owned).collect();
    assert_eq!(empty["totalCount"], empty_domains.len());
    (counted, empty_domains)
}

#[tokio::test]
async fn persons_are_shown_whole_and_newest_first() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = make(&client, "acme.com").await;
    let ada = json!({
        "name": "Ada Lovelace", "email": "ada@acme.com", "phoneNumber": "+493012345678",
        "linkedinProfileUrl": "https://www.linkedin.com/in/ada",
    });
    let ada = client.post("/v0/persons", &ada).await.expect(201).json();
    client
        .post(
            "/v0/persons",
            &json!({ "name": "Grace", "phoneNumber": "+493012345679", "domain": "eu.acme.com" }),
        )
        .await
        .expect(201);
    person(&client, "Elsewhere", "e@globex.com").await;
    person(&client, "Private", "p@gmail.com").await;
    let shown = read(&client, &account).await;
    assert_eq!(names(&shown), ["Grace", "Ada Lovelace"]);
    insta::assert_snapshot!(
        format!("{:#}", shown["linkedPersons"][1]).replace(ada["personId"].as_str().unwrap(), "person_ID")
    );
    for field in shown["linkedPersons"][1].as_object().unwrap().keys() {
        assert_eq!(shown["linkedPersons"][1][field], ada[field], "{field}");
    }
}

#[tokio::test]
async fn counts_and_empty_accounts_follow_persons_that_come_go_and_move() {
    let app = TestApp::start().await;
    let client = app.client();
    make(&client, "acme.com").await;
    make(&client, "globex.com").await;
    let both = vec!["globex.com".to_owned(), "acme.com".to_owned()];
    let (acme, globex) = (vec!["acme.com".to_owned()], vec!["globex.com".to_owned()]);
    assert_eq!(counts(&client).await, (vec![0, 0], both.clone()));
    let ada = person(&client, "Ada", "ada@acme.com").await;
    let grace = person(&client, "Grace", "grace@acme.com").await;
    assert_eq!(counts(&client).await, (vec![0, 2], globex.clone()));
    // Moves by its domain, by its e-mail address, and away from every company.
    client.patch(&of_person(&ada), &json!({ "domain": "globex.com" })).await.expect(200);
    assert_eq!(counts(&client).await, (vec![1, 1], vec![]));
    client.patch(&of_person(&grace), &json!({ "email": "grace@eu.globex.com" })).await.expect(200);
    assert_eq!(counts(&client).await, (vec![2, 0], acme.clone()));
    client.patch(&of_person(&ada), &json!({ "domain": null })).await.expect(200);
    assert_eq!(counts(&client).await, (vec![1, 0], acme.clone()));
    for (method, path, expected) in [
        ("DELETE", "", (vec![0, 0], both.clone())),
        ("DELETE", "", (vec![0, 0], both.clone())),
        ("POST", "/restore", (vec![1, 0], acme.clone())),
        ("POST", "/restore", (vec![1, 0], acme.clone())),
    ] {
        client.send(method, &format!("{}{path}", of_person(&grace)), None).await.expect(200);
        assert_eq!(counts(&client).await, expected, "{method} {path}");
    }
    // A new person makes the account it belongs to; a refused one makes none.
    client.post("/v0/person_logs", &json!({ "email": "kay@initech.com", "source": "crm" })).await.expect(201);
    assert_eq!(counts(&client).await, (vec![1, 1, 0], acme.clone()));
    client.post("/v0/persons", &json!({ "name": "", "email": "x@hooli.com" })).await.expect(400);
    assert_eq!(counts(&client).await, (vec![1, 1, 0], acme));
}

#[tokio::test]
async fn a_deleted_person_is_not_shown_and_comes_back_at_its_place() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = make(&client, "acme.com").await;
    let ada = person(&client, "Ada", "ada@acme.com").await;
    person(&client, "Grace", "grace@acme.com").await;
    client.delete(&of_person(&ada)).await.expect(200);
    assert_eq!(names(&read(&client, &account).await), ["Grace"]);
    client.post(&format!("{}/restore", of_person(&ada)), &json!({})).await.expect(200);
    assert_eq!(names(&read(&client, &account).await), ["Grace", "Ada"]);
}

#[tokio::test]
async fn at_most_a_thousand_persons_are_shown_and_all_are_counted() {
    let app = TestApp::start().await;
    let client = app.client();
    for number in 0..1_001 {
        person(&client, &format!("Person {number}"), &format!("p{number}@acme.com")).await;
    }
    let account = make(&client, "acme.com").await;
    let shown = names(&account);
    assert_eq!((shown.len(), shown[0], shown[999]), (1_000, "Person 1000", "Person 1"));
    let listed = client.get("/v0/accounts").await.expect(200).json();
    assert_eq!(listed["items"][0]["linkedPersonsCount"], 1_001);
    assert_eq!(id(&listed["items"][0]), id(&account));
}
