//! What happened with a person or an account, of every kind, in one list.

use pagesmith_testkit::Client;
use serde_json::{Value, json};

use crate::visits::{Scene, shown};

#[tokio::test]
async fn what_happened_with_a_person_is_one_list_whose_parts_join() {
    let scene = Scene::start().await;
    let client = &scene.client;
    let person = json!({ "name": "Ada", "email": "ada@example.com" });
    let person = client.post("/v0/persons", &person).await.expect(201).json();
    let path = format!("/v0/persons/{}", person["personId"].as_str().unwrap());
    let audience = shown(client, &scene.page, &json!({ "personId": person["personId"] })).await;
    for kind in ["call", "mail"] {
        let log = json!({ "email": "ada@example.com", "source": "crm", "type": kind });
        client.post("/v0/person_logs", &log).await.expect(201);
    }
    assert_eq!(scene.send(1, &json!({ "a": audience, "k": true })).await, None);
    scene.after(31).await;
    let whole = whole(client, &path).await;
    assert_eq!(kinds(&whole), ["visit", "log", "log", "page"], "{whole:#}");
}

#[tokio::test]
async fn what_happened_with_an_account_and_its_persons_is_one_list_whose_parts_join() {
    let scene = Scene::start().await;
    let client = &scene.client;
    let account = client.post("/v0/accounts", &json!({ "domain": "example.com" })).await.expect(200).json();
    let path = format!("/v0/accounts/{}", account["accountId"].as_str().unwrap());
    assert_eq!(whole(client, &path).await, json!([]));
    let person = json!({ "name": "Ada", "email": "ada@example.com" });
    let person = client.post("/v0/persons", &person).await.expect(201).json();
    let audience = shown(client, &scene.page, &json!({ "accountId": account["accountId"] })).await;
    // A page of the person's own, and visits to it, are on the person's timeline.
    shown(client, &scene.page, &json!({ "personId": person["personId"] })).await;
    client
        .post("/v0/account_logs", &json!({ "domain": "example.com", "source": "crm", "type": "signed" }))
        .await
        .expect(201);
    client
        .post("/v0/person_logs", &json!({ "email": "ada@example.com", "source": "crm", "type": "call" }))
        .await
        .expect(201);
    assert_eq!(scene.send(1, &json!({ "a": audience, "k": true })).await, None);
    // Another visitor, who counts for nobody.
    assert_eq!(scene.send_as(&scene.browser(101), 2, &json!({ "a": audience, "k": true })).await, None);
    scene.after(31).await;
    let list = whole(client, &path).await;
    assert_eq!(kinds(&list), ["visit", "visit", "log", "log", "page"], "{list:#}");
    assert_eq!((&list[2]["personName"], &list[2]["personId"]), (&json!("Ada"), &person["personId"]));
    assert_eq!((&list[3]["type"], &list[3]["personId"]), (&json!("signed"), &json!(null)));
    assert_eq!((&list[4]["audienceId"], &list[0]["audienceId"]), (&json!(audience), &json!(audience)));
    client.get("/v0/accounts/account_01jpbz8n4xf5k9w2d7hq3mv6ta/timeline").await.expect(404);
}

fn kinds(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["entryType"].as_str().unwrap()).collect()
}

/// What the timeline at a path lists; the same in parts of one.
async fn whole(client: &Client, path: &str) -> Value {
    let whole = client.get(&format!("{path}/timeline")).await.expect(200).json();
    let mut parts: Vec<Value> = vec![];
    let mut next = format!("{path}/timeline?limit=1");
    loop {
        let part = client.get(&next).await.expect(200).json();
        parts.extend(part["items"].as_array().unwrap().clone());
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        next = format!("{path}/timeline?limit=1&cursor={cursor}");
    }
    assert_eq!(json!(parts), whole["items"]);
    json!(parts)
}
