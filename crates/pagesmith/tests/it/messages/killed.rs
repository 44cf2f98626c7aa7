//! Messages that a model carries out on a real server: one that is killed with SIGKILL meanwhile, and one that is told to stop.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_operations::messages::runs::LEASE;
use pagesmith_testkit::fixtures;
use pagesmith_testkit::model_server::{Act, ModelServer, Reply};
use pagesmith_worker::messages;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::process::{Instance, KEY, Server, eventually};
use crate::versions::killed::another_worker;

/// The ids of the blocks of an audience's draft.
fn blocks(server: &Server, version: &str) -> Vec<String> {
    let content = server.get(&format!("{version}/content"), KEY).expect(200).json();
    let blocks = content["blocks"].as_array().unwrap();
    blocks.iter().map(|block| block["blockId"].as_str().unwrap().to_owned()).collect()
}

/// Writes a draft without a model; the path of its audience, and its own.
fn with_draft(instance: &Instance) -> (String, String) {
    let server = instance.serve();
    let page = server.post("/v0/pages", KEY, &fixtures::page("Breakfast")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let audience = server.post(&audiences, KEY, &json!({ "publishBehavior": "draft" })).expect(201).json();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let audience = format!("{audiences}/{}", audience["audienceId"].as_str().unwrap());
    let version = format!("{audience}/versions/{version}");
    eventually("the version is written", || {
        (server.get(&version, KEY).expect(200).json()["status"] == "draft").then_some(())
    });
    let content = json!({ "blocks": [
        { "type": "hero", "blockId": "top", "title": "Breakfast for offices" },
        { "type": "frame-list", "blockId": "faq", "title": "Questions", "frames": [{ "title": "Q", "markdown": "A" }] },
    ] });
    let at = format!("{version}/content");
    server.connect().call("PUT", &at, Some(KEY), Some(&content)).unwrap().expect(200);
    server.stop();
    (audience, version)
}

/// A server whose model does this and then hangs.
fn with_model_that_hangs(instance: &Instance, model: &ModelServer, mut first: Vec<Act>) -> Server {
    first.push(Act::Waits(Arc::new(Notify::new())));
    model.reply([Reply::Acts(first)]);
    instance.serve_with(&[
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ])
}

#[test]
fn an_interruption_ends_a_message_over_which_a_model_hangs() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let instance = Instance::new();
    let (audience, version) = with_draft(&instance);
    let removes = Act::Calls("remove", json!({ "blockId": "faq" }));
    let server = with_model_that_hangs(&instance, &model, vec![Act::Says("I have removed them."), removes]);
    let messages_at = format!("{audience}/messages");
    server.post(&messages_at, KEY, &json!({ "message": "Remove the questions, then go on" })).expect(202);
    let progress_at = format!("{messages_at}/active_run/progress");
    eventually("an operation is finished", || {
        (server.get(&progress_at, KEY).expect(200).json()["operations"] == 1).then_some(())
    });
    server.post(&format!("{messages_at}/interrupt"), KEY, &json!({})).expect(200);
    // At once, though the model is still asked.
    let told = server.get(&messages_at, KEY).expect(200).json();
    let [asked, answer] = told["messages"].as_array().unwrap().as_slice() else { panic!("{told}") };
    assert_eq!((&asked["isInterrupted"], &answer["isInterrupted"]), (&json!(true), &json!(true)));
    assert_eq!((&answer["content"], &told["activeRun"]), (&json!("I have removed them."), &json!(null)));
    assert_eq!(blocks(&server, &version), ["top"]);
    // The model is left soon after, and the next message is carried out.
    runtime.block_on(model.wait_for_hang_ups(1));
    model.reply([Reply::Acts(vec![Act::Says("Nothing to do.")])]);
    server.post(&messages_at, KEY, &json!({ "message": "Is that all?" })).expect(202);
    eventually("the next message is answered", || {
        let told = server.get(&messages_at, KEY).expect(200).json();
        (told["messages"].as_array().unwrap().len() == 4).then_some(())
    });
    server.stop();
}

#[test]
fn a_message_whose_server_is_killed_is_carried_out_once_by_another() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let instance = Instance::new();
    let (audience, version) = with_draft(&instance);
    let server = with_model_that_hangs(&instance, &model, vec![Act::Says("I have removed")]);
    let before = blocks(&server, &version);
    let messages_at = format!("{audience}/messages");
    server.post(&messages_at, KEY, &json!({ "message": "Remove the questions" })).expect(202);
    runtime.block_on(model.wait_for(1));
    server.kill();

    let work = |ahead| runtime.block_on(messages::drain(&another_worker(&instance.database, ahead))).unwrap();
    let told = |server: &Server| -> Vec<Value> {
        server.get(&messages_at, KEY).expect(200).json()["messages"].as_array().unwrap().clone()
    };
    work(Duration::ZERO);
    let server = instance.serve();
    assert_eq!(told(&server).len(), 1, "its lease has not ended");
    assert_eq!(blocks(&server, &version), before);
    server.kill();
    // Its last renewal was earlier than now.
    work(LEASE);
    work(LEASE * 2);
    let server = instance.serve();
    let answers = told(&server);
    assert_eq!(answers.len(), 2, "{answers:?}");
    let after: Vec<String> = before.into_iter().filter(|block| block != "faq").collect();
    assert_eq!(blocks(&server, &version), after);
    assert_eq!(model.asked().len(), 1);
    server.stop();
}
