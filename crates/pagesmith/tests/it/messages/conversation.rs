//! What is said, what is answered, and what becomes of the page.

use pagesmith_model::message::{Message, MessageState, Role};
use pagesmith_model::{AudienceId, MessageId};
use pagesmith_store::Tx;
use pagesmith_store::tables::messages;
use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn a_message_changes_the_draft_and_is_answered() {
    let scene = Scene::with_draft().await;
    let empty = scene.client.get(&format!("{}/messages", scene.audience)).await.expect(200).json();
    assert_eq!((&empty["conversation"], &empty["messages"]), (&Value::Null, &json!([])));
    let sent = json!({ "message": "Remove the questions. Set the page title to \"Ledgerly\".", "clientMessageId": "m-1" });
    let accepted = scene.send(&sent).await.expect(202).json();
    assert_eq!((&accepted["accepted"], &accepted["clientMessageId"]), (&json!(true), &json!("m-1")));
    assert!(scene.newest_version().await.ends_with(accepted["versionId"].as_str().unwrap()));
    let run = scene.client.get(&format!("{}/messages/active_run", scene.audience)).await.expect(200).json();
    assert_eq!(run["messagesProcessed"], 0);
    scene.app.carry_messages_out().await;
    let run = scene.client.get(&format!("{}/messages/active_run", scene.audience)).await.expect(200).json();
    assert_eq!(run, Value::Null);
    assert_eq!(scene.blocks().await, ["top", "why"]);
    let mut told = scene.conversation().await;
    let last = &mut told["messages"][1];
    for change in ["changes", "blockChanges"] {
        assert!(last[change][0]["changeId"].as_str().unwrap().starts_with("change_"));
        last[change][0]["changeId"] = json!("change");
    }
    told["pendingChanges"][0]["changeId"] = json!("change");
    insta::assert_snapshot!(format!("{told:#}"));
    // Strict clients of the contract see nothing of blocks.
    let plain = scene.client.get(&format!("{}/messages", scene.audience)).await.expect(200).json();
    assert!(plain["messages"][1].get("blockChanges").is_none());
    scene.client.get(&format!("{}/messages?include=x", scene.audience)).await.expect(400);
}

#[tokio::test]
async fn the_same_name_sends_nothing_and_another_message_under_it_is_refused() {
    let scene = Scene::with_draft().await;
    let body = json!({ "message": "Remove the questions.", "clientMessageId": "m" });
    let first = scene.send(&body).await.expect(202).json();
    scene.app.carry_messages_out().await;
    assert_eq!(scene.send(&body).await.expect(202).json(), first);
    scene.send(&json!({ "message": "Another.", "clientMessageId": "m" })).await.expect(409);
    assert_eq!(scene.messages().await.len(), 2);
}

#[tokio::test]
async fn messages_wait_while_the_first_version_is_written() {
    let scene = Scene::unwritten().await;
    scene.send(&json!({ "message": "Change the headline to \"Mine\"." })).await.expect(202);
    scene.app.carry_messages_out().await;
    assert_eq!(scene.messages().await.len(), 1);
    scene.app.write_versions().await;
    scene.app.advance(std::time::Duration::from_secs(1));
    scene.app.carry_messages_out().await;
    assert_eq!(scene.messages().await.len(), 2);
    assert_eq!(scene.content().await["blocks"][0]["title"], "Mine");
}

#[tokio::test]
async fn a_published_page_is_changed_in_a_copy() {
    let scene = Scene::with_draft().await;
    let live = scene.newest_version().await;
    scene.client.post(&format!("{live}/publish"), &json!({})).await.expect(200);
    let before = scene.client.get(&format!("{live}/content")).await.expect(200).json();
    let accepted = scene.send(&json!({ "message": "Remove the questions." })).await.expect(202).json();
    let draft = scene.newest_version().await;
    assert!(draft.ends_with(accepted["versionId"].as_str().unwrap()) && draft != live);
    assert_eq!(scene.client.get(&draft).await.expect(200).json()["status"], "draft");
    scene.app.carry_messages_out().await;
    assert_eq!(scene.blocks().await, ["top", "why"]);
    assert_eq!(scene.client.get(&format!("{live}/content")).await.expect(200).json(), before);
    // A second message works on the same draft.
    scene.say("Put the questions first").await;
    assert_eq!(scene.newest_version().await, draft);
}

#[tokio::test]
async fn what_is_ambiguous_or_not_understood_changes_nothing() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    for text in ["make it nicer", "<script>alert(1)</script>", "删除这个", "\u{202e}x", "remove the logos"]
    {
        let answer = scene.say(text).await;
        assert_eq!((&answer["role"], &answer["changes"]), (&json!("assistant"), &Value::Null), "{text}");
        assert_eq!((&answer["hasSnapshot"], &answer["blockChanges"]), (&json!(false), &json!([])), "{text}");
    }
    assert_eq!(scene.content().await, before);
}

#[tokio::test]
async fn a_selection_bounds_what_may_change() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let selected = json!({ "blockId": "why", "elementId": "e", "elementType": "text", "blockTitle": "Why", "content": null });
    let body = |text: &str| json!({ "message": text, "selectedElement": selected });
    scene.send(&body("remove the questions")).await.expect(202);
    scene.app.carry_messages_out().await;
    assert_eq!(scene.content().await, before);
    scene.send(&body("change the title to \"Because\"")).await.expect(202);
    scene.app.carry_messages_out().await;
    let after = scene.content().await;
    assert_eq!(after["blocks"][1]["title"], "Because");
    assert_eq!((&after["blocks"][0], &after["blocks"][2]), (&before["blocks"][0], &before["blocks"][2]));
}

#[tokio::test]
async fn long_messages_are_taken_and_longer_ones_refused() {
    let scene = Scene::with_draft().await;
    let answer = scene.say(&"<b>".repeat(16_666)).await;
    assert_eq!(answer["role"], "assistant");
    scene.send(&json!({ "message": "x".repeat(50_001) })).await.expect(400);
    scene.send(&json!({ "message": "" })).await.expect(400);
}

#[tokio::test]
async fn what_goes_live_is_written_to_the_audience() {
    let scene = Scene::with_draft().await;
    let said = scene
        .say("Set the page title to \"Ledgerly\" and remove the questions. Add forecasts to the keywords.")
        .await;
    assert_eq!(said["changes"].as_array().unwrap().len(), 2);
    let version = scene.newest_version().await;
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["metadataOverride"], Value::Null);
    scene.client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["metadataOverride"], json!({ "title": "Ledgerly", "keywords": ["forecasts"] }));
    let told = scene.conversation().await;
    assert_eq!(told["conversation"]["publishedMessageId"], said["messageId"]);
    assert_eq!(told["pendingChanges"], json!([]));
    assert_eq!(told["messages"][1]["changes"][0]["status"], "saved");
    assert_eq!(told["messages"][1]["blockChanges"][0]["status"], "saved");
    assert_eq!(told["context"]["currentMetaTitle"], "Ledgerly");
}

#[tokio::test]
async fn other_readers_have_the_page_written_anew() {
    let scene = Scene::with_draft().await;
    let said = scene.say("This is for CFOs now").await;
    assert_eq!(said["changes"][0]["newValue"], "CFOs");
    let version = scene.client.get(&scene.newest_version().await).await.expect(200).json();
    assert_eq!((&version["status"], &version["supplementaryContext"]), (&json!("queued"), &json!("CFOs")));
    // What is said meanwhile waits for it.
    scene.send(&json!({ "message": "Change the headline to \"Mine\"." })).await.expect(202);
    scene.app.carry_messages_out().await;
    scene.app.write_versions().await;
    scene.app.advance(std::time::Duration::from_secs(1));
    scene.app.carry_messages_out().await;
    assert_eq!(scene.content().await["blocks"][0]["title"], "Mine");
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["supplementaryContext"], "Engineers");
    let newest = scene.newest_version().await;
    scene.client.post(&format!("{newest}/publish"), &json!({})).await.expect(200);
    let audience = scene.client.get(&scene.audience).await.expect(200).json();
    assert_eq!(audience["supplementaryContext"], "CFOs");
}

#[tokio::test]
async fn a_conversation_shows_its_newest_messages_within_four_megabytes() {
    const SHOWN: usize = 4 * 1024 * 1024;
    /// As long as a message may be.
    const LENGTH: usize = 50_000;
    let scene = Scene::with_draft().await;
    let tenant = scene.app.tenant.clone();
    let audience = AudienceId::parse(scene.audience.rsplit('/').next().unwrap()).unwrap();
    let platform = scene.app.platform.clone();
    let fill = move |tx: &mut Tx<'_>| {
        let context = platform.context();
        for number in 1..=100_u32 {
            let message = Message {
                number: number.into(),
                message_id: MessageId::mint(context.uuid()?),
                role: Role::User,
                actor: None,
                content: format!("{number:05}{}", "x".repeat(LENGTH - 5)),
                client_message_id: Some(format!("m-{number}")),
                selection: None,
                state: MessageState::Done,
                version_id: None,
                changes: None,
                reasons: None,
                usage: None,
                has_snapshot: false,
                created_at: context.now,
            };
            tx.run(messages::insert(&tenant, &audience, &message, None))?;
        }
        Ok(())
    };
    scene.app.store.write(fill).await.unwrap();
    let answer = scene.client.get(&format!("{}/messages", scene.audience)).await.expect(200);
    let told = answer.json();
    let numbers = told["messages"].as_array().unwrap().iter();
    let numbers = numbers.map(|message| message["content"].as_str().unwrap()[..5].parse().unwrap());
    let numbers: Vec<usize> = numbers.collect();
    // The newest ones without a gap, in their order, and as many as there is room for.
    let most = SHOWN / LENGTH;
    assert_eq!(numbers.last(), Some(&100));
    assert!(numbers.is_sorted_by(|one, next| one + 1 == *next), "{numbers:?}");
    assert!((most - 2..=most).contains(&numbers.len()), "{} of {most}", numbers.len());
    assert!(answer.bytes.len() < SHOWN + LENGTH, "{}", answer.bytes.len());
    // The others are before them.
    let first = told["messages"][0]["messageId"].as_str().unwrap();
    let before = scene.client.get(&format!("{}/messages?before={first}", scene.audience)).await;
    let before = before.expect(200).json()["messages"].as_array().unwrap().clone();
    let content = |message: &Value| message["content"].as_str().unwrap()[..5].parse::<usize>().unwrap();
    assert_eq!((content(&before[0]), before.len() + numbers.len()), (1, 100));
    assert_eq!(content(before.last().unwrap()) + 1, numbers[0]);
    let oldest = before[0]["messageId"].as_str().unwrap();
    let none = scene.client.get(&format!("{}/messages?before={oldest}", scene.audience)).await;
    assert_eq!(none.expect(200).json()["messages"], json!([]));
    for (before, status) in [("message_01jpbz8n4xf5k9w2d7hq3mv6ta", 404), ("x", 400), ("", 400)] {
        scene.client.get(&format!("{}/messages?before={before}", scene.audience)).await.expect(status);
    }
}

#[tokio::test]
async fn pending_changes_are_told_however_much_was_said_since() {
    let scene = Scene::with_draft().await;
    scene.say("Set the page title to \"T\"").await;
    let first = scene.messages().await[0]["messageId"].as_str().unwrap().to_owned();
    let told = scene.client.get(&format!("{}/messages?before={first}", scene.audience)).await;
    let told = told.expect(200).json();
    assert_eq!((&told["messages"], &told["pendingChanges"][0]["newValue"]), (&json!([]), &json!("T")));
}
