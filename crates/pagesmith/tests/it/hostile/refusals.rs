//! Every refusal that can be answered is the Error object with a request id, also where no request was understood.

use super::{impatient, is_unharmed, patient};
use crate::process::wire::Reply;
use crate::process::{KEY, Server};

/// The last answer on a connection that sent `bytes`; the other side must close after it.
#[track_caller]
pub(super) fn refused(server: &Server, bytes: impl AsRef<[u8]>, ends: bool) -> Reply {
    let bytes = bytes.as_ref();
    let mut connection = server.connect();
    // It may stop listening before everything is sent.
    drop(connection.send(bytes));
    if ends {
        connection.finish_sending();
    }
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
    let reply = connection.receive().unwrap_or_else(|error| panic!("{shown:?}: {error}"));
    assert_eq!(connection.rest(), b"", "{shown:?}");
    reply
}

/// The Error object, on the last answer of its connection.
#[track_caller]
pub(super) fn is_whole(reply: &Reply, status: u16, shown: &str) {
    assert_eq!(reply.header("connection"), Some("close"), "{shown:?}");
    is_error(reply, status, shown);
}

/// The Error object, of a request that breaks a rule.
#[track_caller]
pub(super) fn is_error(reply: &Reply, status: u16, shown: &str) {
    assert_eq!(reply.status, status, "{shown:?}: {}", String::from_utf8_lossy(&reply.body));
    assert_eq!(reply.header("content-type"), Some("application/json"), "{shown:?}");
    let body = reply.json();
    assert_eq!(body["requestId"].as_str(), reply.header("x-request-id"), "{shown:?}: {body}");
    assert!(body["requestId"].as_str().is_some_and(|id| id.starts_with("req_")), "{shown:?}: {body}");
    assert_eq!((&body["status"], &body["code"]), (&status.into(), &"VALIDATION_ERROR".into()), "{body}");
    assert!(body["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{body}");
    assert!(body["title"].is_string() && body["type"].is_string(), "{body}");
}

#[test]
fn what_is_no_http_is_told_so() {
    let server = patient();
    let cases: &[&[u8]] = &[
        b"\0\0\0\0\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /healthz HTTP/3.0\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET  /healthz  HTTP/1.1\r\n\r\n",
        b"GET /health z HTTP/1.1\r\n\r\n",
        b"GET healthz HTTP/1.1\r\nhost: api\r\n\r\n",
        b"GET http:// HTTP/1.1\r\nhost: api\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nbad name: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: api\r\n folded: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nx: a\0b\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ncontent-length: -1\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ncontent-length: 1_0\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ncontent-length: 99999999999999999999999\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ncontent-length: 18446744073709551615\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ntransfer-encoding: gzip\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ntransfer-encoding: gzip, chunked\r\n\r\n",
        b"POST /v0/pages HTTP/1.0\r\nhost: api\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\nhost: api\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n",
    ];
    for case in cases {
        let shown = String::from_utf8_lossy(case);
        is_whole(&refused(&server, case, false), 400, &shown);
    }
    is_unharmed(&server);
}

#[test]
fn a_head_that_is_cut_off_by_its_sender_is_told_so() {
    let server = patient();
    for case in ["G", "GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\r\nhost: api\r\n", "hello\r\n"] {
        is_whole(&refused(&server, case, true), 400, case);
    }
    is_unharmed(&server);
}

#[test]
fn a_request_names_its_host_once() {
    let server = patient();
    let get = |line: &str, headers: &str| format!("{line}\r\n{headers}connection: close\r\n\r\n");
    for (line, headers) in [
        ("GET /healthz HTTP/1.1", ""),
        ("GET /healthz HTTP/1.1", "host:\r\n"),
        ("GET /healthz HTTP/1.1", "host: api\r\nhost: api\r\n"),
        ("GET /healthz HTTP/1.1", "host: api\r\nHost: other\r\n"),
        ("GET /healthz HTTP/1.0", "host: api\r\nhost: other\r\n"),
        ("GET /healthz HTTP/1.1", "host: api, other\r\n"),
        ("GET /healthz HTTP/1.1", "host: a b\r\n"),
        ("GET /healthz HTTP/1.1", "host: api/path\r\n"),
        ("GET /healthz HTTP/1.1", "host: me@api\r\n"),
        ("GET /healthz HTTP/1.1", "host: http://api\r\n"),
        ("GET /healthz HTTP/1.1", "host: api:port\r\n"),
        ("GET /healthz HTTP/1.1", "host: api:99999\r\n"),
        ("GET /healthz HTTP/1.1", "host: [::1\r\n"),
        ("GET /healthz HTTP/1.1", "host: ::1\r\n"),
        ("GET http://api/healthz HTTP/1.1", ""),
        ("GET http://api/healthz HTTP/1.1", "host: api\r\nhost: api\r\n"),
    ] {
        let shown = format!("{line} with {headers:?}");
        is_whole(&refused(&server, get(line, headers), false), 400, &shown);
    }
    for (line, headers) in [
        ("GET /healthz HTTP/1.0", ""),
        ("GET /healthz HTTP/1.0", "host: api\r\n"),
        ("GET /healthz HTTP/1.1", "Host: api.example.org:8080\r\n"),
        ("GET /healthz HTTP/1.1", "host: api.\r\n"),
        ("GET /healthz HTTP/1.1", "host: [2001:db8::1]:80\r\n"),
        ("GET /healthz HTTP/1.1", "host: 127.0.0.1\r\n"),
        ("GET http://api/healthz HTTP/1.1", "host: api\r\n"),
    ] {
        assert_eq!(refused(&server, get(line, headers), false).status, 200, "{line} with {headers:?}");
    }
    is_unharmed(&server);
}

#[test]
fn the_host_of_an_absolute_target_counts() {
    let server = patient();
    let get = |target: &str, host: &str| {
        format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
    };
    // An unknown site has no path, the API has.
    assert_eq!(refused(&server, get("http://nobody.localhost/healthz", "api"), false).status, 404);
    assert_eq!(refused(&server, get("http://api/healthz", "nobody.localhost"), false).status, 200);
}

#[test]
fn a_refusal_keeps_the_clients_id_and_sends_no_body_to_head() {
    let server = patient();
    let sent = "HEAD /healthz HTTP/1.1\r\nx-request-id: req_mine1\r\n\r\n";
    let mut connection = server.connect();
    connection.send(sent).unwrap();
    let head = String::from_utf8(connection.rest()).unwrap();
    assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.contains("x-request-id: req_mine1\r\n"), "{head}");
    let log = server.err.wait_for("the refusal's line", |log| {
        log.lines().find(|line| line.contains("req_mine1")).map(str::to_owned)
    });
    assert!(log.contains("\"status\":400"), "{log}");
}

#[test]
fn a_head_may_have_32_kib_and_100_headers_and_no_more() {
    let server = patient();
    let of_length = |length: usize| {
        let start = "GET /healthz HTTP/1.1\r\nhost: api\r\nconnection: close\r\nx: ";
        format!("{start}{}\r\n\r\n", "a".repeat(length - start.len() - 4))
    };
    assert_eq!(of_length(32 * 1024).len(), 32 * 1024);
    assert_eq!(refused(&server, of_length(32 * 1024), false).status, 200);
    for length in [32 * 1024 + 1, 40 * 1024, 1024 * 1024] {
        is_whole(&refused(&server, of_length(length), false), 431, &length.to_string());
    }
    let of_headers = |count: usize| {
        let many: String = (2..count).map(|number| format!("x-{number}: a\r\n")).collect();
        format!("GET /healthz HTTP/1.1\r\nhost: api\r\nconnection: close\r\n{many}\r\n")
    };
    assert_eq!(refused(&server, of_headers(100), false).status, 200);
    for count in [101, 200, 100_000] {
        is_whole(&refused(&server, of_headers(count), false), 431, &format!("{count} headers"));
    }
    let endless = format!("GET /{}", "a".repeat(100_000));
    is_whole(&refused(&server, endless, false), 414, "an endless address");
    is_unharmed(&server);
}

#[test]
fn what_was_asked_before_a_refusal_is_answered_first() {
    let server = patient();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\n\r\n");
    let mut connection = server.connect();
    let chunked = "POST /v0/pages HTTP/1.1\r\nhost: api\r\nx-api-key: wrong\r\ncontent-type: application/json\r\n\
                   transfer-encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nt: v\r\n\r\n";
    let sent = get("/healthz") + chunked + &get("/openapi.json") + "hello\r\n\r\n" + &get("/healthz");
    connection.send(sent).unwrap();
    for status in [200, 401, 200] {
        connection.receive().unwrap().expect(status);
    }
    is_whole(&connection.receive().unwrap(), 400, "after others");
    assert_eq!(connection.rest(), b"", "what follows a refusal is not read");
    is_unharmed(&server);
}

#[test]
fn a_refusal_waits_until_what_was_asked_before_is_read() {
    let server = impatient();
    let mut connection = server.connect();
    let get = "GET /docs HTTP/1.1\r\nhost: api\r\n\r\n";
    connection.send(get.repeat(500) + "hello\r\n\r\n").unwrap();
    is_unharmed(&server);
    for _ in 0..500 {
        assert!(connection.receive().unwrap().expect(200).body.len() > 10_000);
    }
    is_whole(&connection.receive().unwrap(), 400, "after large answers");
    assert_eq!(connection.rest(), b"");
}
