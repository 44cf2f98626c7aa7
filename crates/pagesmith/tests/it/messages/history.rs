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
async fn versions_compared_tell_the_fields_of_a_draft() {
    let scene = Scene::with_draft().await;
    let live = scene.newest_version().await;
    scene.client.post(&format!("{live}/publish"), &json!({})).await.expect(200);
    scene.say("Set the page title to \"One fox\". This is for CFOs too.").await;
    scene.app.write_versions().await;
    scene.app.advance(std::time::Duration::from_secs(1));
    scene.say("Remove the keywords").await;
    let versions =
        scene.client.get(&format!("{}/versions", scene.audience)).await.expect(200).json()["items"].clone();
    let between = async |from: &Value, to: &Value| {
        let (from, to) = (from["versionId"].as_str().unwrap(), to["versionId"].as_str().unwrap());
        let path = format!("{}/versions/{from}/diff/{to}", scene.audience);
        scene.client.get(&path).await.expect(200).json()
    };
    let (draft, former, live) = (&versions[0], &versions[1], &versions[2]);
    // Both drafts have the title; only the content of the newer one was generated again.
    let told = between(live, former).await;
    assert_eq!(
        told["fields"],
        json!([
            { "path": "/metaTitle", "before": null, "after": "One fox", "words": null },
            { "path": "/supplementaryContext", "before": "Engineers", "after": "Engineers\nCFOs",
              "words": [{ "kind": "kept", "text": "Engineers" }, { "kind": "added", "text": "\nCFOs" }] },
        ])
    );
    assert_eq!((&told["isSame"], &told["blocks"]), (&json!(false), &json!([])));
    assert_eq!(between(former, draft).await["fields"], json!([]));
    // What is live has the fields of the audience.
    let path = format!("{}/versions/{}/publish", scene.audience, draft["versionId"].as_str().unwrap());
    scene.client.post(&path, &json!({})).await.expect(200);
    assert_eq!(between(live, draft).await["fields"], json!([]));
}

#[tokio::test]
async fn a_draft_that_is_restored_has_its_fields_again() {
    let scene = Scene::with_draft().await;
    scene.say("Set the description to \"D2\". Remove the questions.").await;
    let former = scene.newest_version().await;
    let restored = scene.client.post(&format!("{former}/restore"), &json!({})).await.expect(201).json();
    let id = restored["versionId"].as_str().unwrap();
    let told = scene.client.get(&format!("{former}/diff/{id}")).await.expect(200).json();
    assert_eq!((&told["isSame"], &told["fields"]), (&json!(true), &json!([])));
    let told = scene.conversation().await;
    assert_eq!(told["pendingChanges"][0]["newValue"], "D2");
    scene.client.post(&format!("{}/publish", scene.newest_version().await), &json!({})).await.expect(200);
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["metadataOverride"]["description"], "D2");
}

#[tokio::test]
async fn what_is_selected_within_a_block_is_what_is_changed() {
    let scene = Scene::with_draft().await;
    for (selected, message, title) in [
        (
            json!({ "blockId": "why", "elementId": "p", "elementType": "text", "blockTitle": null,
                "content": null, "selectedText": "are guesses" }),
            "Change this to \"Plans hold.\"",
            "Why",
        ),
        // A client that knows nothing but what the element says.
        (
            json!({ "blockId": "why", "elementId": "h2", "elementType": "heading", "blockTitle": "Why",
                "content": "Why", "componentIndex": 7 }),
            "Change this to \"Why not\"",
            "Why not",
        ),
    ] {
        scene.send(&json!({ "message": message, "selectedElement": selected })).await.expect(202);
        scene.app.carry_messages_out().await;
        let block = scene.content().await["blocks"][1].clone();
        assert_eq!((&block["title"], &block["markdown"]), (&json!(title), &json!("Plans hold.")));
    }
}

#[tokio::test]
async fn one_message_takes_back_several_changes() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    scene.say("Remove the questions").await;
    scene.say("Make the headline shorter").await;
    let answer = scene.say("Undo. And undo the one before as well.").await;
    assert_eq!(scene.content().await, before, "{answer}");
    assert_eq!(scene.statuses().await, ["reverted", "reverted"]);
    // What a message does itself and takes back is no change.
    let answer = scene.say("Remove the questions. No, undo that.").await;
    assert_eq!((scene.content().await, &answer["blockChanges"]), (before, &json!([])), "{answer}");
}

#[tokio::test]
async fn whoever_takes_other_readers_back_has_the_former_page_again() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    for way in ["undo", "revert", "later"] {
        let said = scene.say("Change the headline to \"Mine\". This is for CFOs now.").await;
        scene.app.write_versions().await;
        let written = scene.content().await;
        assert_eq!(scene.conversation().await["context"]["currentSupplementaryContext"], "CFOs");
        assert_ne!(written, before);
        match way {
            "undo" => drop(scene.say("Take that back").await),
            "revert" => {
                // One after the other: what the headline was has no place on the new page.
                scene.revert(&said, &said["blockChanges"][0]).await.expect(409);
                let id = said["messageId"].as_str().unwrap();
                scene.post(&format!("{id}/revert")).await.expect(200);
            }
            _ => {
                // What was changed since goes first.
                scene.say("Change the headline to \"Later\"").await;
                let id = said["messageId"].as_str().unwrap();
                scene.post(&format!("{id}/revert")).await.expect(409);
                scene.say("undo").await;
                assert_eq!(scene.content().await, written);
                scene.say("undo").await;
            }
        }
        assert_eq!(scene.content().await, before, "{way}");
        assert_eq!(scene.conversation().await["context"]["currentSupplementaryContext"], "Engineers");
        assert_eq!(scene.conversation().await["pendingChanges"], json!([]));
    }
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

#[tokio::test]
async fn a_draft_is_brought_back_to_before_a_publication_with_its_fields() {
    let scene = Scene::with_draft().await;
    let first = scene.say("Set the page title to \"One\"").await;
    let before = scene.say("Remove the questions").await;
    scene.say("Set the page title to \"Two\". Set the description to \"Live\".").await;
    let live = scene.newest_version().await;
    scene.client.post(&format!("{live}/publish"), &json!({})).await.expect(200);
    scene.post(&format!("{}/restore", before["messageId"].as_str().unwrap())).await.expect(200);
    let told = scene.conversation().await;
    let context = &told["context"];
    assert_eq!(
        (&context["currentMetaTitle"], &context["currentMetaDescription"]),
        (&json!("One"), &Value::Null)
    );
    // What is live by now differs from the draft, and each difference is a change that can be taken back.
    let change = |field: &str, from: &str, to: Option<&str>| json!({ "field": field, "previousValue": from, "newValue": to, "status": "applied" });
    let mut pending = told["pendingChanges"].clone();
    for change in pending.as_array_mut().unwrap() {
        change.as_object_mut().unwrap().remove("changeId");
    }
    assert_eq!(
        pending,
        json!([change("metaTitle", "Two", Some("One")), change("metaDescription", "Live", None)])
    );
    // What was brought back is in the history, also where fields alone were.
    let entries = |history: Value| history["items"].as_array().unwrap().len();
    let history = format!("{}/history", scene.newest_version().await);
    let noted = entries(scene.client.get(&history).await.expect(200).json());
    scene.say("Set the page title to \"Three\"").await;
    scene.post(&format!("{}/restore", before["messageId"].as_str().unwrap())).await.expect(200);
    assert_eq!(entries(scene.client.get(&history).await.expect(200).json()), noted + 2);
    let restored = scene.messages().await.pop().unwrap();
    scene.revert(&restored, &restored["changes"][0]).await.expect(200);
    assert_eq!(scene.conversation().await["context"]["currentMetaTitle"], "Two");
    scene.post(&format!("{}/restore", first["messageId"].as_str().unwrap())).await.expect(200);
    let newest = scene.newest_version().await;
    scene.client.post(&format!("{newest}/publish"), &json!({})).await.expect(200);
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["metadataOverride"]["title"], "One");
    assert_eq!(scene.conversation().await["pendingChanges"], json!([]));
    assert_eq!(scene.blocks().await, ["top", "why", "faq"]);
}

#[tokio::test]
async fn what_comes_back_has_no_button_of_an_action_that_is_gone_and_other_blocks_stay() {
    for by_message in [false, true] {
        let scene = Scene::with_draft().await;
        let closing = json!({ "type": "call-to-action", "title": "Next", "actionIds": ["demo"] });
        let insert = json!({ "operations": [{ "operation": "insert", "block": closing, "after": "why" }] });
        scene.client.post(&format!("{}/messages/edits", scene.audience), &insert).await.expect(200);
        let said = scene.say("Remove the hero").await;
        scene.client.patch(&scene.page, &json!({ "actions": [] })).await.expect(200);
        let others = scene.content().await["blocks"].clone();
        if by_message {
            assert_eq!(scene.say("undo").await["hasSnapshot"], true);
        } else {
            scene.revert(&said, &said["blockChanges"][0]).await.expect(200);
        }
        let blocks = scene.content().await["blocks"].as_array().unwrap().clone();
        assert_eq!((&blocks[0]["blockId"], blocks[0].get("actionIds")), (&json!("top"), None));
        assert_eq!(json!(blocks[1..]), others);
        assert_eq!(scene.statuses().await, ["applied", "reverted"]);
    }
}

#[tokio::test]
async fn a_change_of_a_draft_that_another_has_taken_the_place_of_is_not_pending() {
    let scene = Scene::with_draft().await;
    scene.say("Set the page title to \"T\"").await;
    let older = scene.newest_version().await;
    assert_eq!(scene.conversation().await["pendingChanges"].as_array().unwrap().len(), 1);
    scene.client.post(&format!("{}/versions", scene.audience), &json!({})).await.expect(201);
    scene.app.write_versions().await;
    let told = scene.conversation().await;
    assert_eq!((&told["pendingChanges"], &told["context"]["currentMetaTitle"]), (&json!([]), &Value::Null));
    // Nor is it beside one of the newer draft.
    scene.say("Set the page title to \"New\"").await;
    let told = scene.conversation().await;
    let values: Vec<&Value> =
        told["pendingChanges"].as_array().unwrap().iter().map(|change| &change["newValue"]).collect();
    assert_eq!(values, ["New"]);
    // It goes live with its own draft.
    scene.client.post(&format!("{older}/publish"), &json!({})).await.expect(200);
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["metadataOverride"]["title"], "T");
}
