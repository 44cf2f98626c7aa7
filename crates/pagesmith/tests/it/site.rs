//! What visitors find: the `Host` header decides between a tenant's site and the API.

use std::time::Duration;

use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::json;

mod access;
mod assets;
mod caching;
mod crawlers;
mod document_head;
mod forms;
mod hostile;
mod previews;
mod published;
mod settings;

const PUBLISHED_LATER: &str = "Not published yet";
const NOT_HERE: &str = "Page not found";
const GONE: &str = "No longer available";

pub(crate) fn visitor(app: &TestApp, host: &str) -> Client {
    app.anonymous().with("host", host)
}

async fn make(app: &TestApp, name: &str) -> String {
    let page = app.client().post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
    page["pageId"].as_str().unwrap().to_owned()
}

/// The answer is a whole page for people that says this and gives nothing away.
#[track_caller]
fn says(answer: &Answer, text: &str) {
    assert!(answer.text().contains(text), "{}", answer.text());
    assert!(answer.text().starts_with("<!DOCTYPE html>"), "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(
        answer
            .header("content-security-policy")
            .is_some_and(|policy| policy.starts_with("default-src 'none'"))
    );
    assert!(answer.header("x-request-id").is_some_and(|id| id.starts_with("req_")));
}

#[tokio::test]
async fn a_page_goes_through_its_life_on_its_address() {
    let app = TestApp::start().await;
    let site = visitor(&app, "acme.localhost:8080");
    says(&site.get("/spring-launch").await.expect(404), NOT_HERE);
    let page = make(&app, "Spring launch").await;
    says(&site.get("/spring-launch").await.expect(404), PUBLISHED_LATER);
    app.client().post(&format!("/v0/pages/{page}/archive"), &json!({})).await.expect(200);
    says(&site.get("/spring-launch").await.expect(410), GONE);
    app.client().post(&format!("/v0/pages/{page}/restore"), &json!({})).await.expect(200);
    says(&site.get("/spring-launch").await.expect(404), PUBLISHED_LATER);
    app.client().delete(&format!("/v0/pages/{page}")).await.expect(200);
    says(&site.get("/spring-launch").await.expect(404), NOT_HERE);
    app.client().post(&format!("/v0/pages/{page}/restore"), &json!({})).await.expect(200);
    says(&site.get("/spring-launch").await.expect(404), PUBLISHED_LATER);
}

#[tokio::test]
async fn a_page_that_was_archived_and_deleted_is_not_found() {
    let app = TestApp::start().await;
    let page = make(&app, "Spring").await;
    app.client().post(&format!("/v0/pages/{page}/archive"), &json!({})).await.expect(200);
    app.client().delete(&format!("/v0/pages/{page}")).await.expect(200);
    says(&visitor(&app, "acme.localhost").get("/spring").await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_host_is_the_same_in_any_spelling() {
    let app = TestApp::start().await;
    make(&app, "Spring").await;
    for host in [
        "acme.localhost:8080",
        "acme.localhost",
        "ACME.LocalHost:8080",
        "acme.localhost.",
        "acme.localhost.:80",
    ] {
        says(&visitor(&app, host).get("/spring").await.expect(404), PUBLISHED_LATER);
        says(&visitor(&app, host).get("/spring/").await.expect(404), PUBLISHED_LATER);
        says(&visitor(&app, host).get("/spring?utm_source=mail").await.expect(404), PUBLISHED_LATER);
        assert!(visitor(&app, host).send("HEAD", "/spring", None).await.expect(404).bytes.is_empty());
    }
}

#[tokio::test]
async fn a_suspended_tenant_has_no_site() {
    let app = TestApp::start().await;
    make(&app, "Spring").await;
    app.suspend("acme").await;
    says(&visitor(&app, "acme.localhost:8080").get("/spring").await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_site_is_not_the_api() {
    let app = TestApp::start().await;
    let page = make(&app, "Spring").await;
    let paths = ["/v0/pages".to_owned(), format!("/v0/pages/{page}"), "/v0/none".to_owned()];
    let others = ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/errors/not_found", "/"];
    for host in
        ["acme.localhost:8080", "unknown.localhost:8080", "deep.acme.localhost", ".localhost", "a..localhost"]
    {
        for path in paths.iter().map(String::as_str).chain(others) {
            let request = http::Request::get(path).header("host", host).header("x-api-key", &app.key);
            let answer = app.client().raw(request.body(Default::default()).unwrap()).await.expect(404);
            says(&answer, NOT_HERE);
            assert_eq!(answer.header("ratelimit"), None, "{host}{path}");
        }
    }
    let request = http::Request::post("/v0/pages")
        .header("host", "acme.localhost")
        .header("x-api-key", &app.key)
        .header("content-type", "application/json")
        .body(fixtures::page("Written").to_string().into())
        .unwrap();
    let answer = app.client().raw(request).await.expect(405);
    assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 1);
}

#[tokio::test]
async fn every_other_host_is_the_api() {
    let app = TestApp::start().await;
    make(&app, "Spring").await;
    let hosts = [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "[::1]",
        "pagesmith.test",
        "acme.example",
        "notlocalhost",
        "acmelocalhost",
        "localhost.acme",
        ":",
        "",
        ".",
    ];
    for host in hosts {
        let client = app.client().with("host", host);
        assert_eq!(client.get("/v0/pages").await.expect(200).json()["totalCount"], 1, "{host}");
        client.get("/spring").await.expect(404).json();
    }
}

#[tokio::test]
async fn another_site_domain_moves_the_sites() {
    let app = TestApp::with(|plan| {
        plan.settings.site_domain = "pages.example".to_owned();
        plan.settings.base_url = "https://api.example".to_owned();
        plan.settings.site_port = None;
        plan.settings.request_timeout = Duration::from_secs(25);
    })
    .await;
    // Answers are not checked here: their error addresses begin with another base address.
    let get = |host: &'static str, path: String| {
        let request = http::Request::get(path).header("host", host).header("x-api-key", &app.key);
        let client = app.client();
        async move { client.raw(request.body(Default::default()).unwrap()).await }
    };
    let page = make(&app, "Spring").await;
    let link = get("api.example", format!("/v0/pages/{page}/link")).await.expect(200).json();
    assert_eq!(
        link,
        json!({ "url": "https://acme.pages.example/spring", "domain": "acme.pages.example", "path": "/spring" })
    );
    says(&get("acme.pages.example", "/spring".to_owned()).await.expect(404), PUBLISHED_LATER);
    get("acme.localhost", "/v0/pages".to_owned()).await.expect(200);
}

#[tokio::test]
async fn a_path_that_cannot_be_a_slug_is_not_found() {
    let app = TestApp::start().await;
    make(&app, "Spring").await;
    let site = visitor(&app, "acme.localhost");
    let long = format!("/{}", "a".repeat(5_000));
    for path in [
        "/",
        "//",
        "/spring/more",
        "/spring//more",
        "/spring/more/still",
        "/spring/%00",
        "/../spring",
        "/%00",
        "/%FF",
        "/%73pring%2F..",
        "/Spring",
        "/'--",
        "/spring/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/spring",
        "/spring%00",
        "/spring%20",
        "/SPRING",
        "/spr%69ng",
        "/spring;jsessionid=1",
        "/robots.txt/",
        "/Robots.txt",
        "/FAVICON.ICO",
        "/sitemap/../robots.txt",
        "/preview",
        "/preview/",
        "/preview/spring",
        long.as_str(),
    ] {
        says(&site.get(path).await.expect(404), NOT_HERE);
    }
}

#[tokio::test]
async fn while_the_database_is_away_a_visitor_is_asked_to_come_back() {
    let app = TestApp::start().await;
    make(&app, "Spring").await;
    app.store.close().await.unwrap();
    let answer = visitor(&app, "acme.localhost").get("/spring").await.expect(503);
    says(&answer, "Back in a moment");
    assert_eq!(answer.header("retry-after"), Some("5"));
}
