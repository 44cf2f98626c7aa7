//! What visitors of an own domain see.

use crate::page_links::{audience_of, link, page, to_page};

use super::*;

/// A visitor of a host.
fn visitor(app: &TestApp, host: &str) -> Client {
    app.anonymous().with("host", host)
}

/// A site with one page.
async fn site() -> (TestApp, Client, String) {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    audience_of(&client, &spring, "Plants").await;
    app.write_versions().await;
    (app, client, spring)
}

#[tokio::test]
async fn a_verified_domain_shows_the_site_of_its_tenant_alone() {
    let (app, client, _) = site().await;
    let added = add(&client, "go.acme.example").await;
    // Before it is verified it is a host like any other: the API.
    assert_eq!(
        visitor(&app, "go.acme.example").get("/spring").await.expect(404).header("content-type"),
        Some("application/json")
    );
    prove(&app, &added);
    verify(&client, &added).await;
    for host in ["go.acme.example", "GO.acme.example:8080", "go.acme.example."] {
        assert!(visitor(&app, host).get("/spring").await.expect(200).text().contains("Spring"), "{host}");
    }
    for path in ["/healthz", "/openapi.json", "/docs"] {
        let answer = visitor(&app, "go.acme.example").with("x-api-key", &app.key).get(path).await.expect(404);
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
    }
    for host in ["acme.example", "a.go.acme.example", "go.acme.example.org"] {
        let answer = visitor(&app, host).get("/spring").await.expect(404);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{host}");
    }
    app.suspend("acme").await;
    visitor(&app, "go.acme.example").get("/spring").await.expect(404);
    app.resume("acme").await;
    visitor(&app, "go.acme.example").get("/spring").await.expect(200);
    client.delete(&at(&added)).await.expect(200);
    let gone = visitor(&app, "go.acme.example").get("/spring").await.expect(404);
    assert_eq!(gone.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn another_server_knows_after_its_next_refresh() {
    let (app, client, _) = site().await;
    let node = app.server_on(app.database.open());
    let other = Client::new(pagesmith_http::app(node.clone()), None).with("host", "go.acme.example");
    node.keys.refresh().await.unwrap();
    node.domains.refresh().await.unwrap();
    let status = async || other.get("/spring").await.status.as_u16();
    assert_eq!(status().await, 404);
    let domain = active(&app, &client, "go.acme.example").await;
    node.domains.refresh().await.unwrap();
    assert_eq!(status().await, 200);
    client.delete(&at(&domain)).await.expect(200);
    node.domains.refresh().await.unwrap();
    assert_eq!(status().await, 404);
}

#[tokio::test]
async fn search_engines_are_told_the_default_domain_on_every_host() {
    let (app, client, _) = site().await;
    let domain = active(&app, &client, "go.acme.example").await;
    let told = async |expected: &str| {
        for host in ["acme.localhost", "go.acme.example"] {
            let visitor = visitor(&app, host);
            let page = visitor.get("/spring").await.expect(200).text();
            assert!(
                page.contains(&format!("<link rel=\"canonical\" href=\"{expected}/spring\"")),
                "{host} {expected}"
            );
            let robots = visitor.get("/robots.txt").await.expect(200).text();
            assert!(robots.contains(&format!("Sitemap: {expected}/sitemap.xml")), "{robots}");
            let list = visitor.get("/sitemap.xml").await.expect(200).text();
            assert!(list.contains(&format!("<loc>{expected}/spring</loc>")), "{list}");
        }
    };
    told("http://acme.localhost:8080").await;
    client.patch(&at(&domain), &json!({ "isDefault": true })).await.expect(200);
    told("http://go.acme.example:8080").await;
    client.patch(&at(&domain), &json!({ "isDefault": false })).await.expect(200);
    told("http://acme.localhost:8080").await;
    client.patch(&at(&domain), &json!({ "isDefault": true })).await.expect(200);
    app.names.clear("_pagesmith-challenge.go.acme.example");
    for _ in 0..2 {
        app.advance(Duration::from_hours(73));
        app.run_due_work().await;
    }
    let page = visitor(&app, "acme.localhost").get("/spring").await.expect(200).text();
    assert!(page.contains("<link rel=\"canonical\" href=\"http://acme.localhost:8080/spring\""));
}

#[tokio::test]
async fn a_link_is_on_its_domain_alone() {
    let (app, client, spring) = site().await;
    let domain = active(&app, &client, "go.acme.example").await;
    let summer = page(&client, "Summer").await;
    audience_of(&client, &summer, "Sun").await;
    app.write_versions().await;
    link(&client, "/sale", &to_page(&spring)).await;
    let own =
        json!({ "path": "/Sale", "target": to_page(&summer), "tenantDomainId": domain["tenantDomainId"] });
    client.post("/v0/page_links", &own).await.expect(200);
    let only =
        json!({ "path": "/only", "target": to_page(&summer), "tenantDomainId": domain["tenantDomainId"] });
    client.post("/v0/page_links", &only).await.expect(200);
    for _ in 0..2 {
        for (host, shown) in [("acme.localhost", "/spring"), ("go.acme.example", "/summer")] {
            let page = visitor(&app, host).get("/sale").await.expect(200).text();
            assert!(page.contains(&format!("href=\"http://acme.localhost:8080{shown}\"")), "{host}");
        }
        visitor(&app, "go.acme.example").get("/only").await.expect(200);
        visitor(&app, "acme.localhost").get("/only").await.expect(404);
    }
}
