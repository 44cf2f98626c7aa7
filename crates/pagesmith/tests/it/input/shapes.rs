//! Whole error bodies, as clients get them.

use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::Bench;

fn named(client: &Client) -> Client {
    client.with("x-request-id", "req_snapshot")
}

#[tokio::test]
async fn every_broken_rule_is_told_at_once() {
    let bench = Bench::start().await;
    let body = json!({
        "name": "",
        "pageType": "offbound",
        "nome": "Spring",
        "brandId": null,
        "headerActionId": 7,
        "actions": [
            { "purpose": "p", "buttonTitle": "b", "actionType": "open-url", "url": "not a url", "actionIndex": 0 },
            { "purpose": "p", "buttonTitle": "b", "actionType": "form" },
            { "purpose": 1, "actionType": "copy-text" },
            { "actionType": "", "url": "https://acme.example" },
            { "purpose": "p" },
            "click",
        ],
        "actionCardWidgets": [{ "type": "marquee", "logos": [{ "image": { "altText": 1, "src": "x" } }] }, { "type": "video" }],
        "scripts": [{ "name": "", "content": 1, "enabled": "yes", "injectionPoint": "foot" }],
        "navLinks": [{ "type": "group", "title": "t", "links": [{ "text": "x" }] }],
        "metadata": { "title": "x".repeat(1_001), "robots": ["NOINDEX"], "ogImage": { "type": "picture", "fileId": 1 }, "ogImageUrl": "x" },
    });
    let answer =
        named(&bench.app.client().with("idempotency-key", "")).post("/v0/pages", &body).await.expect(400);
    insta::assert_snapshot!(format!("{:#}", answer.json()));
    bench.unchanged().await;
}

#[tokio::test]
async fn each_kind_of_error_has_its_body() {
    let app = TestApp::start().await;
    app.add_tenant("globex").await;
    app.add_tenant("initech").await;
    let key = |tenants: &[&str], scope, rate_limit| {
        let tenants = tenants.iter().map(ToString::to_string).collect();
        let new = NewKey { name: "test".to_owned(), scope, tenants, expires_in: None, rate_limit };
        async { named(&app.client_with(&app.issue(new).await.secret)) }
    };
    let client = named(&app.client());
    let page = client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let limited = key(&["acme"], Scope::Read, Some(1)).await;
    limited.get("/v0/pages").await.expect(200);
    let suspended = key(&["initech"], Scope::Write, None).await;
    app.suspend("initech").await;
    let once = client.with("idempotency-key", "once");
    once.post("/v0/pages", &fixtures::page("Summer")).await.expect(201);

    let answers: Vec<(&str, Answer)> = vec![
        ("400 no body", client.send("POST", "/v0/pages", None).await),
        ("400 malformed", client.send("POST", "/v0/pages", Some(b"{\"name\": }".to_vec())).await),
        ("400 query", client.get("/v0/pages?limit=0&cursor=a&cursor=b").await),
        ("400 cursor", client.get("/v0/pages?cursor=x").await),
        (
            "400 reference",
            client.patch(&page, &json!({ "headerActionId": "x", "footerLinkBlockId": "y" })).await,
        ),
        ("401 no key", named(&app.anonymous()).get("/v0/pages").await),
        ("401 wrong key", named(&app.client_with("x")).get("/v0/pages").await),
        ("403 scope", key(&["acme"], Scope::Read, None).await.delete(&page).await),
        ("403 several tenants", key(&["acme", "globex"], Scope::Write, None).await.get(&page).await),
        ("403 suspended", suspended.get(&page).await),
        ("404 path", client.get("/v0/nothing").await),
        ("404 page", client.get("/v0/pages/page_00000000000000000000000000").await),
        ("404 domain", client.get(&format!("{page}/link?tenantDomainId=domain_1")).await),
        ("404 error code", client.get("/errors/nothing").await),
        ("405", client.send("PUT", &page, None).await),
        ("409 idempotency key", once.post("/v0/pages", &fixtures::page("Autumn")).await),
        ("412", client.with("if-match", "\"x\"").delete(&page).await),
        ("413", client.send("PATCH", &page, Some(vec![b' '; 1_048_577])).await),
        ("415", client.with("content-type", "text/plain").patch(&page, &json!({})).await),
        ("429", limited.get("/v0/pages").await),
        ("503", {
            app.store.close().await.unwrap();
            client.get(&page).await
        }),
    ];
    let shown: Vec<Value> = answers
        .into_iter()
        .map(|(what, answer)| {
            assert!(what.starts_with(&answer.status.as_u16().to_string()), "{what}: {}", answer.text());
            json!({ "what": what, "body": answer.json() })
        })
        .collect();
    insta::assert_snapshot!(format!("{:#}", Value::Array(shown)));
}
