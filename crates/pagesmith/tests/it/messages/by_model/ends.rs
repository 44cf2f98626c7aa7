//! How messages end before their models do: interrupted, archived, out of time, or with their worker.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::PersonId;
use pagesmith_model::agent::AgentKind;
use pagesmith_operations::messages::runs;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::model_server::Act;
use pagesmith_worker::messages::{self, TIME_LIMIT};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{Modelled, remove, set};
use crate::agent::models::KINDS;

/// One operation that is finished, and then nothing until the gate opens.
fn begun(gate: &Arc<Notify>) -> Vec<Act> {
    vec![
        Act::Says("I have removed"),
        remove("faq"),
        Act::Says(" the questions."),
        Act::Waits(Arc::clone(gate)),
        set("top", "/title", "Forecasts"),
    ]
}

const SAID: &str = "I have removed the questions.";

#[tokio::test]
async fn an_interruption_keeps_what_is_finished_and_what_was_said() {
    for (kind, shown) in KINDS.into_iter().zip([None, Some("I have rem")]) {
        let this = Modelled::start(kind).await;
        let before = this.scene.content().await;
        this.acts([begun(&Arc::default())]);
        this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
        let (worker, _stop) = this.begin().await;
        this.until(1, SAID).await;
        // Nothing of it is in the draft yet.
        assert_eq!(this.scene.content().await, before);
        let body = shown.map_or_else(|| json!({}), |shown| json!({ "partialText": shown }));
        let path = format!("{}/messages/interrupt", this.scene.audience);
        this.scene.client.post(&path, &body).await.expect(200);
        assert_eq!(this.scene.blocks().await, ["top", "why"]);
        let told = this.scene.messages().await;
        let [asked, answer] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((&asked["isInterrupted"], &answer["isInterrupted"]), (&json!(true), &json!(true)));
        assert_eq!(answer["content"], shown.unwrap_or(SAID));
        assert_eq!(answer["hasSnapshot"], true);
        // The model is left at the next beat, and what it has used counts.
        this.heartbeat.notify_one();
        this.model.wait_for_hang_ups(1).await;
        worker.await.unwrap();
        let (tries, tokens) = this.used().await;
        assert!(tries == 1 && tokens > 500, "{tries} {tokens}");
        assert_eq!(this.scene.messages().await.len(), 2);
        this.scene.revert(answer, &answer["blockChanges"][0]).await.expect(200);
        assert_eq!(this.scene.content().await, before);
    }
}

#[tokio::test]
async fn a_run_tells_how_many_messages_it_has_carried_out() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    this.acts([vec![Act::Says("It is fine as it is.")], begun(&Arc::default())]);
    for message in ["Is it fine?", "Tidy up", "And then?"] {
        this.scene.send(&json!({ "message": message })).await.expect(202);
    }
    let (worker, _stop) = this.begin().await;
    this.until(1, SAID).await;
    let path = format!("{}/messages/active_run", this.scene.audience);
    let run = this.scene.client.get(&path).await.expect(200).json();
    assert_eq!(run["messagesProcessed"], 1);
    let progress = this.progress().await;
    assert_eq!((&progress["waiting"], &progress["activeRun"]["messagesProcessed"]), (&json!(2), &json!(1)));
    worker.abort();
}

#[tokio::test]
async fn an_interruption_keeps_what_somebody_else_has_changed_meanwhile() {
    let this = Modelled::start(AgentKind::Anthropic).await;
    let gate = Arc::default();
    let mut acts = begun(&gate);
    acts.insert(0, set("top", "/title", "Forecasts for all teams"));
    this.acts([acts]);
    this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
    let (worker, _stop) = this.begin().await;
    this.until(2, SAID).await;
    let mut content = this.scene.content().await;
    content["blocks"][0]["title"] = json!("By hand");
    let version = this.scene.newest_version().await;
    let body = Some(content.to_string().into_bytes());
    this.scene.client.send("PUT", &format!("{version}/content"), body).await.expect(200);
    this.scene.post("interrupt").await.expect(200);
    assert_eq!(this.scene.content().await["blocks"][0]["title"], "By hand");
    assert_eq!(this.scene.blocks().await, ["top", "why"]);
    this.heartbeat.notify_one();
    worker.await.unwrap();
}

#[tokio::test]
async fn a_draft_that_somebody_changes_elsewhere_meanwhile_costs_no_second_question() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let gate = Arc::default();
    this.acts([begun(&gate), vec![]]);
    this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
    let (worker, _stop) = this.begin().await;
    this.until(1, SAID).await;
    let mut content = this.scene.content().await;
    content["blocks"][1]["markdown"] = json!("By hand.");
    let version = this.scene.newest_version().await;
    let body = Some(content.to_string().into_bytes());
    this.scene.client.send("PUT", &format!("{version}/content"), body).await.expect(200);
    gate.notify_one();
    worker.await.unwrap();
    let after = this.scene.content().await;
    assert_eq!(
        (&after["blocks"][0]["title"], &after["blocks"][1]["markdown"]),
        (&json!("Forecasts"), &json!("By hand."))
    );
    assert_eq!((this.scene.blocks().await.len(), this.model.asked().len()), (2, 2));
}

#[tokio::test]
async fn a_model_that_hangs_is_left_and_what_it_has_finished_is_kept() {
    for kind in KINDS {
        let this = Modelled::start(kind).await;
        this.acts([begun(&Arc::default())]);
        this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
        let (worker, _stop) = this.begin().await;
        this.until(1, SAID).await;
        this.scene.app.advance(TIME_LIMIT);
        this.heartbeat.notify_one();
        worker.await.unwrap();
        assert_eq!(this.scene.blocks().await, ["top", "why"]);
        let answer = this.scene.messages().await.pop().unwrap();
        assert_eq!(
            answer["content"],
            format!("{SAID}\n\nI did not get to the end. What I had done until then is kept.")
        );
        // Without anything finished, the message is carried out offline.
        this.acts([vec![Act::Says("Let me"), Act::Waits(Arc::default())]]);
        this.scene.send(&json!({ "message": "Remove the text" })).await.expect(202);
        let (worker, _stop) = this.begin().await;
        this.until(0, "Let me").await;
        this.scene.app.advance(TIME_LIMIT);
        this.heartbeat.notify_one();
        worker.await.unwrap();
        assert_eq!(this.scene.blocks().await, ["top"]);
    }
}

#[tokio::test]
async fn an_audience_that_is_archived_meanwhile_stays_as_it_was() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let before = this.scene.content().await;
    this.acts([begun(&Arc::default())]);
    this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
    let (worker, _stop) = this.begin().await;
    this.until(1, SAID).await;
    this.scene.client.delete(&this.scene.audience).await.expect(200);
    this.heartbeat.notify_one();
    worker.await.unwrap();
    let told = this.scene.messages().await;
    assert_eq!((told.len(), &told[0]["isInterrupted"]), (1, &json!(true)));
    assert_eq!(this.scene.content().await, before);
    assert_eq!(this.progress().await["activeRun"], Value::Null);
}

#[tokio::test]
async fn what_is_being_carried_out_when_a_person_is_erased_begins_anew() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let person = json!({ "name": "Zebulon Quux", "email": "zebulon@example.com" });
    let person = this.scene.client.post("/v0/persons", &person).await.expect(201).json();
    this.acts([vec![
        set("why", "/markdown", "Ask Zebulon Quux."),
        Act::Says("Zebulon Quux is in."),
        Act::Waits(Arc::default()),
    ]]);
    this.scene.send(&json!({ "message": "Write that they can ask Zebulon Quux" })).await.expect(202);
    let (worker, _stop) = this.begin().await;
    this.until(1, "Zebulon Quux is in.").await;
    let ctx = this.scene.app.platform.context().of(this.scene.app.tenant.clone());
    let id = PersonId::parse(person["personId"].as_str().unwrap()).unwrap();
    subject_requests::erase(&this.scene.app.store, &ctx, &id).await.unwrap();
    assert_eq!(this.progress().await["partialText"], Value::Null);
    this.heartbeat.notify_one();
    worker.await.unwrap();
    this.acts([vec![Act::Says("Whom may they ask?")]]);
    messages::drain(&this.tools).await.unwrap();
    let told = this.scene.messages().await;
    assert_eq!(told[1]["content"], "Whom may they ask?");
    assert!(!this.model.asked()[1].question().contains("Zebulon"), "{}", this.model.asked()[1].question());
    assert!(!this.scene.conversation().await.to_string().contains("Zebulon"));
}

#[tokio::test]
async fn a_server_that_stops_leaves_the_message_to_others_and_nothing_is_done_twice() {
    let this = Modelled::start(AgentKind::Anthropic).await;
    this.acts([begun(&Arc::default())]);
    this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
    let (worker, stop) = this.begin().await;
    this.until(1, SAID).await;
    stop.send_replace(true);
    worker.await.unwrap();
    assert_eq!(this.scene.messages().await.len(), 1);
    this.acts([vec![remove("faq")], vec![Act::Says("Done.")]]);
    messages::drain(&this.tools).await.unwrap();
    assert_eq!(this.scene.messages().await.len(), 2);
    assert_eq!(this.scene.blocks().await, ["top", "why"]);
    // Both attempts have cost something.
    assert_eq!(this.used().await.0, 2);
}

#[tokio::test]
async fn what_lost_workers_had_finished_last_is_kept_when_nobody_goes_on() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    this.scene.send(&json!({ "message": "Tidy up" })).await.expect(202);
    for _ in 0..3 {
        this.acts([begun(&Arc::default())]);
        let (worker, _stop) = this.begin().await;
        this.until(1, SAID).await;
        worker.abort();
        drop(worker.await);
        this.scene.app.advance(runs::LEASE + Duration::from_secs(1));
    }
    messages::drain(&this.tools).await.unwrap();
    let told = this.scene.messages().await;
    assert_eq!((told.len(), &told[0]["isInterrupted"], &told[1]["content"]), (2, &json!(true), &json!(SAID)));
    assert_eq!(this.scene.blocks().await, ["top", "why"]);
}
