//! The request that causes an event is named in the rows and in the log lines that follow from it.

use std::net::TcpListener;

use pagesmith_agent::AgentError;
use pagesmith_operations::webhooks::deliveries::{self, Capacity, LEASE, Turn};
use pagesmith_worker::generation;
use serde_json::json;

use super::{Actor, Scene, Then};
use crate::log_lines::LogLines;

const CAUSE: &str = "req_Cause1";

#[tokio::test]
async fn a_request_is_named_in_its_events_deliveries_and_log_lines_but_in_no_body() {
    let local = "127.0.0.0/8".parse().unwrap();
    let scene = Scene::of(json!({}), |plan| plan.settings.allowed_networks = local).await;
    scene.write().await;
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hook = json!({ "url": format!("http://{nobody}/hook") });
    scene.client.post("/v0/webhook_subscriptions", &hook).await.expect(201);
    let before = scene.events().await.len();
    let client = scene.client.with("x-request-id", CAUSE);
    let versions = format!("{}/versions", scene.audience);
    client.post(&versions, &json!({})).await.expect(201);

    let lines = LogLines::default();
    {
        let _logged = lines.collect();
        let mut tools = scene.app.tools();
        tools.generation.agent = Actor::new(|_, _| Then::Fails(AgentError::permanent("no such model")));
        generation::drain(&tools).await.unwrap();
    }
    let log = lines.text();
    let line = log.lines().find(|line| line.contains("a version could not be written"));
    assert!(line.is_some_and(|line| line.contains(CAUSE)), "{log}");

    // What a worker tells of is caused by the request too.
    client.post(&versions, &json!({})).await.expect(201);
    scene.write().await;
    let events = scene.events().await.split_off(before);
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    let created = "page.version.created";
    assert!(kinds.starts_with(&[created, created]) && kinds.len() > 2, "{kinds:?}");
    for event in events {
        assert_eq!(event.request_id.as_ref().map(ToString::to_string).as_deref(), Some(CAUSE), "{event:?}");
        assert!(!event.body.as_str().contains("req_"), "{event:?}");
    }

    let capacity = Capacity { free: 10, per_queue: 10, ..Capacity::default() };
    let ctx = scene.app.platform.context();
    let claim =
        scene.app.store.claim(move |tx| deliveries::claim(tx, &ctx, &Turn::default(), &capacity)).await;
    let due = claim.unwrap().due;
    assert!(!due.is_empty());
    for delivery in due {
        assert_eq!(delivery.request_id.as_ref().map(ToString::to_string).as_deref(), Some(CAUSE));
        assert!(!delivery.body.as_str().contains("req_"), "{delivery:?}");
    }

    scene.app.advance(LEASE);
    let lines = LogLines::default();
    {
        let _logged = lines.collect();
        scene.app.deliver().await;
    }
    let log = lines.text();
    let line = log.lines().find(|line| line.contains("a delivery was not answered"));
    assert!(line.is_some_and(|line| line.contains(CAUSE)), "{log}");
}
