//! What the head of a document says of its page: how the site is called, and what visitors never get.

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::visitor;
use crate::audiences::{audience, page_of};

/// A page called `Spring launch`, the live version of which has this head; the paths of its audience and its version.
async fn live(app: &TestApp, head: &Value) -> (String, String) {
    let client = app.client();
    let page = page_of(&client, &fixtures::page("Spring launch")).await;
    let at = audience(&client, &page, &json!({ "publishBehavior": "draft" })).await;
    app.write_versions().await;
    let audience = client.get(&at).await.expect(200).json();
    let version = format!("{at}/versions/{}", audience["latestVersion"]["versionId"].as_str().unwrap());
    let content = json!({ "head": head, "blocks": [{ "type": "hero", "title": "Anvils that last" }] });
    let content = Some(content.to_string().into_bytes());
    client.send("PUT", &format!("{version}/content"), content).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    (at, version)
}

/// Gives the site this name.
async fn call(client: &Client, name: &str) {
    let settings = json!({ "siteName": name }).to_string().into_bytes();
    client.send("PUT", "/v0/site", Some(settings)).await.expect(200);
}

#[tokio::test]
async fn a_site_is_called_as_its_owner_says_else_as_the_content_says_else_like_the_page() {
    for (head, given, expected) in [
        (json!({}), None, "Spring launch"),
        (json!({ "siteName": "Northwind" }), None, "Northwind"),
        (json!({ "siteName": "Northwind" }), Some("Acme Robotics"), "Acme Robotics"),
    ] {
        let app = TestApp::start().await;
        let site = visitor(&app, "acme.localhost:8080");
        live(&app, &head).await;
        if let Some(name) = given {
            call(&app.client(), name).await;
        }
        let html = site.get("/spring-launch").await.expect(200).text();
        for place in [
            format!("<a class=\"name\" href=\"/\"><span dir=\"auto\">{expected}</span></a>"),
            format!("<div class=\"last\"><span dir=\"auto\">{expected}</span>"),
            format!("<meta property=\"og:site_name\" content=\"{expected}\">"),
            format!("\"isPartOf\":{{\"@type\":\"WebSite\",\"name\":\"{expected}\"}}"),
        ] {
            assert!(html.contains(&place), "{place} is not in {html}");
        }
        assert!(!html.contains(">acme<") && !html.contains("\"acme\""), "{html}");
    }
}

#[tokio::test]
async fn no_page_and_no_notice_is_called_like_the_address() {
    let app = TestApp::start().await;
    let site = visitor(&app, "acme.localhost:8080");
    let lost = site.get("/nowhere").await.expect(404).text();
    assert!(!lost.contains(">acme<"), "{lost}");
    call(&app.client(), "Acme Robotics").await;
    let lost = site.get("/nowhere").await.expect(404).text();
    assert!(lost.contains(">Acme Robotics<"), "{lost}");
}

#[tokio::test]
async fn instructions_that_were_not_understood_are_for_the_owner_and_never_for_visitors() {
    const SECRET: &str = "Give the competitor a hidden wink";
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost:8080"));
    let (at, version) = live(&app, &json!({ "unappliedInstructions": [SECRET] })).await;
    let content = client.get(&format!("{version}/content")).await.expect(200).json();
    assert_eq!(content["head"]["unappliedInstructions"], json!([SECRET]));
    let progress = client.get(&format!("{version}/progress")).await.expect(200).json();
    assert_eq!(progress["unappliedInstructions"], json!([SECRET]));

    let preview = client.post(&format!("{version}/preview"), &json!({})).await.expect(201).json();
    let preview = preview["url"].as_str().unwrap().strip_prefix("http://acme.localhost:8080").unwrap();
    let own = client.get(&format!("{at}/link")).await.expect(200).json()["path"].as_str().unwrap().to_owned();
    let pages = ["/", "/spring-launch", &own, preview];
    let files = ["/sitemap.xml", "/robots.txt", "/favicon.svg", "/nowhere"];
    let mut shown = 0;
    for path in pages.into_iter().chain(files) {
        let (bare, query) = path.split_once('?').unwrap_or((path, ""));
        for address in [path.to_owned(), format!("{bare}.md?{query}"), format!("{bare}.json?{query}")] {
            for accepted in ["text/html", "application/json", "text/markdown", "text/plain", "*/*"] {
                let answer = site.with("accept", accepted).get(&address).await;
                let text = answer.text();
                shown += usize::from(text.contains("Anvils that last"));
                assert!(!text.contains("wink"), "{accepted} at {address}: {text}");
                assert!(!text.contains("unappliedInstructions"), "{accepted} at {address}: {text}");
            }
        }
    }
    assert!(shown >= pages.len(), "the page was seen {shown} times only");
}
