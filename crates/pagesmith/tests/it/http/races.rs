//! Changes with `If-Match` while others change the same resource.

use pagesmith_model::account::AccountPatch;
use pagesmith_model::page::PagePatch;
use pagesmith_model::{AccountId, Kind, PageId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::{accounts, pages};
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};
use tokio::task::JoinSet;

fn context(app: &TestApp) -> TenantContext {
    app.platform.context().of(app.tenant.clone())
}

async fn id_of(client: &Client, path: &str, body: &Value, field: &str) -> String {
    let answer = client.post(path, body).await;
    assert!(answer.status.is_success(), "{}", answer.text());
    answer.json()[field].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_that_changes_after_its_tag_was_compared_is_left_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let page_id = id_of(&client, "/v0/pages", &fixtures::page("Spring"), "pageId").await;
    let path = format!("/v0/pages/{page_id}");
    let page_id = PageId::parse(&page_id).unwrap();
    let patch: PagePatch = serde_json::from_value(json!({ "name": "Autumn" })).unwrap();
    let read = || {
        let (ctx, page_id) = (context(&app), page_id.clone());
        app.store.read(move |tx| pages::find(tx, &ctx, &page_id))
    };
    let update = |seen| {
        let (ctx, page_id, patch) = (context(&app), page_id.clone(), patch.clone());
        let precondition = Precondition::Unchanged(seen);
        app.store.write(move |tx| pages::update(tx, &ctx, &page_id, &patch, &precondition))
    };
    let seen = read().await.unwrap();
    client.patch(&path, &json!({ "name": "Summer" })).await.expect(200);
    assert_eq!(*update(seen).await.unwrap_err().kind(), Kind::PreconditionFailed);
    // The number of audiences is not in the page's own row.
    let seen = read().await.unwrap();
    client.post(&format!("{path}/audiences"), &json!({})).await.expect(201);
    assert_eq!(*update(seen).await.unwrap_err().kind(), Kind::PreconditionFailed);
    // Nor is it there which page is the home page.
    let seen = read().await.unwrap();
    let home = json!({ "homePageId": page_id.as_str() }).to_string().into_bytes();
    client.send("PUT", "/v0/site", Some(home)).await.expect(200);
    assert_eq!(*update(seen).await.unwrap_err().kind(), Kind::PreconditionFailed);
    assert_eq!(client.get(&path).await.expect(200).json()["name"], "Summer");
    let seen = read().await.unwrap();
    assert_eq!(update(seen).await.unwrap().name, "Autumn");
}

#[tokio::test]
async fn an_account_that_gets_a_person_after_its_tag_was_compared_is_left_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let account_id =
        id_of(&client, "/v0/accounts", &json!({ "domain": "acme.com", "name": "Acme" }), "accountId").await;
    let account_id = AccountId::parse(&account_id).unwrap();
    let patch = AccountPatch { name: "Acme Inc.".to_owned() };
    let read = || {
        let (ctx, account_id) = (context(&app), account_id.clone());
        app.store.read(move |tx| accounts::find_detail(tx, &ctx, &account_id))
    };
    let update = |seen| {
        let (ctx, account_id, patch) = (context(&app), account_id.clone(), patch.clone());
        let precondition = Precondition::Unchanged(seen);
        app.store.write(move |tx| accounts::update(tx, &ctx, &account_id, &patch, &precondition))
    };
    let seen = read().await.unwrap();
    client.post("/v0/persons", &json!({ "name": "Ada", "email": "ada@acme.com" })).await.expect(201);
    assert_eq!(*update(seen).await.unwrap_err().kind(), Kind::PreconditionFailed);
    let seen = read().await.unwrap();
    client.post("/v0/account_logs", &json!({ "domain": "acme.com", "source": "crm" })).await.expect(201);
    assert_eq!(*update(seen).await.unwrap_err().kind(), Kind::PreconditionFailed);
    let seen = read().await.unwrap();
    assert_eq!(update(seen).await.unwrap().account.name.as_deref(), Some("Acme Inc."));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_changes_of_one_state_exactly_one_happens() {
    let app = TestApp::start().await;
    let client = app.client();
    let page_id = id_of(&client, "/v0/pages", &fixtures::page("Spring"), "pageId").await;
    let path = format!("/v0/pages/{page_id}");
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    let mut running = JoinSet::new();
    for number in 0..24 {
        let (client, path) = (client.with("if-match", &tag), path.clone());
        running.spawn(async move { client.patch(&path, &json!({ "name": format!("Name {number}") })).await });
    }
    let answers = running.join_all().await;
    let (changed, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(changed.len(), 1);
    assert!(refused.iter().all(|answer| answer.status == 412));
    assert_eq!(client.get(&path).await.expect(200).json()["name"], changed[0].json()["name"]);
}
