//! How messages are carried out: one after the other, by one worker at a time, and never twice.

use std::time::Duration;

use pagesmith_model::message::MessageState;
use pagesmith_operations::messages::runs::{self, Next};
use pagesmith_store::tables;
use pagesmith_testkit::database::is_postgres;
use pagesmith_worker::messages;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::Scene;

#[tokio::test]
async fn an_interruption_keeps_what_was_said_and_the_next_message_goes_on() {
    let scene = Scene::with_draft().await;
    scene.post("interrupt").await.expect(409);
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    scene.send(&json!({ "message": "Remove the text" })).await.expect(202);
    let body = json!({ "partialText": "I have" });
    scene.client.post(&format!("{}/messages/interrupt", scene.audience), &body).await.expect(200);
    scene.app.carry_messages_out().await;
    assert_eq!(scene.blocks().await, ["top", "faq"]);
    let told = scene.messages().await;
    let seen: Vec<(&Value, &Value)> = told.iter().map(|one| (&one["role"], &one["isInterrupted"])).collect();
    let (user, assistant) = (json!("user"), json!("assistant"));
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(seen, [(&user, &yes), (&user, &no), (&assistant, &yes), (&assistant, &no)]);
    assert_eq!(told[2]["content"], "I have");
    scene.post("interrupt").await.expect(409);
}

#[tokio::test]
async fn a_worker_whose_message_was_interrupted_keeps_nothing() {
    let scene = Scene::with_draft().await;
    let before = scene.content().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    let tools = scene.app.tools();
    let claimed = messages::claim(&tools, &mut Turns::default(), 1).await.unwrap().remove(0);
    scene.post("interrupt").await.expect(200);
    messages::carry_on(tools, claimed, watch::Sender::new(false).subscribe()).await;
    assert_eq!(scene.content().await, before);
    assert_eq!(scene.messages().await.len(), 1);
}

#[tokio::test]
async fn another_worker_goes_on_where_one_was_lost_and_nothing_is_done_twice() {
    let scene = Scene::with_draft().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    let tools = scene.app.tools();
    let lost = messages::claim(&tools, &mut Turns::default(), 1).await.unwrap().remove(0);
    scene.app.carry_messages_out().await;
    assert_eq!(scene.messages().await.len(), 1);
    scene.app.advance(runs::LEASE + Duration::from_secs(1));
    scene.app.carry_messages_out().await;
    assert_eq!((scene.messages().await.len(), scene.blocks().await.len()), (2, 2));
    // The one that was lost comes back.
    messages::carry_on(tools, lost, watch::Sender::new(false).subscribe()).await;
    assert_eq!(scene.messages().await.len(), 2);
}

#[tokio::test]
async fn a_message_over_which_workers_are_lost_ends_as_interrupted() {
    let scene = Scene::with_draft().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    for _ in 0..3 {
        assert_eq!(messages::claim(&scene.app.tools(), &mut Turns::default(), 1).await.unwrap().len(), 1);
        scene.app.advance(runs::LEASE + Duration::from_secs(1));
    }
    scene.app.carry_messages_out().await;
    assert_eq!(scene.messages().await[0]["isInterrupted"], true);
    scene.say("Remove the text").await;
    assert_eq!(scene.blocks().await, ["top", "faq"]);
}

#[tokio::test]
async fn a_message_that_arrives_while_a_worker_ends_the_run_is_carried_out() {
    // Transactions of the embedded database run one after the other.
    if !is_postgres() {
        return;
    }
    let scene = Scene::with_draft().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    let tools = scene.app.tools();
    let claimed = messages::claim(&tools, &mut Turns::default(), 1).await.unwrap().remove(0);
    let of = claimed.of.clone();
    let done = tools.store.write(move |tx| {
        let waiting = tables::messages::next_waiting(tx, &of.tenant, &of.audience_id)?.unwrap();
        let state = MessageState::Done;
        tx.run(tables::messages::set_state(&of.tenant, &of.audience_id, waiting.number, state)).map(drop)
    });
    done.await.unwrap();
    // The worker looks for another message, and one arrives before it has ended the run.
    let (begun, mut beginning) = tokio::sync::mpsc::unbounded_channel();
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let (ctx, of, store) =
        (tools.context().of(scene.app.tenant.clone()), claimed.clone(), tools.store.clone());
    let ending = tokio::spawn(async move {
        let mut is_first = true;
        store
            .write(move |tx| {
                tables::messages::runs::find(tx, &of.of.tenant, &of.of.audience_id)?;
                if std::mem::take(&mut is_first) {
                    begun.send(()).unwrap();
                    gate.recv().unwrap();
                }
                runs::next(tx, &ctx, &of)
            })
            .await
            .unwrap()
    });
    beginning.recv().await.unwrap();
    scene.send(&json!({ "message": "Remove the text" })).await.expect(202);
    go.send(()).unwrap();
    assert!(matches!(ending.await.unwrap(), Next::Turn(_)));
}

#[tokio::test]
async fn a_draft_that_somebody_changes_meanwhile_is_read_again() {
    let scene = Scene::with_draft().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    let tools = scene.app.tools();
    let claimed = messages::claim(&tools, &mut Turns::default(), 1).await.unwrap().remove(0);
    let (ctx, of) = (tools.context().of(scene.app.tenant.clone()), claimed.clone());
    let next = tools.store.write(move |tx| runs::next(tx, &ctx, &of)).await.unwrap();
    assert!(matches!(next, Next::Turn(_)));
    // The other owner edits by hand.
    let mut content = scene.content().await;
    content["blocks"][1]["markdown"] = json!("By hand");
    let version = scene.newest_version().await;
    scene
        .client
        .send("PUT", &format!("{version}/content"), Some(content.to_string().into_bytes()))
        .await
        .expect(200);
    messages::carry_on(tools, claimed, watch::Sender::new(false).subscribe()).await;
    let after = scene.content().await;
    assert_eq!(after["blocks"][1]["markdown"], "By hand");
    assert_eq!(after["blocks"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn many_messages_are_answered_in_their_order() {
    let scene = Scene::with_draft().await;
    assert_eq!(scene.say("Remove the text").await["hasSnapshot"], true);
    let sends = (0..110).map(|number| {
        let body = json!({ "message": format!("Change the headline to \"{number}\"") });
        let client = scene.client.clone();
        let path = format!("{}/messages", scene.audience);
        async move { client.post(&path, &body).await.expect(202) }
    });
    futures_util::future::join_all(sends).await;
    scene.app.carry_messages_out().await;
    let told = scene.messages().await;
    assert_eq!(told.len(), 222);
    // Of the oldest ones no snapshot is kept.
    assert_eq!((&told[1]["hasSnapshot"], &told[221]["hasSnapshot"]), (&json!(false), &json!(true)));
    let last = told[111]["content"].as_str().unwrap();
    assert!(last.contains(&format!("\"{}\"", scene.content().await["blocks"][0]["title"].as_str().unwrap())));
}

#[tokio::test]
async fn an_archived_audience_stays_readable_and_its_draft_as_it_was() {
    let scene = Scene::with_draft().await;
    scene.say("Remove the text").await;
    let before = scene.content().await;
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(202);
    scene.client.delete(&scene.audience).await.expect(200);
    scene.app.carry_messages_out().await;
    let told = scene.conversation().await;
    assert_eq!(told["messages"].as_array().unwrap().len(), 3);
    assert_eq!(told["messages"][2]["isInterrupted"], true);
    assert_eq!(scene.content().await, before);
    scene.send(&json!({ "message": "Remove the questions" })).await.expect(409);
    let message = &told["messages"][1];
    scene.revert(message, &message["blockChanges"][0]).await.expect(409);
    scene.client.post(&format!("{}/restore", scene.audience), &json!({})).await.expect(200);
    scene.say("Remove the questions").await;
    assert_eq!(scene.blocks().await, ["top"]);
}

#[tokio::test]
async fn a_page_that_was_never_written_is_said_to_be_none() {
    let scene = Scene::unwritten().await;
    let version = scene.newest_version().await;
    scene.client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    let answer = scene.say("Remove the questions").await;
    assert_eq!(answer["content"], "There is no page yet that could be changed.");
}
