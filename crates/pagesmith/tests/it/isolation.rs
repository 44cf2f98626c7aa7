//! Tenants apart: nothing that one made can be seen, changed, counted or guessed at by another.

use pagesmith_http::routes::routes;
use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::{Value, json};

use pagesmith_testkit::samples::owned::{Owned, is_nested, is_of_something};

mod people;

/// An answer without what differs from request to request.
fn comparable(answer: &Answer) -> Value {
    let mut body = answer.json();
    if let Some(body) = body.as_object_mut() {
        body.remove("requestId");
    }
    body
}

async fn make(client: &Client, name: &str) -> String {
    let page = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
    page["pageId"].as_str().unwrap().to_owned()
}

/// A live, an archived and a deleted page.
async fn one_of_each(client: &Client) -> [String; 3] {
    let [live, archived, deleted] =
        [make(client, "Live").await, make(client, "Archived").await, make(client, "Deleted").await];
    client.post(&format!("/v0/pages/{archived}/archive"), &json!({})).await.expect(200);
    client.delete(&format!("/v0/pages/{deleted}")).await.expect(200);
    [live, archived, deleted]
}

/// One of everything alive, with an archived page, and deleted.
async fn in_each_state(client: &Client) -> [Owned; 3] {
    let [live, archived, deleted] =
        [Owned::make(client, 0).await, Owned::make(client, 1).await, Owned::make(client, 2).await];
    client.post(&archived.fill("/v0/pages/{page_id}/archive"), &json!({})).await.expect(200);
    deleted.delete(client).await;
    [live, archived, deleted]
}

#[tokio::test]
async fn what_is_foreign_is_answered_like_what_never_was() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let owned = in_each_state(&owner).await;
    let before = owned[0].everything(&owner).await;
    let own = Owned::make(&stranger, 0).await;
    let nobody = Owned::nobody();
    let mut asked = 0;
    for route in routes().into_iter().filter(is_of_something) {
        let body = own.body(&route);
        let mut asked_for: Vec<(Owned, Owned)> =
            owned.iter().map(|owned| (owned.clone(), nobody.clone())).collect();
        if is_nested(&route) {
            // What is foreign is no less so under the stranger's own page, person, account and subscription.
            let under_own = |owned| (own.with_nested_of(owned), own.with_nested_of(&nobody));
            asked_for.extend(owned.iter().map(under_own));
        }
        for (foreign, never) in asked_for {
            let reference = stranger.send(route.method, &never.fill(route.path), body.clone()).await;
            let reference = comparable(&reference.expect(404));
            for headers in [vec![], vec![("if-match", "*"), ("if-none-match", "*"), ("idempotency-key", "k")]]
            {
                let client =
                    headers.iter().fold(stranger.clone(), |client, (name, value)| client.with(name, value));
                let path = foreign.fill(route.path);
                let answer = client.send(route.method, &path, body.clone()).await.expect(404);
                assert_eq!(comparable(&answer), reference, "{}", route.operation);
                assert_eq!(answer.header("etag"), None);
                asked += 1;
            }
        }
    }
    assert!(asked >= 22 * 6, "only {asked} requests were made");
    assert_eq!(owned[0].everything(&owner).await, before);
    owner.post(&owned[2].fill("/v0/pages/{page_id}/restore"), &json!({})).await.expect(200);
    owner.post(&owned[2].fill("/v0/persons/{person_id}/restore"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn lists_searches_and_counts_hold_nothing_foreign() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let pages = one_of_each(&owner).await;
    for path in ["/v0/pages", "/v0/pages/search", "/v0/pages/search?query=live", "/v0/pages/search?query=e"] {
        let answer = stranger.get(path).await.expect(200);
        assert_eq!(
            answer.json(),
            json!({ "items": [], "hasMore": false, "nextCursor": null, "totalCount": 0 })
        );
    }
    let mine = make(&stranger, "Live").await;
    for path in ["/v0/pages", "/v0/pages/search", "/v0/pages/search?query=live"] {
        let answer = stranger.get(path).await.expect(200).json();
        assert_eq!((&answer["totalCount"], answer["items"].as_array().unwrap().len()), (&json!(1), 1));
        assert_eq!(answer["items"][0]["pageId"], mine.as_str());
    }
    // What the stranger deletes is not counted off the owner's.
    stranger.delete(&format!("/v0/pages/{mine}")).await.expect(200);
    let owners = owner.get("/v0/pages").await.expect(200).json();
    assert_eq!(owners["totalCount"], 2);
    let ids: Vec<&str> =
        owners["items"].as_array().unwrap().iter().map(|page| page["pageId"].as_str().unwrap()).collect();
    assert_eq!(ids, [pages[1].as_str(), pages[0].as_str()]);
}

#[tokio::test]
async fn a_cursor_opens_only_the_collection_of_its_tenant() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    for client in [&owner, &stranger] {
        for name in ["Spring", "Spring launch", "Late spring"] {
            make(client, name).await;
        }
    }
    for path in ["/v0/pages?limit=1", "/v0/pages/search?limit=1", "/v0/pages/search?query=spring&limit=1"] {
        let cursor = owner.get(path).await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
        let next = format!("{path}&cursor={cursor}");
        assert_eq!(owner.get(&next).await.expect(200).json()["items"].as_array().unwrap().len(), 1);
        let refused = stranger.get(&next).await.issues();
        assert_eq!(refused, [("invalid_cursor".to_owned(), "cursor".to_owned())]);
    }
    // Nor does it open another collection or filter of its own tenant.
    let list = owner.get("/v0/pages?limit=1").await.json()["nextCursor"].as_str().unwrap().to_owned();
    let found = owner.get("/v0/pages/search?query=spring&limit=1").await.json()["nextCursor"]
        .as_str()
        .unwrap()
        .to_owned();
    for path in [
        format!("/v0/pages/search?cursor={list}"),
        format!("/v0/pages/search?query=spring&cursor={list}"),
        format!("/v0/pages?cursor={found}"),
        format!("/v0/pages/search?cursor={found}"),
        format!("/v0/pages/search?query=launch&cursor={found}"),
    ] {
        let refused = owner.get(&path).await.issues();
        assert_eq!(refused, [("invalid_cursor".to_owned(), "cursor".to_owned())], "{path}");
    }
}

#[tokio::test]
async fn the_same_idempotency_key_is_another_ones_own() {
    let app = TestApp::start().await;
    let (owner, stranger) = (
        app.client().with("idempotency-key", "order-1"),
        app.stranger().await.with("idempotency-key", "order-1"),
    );
    let first = owner.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
    let same = stranger.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
    assert_eq!(same.header("idempotent-replayed"), None);
    assert_ne!(same.json()["pageId"], first.json()["pageId"]);
    // Both are remembered, each for its own tenant.
    for (client, made) in [(&owner, &first), (&stranger, &same)] {
        let again = client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(again.bytes, made.bytes);
        client.post("/v0/pages", &fixtures::page("Summer")).await.expect(409);
        assert_eq!(client.get("/v0/pages").await.expect(200).json()["totalCount"], 1);
    }
}

#[tokio::test]
async fn two_keys_of_one_tenant_see_the_same() {
    let app = TestApp::start().await;
    let key = app.add_key("acme", pagesmith_model::key::Scope::Write).await;
    let (one, two) = (app.client(), app.client_with(&key));
    let page = make(&one, "Spring").await;
    let path = format!("/v0/pages/{page}");
    assert_eq!(one.get(&path).await.expect(200).bytes, two.get(&path).await.expect(200).bytes);
    let sent =
        one.with("idempotency-key", "k").post(&format!("{path}/archive"), &json!({})).await.expect(200);
    // The record outlives the key that made it: it belongs to the tenant.
    let again =
        two.with("idempotency-key", "k").post(&format!("{path}/archive"), &json!({})).await.expect(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.bytes, sent.bytes);
}

#[tokio::test]
async fn a_slug_leads_to_nothing_on_another_tenants_host() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let page = make(&owner, "Spring launch").await;
    let link = owner.get(&format!("/v0/pages/{page}/link")).await.expect(200).json();
    assert_eq!(link["url"], "http://acme.localhost:8080/spring-launch");
    let own = app.anonymous().with("host", "acme.localhost:8080").get("/spring-launch").await.expect(404);
    let foreign =
        app.anonymous().with("host", "globex.localhost:8080").get("/spring-launch").await.expect(404);
    let never = app.anonymous().with("host", "globex.localhost:8080").get("/never").await.expect(404);
    assert!(own.text().contains("Not published yet"));
    assert_eq!(foreign.bytes, never.bytes);
    // The other tenant's page of that name gets that very path: slugs tell nothing across tenants.
    let theirs = make(&stranger, "Spring launch").await;
    let link = stranger.get(&format!("/v0/pages/{theirs}/link")).await.expect(200).json();
    assert_eq!(link["url"], "http://globex.localhost:8080/spring-launch");
    // Archived pages are gone on the owner's host only.
    owner.post(&format!("/v0/pages/{page}/archive"), &json!({})).await.expect(200);
    app.anonymous().with("host", "acme.localhost:8080").get("/spring-launch").await.expect(410);
    app.anonymous().with("host", "globex.localhost:8080").get("/spring-launch").await.expect(404);
}
