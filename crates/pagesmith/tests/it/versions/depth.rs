//! How much waits to be written, as an operator sees it.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_operations::versions::generations::{self, Depth};
use pagesmith_testkit::fixtures;
use pagesmith_testkit::model_server::{ModelServer, Reply};
use serde_json::json;
use tokio::sync::Notify;

use super::Scene;
use crate::process::{Instance, KEY, eventually};

#[tokio::test]
async fn an_operator_sees_how_many_versions_wait_and_for_how_long() {
    let scene = Scene::start().await;
    let depth = async || {
        let now = scene.app.platform.clock().now();
        scene.app.store.read(move |tx| generations::depth(tx, now)).await.unwrap()
    };
    assert_eq!(depth().await, Depth { waiting: 1, oldest: Duration::ZERO });
    scene.app.advance(Duration::from_secs(9));
    // The second one of an audience waits for its turn, and that is not what is counted here.
    scene.add().await;
    assert_eq!(depth().await, Depth { waiting: 1, oldest: Duration::from_secs(9) });
    scene.app.suspend("acme").await;
    assert_eq!(depth().await, Depth::default(), "nobody could write it now");
    scene.app.write_versions().await;
    scene.app.resume("acme").await;
    assert_eq!(depth().await.waiting, 1);
    scene.write().await;
    assert_eq!(depth().await, Depth::default());
}

#[test]
fn metrics_show_a_version_that_waits_for_a_model() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let beginning = json!({ "blocks": [{ "type": "hero", "title": "Half of a page" }] }).to_string();
    model.reply([Reply::Waits(beginning, Arc::new(Notify::new()))]);
    let server = Instance::new().serve_with(&[
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("AGENT_CONCURRENCY", "1"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let measured = |name: &str| -> i64 {
        let text = String::from_utf8(server.get("/metrics", KEY).expect(200).body).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("pagesmith_{name} ")));
        line.unwrap().parse().unwrap()
    };
    assert_eq!((measured("generations_waiting"), measured("generations_in_flight")), (0, 0));
    let page = server.post("/v0/pages", KEY, &fixtures::page("Spring")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    // The model has one of them and does not come to its end.
    for _ in 0..2 {
        server.post(&audiences, KEY, &json!({})).expect(201);
    }
    runtime.block_on(model.wait_for(1));
    eventually("a version is seen to wait", || (measured("generations_waiting") == 1).then_some(()));
    assert_eq!(measured("generations_in_flight"), 1);
}
