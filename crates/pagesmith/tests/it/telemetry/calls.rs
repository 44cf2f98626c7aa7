//! What a collector is told of outgoing calls: each has a span below what made it, and whoever is called can continue that.

use std::sync::Arc;

use opentelemetry_proto::tonic::trace::v1::Span;
use pagesmith_testkit::model_server::{Act, ModelServer, Reply};
use pagesmith_testkit::samples::visits::BROWSER;
use pagesmith_testkit::{Receiver, fixtures};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

use super::hex;
use crate::process::collector::{Collector, attribute};
use crate::process::wire::Reply as Answer;
use crate::process::{Instance, KEY, Server, eventually};

/// A runtime for what plays the others.
fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// The one span of that name.
#[track_caller]
fn one(collector: &Collector, name: &str) -> Span {
    let spans = collector.spans(name);
    assert_eq!(spans.len(), 1, "{spans:#?}");
    spans.into_iter().next().unwrap()
}

/// What `traceparent` says of that span.
fn told_of(span: &Span) -> String {
    format!("00-{}-{}-01", hex(&span.trace_id), hex(&span.span_id))
}

/// A call of the API that succeeds.
#[track_caller]
fn call(server: &Server, method: &str, path: &str, body: &Value) -> Value {
    let reply = server.connect().call(method, path, Some(KEY), Some(body)).unwrap();
    assert!((200..300).contains(&reply.status), "{path}: {}", String::from_utf8_lossy(&reply.body));
    reply.json()
}

/// A page that is shown to somebody.
struct Shown {
    page: String,
    audience: String,
    host: String,
}

impl Shown {
    fn publish(server: &Server, page: &Value, content: &Value) -> Shown {
        let page = call(server, "POST", "/v0/pages", page)["pageId"].as_str().unwrap().to_owned();
        let draft = json!({ "publishBehavior": "draft" });
        let audience = call(server, "POST", &format!("/v0/pages/{page}/audiences"), &draft);
        let version = audience["latestVersion"]["versionId"].as_str().unwrap();
        let audience = audience["audienceId"].as_str().unwrap().to_owned();
        let version = format!("/v0/pages/{page}/audiences/{audience}/versions/{version}");
        eventually("the template has written it", || {
            (server.get(&version, KEY).expect(200).json()["status"] == "draft").then_some(())
        });
        call(server, "PUT", &format!("{version}/content"), content);
        call(server, "POST", &format!("{version}/publish"), &json!({}));
        let link = server.get(&format!("/v0/pages/{page}/link"), KEY).expect(200).json();
        Shown { page, audience, host: link["domain"].as_str().unwrap().to_owned() }
    }

    /// What a visitor is answered who sends these fields.
    fn send(&self, server: &Server, path: &str, fields: &str) -> Answer {
        let body = format!("ps.page={}&ps.audience={}&{fields}", self.page, self.audience);
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nuser-agent: {BROWSER}\r\nsec-fetch-site: same-origin\r\n\
             accept: application/json\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        let mut connection = server.connect();
        connection.send(head + &body).unwrap();
        connection.receive().unwrap()
    }
}

#[test]
fn a_call_of_a_model_is_below_what_has_it_made() {
    let (runtime, collector) = (runtime(), Collector::start());
    let model = runtime.block_on(ModelServer::start());
    let endpoint = format!("http://{}", collector.address);
    let server = Instance::new().serve_with(&[
        ("TELEMETRY_OTLP_ENDPOINT", &endpoint),
        ("SITE_DOMAIN", "pages.example"),
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let own = |own: Value| json!({ "own": own });
    call(&server, "PUT", "/v0/agent", &own(json!({ "kind": "template" })));
    let blocks = json!([{ "type": "price-cards", "blockId": "plans", "title": "Plans", "plans": [
        { "name": "Hauler", "price": "89 pounds a month", "text": "The Hauler carries two children." }] }]);
    let content = json!({ "head": { "language": "en" }, "blocks": blocks });
    let shown = Shown::publish(&server, &fixtures::page("Bikes"), &content);
    let settings = json!({ "isShown": true, "perVisitor": 20, "perPage": 20, "perTenant": 20 });
    call(&server, "PUT", "/v0/question_settings", &settings);
    call(&server, "PUT", "/v0/agent", &own(Value::Null));

    model.reply([Reply::Says("Anvils that last.".to_owned())]);
    call(&server, "POST", "/v0/agent/try", &json!({ "text": "Acme makes anvils." }));
    model.reply([Reply::Acts(vec![Act::Says("The Hauler costs 89 pounds a month. [1]\n")])]);
    shown.send(&server, "/.pagesmith/q", "q=What+does+the+Hauler+cost%3F").expect(200);
    assert_eq!(model.asked().len(), 2);
    // One that has no end, so that it is not tried again.
    model.reply([Reply::Waits("{".to_owned(), Arc::new(Notify::new()))]);
    call(&server, "POST", &format!("/v0/pages/{}/audiences", shown.page), &json!({}));
    runtime.block_on(model.wait_for(3));
    server.stop();

    let asked = collector.spans("ask model");
    let span_of = |at: usize| {
        let told = model.asked()[at].headers["traceparent"].clone();
        asked.iter().find(|span| told_of(span) == told).unwrap()
    };
    let requests = collector.spans("request");
    let request = |operation: &str| {
        let found: Vec<_> = requests
            .iter()
            .filter(|span| attribute(span, "operation").as_deref() == Some(operation))
            .collect();
        let [one] = found.as_slice() else { panic!("{operation}: {found:#?}") };
        *one
    };
    let versions = collector.spans("write version");
    assert!(versions.iter().all(|version| version.parent_span_id.is_empty()), "{versions:#?}");
    let version = versions.iter().find(|version| version.span_id == span_of(2).parent_span_id).unwrap();
    for (at, above) in [request("tryAgent"), request("site"), version].into_iter().enumerate() {
        let span = span_of(at);
        let below = (&span.trace_id, &span.parent_span_id);
        assert_eq!(below, (&above.trace_id, &above.span_id), "call {at}: {span:#?} and {above:#?}");
    }
    // The third may be ended before the head of its answer has arrived.
    for at in 0..2 {
        assert_eq!(attribute(span_of(at), "status").as_deref(), Some("200"), "call {at}");
    }
}

#[test]
fn a_call_of_an_enrichment_hook_is_a_trace_of_its_own_that_the_hook_may_continue() {
    let (runtime, collector) = (runtime(), Collector::start());
    let hook = runtime.block_on(Receiver::start());
    let endpoint = format!("http://{}", collector.address);
    let server = Instance::new().serve_with(&[
        ("TELEMETRY_OTLP_ENDPOINT", &endpoint),
        ("SITE_DOMAIN", "pages.example"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let set = json!({ "url": hook.url() });
    call(&server, "PUT", "/v0/enrichment_hook", &set);
    let email = json!({ "key": "email", "kind": "email", "label": "E-mail" });
    let form = call(&server, "POST", "/v0/forms", &json!({ "name": "Contact", "fields": [email] }));
    let mut page = fixtures::page("Forms");
    page["actions"] = json!([{ "actionId": "contact", "actionType": "form", "purpose": "Get in touch",
        "buttonTitle": "Contact us", "formId": form["formId"] }]);
    page["headerActionId"] = json!("contact");
    let shown = Shown::publish(&server, &page, &json!({ "blocks": [] }));
    let answer = shown.send(&server, "/.pagesmith/f", "ps.action=contact&email=ada%40example.com");
    assert!((200..400).contains(&answer.status), "{}", answer.status);
    eventually("the hook is called", || (!hook.arrived().is_empty()).then_some(()));
    let submissions = server.get("/v0/form_submissions", KEY).expect(200).json();
    eventually("its answer is kept", || {
        let kept = server.get("/v0/form_submissions", KEY).expect(200).json();
        (kept["items"][0]["enrichment"]["status"] != "pending").then_some(())
    });
    server.stop();
    let span = one(&collector, "enrich");
    // Whoever sent the form does not wait for it.
    assert_eq!(span.parent_span_id, Vec::<u8>::new());
    assert_eq!(attribute(&span, "submission").as_deref(), submissions["items"][0]["submissionId"].as_str());
    assert_eq!(attribute(&span, "status").as_deref(), Some("204"));
    assert_eq!(hook.arrived()[0].header("traceparent"), told_of(&span));
}
