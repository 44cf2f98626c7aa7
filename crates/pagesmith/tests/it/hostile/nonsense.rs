//! What is no HTTP, or HTTP beyond all measure, or HTTP that is allowed but rare.

use super::refusals::is_error;
use super::{impatient, is_unharmed, patient};
use crate::process::KEY;
use crate::process::load::contents;
use crate::process::wire::create_head;

#[test]
fn what_is_no_http_is_refused() {
    let server = impatient();
    let cases: &[&[u8]] = &[
        b"hello\r\n\r\n",
        b"\r\n\r\n\r\n\r\n",
        b"\0\0\0\0\0\0\0\0",
        // A TLS client, an HTTP/2 client, an SSH client.
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"GET /healthz HTTP/3.0\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET  /healthz  HTTP/1.1\r\n\r\n",
        b"GET /health z HTTP/1.1\r\n\r\n",
        b"GET healthz HTTP/1.1\r\nhost: api\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nbad name: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nx: a\0b\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\ncontent-length: 1_0\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\ncontent-length: 99999999999999999999999\r\n\r\n",
        b"POST /v0/pages HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x",
        b"POST /v0/pages HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n",
    ];
    let mut answered = 0;
    for case in cases {
        let mut connection = server.connect();
        connection.send(case).unwrap();
        let status = connection.last_status();
        answered += usize::from(status.is_some());
        let shown = String::from_utf8_lossy(case);
        assert!(status.is_none_or(|status| (400..500).contains(&status)), "{shown:?}: {status:?}");
    }
    // What is wrong as a whole is told so; what may still become right runs out of time.
    assert!(answered >= 12, "only {answered} got an answer");
    is_unharmed(&server);
}

#[test]
fn chunks_that_are_none_are_refused() {
    let server = impatient();
    let head = create_head(0).replace("content-length: 0", "transfer-encoding: chunked");
    for chunks in
        ["zz\r\n{}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n", "2\r\n{}garbage", "-1\r\n\r\n"]
    {
        let mut connection = server.connect();
        connection.send(format!("{head}\r\n{chunks}")).unwrap();
        is_error(&connection.last().expect(chunks), 400, chunks);
    }
    is_unharmed(&server);
}

#[test]
fn a_second_request_cannot_be_smuggled_in_a_body() {
    let server = patient();
    let smuggled = "GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n";
    let both = create_head(smuggled.len()) + "transfer-encoding: chunked\r\n";
    let mut connection = server.connect();
    connection.send(format!("{both}\r\n0\r\n\r\n")).unwrap();
    connection.receive().unwrap().expect(400);
    // Whoever reads the length instead believes that this is the body; it is not answered as a request.
    drop(connection.send(smuggled));
    let closed = connection.rest();
    assert_eq!(String::from_utf8_lossy(&closed), "");
    is_unharmed(&server);
}

#[test]
fn an_endless_address_is_refused() {
    let server = patient();
    let get = |length: usize| format!("GET /{} HTTP/1.1\r\nhost: api\r\n\r\n", "a".repeat(length));
    let mut connection = server.connect();
    connection.send(get(20_000)).unwrap();
    // A long one is not an endless one.
    connection.receive().unwrap().expect(404);
    for length in [66_000, 100_000, 1_000_000] {
        let mut connection = server.connect();
        // It may stop listening before everything is sent, and then the answer may be lost with the rest.
        drop(connection.send(get(length)));
        assert!(matches!(connection.last_status(), None | Some(414 | 431)), "{length}");
    }
    is_unharmed(&server);
}

#[test]
fn endless_headers_are_refused() {
    let server = patient();
    let many = |count: usize| (0..count).map(|number| format!("x-{number}: a\r\n")).collect::<String>();
    let get = |headers: &str| format!("GET /healthz HTTP/1.1\r\nhost: api\r\n{headers}\r\n");
    let mut connection = server.connect();
    connection.send(get(&many(80))).unwrap();
    connection.receive().unwrap().expect(200);
    // What arrives as a whole is answered.
    let mut connection = server.connect();
    connection.send(get(&many(200))).unwrap();
    assert_eq!(connection.last_status(), Some(431));
    for headers in [
        format!("x-long: {}\r\n", "a".repeat(100_000)),
        format!("{}: a\r\n", "x".repeat(100_000)),
        many(100_000),
    ] {
        let mut connection = server.connect();
        drop(connection.send(get(&headers)));
        assert!(matches!(connection.last_status(), None | Some(431)));
    }
    is_unharmed(&server);
}

#[test]
fn a_body_is_asked_for_only_where_it_will_be_read() {
    let server = patient();
    let body = pagesmith_testkit::fixtures::page("Expected").to_string();
    let expect = "expect: 100-continue\r\n\r\n";

    let mut connection = server.connect();
    connection.send(create_head(2 * 1024 * 1024) + expect).unwrap();
    connection.receive().unwrap().expect(413);
    let mut connection = server.connect();
    connection.send(create_head(body.len()).replace(KEY, "wrong") + expect).unwrap();
    connection.receive().unwrap().expect(401);
    let mut connection = server.connect();
    connection.send(create_head(body.len()).replace("/json", "/xml") + expect).unwrap();
    connection.receive().unwrap().expect(415);
    is_unharmed(&server);

    let mut connection = server.connect();
    connection.send(create_head(body.len()) + expect).unwrap();
    connection.receive().unwrap().expect(100);
    connection.send(&body).unwrap();
    connection.receive().unwrap().expect(201);
    // A client that does not wait for the permission.
    connection.send(create_head(body.len()) + expect + &body).unwrap();
    let mut reply = connection.receive().unwrap();
    if reply.status == 100 {
        reply = connection.receive().unwrap();
    }
    reply.expect(201);
}

#[test]
fn a_body_without_end_is_refused() {
    let server = patient();
    let head = create_head(0).replace("content-length: 0", "transfer-encoding: chunked");
    let mut connection = server.connect();
    connection.send(format!("{head}\r\n")).unwrap();
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let sent = (0..1000).take_while(|_| connection.send(&chunk).is_ok()).count();
    assert!(sent < 1000, "64 MiB were taken");
    assert!(matches!(connection.last_status(), None | Some(413)));
    is_unharmed(&server);
}

#[test]
fn requests_in_a_row_are_answered_in_order() {
    let server = patient();
    let body = pagesmith_testkit::fixtures::page("In a row").to_string();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\n\r\n");
    let mut connection = server.connect();
    let create = format!("{}\r\n{body}", create_head(body.len()));
    connection.send(get("/healthz") + &get("/nowhere") + &create + &get("/v0/pages")).unwrap();
    for status in [200, 404, 201] {
        connection.receive().unwrap().expect(status);
    }
    assert_eq!(connection.receive().unwrap().expect(200).json()["totalCount"], 1);
    server.is_well();
}

#[test]
fn an_answer_does_not_wait_for_the_rest_of_the_next_request() {
    let server = patient();
    let mut connection = server.connect();
    let request = "GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n";
    connection.send(format!("{request}{}", &request[..10])).unwrap();
    connection.receive().unwrap().expect(200);
    connection.send(&request[10..]).unwrap();
    connection.receive().unwrap().expect(200);
}

#[test]
fn an_old_client_is_answered_and_let_go() {
    let server = patient();
    let mut connection = server.connect();
    connection.send("GET /healthz HTTP/1.0\r\n\r\n").unwrap();
    let reply = connection.receive().unwrap().expect(200);
    assert_eq!(reply.version, "HTTP/1.0");
    assert_eq!(connection.rest(), b"");
    let body = pagesmith_testkit::fixtures::page("Old").to_string();
    let mut connection = server.connect();
    connection.send(create_head(body.len()).replace("HTTP/1.1", "HTTP/1.0") + "\r\n" + &body).unwrap();
    connection.receive().unwrap().expect(201);
    assert_eq!(connection.rest(), b"");
    assert_eq!(contents(&server, KEY).len(), 1);
}

#[test]
fn rare_forms_of_a_request_are_answered() {
    let server = patient();
    for (line, status) in [
        ("OPTIONS * HTTP/1.1", 404),
        ("CONNECT db.internal:5432 HTTP/1.1", 404),
        ("GET http://elsewhere.example/healthz HTTP/1.1", 200),
        ("BREW /v0/pages HTTP/1.1", 405),
        ("TRACE /v0/pages HTTP/1.1", 405),
        ("GET /healthz?a=%00&&&=== HTTP/1.1", 200),
        ("GET /v0/pages/%ff%00 HTTP/1.1", 404),
        ("GET //healthz HTTP/1.1", 404),
        ("GET /v0/../healthz HTTP/1.1", 404),
    ] {
        let mut connection = server.connect();
        connection.send(format!("{line}\r\nhost: api\r\nx-api-key: {KEY}\r\n\r\n")).unwrap();
        let reply = connection.receive().unwrap();
        assert_eq!(reply.status, status, "{line}: {}", String::from_utf8_lossy(&reply.body));
        assert!(reply.header("x-request-id").is_some(), "{line}");
    }
    is_unharmed(&server);
}
