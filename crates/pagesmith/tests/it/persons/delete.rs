//! `DELETE /v0/persons/{person_id}` and its undoing.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{address, id, ids, make, read, total};

async fn restore(client: &Client, person: &Value) -> pagesmith_testkit::Answer {
    client.post(&format!("{}/restore", address(person)), &json!({})).await
}

async fn found(client: &Client, query: &str) -> Vec<String> {
    let found = client.get_with("/v0/persons/search", &[("query", query)]).await.expect(200).json();
    ids(&found).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_deleted_person_is_not_found_anywhere() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane", "email": "jane@acme.example" })).await;
    let kept = make(&client, &json!({ "name": "Joe", "email": "joe@acme.example" })).await;
    assert_eq!(client.delete(&address(&made)).await.expect(200).json(), json!({ "success": true }));
    client.get(&address(&made)).await.expect(404);
    client.patch(&address(&made), &json!({})).await.expect(404);
    client.get(&format!("{}/logs", address(&made))).await.expect(404);
    let list = client.get("/v0/persons").await.expect(200).json();
    assert_eq!((ids(&list), &list["totalCount"]), (vec![id(&kept)], &json!(1)));
    assert!(found(&client, "jane").await.is_empty());
    let account = client.get("/v0/accounts").await.expect(200).json()["items"][0].clone();
    assert_eq!(account["linkedPersonsCount"], 1);
    let account = format!("/v0/accounts/{}", account["accountId"].as_str().unwrap());
    let account = client.get(&account).await.expect(200).json();
    assert_eq!(account["linkedPersons"][0]["personId"], id(&kept));
    assert_eq!(account["linkedPersons"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn deleting_and_restoring_again_change_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane", "email": "jane@acme.example" })).await;
    for _ in 0..3 {
        app.advance(Duration::from_secs(60));
        client.delete(&address(&made)).await.expect(200);
        assert_eq!(total(&client).await, 0);
    }
    for _ in 0..3 {
        app.advance(Duration::from_secs(60));
        assert_eq!(restore(&client, &made).await.expect(200).json(), json!({ "success": true }));
        assert_eq!(total(&client).await, 1);
    }
    let mut expected = made.clone();
    expected["updatedAt"] = "2026-03-01T12:04:00.000Z".into();
    assert_eq!(read(&client, &made).await, expected);
    assert_eq!(found(&client, "jane").await, [id(&made)]);
}

#[tokio::test]
async fn a_deleted_persons_identifiers_are_free_and_block_its_return_once_taken() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({
        "name": "Jane", "email": "jane@acme.example", "phoneNumber": "+12", "linkedinProfileUrl": "linkedin.com/in/jane",
    });
    let made = make(&client, &body).await;
    client.delete(&address(&made)).await.expect(200);
    for field in ["email", "linkedinProfileUrl", "phoneNumber"] {
        let taker = make(&client, &json!({ "name": "Joe", field: body[field] })).await;
        let refused = restore(&client, &made).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "conflicts": [{ "field": field, "personId": id(&taker) }] }));
        client.get(&address(&made)).await.expect(404);
        client.delete(&address(&taker)).await.expect(200);
    }
    restore(&client, &made).await.expect(200);
    assert_eq!(read(&client, &made).await, made);
    // Now it is the takers who cannot come back.
    assert_eq!(total(&client).await, 1);
}

#[tokio::test]
async fn a_person_is_made_anew_while_the_old_one_is_deleted() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({ "name": "Jane", "email": "jane@acme.example" });
    let old = make(&client, &body).await;
    client.delete(&address(&old)).await.expect(200);
    let new = make(&client, &body).await;
    assert_ne!(id(&new), id(&old));
    restore(&client, &old).await.expect(409);
    restore(&client, &new).await.expect(200);
    assert_eq!(total(&client).await, 1);
}

#[tokio::test]
async fn what_is_not_there_cannot_be_deleted_or_restored() {
    let app = TestApp::start().await;
    for path in ["/v0/persons/person_01h2xcejqtf2nbrexx3vqjhp41", "/v0/persons/nonsense"] {
        app.client().delete(path).await.expect(404);
        app.client().post(&format!("{path}/restore"), &json!({})).await.expect(404);
    }
}
