//! Changes taken back, and the draft brought back to an earlier message.

use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn a_change_is_taken_back_once() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let said = scene.say("Remove the questions").await;
    let change = &said["blockChanges"][0];
    assert_eq!(scene.revert(&said, change).await.expect(200).json(), json!({ "success": true }));
    assert_eq!(scene.content().await, before);
    let told = scene.messages().await;
    assert_eq!(told[1]["blockChanges"][0]["status"], "reverted");
    assert_eq!((&told[2]["role"], &told[2]["hasSnapshot"]), (&json!("assistant"), &json!(true)));
    let again = scene.revert(&said, change).await.expect(409).json();
    assert_eq!(again["details"], json!({ "status": "reverted" }));
    scene.revert(&said, &json!({ "changeId": "change_00000000000000000000000000" })).await.expect(404);
}

#[tokio::test]
async fn what_stands_there_by_now_is_told_and_stays() {
    let scene = Scene::with_draft().await;
    let first = scene.say("Change the headline to \"One\"").await;
    scene.say("Change the headline to \"Two\"").await;
    let refused = scene.revert(&first, &first["blockChanges"][0]).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "found": "Two" }));
    scene.say("Remove the hero").await;
    let gone = scene.revert(&first, &first["blockChanges"][0]).await.expect(409).json();
    assert_eq!(gone["details"], json!({ "found": null }));
    let field = scene.say("Set the page title to \"T\"").await;
    scene.revert(&field, &field["changes"][0]).await.expect(200);
    let told = scene.conversation().await;
    assert_eq!((&told["context"]["currentMetaTitle"], &told["pendingChanges"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn a_change_that_is_live_is_taken_back_in_a_new_draft() {
    let scene = Scene::with_draft().await;
    let said = scene.say("Remove the questions").await;
    let live = scene.newest_version().await;
    scene.client.post(&format!("{live}/publish"), &json!({})).await.expect(200);
    scene.revert(&said, &said["blockChanges"][0]).await.expect(200);
    assert_ne!(scene.newest_version().await, live);
    assert_eq!(scene.blocks().await, ["top", "why", "faq"]);
    let of_live = scene.client.get(&format!("{live}/content")).await.expect(200).json();
    assert_eq!(of_live["blocks"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_message_takes_the_last_change_back_and_then_the_one_before() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    scene.say("Remove the questions").await;
    let between = scene.content().await;
    scene.say("Make the headline shorter").await;
    assert_ne!(scene.content().await, between);
    scene.say("undo the last one").await;
    assert_eq!(scene.content().await, between);
    scene.say("undo").await;
    assert_eq!(scene.content().await, before);
    let answer = scene.say("undo").await;
    assert_eq!(
        (&answer["content"], &answer["hasSnapshot"]),
        (&json!("There is nothing to take back."), &json!(false))
    );
}

#[tokio::test]
async fn the_draft_is_brought_back_without_buttons_whose_actions_are_gone() {
    let scene = Scene::with_draft().await;
    let said = scene.say("Set the page title to \"T\" and remove the questions").await;
    let id = said["messageId"].as_str().unwrap().to_owned();
    scene.say("Remove the text. Set the page title to \"U\".").await;
    scene.client.patch(&scene.page, &json!({ "actions": [] })).await.expect(200);
    let restored = scene.post(&format!("{id}/restore")).await.expect(200).json();
    assert_eq!(restored, json!({ "success": true, "messageId": id }));
    assert_eq!(scene.blocks().await, ["top", "why"]);
    assert_eq!(scene.content().await["blocks"][0].get("actionIds"), None);
    let told = scene.conversation().await;
    assert_eq!(told["context"]["currentMetaTitle"], "T");
    let statuses: Vec<&Value> = [1, 3].map(|at| &told["messages"][at]["changes"][0]["status"]).to_vec();
    assert_eq!(statuses, ["applied", "reverted"]);
    let user = told["messages"][0]["messageId"].as_str().unwrap();
    scene.post(&format!("{user}/restore")).await.expect(409);
}

#[tokio::test]
async fn a_restored_draft_has_the_changes_again_that_were_taken_back_later() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let first = scene.say("Change the headline to \"One\"").await;
    let between = scene.content().await;
    let second = scene.say("Change the headline to \"Two\" and remove the questions").await;
    let after = scene.content().await;
    scene.say("undo").await;
    scene.revert(&first, &first["blockChanges"][0]).await.expect(200);
    assert_eq!(scene.content().await, before);
    let taken_back = scene.messages().await.pop().unwrap();

    let id = |message: &Value| message["messageId"].as_str().unwrap().to_owned();
    scene.post(&format!("{}/restore", id(&second))).await.expect(200);
    assert_eq!(scene.content().await, after);
    assert_eq!(scene.statuses().await, ["applied", "applied", "applied"]);
    // What is in the draft again can be taken back again, by a message and by hand.
    scene.say("undo").await;
    assert_eq!(scene.content().await, between);
    assert_eq!(scene.statuses().await, ["applied", "reverted", "reverted"]);
    scene.revert(&first, &first["blockChanges"][0]).await.expect(200);
    assert_eq!(scene.content().await, before);

    // A draft from when both were taken back has neither, whatever was restored between.
    scene.post(&format!("{}/restore", id(&second))).await.expect(200);
    scene.post(&format!("{}/restore", id(&taken_back))).await.expect(200);
    assert_eq!(scene.content().await, before);
    assert_eq!(scene.statuses().await, ["reverted", "reverted", "reverted"]);
}
