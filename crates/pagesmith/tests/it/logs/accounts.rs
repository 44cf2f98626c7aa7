//! `/v0/account_logs` and `/v0/accounts/{account_id}/logs`.

mod change;
mod create;
mod list;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

/// The entry that this body makes.
pub(crate) async fn write(client: &Client, body: &Value) -> Value {
    client.post("/v0/account_logs", body).await.expect(201).json()
}

/// A note on the account of a domain.
pub(crate) async fn note(client: &Client, domain: &str, text: &str) -> Value {
    let payload = json!({ "text": text, "by": "Ada" });
    write(client, &json!({ "domain": domain, "source": "app", "type": "note", "payload": payload })).await
}

/// The address of an account's entries.
fn entries(log: &Value) -> String {
    format!("/v0/accounts/{}/logs", log["accountId"].as_str().unwrap())
}

/// An entry's address.
pub(crate) fn address(log: &Value) -> String {
    format!("{}/{}", entries(log), log["accountLogId"].as_str().unwrap())
}

/// The entry as it is now.
async fn read(client: &Client, log: &Value) -> Value {
    client.get(&address(log)).await.expect(200).json()
}

/// The text with the ids of an entry replaced.
fn without_ids(text: &str, log: &Value) -> String {
    let (account, entry) = (log["accountId"].as_str().unwrap(), log["accountLogId"].as_str().unwrap());
    text.replace(account, "account_ID").replace(entry, "accountlog_ID")
}

/// How many accounts and entries of this account there are.
async fn counted(app: &TestApp, log: &Value) -> (Value, Value) {
    let total = async |path: &str| app.client().get(path).await.expect(200).json()["totalCount"].clone();
    (total("/v0/accounts").await, total(&entries(log)).await)
}
