//! `/v0/persons`.

mod bad_input;
mod create;
mod delete;
mod domains;
pub(crate) mod erase;
mod export;
mod merge;
mod model;
mod read;
mod search;
mod slugs;
mod update;

use pagesmith_testkit::Client;
use serde_json::Value;

/// The person that this body makes.
async fn make(client: &Client, body: &Value) -> Value {
    client.post("/v0/persons", body).await.expect(201).json()
}

/// The person as it is now.
async fn read(client: &Client, person: &Value) -> Value {
    client.get(&address(person)).await.expect(200).json()
}

/// How many persons there are.
async fn total(client: &Client) -> Value {
    client.get("/v0/persons").await.expect(200).json()["totalCount"].clone()
}

/// The domains of all accounts, newest first, and whether each is empty.
async fn accounts(client: &Client) -> Vec<(String, bool)> {
    let all = client.get("/v0/accounts?limit=100").await.expect(200).json();
    let accounts = all["items"].as_array().unwrap().iter();
    let accounts: Vec<_> = accounts
        .map(|account| (account["domain"].as_str().unwrap().to_owned(), account["linkedPersonsCount"] == 0))
        .collect();
    assert_eq!(all["totalCount"], accounts.len());
    let empty = client.get("/v0/accounts?limit=100&includeEmptyOnly=true").await.expect(200).json();
    assert_eq!(empty["totalCount"], accounts.iter().filter(|(_, is_empty)| *is_empty).count());
    accounts
}

/// The ids of the items of a collection.
fn ids(collection: &Value) -> Vec<&str> {
    collection["items"].as_array().unwrap().iter().map(id).collect()
}

/// Its address.
fn address(person: &Value) -> String {
    format!("/v0/persons/{}", id(person))
}

/// Its id.
fn id(person: &Value) -> &str {
    person["personId"].as_str().unwrap()
}
