//! Heads and bodies that do not arrive in time, and connections that say nothing.

use super::refusals::{is_whole, refused};
use super::{impatient, is_unharmed, patient};
use crate::process::load::contents;
use crate::process::wire::create_head;
use crate::process::{KEY, eventually};

#[test]
fn a_head_that_stops_half_way_is_told_so() {
    let server = impatient();
    for start in ["G", "\r\nGET / HTTP/1.1\r", "GET /healthz HTTP/1.1\r\nhost: api\r\n"] {
        is_whole(&refused(&server, start, false), 408, start);
    }
    // Behind a request that was answered it is no other.
    let mut connection = server.connect();
    connection.call("GET", "/healthz", None, None).unwrap().expect(200);
    connection.send("GET /hea").unwrap();
    is_whole(&connection.receive().unwrap(), 408, "the second head");
    assert_eq!(connection.rest(), b"");
    // The answer to HEAD has no body.
    let mut connection = server.connect();
    connection.send("HEAD /healthz HTTP/1.1\r\n").unwrap();
    let answer = String::from_utf8(connection.rest()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.ends_with("\r\n\r\n"), "{answer}");
    assert_eq!(answer.matches("\r\n\r\n").count(), 1, "{answer}");
    is_unharmed(&server);
}

#[test]
fn a_connection_on_which_no_head_begins_is_closed_without_a_word() {
    let server = impatient();
    for start in ["", "\r\n", "\r\n\r\n"] {
        let mut connection = server.connect();
        connection.send(start).unwrap();
        assert_eq!(connection.rest(), b"", "after {start:?}");
    }
    is_unharmed(&server);
}

#[test]
fn a_head_that_drips_is_not_waited_for() {
    let server = impatient();
    let mut connection = server.connect();
    connection.send("GET /healthz HTTP/1.1\r\nx-slow: ").unwrap();
    // Each byte alone comes well within the time; the whole does not.
    eventually("no byte buys more time", || connection.send("a").is_err().then_some(()));
    is_unharmed(&server);
}

#[test]
fn a_kept_connection_that_falls_silent_is_closed() {
    let server = impatient();
    let mut connection = server.connect();
    connection.call("GET", "/healthz", None, None).unwrap().expect(200);
    assert_eq!(connection.rest(), b"");
    is_unharmed(&server);
}

#[test]
fn a_body_that_stops_half_way_is_answered_400() {
    let server = impatient();
    let mut connection = server.connect();
    connection.send(format!("{}\r\n{{\"name\": ", create_head(100))).unwrap();
    let reply = connection.receive().unwrap().expect(400).json();
    assert_eq!(reply["details"][0]["issues"][0]["code"], "incomplete", "{reply:#}");
    // What would follow is the body, not a request: the connection cannot be used again.
    assert_eq!(connection.rest(), b"");
    is_unharmed(&server);
}

#[test]
fn a_body_that_drips_is_answered_400() {
    let server = impatient();
    let mut connection = server.connect();
    connection.send(format!("{}\r\n", create_head(100_000))).unwrap();
    eventually("no byte buys more time", || connection.send(" ").is_err().then_some(()));
    is_unharmed(&server);
}

#[test]
fn a_client_that_closes_its_side_before_the_end_is_not_waited_for() {
    let server = patient();
    let mut connection = server.connect();
    connection.send(format!("{}\r\n{{\"name\": ", create_head(100))).unwrap();
    connection.finish_sending();
    assert!(matches!(connection.last_status(), None | Some(400)));
    let mut connection = server.connect();
    connection.send("GET /healthz HT").unwrap();
    connection.finish_sending();
    assert!(matches!(connection.last_status(), None | Some(400)));
    is_unharmed(&server);
}

#[test]
fn a_client_that_closes_its_side_after_the_request_is_let_go() {
    let server = patient();
    let mut connection = server.connect();
    connection.send("GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n").unwrap();
    connection.finish_sending();
    assert!(matches!(connection.last_status(), None | Some(200)));
    is_unharmed(&server);
}

#[test]
fn a_client_that_goes_away_in_the_middle_leaves_nothing_half_done() {
    let server = patient();
    let body = pagesmith_testkit::fixtures::page("Gone").to_string();
    let whole = format!("{}\r\n{body}", create_head(body.len()));
    for cut in (1..whole.len()).step_by(37) {
        server.connect().send(&whole[..cut]).unwrap();
    }
    is_unharmed(&server);
    // Whoever does not wait for the answer may have made a page; whether it did, it is whole.
    for _ in 0..20 {
        server.connect().send(&whole).unwrap();
    }
    server.is_well();
    let pages = contents(&server, KEY);
    for id in pages.keys() {
        server.get(&format!("/v0/pages/{id}"), KEY).expect(200);
    }
}

#[test]
fn a_client_that_does_not_read_holds_up_nobody_else() {
    let server = patient();
    let mut greedy = server.connect();
    let requests = "GET /openapi.json HTTP/1.1\r\nhost: api\r\n\r\n".repeat(500);
    greedy.send(&requests).unwrap();
    is_unharmed(&server);
    // Its answers are all there when it reads after all.
    for _ in 0..500 {
        greedy.receive().unwrap().expect(200);
    }
    drop(greedy);
    server.is_well();
}
