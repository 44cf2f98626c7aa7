//! What a version says: read, and given by hand.

use pagesmith_testkit::{Answer, fixtures};
use serde_json::{Value, json};

use super::{Scene, document};
use crate::audiences;

async fn put(scene: &Scene, path: &str, content: &Value) -> Answer {
    let body = content.to_string().into_bytes();
    scene.client.send("PUT", &format!("{path}/content"), Some(body)).await
}

#[tokio::test]
async fn a_draft_is_read_changed_and_read_again() {
    let scene = Scene::with_draft().await;
    let path = scene.path(1).await;
    scene.client.get(&format!("{path}/content")).await.expect(404);
    scene.write().await;
    let written = scene.get(&format!("{path}/content")).await;
    assert_eq!(written["format"], 1);
    let content = json!({ "blocks": [{ "type": "text", "markdown": "*Mine*" }] });
    let kept = put(&scene, &path, &content).await.expect(200).json();
    assert!(kept["blocks"][0]["blockId"].as_str().unwrap().starts_with("block_"));
    assert_eq!(scene.get(&format!("{path}/content")).await, kept);
    assert_eq!(scene.get(&path).await["status"], "draft");
}

#[tokio::test]
async fn only_drafts_and_cancelled_versions_can_be_changed() {
    let scene = Scene::start().await;
    let path = scene.path(1).await;
    let refused = async |path: &str, status: &str| {
        let refused = put(&scene, path, &document("x")).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "status": status }));
    };
    let second = scene.add().await;
    refused(&path, "queued").await;
    refused(&second, "pending").await;
    scene.write().await;
    let before = scene.get(&format!("{path}/content")).await;
    refused(&path, "published").await;
    scene.ask(&second, "publish").await;
    refused(&path, "archived").await;
    assert_eq!(scene.get(&format!("{path}/content")).await, before);
}

#[tokio::test]
async fn a_cancelled_version_that_is_given_content_can_be_published_at_once() {
    let scene = Scene::start().await;
    let path = scene.path(1).await;
    scene.ask(&path, "cancel").await;
    put(&scene, &path, &document("By hand")).await.expect(200);
    assert_eq!(scene.get(&path).await["status"], "cancelled");
    let published = scene.ask(&path, "publish").await;
    assert_eq!((&published["status"], &published["becameDraftAt"]), (&json!("published"), &Value::Null));
    assert_eq!(scene.get(&format!("{path}/content")).await["blocks"][0]["markdown"], "By hand");
}

#[tokio::test]
async fn a_change_of_what_was_not_seen_is_refused() {
    let scene = Scene::with_draft().await;
    let path = scene.path(1).await;
    let at = format!("{path}/content");
    scene.ask(&path, "cancel").await;
    let body = |words: &str| Some(document(words).to_string().into_bytes());
    let any = scene.client.clone().with("if-match", "*");
    any.send("PUT", &at, body("a")).await.expect(412);
    put(&scene, &path, &document("a")).await.expect(200);
    let tag = scene.client.get(&at).await.expect(200).header("etag").unwrap().to_owned();
    let seen = scene.client.clone().with("if-match", &tag);
    seen.send("PUT", &at, body("b")).await.expect(200);
    seen.send("PUT", &at, body("c")).await.expect(412);
    scene.client.clone().with("if-none-match", &tag).get(&at).await.expect(200);
    let tag = scene.client.get(&at).await.expect(200).header("etag").unwrap().to_owned();
    scene.client.clone().with("if-none-match", &tag).get(&at).await.expect(304);
}

#[tokio::test]
async fn a_document_that_breaks_rules_is_refused_with_all_of_them() {
    let scene = Scene::with_draft().await;
    let path = scene.path(1).await;
    scene.write().await;
    let before = scene.get(&format!("{path}/content")).await;
    let text = |id: &str| json!({ "type": "text", "blockId": id, "markdown": "x" });
    for (content, issues) in [
        (json!({}), vec![("required", "blocks")]),
        (json!({ "blocks": [{ "type": "popup" }] }), vec![("invalid_value", "blocks.0.type")]),
        (json!({ "blocks": [{ "markdown": "x" }] }), vec![("required", "blocks.0.type")]),
        (json!({ "blocks": [], "format": 2 }), vec![("invalid_value", "format")]),
        (json!({ "blocks": [], "html": "<p>" }), vec![("unrecognized_key", "html")]),
        (
            json!({ "blocks": [text("a"), text("a"), { "type": "hero", "title": "T", "actionIds": ["gone"] }] }),
            vec![("duplicate_value", "blocks.1.blockId"), ("unknown_reference", "blocks.2.actionIds.0")],
        ),
        (
            json!({ "blocks": [{ "type": "image", "image": { "url": "javascript:alert(1)", "altText": "" } }] }),
            vec![("invalid_format", "blocks.0.image.url")],
        ),
    ] {
        let told = put(&scene, &path, &content).await.issues();
        let told: Vec<(&str, &str)> =
            told.iter().map(|(code, path)| (code.as_str(), path.as_str())).collect();
        assert_eq!(told, issues, "{content}");
    }
    let many: Vec<Value> = (0..10_000).map(|number| text(&number.to_string())).collect();
    let told = put(&scene, &path, &json!({ "blocks": many })).await.issues();
    assert_eq!(told[0], ("too_long".to_owned(), "blocks".to_owned()));
    let large = "x".repeat(1024 * 1024);
    put(&scene, &path, &document(&large)).await.expect(413);
    assert_eq!(scene.get(&format!("{path}/content")).await, before);
}

#[tokio::test]
async fn actions_are_those_of_the_page() {
    let scene = Scene::with_draft().await;
    let page = audiences::page_of(&scene.client, &fixtures::full_page()).await;
    let audience = audiences::audience(&scene.client, &page, &json!({ "publishBehavior": "draft" })).await;
    scene.write().await;
    let version = scene.get(&audience).await["latestVersion"]["versionId"].as_str().unwrap().to_owned();
    let path = format!("{audience}/versions/{version}");
    let content =
        json!({ "blocks": [{ "type": "hero", "blockId": "h", "title": "T", "actionIds": ["book"] }] });
    put(&scene, &path, &content).await.expect(200);
    // A page may lose the action again: what is kept stays, and is drawn without it.
    scene.client.patch(&page, &json!({ "actions": [] })).await.expect(200);
    assert_eq!(scene.get(&format!("{path}/content")).await["blocks"][0]["actionIds"], json!(["book"]));
    put(&scene, &path, &content).await.expect(400);
}
