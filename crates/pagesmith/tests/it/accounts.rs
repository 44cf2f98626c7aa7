//! `/v0/accounts`.

mod activity;
mod activity_time;
mod concurrent;
mod create;
mod list;
mod persons;
mod search;
mod update;
mod walk;

use pagesmith_testkit::Client;
use serde_json::{Value, json};

/// The account of the domain, found or made.
pub(crate) async fn make(client: &Client, domain: &str) -> Value {
    client.post("/v0/accounts", &json!({ "domain": domain })).await.expect(200).json()
}

/// The account of the domain with this name.
async fn make_named(client: &Client, domain: &str, name: &str) -> Value {
    client.post("/v0/accounts", &json!({ "domain": domain, "name": name })).await.expect(200).json()
}

/// A person with this e-mail address.
pub(crate) async fn person(client: &Client, name: &str, email: &str) -> Value {
    client.post("/v0/persons", &json!({ "name": name, "email": email })).await.expect(201).json()
}

/// An account's address.
pub(crate) fn address(account: &Value) -> String {
    format!("/v0/accounts/{}", id(account))
}

/// A person's address.
pub(crate) fn of_person(person: &Value) -> String {
    format!("/v0/persons/{}", person["personId"].as_str().unwrap())
}

/// An account's id.
pub(crate) fn id(account: &Value) -> &str {
    account["accountId"].as_str().unwrap()
}

/// The account as it is now.
async fn read(client: &Client, account: &Value) -> Value {
    client.get(&address(account)).await.expect(200).json()
}

/// The domains of the items of a collection.
fn domains(collection: &Value) -> Vec<&str> {
    collection["items"].as_array().unwrap().iter().map(|item| item["domain"].as_str().unwrap()).collect()
}

/// All accounts, in parts of two.
async fn walk(client: &Client, path: &str) -> (Vec<Value>, Value) {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let separator = if path.contains('?') { '&' } else { '?' };
        let part = client.get(&format!("{path}{separator}limit=2{cursor}")).await.expect(200).json();
        items.extend(part["items"].as_array().unwrap().clone());
        match part["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return (items, part["totalCount"].clone()),
        }
    }
}
