//! What a collector is told of a request, and what the log is.

mod calls;

use pagesmith_testkit::samples::forms::shown;
use pagesmith_testkit::samples::visits::report;
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use crate::log_lines::LogLines;
use crate::page_links;
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

/// The log's line about the request to a site with that id, which another answer has.
#[track_caller]
fn line_of<'l>(log: &'l str, id: &str) -> &'l str {
    let is_its =
        |line: &&str| line.contains("operation=\"site\"") && line.contains(&format!("request_id=\"{id}\""));
    let lines: Vec<&str> = log.lines().filter(is_its).collect();
    let [line] = lines.as_slice() else { panic!("{id}: {log}") };
    line
}

#[tokio::test]
async fn the_log_tells_whose_site_was_asked_for_what() {
    let app = TestApp::start().await;
    let client = app.client();
    let form =
        json!({ "name": "Contact", "fields": [{ "key": "email", "kind": "email", "label": "E-mail" }] });
    let form = client.post("/v0/forms", &form).await.expect(201).json();
    let form_id = form["formId"].as_str().unwrap().to_owned();
    let shown = shown(&client, &form_id).await;
    let path = async |of: &str| {
        let link = client.get(&format!("{of}/link")).await.expect(200).json();
        link["path"].as_str().unwrap().to_owned()
    };
    let page = format!("/v0/pages/{}", shown.page);
    let audience = format!("{page}/audiences/{}", shown.audience);
    let (of_page, of_audience) = (path(&page).await, path(&audience).await);
    let version = client.get(&format!("{audience}/versions")).await.expect(200).json();
    let version = format!("{audience}/versions/{}", version["items"][0]["versionId"].as_str().unwrap());
    let preview = client.post(&format!("{version}/preview"), &json!({})).await.expect(201).json();
    let preview = preview["url"].as_str().unwrap().split_once("8080").unwrap().1.to_owned();
    page_links::link(&client, "/go", &page_links::to_page(&shown.page)).await;

    let log = LogLines::default();
    let collected = log.collect();
    let visitor = |id: &str| shown.visitor(&app.anonymous()).with("x-request-id", id);
    // Another test may be the first that reaches the log's line just now, and note that nobody wants to know of it.
    while !log.text().contains("req_first") {
        tracing::callsite::rebuild_interest_cache();
        visitor("req_first").get("/robots.txt").await.expect(200);
    }
    visitor("req_drawn").get(&of_page).await.expect(200);
    visitor("req_memory").get(&of_page).await.expect(200);
    let tag = visitor("req_audience").get(&of_audience).await.expect(200).header("etag").unwrap().to_owned();
    visitor("req_known").with("if-none-match", &tag).get(&of_audience).await.expect(304);
    visitor("req_link").get("/go").await.expect(200);
    visitor("req_link_memory").get("/go").await.expect(200);
    visitor("req_preview").get(&preview).await.expect(200);
    let viewed = report(&format!("{:032x}", 1), &shown.page, &shown.audience);
    visitor("req_report").post("/.pagesmith/v", &viewed).await.expect(204);
    shown.send(&visitor("req_sent"), &[("email", "ada@example.com")]).await.expect(303);
    let thanks = format!("/.pagesmith/f?page={}&audience={}&action=contact", shown.page, shown.audience);
    visitor("req_thanks").get(&thanks).await.expect(200);
    let question = format!("ps.page={}&ps.audience={}&q=What", shown.page, shown.audience);
    visitor("req_asked").send("POST", "/.pagesmith/q", Some(question.into_bytes())).await;
    visitor("req_nothing").get("/nothing-here").await.expect(404);
    visitor("req_robots").get("/robots.txt").await.expect(200);
    visitor("req_token").get("/.pagesmith/f?token").await.expect(200);
    let elsewhere = app.anonymous().with("host", "nobody.localhost");
    elsewhere.with("x-request-id", "req_nobody").get("/").await.expect(404);
    drop(collected);
    let log = log.text();

    let tenant = format!("tenant=\"{}\"", app.tenant.as_str());
    let page_id = format!("page_id=\"{}\"", shown.page);
    let audience_id = format!("audience_id=\"{}\"", shown.audience);
    let form_id = format!("form_id=\"{form_id}\"");
    let of_page = ["req_drawn", "req_memory", "req_audience", "req_known", "req_link", "req_link_memory"];
    for id in of_page.into_iter().chain(["req_preview", "req_report", "req_sent", "req_thanks", "req_asked"])
    {
        let line = line_of(&log, id);
        for part in [&tenant, &page_id, &audience_id] {
            assert!(line.contains(part.as_str()), "{part}: {line}");
        }
    }
    for id in ["req_sent", "req_thanks"] {
        let line = line_of(&log, id);
        assert!(line.contains(&form_id), "{line}");
    }
    for id in ["req_nothing", "req_robots", "req_token"] {
        let line = line_of(&log, id);
        assert!(line.contains(&tenant) && !line.contains("page_id="), "{line}");
    }
    assert!(!line_of(&log, "req_nobody").contains("tenant="), "{log}");
    assert!(!log.contains("ada@example.com"), "{log}");
}
