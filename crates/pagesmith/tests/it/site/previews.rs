//! Links that show a version before, or after, it is live.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{NOT_HERE, PUBLISHED_LATER, says, visitor};
use crate::audiences::{audience, page_of};

const ENDED: &str = "This preview has ended";

/// A page whose only version is a draft; the paths of the audience and the version.
async fn scene() -> (TestApp, Client, String, String) {
    let app = TestApp::start().await;
    let mut body = pagesmith_testkit::fixtures::page("Spring launch");
    body["scripts"] = json!([{ "name": "Count", "content": "<script>count()</script>" }]);
    let page = page_of(&app.client(), &body).await;
    let at = audience(&app.client(), &page, &json!({ "publishBehavior": "draft" })).await;
    let audience = app.client().get(&at).await.expect(200).json();
    let version = format!("{at}/versions/{}", audience["latestVersion"]["versionId"].as_str().unwrap());
    let site = visitor(&app, "acme.localhost:8080");
    (app, site, at, version)
}

/// A link to a version: its path, and its end.
async fn link(client: &Client, version: &str, body: &Value) -> (String, String) {
    let made = client.post(&format!("{version}/preview"), body).await.expect(201).json();
    let path = made["url"].as_str().unwrap().strip_prefix("http://acme.localhost:8080").unwrap().to_owned();
    (path, made["expiresAt"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_draft_is_seen_by_whoever_has_the_link() {
    let (app, site, _, version) = scene().await;
    let (path, ends) = link(&app.client(), &version, &json!({})).await;
    assert_eq!(ends, "2026-03-01T13:00:00.000Z");
    says(&site.get(&path).await.expect(404), PUBLISHED_LATER);
    app.write_versions().await;
    let shown = site.get(&path).await.expect(200);
    let html = shown.text();
    assert!(html.contains("Preview of version 1. This link works until 2026-03-01 13:00 UTC."), "{html}");
    assert!(html.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"), "{html}");
    assert!(!html.contains("rel=\"canonical\"") && !html.contains("count()"), "{html}");
    assert!(!html.contains("/.pagesmith/v"), "a look at a preview is no visit: {html}");
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex, nofollow"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(shown.header(name), Some(value), "{name}");
    }
    // Nothing of it is public.
    says(&site.get("/spring-launch").await.expect(404), PUBLISHED_LATER);
    assert_eq!(
        site.with("accept-encoding", "br").get(&path).await.expect(200).header("content-encoding"),
        Some("br")
    );
    assert!(site.send("HEAD", &path, None).await.expect(200).bytes.is_empty());
}

#[tokio::test]
async fn a_preview_follows_its_version_and_outlives_its_being_live() {
    let (app, site, at, version) = scene().await;
    app.write_versions().await;
    let client = app.client();
    let (path, _) = link(&client, &version, &json!({})).await;
    let hero = json!({ "blocks": [{ "type": "hero", "blockId": "b", "title": "Edited words" }] });
    client.send("PUT", &format!("{version}/content"), Some(hero.to_string().into_bytes())).await.expect(200);
    assert!(site.get(&path).await.expect(200).text().contains("Edited words"));
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    assert!(site.get(&path).await.expect(200).text().contains("Preview of version 1."));
    let next = client.post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    app.write_versions().await;
    let next = format!("{at}/versions/{}", next["versionId"].as_str().unwrap());
    client.post(&format!("{next}/publish"), &json!({})).await.expect(200);
    assert!(site.get(&path).await.expect(200).text().contains("Preview of version 1."));
    assert!(!site.get("/spring-launch").await.expect(200).text().contains("Edited words"));
    client.delete(at.split("/audiences").next().unwrap()).await.expect(200);
    says(&site.get(&path).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_link_ends_and_cannot_be_made_to_last() {
    let (app, site, _, version) = scene().await;
    app.write_versions().await;
    let (path, ends) = link(&app.client(), &version, &json!({ "expiresIn": 60 })).await;
    assert_eq!(ends, "2026-03-01T12:01:00.000Z");
    app.advance(Duration::from_secs(59));
    site.get(&path).await.expect(200);
    app.advance(Duration::from_secs(1));
    says(&site.get(&path).await.expect(410), ENDED);
    let (longer, _) = link(&app.client(), &version, &json!({ "expiresIn": 604_800 })).await;
    app.advance(Duration::from_secs(604_799));
    site.get(&longer).await.expect(200);
    for expires_in in [0, 59, 604_801] {
        let body = json!({ "expiresIn": expires_in });
        let issues = app.client().post(&format!("{version}/preview"), &body).await.issues();
        assert_eq!(issues[0].1, "expiresIn");
    }
    // A later end with the signature of an earlier one.
    let (place, end) = path.rsplit_once('/').unwrap();
    let signature = end.split_once('-').unwrap().1;
    says(&site.get(&format!("{place}/1999999999-{signature}")).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_link_that_was_changed_or_taken_elsewhere_opens_nothing() {
    let (app, site, at, version) = scene().await;
    app.write_versions().await;
    let (path, _) = link(&app.client(), &version, &json!({})).await;
    let other = app.client().post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    let own = version.rsplit_once('/').unwrap().1;
    let moved = path.replace(own, other["versionId"].as_str().unwrap());
    let upper = path.to_uppercase();
    for changed in
        [&moved, &upper, &format!("{path}x"), &format!("{path}/"), &path[..path.len() - 1].to_owned()]
    {
        says(&site.get(changed).await.expect(404), NOT_HERE);
    }
    app.stranger().await;
    says(&visitor(&app, "globex.localhost:8080").get(&path).await.expect(404), NOT_HERE);
    // On the host of the API there is no such path.
    app.client().get(&path).await.expect(404).json();
    app.suspend("acme").await;
    says(&site.get(&path).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn asked_twice_under_one_key_there_is_one_link() {
    let (app, _, _, version) = scene().await;
    let client = app.client().with("idempotency-key", "preview-1");
    let first = client.post(&format!("{version}/preview"), &json!({})).await.expect(201);
    app.advance(Duration::from_secs(30));
    let again = client.post(&format!("{version}/preview"), &json!({})).await.expect(201);
    assert_eq!((again.bytes.clone(), again.header("idempotent-replayed")), (first.bytes, Some("true")));
}
