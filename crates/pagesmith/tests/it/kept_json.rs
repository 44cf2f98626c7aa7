//! JSON that is kept in memory is what the database has, at every request and on every server.

mod operations;
mod servers;
mod sharing;

use pagesmith_http::App;
use pagesmith_testkit::database::is_postgres;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;

/// Two servers of one database. PostgreSQL's are told nothing of each other; an embedded database has one server that keeps rows in memory,
/// so there the second one shares its store and has its own memory of JSON.
fn two_servers(app: &TestApp) -> [App; 2] {
    let other = if is_postgres() { app.another_server() } else { app.second_server() };
    [app.router.clone(), other]
}

#[tokio::test]
async fn what_is_kept_is_sent_again_and_is_dropped_when_a_person_is_erased() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut pages = Vec::new();
    for number in 0..5 {
        let page = client.post("/v0/pages", &fixtures::page(&format!("Page {number}"))).await.expect(201);
        pages.push(format!("/v0/pages/{}", page.json()["pageId"].as_str().unwrap()));
    }
    assert_eq!(app.state.kept_resources(), 0);
    client.get(&pages[0]).await.expect(200);
    assert_eq!(app.state.kept_resources(), 1);
    let list = client.get("/v0/pages").await.expect(200);
    assert_eq!(app.state.kept_resources(), 5);
    let again = client.get("/v0/pages").await.expect(200);
    assert_eq!(again.text(), list.text());
    for (page, item) in pages.iter().rev().zip(list.json()["items"].as_array().unwrap()) {
        let answer = client.get(page).await.expect(200);
        assert_eq!(answer.json(), *item);
        let tag = answer.header("etag").unwrap();
        client.with("if-none-match", tag).get(page).await.expect(304);
    }
    app.run_due_work().await;
    let person = client.post("/v0/persons", &json!({ "name": "Ada", "email": "ada@acme.com" })).await;
    crate::persons::erase::erase(&app, person.expect(201).json()["personId"].as_str().unwrap()).await;
    app.run_due_work().await;
    assert_eq!(app.state.kept_resources(), 0);
    assert_eq!(client.get("/v0/pages").await.expect(200).text(), list.text());
}

#[tokio::test]
async fn a_page_of_another_tenant_is_not_found_although_it_is_kept() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let page = client.post("/v0/pages", &fixtures::page("Ours")).await.expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    for _ in 0..3 {
        client.get(&path).await.expect(200);
        stranger.get(&path).await.expect(404);
        assert_eq!(stranger.get("/v0/pages").await.expect(200).json()["totalCount"], 0);
    }
}

#[tokio::test]
async fn a_deleted_page_that_is_kept_is_not_found_until_it_is_restored() {
    let app = TestApp::start().await;
    let servers = two_servers(&app).map(|server| Client::new(server, Some(app.key.clone())));
    let page = servers[0].post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let seen = async |status: u16, total: u64| {
        for server in &servers {
            server.get(&path).await.expect(status);
            let list = server.get("/v0/pages").await.expect(200).json();
            assert_eq!(
                (&list["totalCount"], list["items"].as_array().unwrap().len()),
                (&json!(total), total as usize)
            );
        }
    };
    for _ in 0..3 {
        seen(200, 1).await;
        servers[1].delete(&path).await.expect(200);
        seen(404, 0).await;
        servers[0].post(&format!("{path}/restore"), &json!({})).await.expect(200);
    }
    seen(200, 1).await;
}
