//! A page is kept in memory, and nobody can tell but by the time it takes.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{GONE, NOT_HERE, says, visitor};
use crate::audiences::{audience, page_of};

/// A published page with one button, seen through two servers; its path and its audience's.
async fn scene() -> (TestApp, [Client; 2], String, String) {
    let app = TestApp::start().await;
    let mut body = pagesmith_testkit::fixtures::page("Spring");
    body["headerActionId"] = json!("book");
    body["actions"] = json!([button("Book a demo")]);
    let page = page_of(&app.client(), &body).await;
    let at = audience(&app.client(), &page, &json!({ "customName": "Plants" })).await;
    app.write_versions().await;
    let node = app.second_node();
    // A server learns of keys and tenants when it meets a key that it does not know.
    Client::new(node.clone(), Some(app.key.clone())).get("/v0/pages").await.expect(200);
    let sites = [visitor(&app, "acme.localhost"), Client::new(node, None).with("host", "acme.localhost")];
    (app, sites, page, at)
}

fn button(title: &str) -> Value {
    json!({ "actionId": "book", "purpose": "Book", "buttonTitle": title, "actionType": "open-url", "url": "https://acme.example/demo" })
}

#[tokio::test]
async fn every_change_shows_at_once() {
    let (app, sites, page, at) = scene().await;
    let client = app.client();
    let shown = async |text: &str| {
        for path in ["/spring", "/spring/plants"] {
            for site in &sites {
                let html = site.get(path).await.expect(200).text();
                assert!(html.contains(text), "{text} is not at {path}: {html}");
            }
        }
    };
    shown("Book a demo").await;
    app.advance(Duration::from_millis(1));
    client.patch(&page, &json!({ "actions": [button("Call us")] })).await.expect(200);
    shown("Call us").await;
    app.advance(Duration::from_millis(1));
    client.patch(&at, &json!({ "actionUrlOverride": "https://plants.example" })).await.expect(200);
    shown("https://plants.example").await;
    client.delete(&at).await.expect(200);
    for site in &sites {
        says(&site.get("/spring/plants").await.expect(410), GONE);
    }
    client.post(&format!("{at}/restore"), &json!({})).await.expect(200);
    shown("https://plants.example").await;
    client.delete(&page).await.expect(200);
    for site in &sites {
        says(&site.get("/spring/plants").await.expect(404), NOT_HERE);
    }
}

#[tokio::test]
async fn a_visitor_who_has_the_page_is_told_so() {
    let (app, sites, page, _) = scene().await;
    let site = &sites[0];
    let first = site.get("/spring").await.expect(200);
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    for tags in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
        let again = site.with("if-none-match", &tags).get("/spring").await.expect(304);
        assert!(again.bytes.is_empty());
        for name in ["etag", "cache-control", "content-security-policy"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
    }
    assert_eq!(site.with("if-none-match", "\"other\"").get("/spring").await.expect(200).bytes, first.bytes);
    let head = site.send("HEAD", "/spring", None).await.expect(200);
    assert!(head.bytes.is_empty());
    assert_eq!(head.header("content-length"), Some(first.bytes.len().to_string().as_str()));
    assert_eq!(head.header("etag"), Some(tag.as_str()));
    app.advance(Duration::from_millis(1));
    app.client().patch(&page, &json!({ "actions": [button("Call us")] })).await.expect(200);
    let changed = site.with("if-none-match", &tag).get("/spring").await.expect(200);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn what_is_in_memory_is_not_shown_unless_the_database_says_so() {
    let (app, sites, _, _) = scene().await;
    sites[0].get("/spring").await.expect(200);
    app.store.close().await.unwrap();
    says(&sites[0].get("/spring").await.expect(503), "Back in a moment");
}
