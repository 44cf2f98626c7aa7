//! The root of the API's host.

use pagesmith_testkit::TestApp;
use serde_json::json;

/// As a browser asks.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn a_browser_is_shown_where_to_go() {
    let app = TestApp::start().await;
    let answer = app.anonymous().with("accept", BROWSER).get("/").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("vary"), Some("accept"));
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
    let page = answer.text();
    assert!(page.contains("http://&lt;tenant&gt;.localhost:8080/"), "{page}");
    assert!(!page.contains('{') && !page.contains("<script"), "{page}");
    // Everything it leads to is there.
    let links: Vec<&str> =
        page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.contains(&"/docs") && links.contains(&"/openapi.json"), "{links:?}");
    let (console, here): (Vec<&str>, Vec<&str>) =
        links.into_iter().partition(|link| link.contains("/console"));
    assert_eq!(console, ["http://pagesmith.test/console"]);
    app.anonymous().get("/console").await.expect(303);
    for link in here {
        app.anonymous().get(link).await.expect(200);
    }
}

#[tokio::test]
async fn a_program_is_told_the_same_as_json() {
    let app = TestApp::start().await;
    let expected = json!({
        "name": "Pagesmith",
        "version": env!("CARGO_PKG_VERSION"),
        "console": "http://pagesmith.test/console",
        "api": "http://pagesmith.test/v0",
        "documentation": "http://pagesmith.test/docs",
        "openapi": "http://pagesmith.test/openapi.json",
        "health": "http://pagesmith.test/healthz",
        "ready": "http://pagesmith.test/readyz",
    });
    for client in [app.anonymous(), app.client(), app.anonymous().with("accept", "*/*")] {
        let answer = client.get("/").await.expect(200);
        assert_eq!(answer.json(), expected);
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
    app.anonymous().post("/", &json!({})).await.expect(405);
}

#[tokio::test]
async fn an_icon_is_there_for_whoever_knows_its_form() {
    let app = TestApp::start().await;
    for path in ["/docs/icon.svg", "/favicon.ico"] {
        let icon = app.anonymous().get(path).await.expect(200);
        assert_eq!(icon.header("content-type"), Some("image/svg+xml"), "{path}");
        assert!(icon.text().starts_with("<svg"), "{path}");
    }
    for page in ["/docs", "/errors/conflict"] {
        assert!(app.anonymous().get(page).await.text().contains("href=\"/docs/icon.svg\""), "{page}");
    }
}

#[tokio::test]
async fn the_root_of_a_site_is_the_sites() {
    let app = TestApp::start().await;
    let answer = app.anonymous().with("host", "acme.localhost").with("accept", BROWSER).get("/").await;
    answer.expect(404);
}
