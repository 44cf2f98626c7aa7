//! What a collector is told of a request, and what the log is.

use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use crate::process::collector::{Collector, attribute};
use crate::process::{Instance, KEY, Server};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const SPAN: &str = "b7ad6b7169203331";

/// Sends a GET with a key and these lines more; the status.
#[track_caller]
fn get(server: &Server, path: &str, lines: &str) -> u16 {
    let mut connection = server.connect();
    connection.send(format!("GET {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\n{lines}\r\n")).unwrap();
    connection.receive().unwrap().status
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_span_of_a_request_goes_on_with_its_callers_trace() {
    let collector = Collector::start();
    let endpoint = format!("http://{}", collector.address);
    let server = Instance::new().serve_with(&[("TELEMETRY_OTLP_ENDPOINT", &endpoint)]);
    let sent = |lines: &str| assert_eq!(get(&server, "/v0/pages", lines), 200, "{lines}");
    sent(&format!("traceparent: 00-{TRACE}-{SPAN}-01\r\ntracestate: vendor=a\r\ntracestate: other=b\r\n"));
    // Whoever sends it records nothing of it, and wants nothing recorded.
    sent(&format!("traceparent: 00-{TRACE}-{SPAN}-00\r\n"));
    let not_valid = [
        format!("traceparent: 00-{}-{SPAN}-01\r\n", TRACE.to_uppercase()),
        format!("traceparent: 00-{TRACE}-{SPAN}-01\r\ntraceparent: 00-{TRACE}-{SPAN}-01\r\n"),
        "traceparent: junk\r\n".to_owned(),
        String::new(),
    ];
    not_valid.iter().for_each(|lines| sent(lines));
    assert_eq!(get(&server, "/v0/pages/none", ""), 404);
    server.stop();

    let spans = collector.spans("request");
    let of = |operation: &str| -> Vec<_> {
        spans.iter().filter(|span| attribute(span, "operation").as_deref() == Some(operation)).collect()
    };
    let lists = of("listPages");
    let (continued, others): (Vec<_>, Vec<_>) =
        lists.into_iter().partition(|span| hex(&span.trace_id) == TRACE);
    let [span] = continued.as_slice() else { panic!("{continued:#?}") };
    assert_eq!(hex(&span.parent_span_id), SPAN);
    assert_eq!(span.trace_state, "vendor=a,other=b");
    assert_eq!(attribute(span, "status").as_deref(), Some("200"));
    assert!(attribute(span, "tenant").is_some_and(|tenant| tenant.starts_with("tenant_")), "{span:#?}");
    assert!(attribute(span, "request_id").is_some_and(|id| id.starts_with("req_")));
    assert_eq!(others.len(), not_valid.len());
    assert!(others.iter().all(|span| span.parent_span_id.is_empty()), "{others:#?}");
    assert_eq!(attribute(of("getPage")[0], "status").as_deref(), Some("404"));
}

/// The one line of the log about the request with that id.
#[track_caller]
fn logged(log: &str, id: &str) -> Value {
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
    assert_eq!(lines.len(), 1, "{log}");
    serde_json::from_str(lines[0]).unwrap()
}

#[test]
fn the_log_tells_who_asked_for_what_and_from_where() {
    let instance = Instance::new();
    let server = instance.serve_with(&[("TRUSTED_PROXIES", "127.0.0.1")]);
    let page = server.post("/v0/pages", KEY, &fixtures::page("Logged")).expect(201).json();
    let page = page["pageId"].as_str().unwrap().to_owned();
    let audience = format!("audience_{}", "0".repeat(26));
    let asked = [
        ("req_direct", format!("/v0/pages/{page}"), ""),
        (
            "req_behind",
            format!("/v0/pages/{page}/audiences/{audience}"),
            "x-forwarded-for: 9.9.9.9, 192.0.2.7\r\n",
        ),
        ("req_astray", format!("/v0/pages/{KEY}"), "forwarded: for=\"[2001:db8::7]:80\"\r\n"),
    ];
    for (id, path, lines) in &asked {
        get(&server, path, &format!("x-request-id: {id}\r\n{lines}"));
    }
    let keys = instance.json(&["key", "list", "--json"]);
    let tenants = instance.json(&["tenant", "list", "--json"]);
    server.terminate();
    let log = server.wait().err;
    assert!(!log.contains(KEY), "{log}");

    let line = logged(&log, "req_direct");
    assert_eq!((&line["page_id"], &line["client"]), (&json!(page), &json!("127.0.0.1")), "{line}");
    assert_eq!((&line["key"], &line["tenant"]), (&keys[0]["keyId"], &tenants[0]["tenantId"]), "{line}");
    assert!(line["key"].as_str().unwrap().starts_with("key_"), "{line}");
    let line = logged(&log, "req_behind");
    assert_eq!((&line["audience_id"], &line["client"]), (&json!(audience), &json!("192.0.2.7")), "{line}");
    let line = logged(&log, "req_astray");
    assert_eq!((&line["page_id"], &line["client"]), (&Value::Null, &json!("2001:db8::7")), "{line}");
}
