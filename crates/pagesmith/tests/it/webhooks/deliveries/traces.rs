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
    scene.happen().await;
    scene.deliver().await;
    let parents = || {
        let header = |one: &pagesmith_testkit::receiver::Arrived| {
            one.headers.get("traceparent").map(|value| value.to_str().unwrap().to_owned())
        };
        scene.receiver.arrived().iter().map(header).collect::<Vec<_>>()
    };
    assert_eq!(parents(), [None], "nothing is sent where nobody collects");
    let _collected = tracing::subscriber::set_default(Registry::default().with(spans));
    // A span that another test is making known at this moment is not told to a subscriber that comes: it is once that is done.
    for _ in 0..100 {
        tracing::callsite::rebuild_interest_cache();
        scene.happen().await;
        scene.deliver().await;
        if parents().last().unwrap().is_some() {
            break;
        }
    }
    scene.happen().await;
    scene.happen().await;
    scene.deliver().await;
    let (arrived, parents) = (scene.receiver.arrived(), parents());
    let mut traces = Vec::new();
    for parent in parents[parents.len() - 2..].iter().map(|parent| parent.as_deref().unwrap()) {
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
