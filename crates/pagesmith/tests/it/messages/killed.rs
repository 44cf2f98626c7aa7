//! A server that is killed with SIGKILL while a model carries a message out: another worker carries it out, once, when the lease has ended and
//! not before.

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

#[test]
fn a_message_whose_server_is_killed_is_carried_out_once_by_another() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let instance = Instance::new();
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
    let before = blocks(&server, &version);
    server.stop();

    model.reply([Reply::Acts(vec![Act::Says("I have removed"), Act::Waits(Arc::new(Notify::new()))])]);
    let settings = [
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ];
    let server = instance.serve_with(&settings);
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
