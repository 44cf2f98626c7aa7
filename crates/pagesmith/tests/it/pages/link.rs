//! `GET /v0/pages/{page_id}/link`, and what a visitor finds there.

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{address, make_named};

async fn link(client: &Client, page: &Value) -> Value {
    client.get(&format!("{}/link", address(page))).await.expect(200).json()
}

async fn path_of(client: &Client, name: &str) -> String {
    let page = make_named(client, name).await;
    link(client, &page).await["path"].as_str().unwrap().to_owned()
}

/// What the tenant `acme`'s site answers there.
async fn visit(app: &TestApp, path: &str) -> u16 {
    app.anonymous().with("host", "acme.localhost:8080").get(path).await.status.as_u16()
}

#[tokio::test]
async fn the_link_is_on_the_tenants_fallback_domain() {
    let app = TestApp::start().await;
    let page = make_named(&app.client(), "Spring Launch").await;
    assert_eq!(
        link(&app.client(), &page).await,
        json!({ "url": "http://acme.localhost:8080/spring-launch", "domain": "acme.localhost", "path": "/spring-launch" })
    );
    let stranger = app.stranger().await;
    let foreign = make_named(&stranger, "Spring Launch").await;
    assert_eq!(
        link(&stranger, &foreign).await,
        json!({ "url": "http://globex.localhost:8080/spring-launch", "domain": "globex.localhost", "path": "/spring-launch" })
    );
}

#[tokio::test]
async fn the_address_names_no_port_where_the_scheme_has_its_own() {
    let app = TestApp::with(|plan| {
        plan.settings.site_port = None;
        plan.settings.site_domain = "pages.example".to_owned();
        plan.settings.base_url = "https://pagesmith.test".to_owned();
    })
    .await;
    let page = make_named(&app.client(), "Spring Launch").await;
    assert_eq!(
        link(&app.client(), &page).await,
        json!({ "url": "https://acme.pages.example/spring-launch", "domain": "acme.pages.example", "path": "/spring-launch" })
    );
}

#[tokio::test]
async fn the_path_is_fixed_when_the_page_is_made() {
    let app = TestApp::start().await;
    let page = make_named(&app.client(), "Spring Launch").await;
    let before = link(&app.client(), &page).await;
    app.client().patch(&address(&page), &json!({ "name": "Autumn Sale" })).await.expect(200);
    assert_eq!(link(&app.client(), &page).await, before);
    // The old name is not free again, the new one was never taken.
    assert_ne!(path_of(&app.client(), "Spring Launch").await, "/spring-launch");
    assert_eq!(path_of(&app.client(), "Autumn Sale").await, "/autumn-sale");
}

#[tokio::test]
async fn pages_of_one_name_have_different_paths() {
    let app = TestApp::start().await;
    let mut paths = Vec::new();
    for name in ["Spring Launch", "spring-launch", "SPRING  LAUNCH!", "Spring Launch"] {
        let path = path_of(&app.client(), name).await;
        assert!(path.starts_with("/spring-launch"), "{path}");
        assert!(!paths.contains(&path), "{path} was given out twice");
        paths.push(path);
    }
    assert_eq!(paths[0], "/spring-launch");
}

#[tokio::test]
async fn a_path_is_never_used_again() {
    let app = TestApp::start().await;
    let page = make_named(&app.client(), "Spring Launch").await;
    app.client().delete(&address(&page)).await.expect(200);
    let path = path_of(&app.client(), "Spring Launch").await;
    assert_ne!(path, "/spring-launch");
    app.client().post(&format!("{}/restore", address(&page)), &json!({})).await.expect(200);
    assert_eq!(link(&app.client(), &page).await["path"], "/spring-launch");
}

#[tokio::test]
async fn names_of_any_script_give_a_readable_path() {
    let app = TestApp::start().await;
    for (name, path) in [
        ("Crème Brûlée & Söhne", "/creme-brulee-sohne"),
        ("Привет мир", "/privet-mir"),
        ("北京", "/bei-jing"),
        ("Spring 2026: 50 % off!", "/spring-2026-50-off"),
        ("../../etc/passwd", "/etc-passwd"),
        ("a/b?c#d", "/a-b-c-d"),
    ] {
        assert_eq!(path_of(&app.client(), name).await, path, "{name}");
    }
}

#[tokio::test]
async fn a_name_without_letters_has_a_path_as_well() {
    let app = TestApp::start().await;
    let mut paths = Vec::new();
    for name in ["!!!", "/", "…", "---"] {
        let path = path_of(&app.client(), name).await;
        assert!(path.starts_with("/page") && !paths.contains(&path), "{name:?} {path}");
        paths.push(path);
    }
    let emoji = path_of(&app.client(), "🚀").await;
    assert!(
        emoji.len() > 1 && emoji[1..].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
        "{emoji}"
    );
}

#[tokio::test]
async fn reserved_words_are_avoided() {
    let app = TestApp::start().await;
    for name in pagesmith_model::slug::RESERVED {
        let path = path_of(&app.client(), name).await;
        assert!(!pagesmith_model::slug::is_reserved(&path[1..]), "{name} {path}");
        assert_eq!(visit(&app, &path).await, 404);
    }
}

#[tokio::test]
async fn only_a_domain_of_the_tenant_has_a_link() {
    let app = TestApp::start().await;
    let page = make_named(&app.client(), "Spring Launch").await;
    for id in ["domain_01h2xcejqtf2nbrexx3vqjhp41", "nonsense", ""] {
        app.client().get(&format!("{}/link?tenantDomainId={id}", address(&page))).await.expect(404);
    }
}

#[tokio::test]
async fn what_is_not_there_has_no_link() {
    let app = TestApp::start().await;
    app.client().get("/v0/pages/page_01h2xcejqtf2nbrexx3vqjhp41/link").await.expect(404);
    app.client().get("/v0/pages/nonsense/link").await.expect(404);
}

#[tokio::test]
async fn a_visitor_learns_whether_a_page_is_still_to_come_or_gone() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make_named(&client, "Spring Launch").await;
    let unpublished =
        app.anonymous().with("host", "acme.localhost:8080").get("/spring-launch").await.expect(404);
    assert!(unpublished.text().contains("Not published yet"), "{}", unpublished.text());
    client.post(&format!("{}/archive", address(&page)), &json!({})).await.expect(200);
    // The link of an archived page is still told, and answers that the page is gone.
    assert_eq!(link(&client, &page).await["path"], "/spring-launch");
    assert_eq!(visit(&app, "/spring-launch").await, 410);
    client.delete(&address(&page)).await.expect(200);
    let deleted = app.anonymous().with("host", "acme.localhost:8080").get("/spring-launch").await.expect(404);
    assert!(!deleted.text().contains("Not published yet"));
    client.post(&format!("{}/restore", address(&page)), &json!({})).await.expect(200);
    assert_eq!(visit(&app, "/spring-launch").await, 404);
}

#[tokio::test]
async fn the_host_decides_whether_it_is_the_site_or_the_api() {
    let app = TestApp::start().await;
    make_named(&app.client(), "Spring Launch").await;
    for host in ["acme.localhost", "ACME.LocalHost:9", "acme.localhost."] {
        assert!(shows_the_page(&app, host).await, "{host}");
    }
    for host in ["globex.localhost", "nobody.localhost:8080"] {
        assert!(!shows_the_page(&app, host).await, "{host}");
    }
    for host in ["localhost", "acme.localhost.example", "127.0.0.1:8080", "api.example"] {
        let answer = app.anonymous().with("host", host).get("/spring-launch").await.expect(404);
        assert_eq!(answer.json()["code"], "NOT_FOUND", "{host}");
    }
    app.client().with("host", "acme.localhost").get("/healthz").await.expect(404);
}

async fn shows_the_page(app: &TestApp, host: &str) -> bool {
    let answer = app.anonymous().with("host", host).get("/spring-launch").await.expect(404);
    answer.text().contains("Not published yet")
}
