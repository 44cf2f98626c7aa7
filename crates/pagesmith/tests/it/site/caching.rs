//! A page is kept in memory, and nobody can tell but by the time it takes.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{GONE, NOT_HERE, says, visitor};
use crate::audiences::{audience, page_of};

/// A published page with one button, seen through two servers on one database; its path and its audience's.
///
/// Only the first one is told what this process commits.
async fn scene() -> (TestApp, [Client; 2], String, String) {
    let app = TestApp::start().await;
    let mut body = pagesmith_testkit::fixtures::page("Spring");
    body["headerActionId"] = json!("book");
    body["actions"] = json!([button("Book a demo")]);
    let page = page_of(&app.client(), &body).await;
    let at = audience(&app.client(), &page, &json!({ "customName": "Plants" })).await;
    app.write_versions().await;
    let node = app.another_server();
    // A server learns of keys and tenants when it meets a key that it does not know.
    Client::new(node.clone(), Some(app.key.clone())).get("/v0/pages").await.expect(200);
    let sites = [visitor(&app, "acme.localhost"), Client::new(node, None).with("host", "acme.localhost")];
    (app, sites, page, at)
}

fn button(title: &str) -> Value {
    json!({ "actionId": "book", "purpose": "Book", "buttonTitle": title, "actionType": "open-url", "url": "https://acme.example/demo" })
}

/// Longer than a server may take the database's last answer for the present one.
const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_change_shows_at_once_where_it_was_made_and_within_a_second_elsewhere() {
    let (app, [here, there], page, at) = scene().await;
    let client = app.client();
    let paths = ["/spring", "/spring/plants"];
    let shows = async |site: &Client, text: &str| {
        for path in paths {
            let html = site.get(path).await.expect(200).text();
            assert!(html.contains(text), "{text} is not at {path}: {html}");
        }
    };
    shows(&here, "Book a demo").await;
    shows(&there, "Book a demo").await;
    app.advance(Duration::from_millis(1));
    client.patch(&page, &json!({ "actions": [button("Call us")] })).await.expect(200);
    shows(&here, "Call us").await;
    app.advance(SECOND - Duration::from_micros(1_001));
    shows(&there, "Book a demo").await;
    app.advance(Duration::from_micros(1));
    shows(&there, "Call us").await;
    client.patch(&at, &json!({ "actionUrlOverride": "https://plants.example" })).await.expect(200);
    shows(&here, "https://plants.example").await;
    app.advance(SECOND);
    shows(&there, "https://plants.example").await;
    for (method, path, status, text) in [
        ("DELETE", at.clone(), 410, GONE),
        ("POST", format!("{at}/restore"), 200, "https://plants.example"),
        ("DELETE", page.clone(), 404, NOT_HERE),
    ] {
        let body = (method == "POST").then(|| b"{}".to_vec());
        client.send(method, &path, body).await.expect(200);
        for site in [&here, &there] {
            let answer = site.get("/spring/plants").await.expect(status);
            if status == 200 {
                assert!(answer.text().contains(text));
            } else {
                says(&answer, text);
            }
            app.advance(SECOND);
        }
    }
}

#[tokio::test]
async fn a_version_that_goes_live_shows_at_once_here_and_within_a_second_elsewhere() {
    let (app, [here, there], _, at) = scene().await;
    let made = app.client().post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    app.write_versions().await;
    let version = format!("{at}/versions/{}", made["versionId"].as_str().unwrap());
    let hero = json!({ "blocks": [{ "type": "hero", "blockId": "b", "title": "The second one" }] });
    let body = Some(hero.to_string().into_bytes());
    app.client().send("PUT", &format!("{version}/content"), body).await.expect(200);
    for site in [&here, &there] {
        assert!(!site.get("/spring").await.expect(200).text().contains("The second one"));
    }
    app.client().post(&format!("{version}/publish"), &json!({})).await.expect(200);
    assert!(here.get("/spring").await.expect(200).text().contains("The second one"));
    assert!(!there.get("/spring").await.expect(200).text().contains("The second one"));
    app.advance(SECOND);
    assert!(there.get("/spring").await.expect(200).text().contains("The second one"));
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
async fn what_is_in_memory_is_shown_for_no_longer_than_a_second_unless_the_database_says_so() {
    let (app, sites, _, _) = scene().await;
    sites[0].get("/spring").await.expect(200);
    app.store.close().await.unwrap();
    sites[0].get("/spring").await.expect(200);
    app.advance(SECOND);
    says(&sites[0].get("/spring").await.expect(503), "Back in a moment");
}
