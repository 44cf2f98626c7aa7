//! The operations on audiences.

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::Value;

mod archive;
mod create;
mod cursors;
mod erase;
mod get;
mod link;
mod list;
mod search;
mod update;

/// A page; its path.
pub(crate) async fn page(client: &Client) -> String {
    page_of(client, &fixtures::page("Spring launch")).await
}

/// A page made of that body; its path.
pub(crate) async fn page_of(client: &Client, body: &Value) -> String {
    let page = client.post("/v0/pages", body).await.expect(201).json();
    format!("/v0/pages/{}", page["pageId"].as_str().unwrap())
}

/// An audience of the page at that path; its path.
pub(crate) async fn audience(client: &Client, page: &str, body: &Value) -> String {
    let audience = client.post(&format!("{page}/audiences"), body).await.expect(201).json();
    format!("{page}/audiences/{}", audience["audienceId"].as_str().unwrap())
}

/// A server, its caller, and the path of a page.
async fn with_page() -> (TestApp, Client, String) {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    (app, client, page)
}
