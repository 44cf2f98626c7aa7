//! Of several faults, which one is told: route, key, tenant, rate limit, scope, shape, existence, state.

use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;

const NOBODY: &str = "/v0/pages/page_00000000000000000000000000";

async fn limited(app: &TestApp, tenants: &[&str], scope: Scope) -> Client {
    let new = NewKey {
        name: "limited".to_owned(),
        scope,
        tenants: tenants.iter().map(ToString::to_string).collect(),
        expires_in: None,
        rate_limit: Some(1),
    };
    let key = app.issue(new).await.secret;
    app.client_with(&key)
}

#[tokio::test]
async fn the_route_comes_before_the_key() {
    let app = TestApp::start().await;
    for client in [app.anonymous(), app.client_with("garbage"), app.client()] {
        for path in
            ["/v0", "/v0/", "/v0/pages/", "/v0/page", "/v0/pages/a/b", "/v0/pages/a/archive/b", "/V0/pages"]
        {
            client.get(path).await.expect(404);
        }
        let answer = client.send("PUT", "/v0/pages", None).await.expect(405);
        assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
        let answer = client.send("POST", NOBODY, Some(b"{".to_vec())).await.expect(405);
        assert_eq!(answer.header("allow"), Some("GET, HEAD, PATCH, DELETE"));
    }
}

#[tokio::test]
async fn the_key_comes_before_the_body() {
    let app = TestApp::start().await;
    let bad = app.client_with("garbage");
    bad.send("POST", "/v0/pages", Some(b"{".to_vec())).await.expect(401);
    bad.with("content-type", "text/plain").send("POST", "/v0/pages", Some(b"x".to_vec())).await.expect(401);
    bad.send("POST", "/v0/pages", Some(vec![b' '; 2_000_000])).await.expect(401);
    bad.with("idempotency-key", "").post("/v0/pages", &json!({})).await.expect(401);
    bad.get("/v0/pages?limit=0&cursor=x").await.expect(401);
    bad.get(NOBODY).await.expect(401);
}

#[tokio::test]
async fn the_tenants_state_comes_before_the_rate_limit() {
    let app = TestApp::start().await;
    app.add_tenant("globex").await;
    let several = limited(&app, &["acme", "globex"], Scope::Write).await;
    let suspended = limited(&app, &["globex"], Scope::Write).await;
    app.suspend("globex").await;
    for client in [several, suspended] {
        for _ in 0..3 {
            let answer = client.get("/v0/pages").await.expect(403);
            assert_eq!(answer.header("ratelimit"), None);
        }
    }
}

#[tokio::test]
async fn the_rate_limit_comes_before_the_scope() {
    let app = TestApp::start().await;
    let client = limited(&app, &["acme"], Scope::Read).await;
    client.post("/v0/pages", &fixtures::page("Spring")).await.expect(403);
    client.post("/v0/pages", &fixtures::page("Spring")).await.expect(429);
}

#[tokio::test]
async fn the_scope_comes_before_the_shape() {
    let app = TestApp::start().await;
    let key = app.add_key("acme", Scope::Read).await;
    let client = app.client_with(&key);
    client.send("POST", "/v0/pages", Some(b"{".to_vec())).await.expect(403);
    client
        .with("content-type", "text/plain")
        .send("POST", "/v0/pages", Some(b"x".to_vec()))
        .await
        .expect(403);
    client.send("POST", "/v0/pages", Some(vec![b' '; 2_000_000])).await.expect(403);
    client.patch(NOBODY, &json!({ "nome": 1 })).await.expect(403);
    client.delete(NOBODY).await.expect(403);
}

#[tokio::test]
async fn the_shape_comes_before_existence() {
    let app = TestApp::start().await;
    // An id that nobody has, one that cannot be an id, and one that is not even UTF-8.
    for path in [NOBODY, "/v0/pages/anything", "/v0/pages/%FF"] {
        let client = app.client();
        client.patch(path, &json!({ "name": "" })).await.expect(400);
        client.patch(path, &json!({ "name": "New" })).await.expect(404);
        client.post(&format!("{path}/archive"), &json!({ "now": true })).await.expect(400);
        client.post(&format!("{path}/archive"), &json!({})).await.expect(404);
        client.with("idempotency-key", "").post(&format!("{path}/restore"), &json!({})).await.expect(400);
        client.get(&format!("{path}/link?tenantDomainId=a&tenantDomainId=b")).await.expect(400);
        client.get(&format!("{path}/link?tenantDomainId=a")).await.expect(404);
    }
}

#[tokio::test]
async fn existence_comes_before_the_state() {
    let app = TestApp::start().await;
    let client = app.client().with("if-match", "\"another\"");
    client.patch(NOBODY, &json!({ "name": "New" })).await.expect(404);
    client.delete(NOBODY).await.expect(404);
    let page = app.client().post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    client.patch(&path, &json!({ "name": "" })).await.expect(400);
    client.patch(&path, &json!({ "name": "New" })).await.expect(412);
}
