//! The draft edited by hand, with the operations that an editor makes.

use pagesmith_testkit::Answer;
use serde_json::{Value, json};

use super::Scene;

impl Scene {
    async fn edit(&self, operations: Value) -> Answer {
        let body = json!({ "operations": operations });
        self.client.post(&format!("{}/messages/edits", self.audience), &body).await
    }
}

/// Code and path of each issue of a refused request.
fn issues(refused: &Value) -> Vec<(String, String)> {
    let parts = refused["details"].as_array().unwrap().iter();
    let issues = parts.flat_map(|part| part["issues"].as_array().unwrap());
    let told = |issue: &Value| {
        let path = issue["path"].as_array().unwrap().iter();
        let path = path.map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned));
        (issue["code"].as_str().unwrap().to_owned(), path.collect::<Vec<_>>().join("."))
    };
    issues.map(told).collect()
}

fn issue(code: &str, path: &str) -> (String, String) {
    (code.to_owned(), path.to_owned())
}

#[tokio::test]
async fn an_edit_is_a_message_of_the_conversation_and_is_taken_back_as_a_whole() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let edit = json!({
        "reason": "Before the fair",
        "operations": [
            { "operation": "set", "blockId": "top", "path": "/title", "from": "Really simple forecasts for teams", "to": "Forecasts" },
            { "operation": "insert", "block": { "type": "text", "markdown": "New." }, "after": "top" },
            { "operation": "move", "blockId": "faq", "from": "why", "to": null },
            { "operation": "remove", "block": { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." }, "after": "text" },
            { "operation": "setHead", "field": "title", "to": "A title" },
        ],
    });
    let edited =
        scene.client.post(&format!("{}/messages/edits", scene.audience), &edit).await.expect(200).json();
    assert_eq!(scene.blocks().await, ["faq", "top", "text"]);
    assert_eq!(scene.content().await["blocks"][1]["title"], "Forecasts");
    assert_eq!(edited["blockChanges"].as_array().unwrap().len(), 4);
    assert_eq!(edited["changes"][0]["newValue"], "A title");
    let told = scene.messages().await.pop().unwrap();
    assert_eq!((&told["content"], &told["hasSnapshot"]), (&json!("Before the fair"), &json!(true)));
    assert_eq!((&told["messageId"], &told["blockChanges"]), (&edited["messageId"], &edited["blockChanges"]));
    let history =
        scene.client.get(&format!("{}/history", scene.newest_version().await)).await.expect(200).json();
    assert_eq!(history["items"][0]["action"], "edited");
    assert!(history["items"][0]["actor"].as_str().unwrap().starts_with("key_"), "{history}");

    let id = edited["messageId"].as_str().unwrap();
    assert_eq!(scene.post(&format!("{id}/revert")).await.expect(200).json(), json!({ "success": true }));
    assert_eq!(scene.content().await, before);
    assert_eq!(scene.conversation().await["context"]["currentMetaTitle"], Value::Null);
    let again = scene.post(&format!("{id}/revert")).await.expect(409).json();
    assert_eq!(again["details"], json!({ "status": "reverted" }));
    // The snapshot of the edit can still be gone back to.
    scene.post(&format!("{id}/restore")).await.expect(200);
    assert_eq!(scene.blocks().await, ["faq", "top", "text"]);
    scene.say("undo").await;
}

#[tokio::test]
async fn what_somebody_else_has_changed_is_a_conflict_and_nothing_is_done() {
    let scene = Scene::with_draft().await;
    scene.say("Change the headline to \"Theirs\"").await;
    let before = scene.content().await;
    let set = |from: &str| json!({ "operation": "set", "blockId": "top", "path": "/title", "from": from, "to": "Mine" });
    let remove = json!({ "operation": "move", "blockId": "faq", "from": "why", "to": "top" });
    let refused =
        scene.edit(json!([remove, set("Really simple forecasts for teams")])).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "operation": 1, "found": "Theirs" }));
    let gone = json!({ "operation": "set", "blockId": "gone", "path": "/title", "to": "Mine" });
    let refused = scene.edit(json!([gone])).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "operation": 0, "found": null }));
    let taken =
        json!({ "operation": "insert", "block": { "type": "text", "blockId": "why", "markdown": "x" } });
    scene.edit(json!([taken])).await.expect(409);
    assert_eq!((scene.content().await, scene.messages().await.len()), (before, 2));
    scene.edit(json!([set("Theirs")])).await.expect(200);
}

#[tokio::test]
async fn a_block_that_would_break_a_rule_is_refused_at_its_place() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let set =
        |path: &str, to: Value| json!([{ "operation": "set", "blockId": "top", "path": path, "to": to }]);
    let title = |to: Value| json!([{ "operation": "set", "blockId": "top", "path": "/title", "from": "Really simple forecasts for teams", "to": to }]);
    let image = json!({ "url": "javascript:alert(1)", "altText": "" });
    let cases = [
        (title(json!("x".repeat(301))), issue("too_long", "operations.0.to")),
        (title(json!(7)), issue("invalid_type", "operations.0.to")),
        (
            json!([{ "operation": "set", "blockId": "top", "path": "/title", "from": "Really simple forecasts for teams" }]),
            issue("required", "operations.0.to"),
        ),
        (title(json!("Really simple forecasts for teams")), issue("invalid_value", "operations.0.to")),
        (set("/nothing", json!("x")), issue("unrecognized_key", "operations.0.to")),
        (set("/image", image), issue("invalid_format", "operations.0.to.url")),
        (
            set("/image", json!({ "assetId": "asset_01jpbz8n4xf5k9w2d7hq3mv6ta" })),
            issue("unknown_reference", "operations.0.to.assetId"),
        ),
        (
            json!([{ "operation": "set", "blockId": "top", "path": "/actionIds", "from": ["demo"], "to": ["demo", "gone"] }]),
            issue("unknown_reference", "operations.0.to.1"),
        ),
        (
            json!([{ "operation": "insert", "block": { "type": "hero", "title": "" } }]),
            issue("too_short", "operations.0.block.title"),
        ),
        (
            json!([{ "operation": "insert", "block": { "type": "hero", "title": "A", "actionIds": ["gone"] } }]),
            issue("unknown_reference", "operations.0.block.actionIds.0"),
        ),
        (json!([]), issue("too_short", "operations")),
        (json!([{ "operation": "paint" }]), issue("invalid_value", "operations.0.operation")),
    ];
    for (operations, expected) in cases {
        let refused = scene.edit(operations.clone()).await.expect(400).json();
        assert!(issues(&refused).contains(&expected), "{operations}: {refused}");
    }
    // Every broken rule is told at once.
    let two = json!([
        { "operation": "set", "blockId": "why", "path": "/title", "from": "Why", "to": "x".repeat(301) },
        { "operation": "insert", "block": { "type": "text", "markdown": "x", "blockId": "new" }, "after": "why" },
        { "operation": "set", "blockId": "new", "path": "/title", "to": "" },
    ]);
    let refused = scene.edit(two).await.expect(400).json();
    assert_eq!(
        issues(&refused),
        [issue("too_long", "operations.0.to"), issue("too_short", "operations.2.to")]
    );
    // A block that names what is gone meanwhile can be changed elsewhere.
    scene.client.patch(&scene.page, &json!({ "actions": [] })).await.expect(200);
    assert_eq!(scene.content().await, before);
    scene.edit(title(json!("Forecasts"))).await.expect(200);
}

#[tokio::test]
async fn a_published_version_is_never_changed() {
    let scene = Scene::with_draft().await;
    let live = scene.newest_version().await;
    scene.client.post(&format!("{live}/publish"), &json!({})).await.expect(200);
    let moved = json!([{ "operation": "move", "blockId": "faq", "from": "why", "to": "top" }]);
    let edited = scene.edit(moved.clone()).await.expect(200).json();
    assert!(!live.ends_with(edited["versionId"].as_str().unwrap()));
    let of_live = scene.client.get(&format!("{live}/content")).await.expect(200).json();
    assert_eq!(of_live["blocks"][1]["blockId"], "why");
    assert_eq!(scene.blocks().await, ["top", "faq", "why"]);
    scene.client.delete(&scene.audience).await.expect(200);
    scene.edit(moved).await.expect(409);
}

#[tokio::test]
async fn as_long_as_nothing_is_written_nothing_can_be_edited() {
    let scene = Scene::unwritten().await;
    let set = json!([{ "operation": "setHead", "field": "title", "to": "T" }]);
    scene.edit(set).await.expect(409);
}
