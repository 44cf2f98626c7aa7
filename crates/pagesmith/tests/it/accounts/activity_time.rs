//! `latestActivityAt`: of the account's own entries and its living persons', deleted entries left out.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{address, make, of_person, person};

/// What the account, the list and the search tell, which must agree.
async fn latest(client: &Client, account: &Value) -> Option<String> {
    let told = client.get(&address(account)).await.expect(200).json()["latestActivityAt"].clone();
    for path in ["/v0/accounts", "/v0/accounts/search?query=com"] {
        let part = client.get(path).await.expect(200).json();
        let items = part["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["accountId"] == account["accountId"]).unwrap();
        assert_eq!(item["latestActivityAt"], told, "{path}");
    }
    told.as_str().map(str::to_owned)
}

/// Writes an entry a second after the one before; its id and instant.
async fn write(app: &TestApp, path: &str, of: Value) -> (String, Option<String>) {
    app.advance(Duration::from_secs(1));
    let mut body = json!({ "source": "crm" });
    body.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
    let answer = app.client().post(path, &body).await.expect(201).json();
    let id = answer["personLogId"].as_str().or(answer["accountLogId"].as_str()).unwrap().to_owned();
    (id, answer["createdAt"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn the_latest_entry_that_is_not_deleted_counts_whosever_it_is() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = make(&client, "acme.com").await;
    let ada = person(&client, "Ada", "ada@acme.com").await;
    assert_eq!(latest(&client, &account).await, None);
    let (own, own_time) = write(&app, "/v0/account_logs", json!({ "domain": "acme.com" })).await;
    assert_eq!(latest(&client, &account).await, own_time);
    let (theirs, their_time) = write(&app, "/v0/person_logs", json!({ "email": "ada@acme.com" })).await;
    assert_eq!(latest(&client, &account).await, their_time);
    write(&app, "/v0/person_logs", json!({ "email": "someone@globex.com" })).await;
    assert_eq!(latest(&client, &account).await, their_time);
    let of_ada = format!("{}/logs/{theirs}", of_person(&ada));
    client.delete(&of_ada).await.expect(200);
    assert_eq!(latest(&client, &account).await, own_time);
    let of_account = format!("{}/logs/{own}", address(&account));
    client.delete(&of_account).await.expect(200);
    assert_eq!(latest(&client, &account).await, None);
    client.post(&format!("{of_ada}/restore"), &json!({})).await.expect(200);
    assert_eq!(latest(&client, &account).await, their_time);
    client.post(&format!("{of_account}/restore"), &json!({})).await.expect(200);
    assert_eq!(latest(&client, &account).await, their_time);
    let (_, own_time) = write(&app, "/v0/account_logs", json!({ "domain": "acme.com" })).await;
    assert_eq!(latest(&client, &account).await, own_time);
}

#[tokio::test]
async fn a_persons_entries_count_where_it_is_and_only_while_it_lives() {
    let app = TestApp::start().await;
    let client = app.client();
    let (acme, globex) = (make(&client, "acme.com").await, make(&client, "globex.com").await);
    let (_, time) = write(&app, "/v0/person_logs", json!({ "email": "ada@acme.com" })).await;
    let ada = client.get("/v0/persons").await.expect(200).json()["items"][0].clone();
    for (method, path, body, expected) in [
        ("PATCH", "", Some(json!({ "domain": "globex.com" })), (&None, &time)),
        ("DELETE", "", None, (&None, &None)),
        ("POST", "/restore", None, (&None, &time)),
        ("PATCH", "", Some(json!({ "domain": null })), (&None, &None)),
        ("PATCH", "", Some(json!({ "domain": "acme.com" })), (&time, &None)),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        client.send(method, &format!("{}{path}", of_person(&ada)), body).await.expect(200);
        let told = (latest(&client, &acme).await, latest(&client, &globex).await);
        assert_eq!((&told.0, &told.1), expected, "{method}");
    }
}

#[tokio::test]
async fn an_entry_changes_nothing_else_of_its_account() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = make(&client, "acme.com").await;
    let (_, time) = write(&app, "/v0/account_logs", json!({ "accountId": account["accountId"] })).await;
    let mut expected = account.clone();
    expected["latestActivityAt"] = json!(time);
    assert_eq!(client.get(&address(&account)).await.expect(200).json(), expected);
}
