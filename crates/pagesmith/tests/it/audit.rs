//! `GET /v0/audit`: what operators and keys have changed or taken out.

use pagesmith_model::key::Scope;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

fn actions(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

async fn site(client: &Client, name: &str) {
    let body = json!({ "siteName": name }).to_string().into_bytes();
    client.send("PUT", "/v0/site", Some(body)).await.expect(200);
}

#[tokio::test]
async fn what_operators_and_keys_do_is_told_newest_first_with_who_did_it() {
    let app = TestApp::start().await;
    let client = app.client();
    site(&client, "Acme Robotics").await;
    // What changes nothing is not told.
    site(&client, "Acme Robotics").await;
    let hook = json!({ "url": "https://example.com/hooks" });
    let hook = client.post("/v0/webhook_subscriptions", &hook).await.expect(201).json();
    let hook = hook["subscriptionId"].as_str().unwrap();
    let rotate = format!("/v0/webhook_subscriptions/{hook}/rotate_secret");
    client.post(&rotate, &json!({})).await.expect(200);
    app.suspend("acme").await;
    app.resume("acme").await;
    let read = app.add_key("acme", Scope::Read).await;
    let told = app.client_with(&read).get("/v0/audit").await.expect(200).json();
    assert_eq!(
        actions(&told),
        [
            "key-created",
            "tenant-resumed",
            "tenant-suspended",
            "webhook-secret-rotated",
            "site-updated",
            "key-created",
            "tenant-created",
        ]
    );
    assert_eq!(told["totalCount"], 7);
    let tenant = app.tenant.as_str();
    let entry = |at: usize| &told["items"][at];
    assert_eq!((&entry(6)["subject"], &entry(6)["actor"]), (&json!(tenant), &json!("server")));
    assert_eq!((&entry(4)["subject"], &entry(4)["actor"]), (&json!(tenant), &entry(5)["subject"]));
    assert_eq!((&entry(3)["subject"], &entry(3)["actor"]), (&json!(hook), &entry(5)["subject"]));
    assert!(entry(0)["subject"].as_str().unwrap().starts_with("key_"));
}

#[tokio::test]
async fn each_tenant_sees_its_own_and_a_cursor_opens_only_that() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    for number in 0..5 {
        site(&owner, &format!("Site {number}")).await;
    }
    let theirs = stranger.get("/v0/audit").await.expect(200).json();
    assert_eq!((actions(&theirs), &theirs["totalCount"]), (vec!["key-created", "tenant-created"], &json!(2)));
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let part = owner.get(&format!("/v0/audit?limit=2{cursor}")).await.expect(200).json();
        assert_eq!(part["totalCount"], 7);
        seen.extend(part["items"].as_array().unwrap().iter().map(|entry| entry["auditEntryId"].to_string()));
        let Some(next) = part["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
        let refused = stranger.get(&format!("/v0/audit?limit=2{cursor}")).await.issues();
        assert_eq!(refused, [("invalid_cursor".to_owned(), "cursor".to_owned())]);
    }
    assert!(seen.len() == 7 && seen.is_sorted_by(|newer, older| newer > older), "{seen:?}");
}
