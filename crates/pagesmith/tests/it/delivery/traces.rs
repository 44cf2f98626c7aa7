//! Traces of outgoing calls: a receiver is told of one only where the operator collects them.

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;

use super::*;

#[tokio::test]
async fn each_attempt_is_a_trace_of_its_own_that_the_receiver_may_continue() {
    let scene = Scene::start().await;
    scene.subscribe(Some(&["page.version.created"])).await;
    let provider = SdkTracerProvider::builder().build();
    let spans = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("test"))
        .with_filter(Targets::new().with_target("span", LevelFilter::TRACE));
    // What is traced is known once it has run; a subscriber that comes while it is being made known may be missed.
    scene.happen().await;
    scene.deliver().await;
    scene.happen().await;
    scene.happen().await;
    {
        let _collected = tracing::subscriber::set_default(Registry::default().with(spans));
        scene.deliver().await;
    }
    let arrived = scene.receiver.arrived();
    let parents: Vec<Option<&str>> = arrived
        .iter()
        .map(|one| one.headers.get("traceparent").map(|value| value.to_str().unwrap()))
        .collect();
    assert_eq!((parents.len(), parents[0]), (3, None), "nothing is sent where nobody collects");
    let mut traces = Vec::new();
    for parent in parents.into_iter().flatten() {
        let [version, trace, span, flags] = parent.split('-').collect::<Vec<_>>().try_into().unwrap();
        assert_eq!((version, trace.len(), span.len(), flags), ("00", 32, 16, "01"));
        traces.push(trace.to_owned());
    }
    traces.dedup();
    assert_eq!(traces.len(), 2);
    for one in &arrived {
        assert!(["tracestate", "baggage"].iter().all(|name| !one.headers.contains_key(*name)));
    }
}
