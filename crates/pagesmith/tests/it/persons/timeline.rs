//! What happened with a person, of every kind, in one list.

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
    let whole = client.get(&format!("{path}/timeline")).await.expect(200).json();
    let kinds: Vec<&str> =
        whole["items"].as_array().unwrap().iter().map(|entry| entry["entryType"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["visit", "log", "log", "page"], "{whole:#}");
    let mut parts: Vec<Value> = vec![];
    let mut next = format!("{path}/timeline?limit=1");
    loop {
        let part = client.get(&next).await.expect(200).json();
        parts.extend(part["items"].as_array().unwrap().clone());
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        next = format!("{path}/timeline?limit=1&cursor={cursor}");
    }
    assert_eq!(json!(parts), whole["items"]);
}
