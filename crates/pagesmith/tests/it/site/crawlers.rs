//! What crawlers and browsers ask every site for: `robots.txt`, the sitemap, the icon.

use std::time::Duration;

use pagesmith_store::tables::pages;
use pagesmith_store::tables::site::targets;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::visitor;
use crate::audiences::{audience, page_of};

/// A published page made of that body, with that audience.
async fn published(app: &TestApp, body: &Value, of: &Value) -> String {
    let page = page_of(&app.client(), body).await;
    audience(&app.client(), &page, of).await;
    app.write_versions().await;
    page
}

fn saying(name: &str, metadata: Value) -> Value {
    let mut body = fixtures::page(name);
    body["metadata"] = metadata;
    body
}

async fn listed(site: &Client) -> String {
    let answer = site.get("/sitemap.xml").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/xml; charset=utf-8"));
    answer.text()
}

#[tokio::test]
async fn crawlers_are_told_where_the_list_is() {
    let app = TestApp::start().await;
    let site = visitor(&app, "acme.localhost:8080");
    let answer = site.get("/robots.txt").await.expect(200);
    assert_eq!(answer.text(), "User-agent: *\nAllow: /\n\nSitemap: http://acme.localhost:8080/sitemap.xml\n");
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.header("x-robots-tag"), None);
    let tag = answer.header("etag").unwrap().to_owned();
    site.with("if-none-match", &tag).get("/robots.txt").await.expect(304);
    assert!(site.send("HEAD", "/robots.txt", None).await.expect(200).bytes.is_empty());
    visitor(&app, "unknown.localhost").get("/robots.txt").await.expect(404);
    app.client().get("/robots.txt").await.expect(404);
}

#[tokio::test]
async fn the_list_has_the_pages_that_may_be_found_and_no_other() {
    let app = TestApp::start().await;
    let site = visitor(&app, "acme.localhost:8080");
    let nothing = listed(&site).await;
    assert!(nothing.contains("<urlset") && !nothing.contains("<url>"), "{nothing}");
    published(&app, &fixtures::page("Open"), &json!({})).await;
    published(&app, &saying("Hidden", json!({ "robots": ["noindex"] })), &json!({})).await;
    published(&app, &saying("Nothing", json!({ "robots": ["none"] })), &json!({})).await;
    published(&app, &saying("Elsewhere", json!({ "canonicalUrl": "https://acme.example/a" })), &json!({}))
        .await;
    let own = json!({ "canonicalUrl": "http://acme.localhost:8080/here" });
    published(&app, &saying("Here", own), &json!({})).await;
    let said = json!({ "metadataOverride": { "robots": ["noindex"] } });
    published(&app, &fixtures::page("Silenced"), &said).await;
    let person = app.client().post("/v0/persons", &json!({ "name": "Jane" })).await.expect(201).json();
    published(&app, &fixtures::page("Personal"), &json!({ "personId": person["personId"] })).await;
    published(&app, &fixtures::page("Draft"), &json!({ "publishBehavior": "draft" })).await;
    let archived = published(&app, &fixtures::page("Archived"), &json!({})).await;
    app.client().post(&format!("{archived}/archive"), &json!({})).await.expect(200);
    let deleted = published(&app, &fixtures::page("Deleted"), &json!({})).await;
    app.client().delete(&deleted).await.expect(200);
    app.stranger().await;
    let list = listed(&site).await;
    let places: Vec<&str> = list
        .split("<loc>")
        .skip(1)
        .map(|rest| rest.split("</loc>").next().unwrap().strip_prefix("http://acme.localhost:8080").unwrap())
        .collect();
    assert_eq!(places, ["/open", "/here"], "{list}");
    assert!(list.contains("<lastmod>2026-03-01T12:00:00.000Z</lastmod>"), "{list}");
    assert!(!listed(&visitor(&app, "globex.localhost:8080")).await.contains("<url>"));
    assert_eq!(site.get("/sitemap/first.xml").await.expect(200).text(), list);
}

#[tokio::test]
async fn a_page_that_changed_is_listed_with_the_time() {
    let app = TestApp::start().await;
    let page = published(&app, &fixtures::page("Open"), &json!({})).await;
    app.advance(Duration::from_secs(90));
    app.client().patch(&page, &json!({ "pageContext": "New." })).await.expect(200);
    let list = listed(&visitor(&app, "acme.localhost")).await;
    assert!(list.contains("<lastmod>2026-03-01T12:01:30.000Z</lastmod>"), "{list}");
}

#[tokio::test]
async fn many_pages_are_listed_in_stretches_that_miss_none() {
    let app = TestApp::start().await;
    for name in ["A", "B", "C", "D", "E"] {
        published(&app, &fixtures::page(name), &json!({})).await;
    }
    let tenant = app.tenant.clone();
    let walked = app.store.read(move |tx| {
        let (mut after, mut walked) = (String::new(), vec![]);
        loop {
            let end = pages::names::further(tx, &tenant, &after, 2)?;
            let found = targets::list(tx, &tenant, &after, end.as_ref(), 2)?;
            walked.push(found.into_iter().map(|page| page.slug).collect::<Vec<_>>());
            match end {
                Some(end) => after = end.into_string(),
                None => return Ok(walked),
            }
        }
    });
    assert_eq!(walked.await.unwrap(), [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
}

#[tokio::test]
async fn a_site_has_an_icon() {
    let app = TestApp::start().await;
    let site = visitor(&app, "acme.localhost");
    for path in ["/favicon.ico", "/favicon.svg"] {
        let icon = site.get(path).await.expect(200);
        assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
        assert_eq!(icon.header("content-security-policy"), Some("default-src 'none'"));
        assert!(icon.text().starts_with("<svg ") && icon.text().contains(">A</text>"), "{}", icon.text());
    }
    let brand = json!({ "siteName": "Émile", "brand": { "accentColor": "#AA0000" } });
    app.client().send("PUT", "/v0/site", Some(brand.to_string().into_bytes())).await.expect(200);
    let icon = site.get("/favicon.svg").await.expect(200).text();
    assert!(icon.contains(">É</text>") && icon.contains("#aa0000"), "{icon}");
    let brand = json!({ "brand": { "iconUrl": "https://acme.example/icon.png" } });
    app.client().send("PUT", "/v0/site", Some(brand.to_string().into_bytes())).await.expect(200);
    let elsewhere = site.get("/favicon.ico").await.expect(302);
    assert_eq!(elsewhere.header("location"), Some("https://acme.example/icon.png"));
}
