//! `/v0/pages`.

mod archive;
mod create;
mod cursors;
mod delete;
mod get;
mod link;
mod list;
mod patch_model;
mod restore;
mod search;
mod search_model;
mod update;

use pagesmith_testkit::{Client, fixtures};
use serde_json::Value;

/// The page that this body makes.
async fn make(client: &Client, body: &Value) -> Value {
    client.post("/v0/pages", body).await.expect(201).json()
}

/// The smallest page with this name.
async fn make_named(client: &Client, name: &str) -> Value {
    make(client, &fixtures::page(name)).await
}

/// The page as it is now.
async fn read(client: &Client, page: &Value) -> Value {
    client.get(&address(page)).await.expect(200).json()
}

/// Its address.
fn address(page: &Value) -> String {
    format!("/v0/pages/{}", id(page))
}

/// Its id.
fn id(page: &Value) -> &str {
    page["pageId"].as_str().unwrap()
}

/// The body with other values for some of its fields.
fn with(mut body: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("fields stand in an object") };
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// The names of the items of a collection.
fn names(collection: &Value) -> Vec<&str> {
    collection["items"].as_array().unwrap().iter().map(|page| page["name"].as_str().unwrap()).collect()
}
