//! Who made a message, and why it changed what it changed.

use serde_json::{Value, json};

use super::Scene;
use pagesmith_model::key::Scope;
use pagesmith_testkit::Client;

async fn told(scene: &Scene, include: &str) -> Vec<Value> {
    let path = format!("{}/messages?include={include}", scene.audience);
    scene.client.get(&path).await.expect(200).json()["messages"].as_array().unwrap().clone()
}

#[tokio::test]
async fn messages_and_what_they_change_name_who_sent_them() {
    let scene = Scene::with_draft().await;
    let colleague: Client = scene.app.client_with(&scene.app.add_key("acme", Scope::Write).await);
    let path = format!("{}/messages", scene.audience);
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    colleague.post(&path, &json!({ "message": "Set the page title to \"T\"" })).await.expect(202);
    scene.app.carry_messages_out().await;
    let messages = told(&scene, "actor").await;
    let actors: Vec<&str> = messages.iter().map(|message| message["actor"].as_str().unwrap()).collect();
    let [mine, theirs, server, again] = actors[..] else { panic!("{actors:?}") };
    assert!(mine.starts_with("key_") && theirs.starts_with("key_") && mine != theirs, "{actors:?}");
    assert_eq!([server, again], ["server", "server"]);
    // A worker has changed the draft, in their names.
    let version = scene.newest_version().await;
    let history = scene.client.get(&format!("{version}/history")).await.expect(200).json();
    let edits = history["items"].as_array().unwrap().iter();
    let edits = edits.filter(|entry| entry["action"] == "edited-by-message");
    let edits: Vec<[&Value; 2]> = edits.map(|entry| [&entry["actor"], &entry["messageId"]]).collect();
    let [first, second] = [0, 1].map(|at| &messages[at]["messageId"]);
    assert_eq!(edits, [[&json!(theirs), second], [&json!(mine), first]]);
}

#[tokio::test]
async fn every_change_tells_its_reason() {
    let scene = Scene::with_draft().await;
    let said =
        scene.say("Remove the questions. Set the page title to \"T\". This is for CFOs in hospitals.").await;
    assert_eq!(said["blockChanges"][0]["reason"], "Remove the questions");
    let reason = |field: &str| {
        let changes = said["changes"].as_array().unwrap();
        let change = changes.iter().find(|change| change["field"] == field).unwrap();
        said["fieldReasons"][change["changeId"].as_str().unwrap()].clone()
    };
    assert_eq!(reason("metaTitle"), "Set the page title to \"T\"");
    assert_eq!(reason("supplementaryContext"), "This is for CFOs in hospitals");
    // A strict client of the contract sees neither reasons nor actors.
    let plain = scene.client.get(&format!("{}/messages", scene.audience)).await.expect(200).json();
    for message in plain["messages"].as_array().unwrap() {
        let known = ["messageId", "role", "content", "timestamp", "hasSnapshot", "changes", "isInterrupted"];
        assert!(message.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{message}");
    }
}
