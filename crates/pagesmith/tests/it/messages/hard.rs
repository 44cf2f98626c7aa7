//! What nobody should send, and what comes all at once: the conversation stays readable, the draft valid, nothing is lost.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn messages_of_any_script_and_the_greatest_length_are_kept_as_they_are() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let long = ["削".repeat(50_000), "ab ".repeat(16_666), "\u{1f600}".repeat(50_000), "\"".repeat(50_000)];
    let strange = [
        "احذف الأسئلة",
        "ลบคำถาม",
        "प्रश्न हटाओ",
        "\u{200b}\u{200d}\u{feff}",
        "e\u{301}\u{301}\u{301}\u{301}",
        "\u{202e}snoitseuq eht evomer",
        "\u{fffd}\u{10ffff}",
        "<!-- --><![CDATA[x]]></p><p>&amp;&#0;",
        "\t\n \r\n",
        "' OR 1=1; DROP TABLE messages; --",
        "{\"blocks\":[]}",
    ];
    for text in strange.into_iter().map(str::to_owned).chain(long) {
        let answer = scene.say(&text).await;
        assert_eq!(answer["role"], "assistant");
        let told = scene.messages().await;
        assert_eq!(told[told.len() - 2]["content"], text);
    }
    assert_eq!(scene.content().await, before);
}

#[tokio::test]
async fn a_thousand_messages_at_once_are_taken_and_no_more() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    for hundred in 0..10 {
        let sends = (0..100).map(|number| {
            let body = json!({ "message": format!("Change the headline to \"{}\"", hundred * 100 + number) });
            let client = scene.client.clone();
            let path = format!("{}/messages", scene.audience);
            async move { client.post(&path, &body).await.expect(202) }
        });
        join_all(sends).await;
    }
    let refused = scene.send(&json!({ "message": "One more" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": 1_000 }));
    let told = scene.messages().await;
    let mut sent: Vec<&str> = told.iter().map(|one| one["content"].as_str().unwrap()).collect();
    sent.sort_unstable();
    sent.dedup();
    assert_eq!((told.len(), sent.len()), (1_000, 1_000));
    // Those that nobody will carry out stay readable.
    scene.client.delete(&scene.audience).await.expect(200);
    scene.app.carry_messages_out().await;
    let told = scene.messages().await;
    assert!(told.len() == 1_000 && told.iter().all(|one| one["isInterrupted"] == true));
    assert_eq!(scene.content().await, before);
}

#[tokio::test]
async fn a_thousand_messages_at_once_are_all_carried_out_in_their_order() {
    const COUNT: usize = 1_000;
    let scene = Scene::with_draft().await;
    let first_headline = scene.content().await["blocks"][0]["title"].clone();
    let sends = (0..COUNT).map(|number| {
        let body = json!({ "message": format!("Change the headline to \"{number}\"") });
        let (client, path) = (scene.client.clone(), format!("{}/messages", scene.audience));
        async move { client.post(&path, &body).await.expect(202) }
    });
    join_all(sends).await;
    let refused = scene.send(&json!({ "message": "One more" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": COUNT }));
    scene.app.carry_messages_out().await;

    let told = scene.messages().await;
    assert_eq!(told.len(), 2 * COUNT);
    assert!(told.iter().all(|one| one["isInterrupted"] == false));
    let (sent, answers): (Vec<&Value>, Vec<&Value>) = told.iter().partition(|one| one["role"] == "user");
    let wanted: Vec<&str> =
        sent.iter().map(|one| one["content"].as_str().unwrap().split('"').nth(1).unwrap()).collect();
    let every: BTreeSet<usize> = wanted.iter().map(|number| number.parse().unwrap()).collect();
    assert!(every.into_iter().eq(0..COUNT), "some are missing");
    // Each was carried out on what the one before it had left.
    let operations: Vec<&Value> = answers.iter().map(|one| &one["blockChanges"][0]["operation"]).collect();
    let made: Vec<&Value> = operations.iter().map(|operation| &operation["to"]).collect();
    assert_eq!(made, wanted);
    let found: Vec<&Value> = operations.iter().map(|operation| &operation["from"]).collect();
    assert_eq!((found[0], &found[1..]), (&first_headline, &made[..COUNT - 1]));
    assert_eq!(scene.content().await["blocks"][0]["title"], *made[COUNT - 1]);
}

#[tokio::test]
async fn of_two_owners_who_take_the_same_change_back_one_is_told_that_it_was_done() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let said = scene.say("Remove the questions").await;
    let change = &said["blockChanges"][0];
    let (one, other) = tokio::join!(scene.revert(&said, change), scene.revert(&said, change));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!((statuses, scene.content().await), ([200, 409], before));
    assert_eq!(scene.messages().await.len(), 3);
}

#[tokio::test]
async fn two_owners_at_once_are_answered_one_after_the_other_and_lose_nothing() {
    let scene = Scene::with_draft().await;
    let said = scene.say("Set the page title to \"T\"").await;
    let path = format!("{}/messages", scene.audience);
    let send = |text: &'static str| {
        let (client, path) = (scene.client.clone(), path.clone());
        async move { client.post(&path, &json!({ "message": text })).await.expect(202) }
    };
    let (_, _, reverted) = tokio::join!(
        send("Remove the questions"),
        send("Change the headline to \"Mine\""),
        scene.revert(&said, &said["changes"][0])
    );
    reverted.expect(200);
    scene.app.carry_messages_out().await;
    let told = scene.conversation().await;
    assert_eq!(told["messages"].as_array().unwrap().len(), 7);
    assert_eq!(told["context"]["currentMetaTitle"], Value::Null);
    assert_eq!(scene.blocks().await, ["top", "why"]);
    assert_eq!(scene.content().await["blocks"][0]["title"], "Mine");
}

#[tokio::test]
async fn a_block_whose_neighbour_is_gone_comes_back_only_where_it_belongs() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    let first = scene.say("Remove the questions").await;
    let second = scene.say("Remove the text").await;
    // The place of the questions is behind the text.
    let refused = scene.revert(&first, &first["blockChanges"][0]).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "found": null }));
    assert_eq!(scene.blocks().await, ["top"]);
    scene.revert(&second, &second["blockChanges"][0]).await.expect(200);
    scene.revert(&first, &first["blockChanges"][0]).await.expect(200);
    assert_eq!(scene.content().await, before);
    // What was inserted and changed since is not taken away with it.
    let added = scene.say("Add a question \"How long?\" with the answer \"One afternoon.\"").await;
    scene.say("Remove the question \"Q\"").await;
    let refused = scene.revert(&added, &added["blockChanges"][0]).await.expect(409).json();
    assert_eq!(refused["details"]["found"].as_array().unwrap().len(), 1);
}
