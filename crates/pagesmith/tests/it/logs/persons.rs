//! `/v0/person_logs` and `/v0/persons/{person_id}/logs`.

mod bad_input;
mod cursors;
mod entries;
mod idempotency;
mod made_persons;
mod meeting;
mod payload;
mod tallies;

use pagesmith_testkit::{Answer, Client};
use serde_json::{Value, json};

/// What is answered to an entry of a CRM with these fields.
async fn send(client: &Client, fields: &Value) -> Answer {
    let mut body = json!({ "source": "crm" });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    client.post("/v0/person_logs", &body).await
}

/// The answer to such an entry, which is written.
async fn write(client: &Client, fields: &Value) -> Value {
    send(client, fields).await.expect(201).json()
}

/// The entry of that answer, as it is now.
async fn read(client: &Client, written: &Value) -> Value {
    client.get(&address(written)).await.expect(200).json()
}

/// The person of that answer, as it is now.
async fn person(client: &Client, written: &Value) -> Value {
    client.get(&format!("/v0/persons/{}", text(written, "personId"))).await.expect(200).json()
}

/// How many persons there are.
async fn persons(client: &Client) -> Value {
    client.get("/v0/persons").await.expect(200).json()["totalCount"].clone()
}

/// The first part of that person's log.
async fn log_of(client: &Client, written: &Value, parameters: &str) -> Value {
    let path = format!("/v0/persons/{}/logs?{parameters}", text(written, "personId"));
    client.get(&path).await.expect(200).json()
}

/// Its address.
fn address(written: &Value) -> String {
    format!("/v0/persons/{}/logs/{}", text(written, "personId"), text(written, "personLogId"))
}

/// The text of a field.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

/// The entries of a collection.
fn ids(collection: &Value) -> Vec<&str> {
    collection["items"].as_array().unwrap().iter().map(|entry| text(entry, "personLogId")).collect()
}
