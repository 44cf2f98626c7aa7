//! Clients that ask and never read, too many of one address, and a stop in the midst of them.

use std::net::TcpListener;
use std::time::Duration;

use super::{cut_off, is_unharmed, metric, patient};
use crate::process::wire::{Connection, create_head};
use crate::process::{Instance, KEY, Server, eventually};

/// A write time-out that passes quickly.
const SHORT: (&str, &str) = ("LIMITS_WRITE_TIMEOUT", "300ms");
/// A time for the stop that no test would wait for.
const ENDLESS_STOP: (&str, &str) = ("LIMITS_SHUTDOWN_TIMEOUT", "600s");

const GREEDY: &str = "GET /docs HTTP/1.1\r\nhost: api\r\n\r\n";

/// Connections whose clients ask for much more than fits on the way, and read nothing.
fn that_never_read(server: &Server, count: usize) -> Vec<Connection> {
    let ask = |_| {
        let mut connection = server.connect();
        connection.send(GREEDY.repeat(1_000)).unwrap();
        connection
    };
    (0..count).map(ask).collect()
}

const OPEN: &str = "pagesmith_http_connections";

#[test]
fn a_connection_whose_client_takes_nothing_ends() {
    let server = Instance::new().serve_with(&[SHORT]);
    let silent = that_never_read(&server, 50);
    eventually("their connections end", || (cut_off(&server, "write_timeout") == 50).then_some(()));
    // Only the one that asks is left.
    eventually("nothing is left of them", || (metric(&server, OPEN) == 1).then_some(()));
    is_unharmed(&server);
    drop(silent);
}

#[test]
fn a_client_that_reads_slowly_but_does_read_gets_everything() {
    let server = Instance::new().serve_with(&[SHORT]);
    let mut slow = server.connect();
    slow.send(GREEDY.repeat(60)).unwrap();
    for _ in 0..60 {
        slow.receive().unwrap().expect(200);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(cut_off(&server, "write_timeout"), 0);
}

#[test]
fn a_client_that_does_not_read_is_worked_for_no_further() {
    let server = patient();
    let asked = 5_000;
    let mut silent = server.connect();
    silent.send("").unwrap();
    let request = GREEDY.repeat(50);
    let mut sender = server.connect();
    // The rest waits in the client: the server does not take it.
    let sending = std::thread::spawn(move || {
        let sent = (0..asked / 50).take_while(|_| sender.send(&request).is_ok()).count();
        (sent, sender)
    });
    let answered = || metric(&server, "pagesmith_http_requests_total{operation=\"docs\",status=\"200\"}");
    let mut known = (0, 0);
    eventually("no more is answered", || {
        let now = answered();
        known = if now == known.0 && now > 0 { (now, known.1 + 1) } else { (now, 0) };
        (known.1 > 50).then_some(())
    });
    assert!(known.0 < asked / 2, "{} answers were made for nobody", known.0);
    is_unharmed(&server);
    drop((server, sending));
}

#[test]
fn an_address_has_so_many_connections() {
    let server = Instance::new().serve_with(&[("LIMITS_CONNECTIONS_PER_ADDRESS", "5")]);
    // Those of the start may not have ended yet.
    let held = |_| {
        eventually("there is room for a connection", || {
            let mut connection = server.connect();
            connection.call("GET", "/healthz", None, None).ok().map(|_| connection)
        })
    };
    let _kept: Vec<Connection> = (0..4).map(held).collect();
    let last = held(4);
    for _ in 0..20 {
        assert_eq!(server.connect().rest(), b"");
    }
    let told = || server.err.text().matches("too many connections").count();
    eventually("the log tells of it", || (told() > 0).then_some(()));
    assert!(told() < 10, "told {} times of twenty", told());
    drop(last);
    eventually("another takes its place", || server.connect().call("GET", "/healthz", None, None).ok());
    eventually("they are counted", || (cut_off(&server, "address") >= 20).then_some(()));
}

#[test]
fn a_stop_does_not_wait_for_clients_that_do_nothing() {
    let instance = Instance::new();
    let server = instance.serve_with(&[ENDLESS_STOP]);
    let silent = that_never_read(&server, 50);
    let untouched: Vec<_> = (0..10).map(|_| server.connect()).collect();
    let mut half = server.connect();
    half.send("GET /healthz HTTP/1.1\r\nhost: a").unwrap();
    let mut idle = server.connect();
    idle.call("GET", "/healthz", None, None).unwrap().expect(200);
    let mut unsent = server.connect();
    unsent.send(format!("{}expect: 100-continue\r\n\r\n", create_head(100))).unwrap();
    unsent.receive().unwrap().expect(100);
    is_unharmed(&server);
    server.terminate();
    assert_eq!(idle.rest(), b"");
    let finished = server.wait();
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert!(!finished.err.contains("cut off at the end of the shutdown time"), "{}", finished.err);
    drop((silent, untouched, half));
}

#[test]
fn a_stop_ends_streams_of_events_at_once() {
    // The model never says a word, so the version is being written for minutes, and the stream goes on for as long.
    let model = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", model.local_addr().unwrap());
    let server = Instance::new().serve_with(&[
        ENDLESS_STOP,
        ("AGENT_KIND", "openai"),
        ("AGENT_MODEL", "silent"),
        ("AGENT_BASE_URL", &address),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let page =
        server.post("/v0/pages", KEY, &pagesmith_testkit::fixtures::page("Followed")).expect(201).json();
    let at = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let made = server.post(&at, KEY, &serde_json::json!({})).expect(201).json();
    let at = format!("{at}/{}/versions", made["audienceId"].as_str().unwrap());
    let versions = server.get(&at, KEY).expect(200).json();
    let at = format!("{at}/{}/progress", versions["items"][0]["versionId"].as_str().unwrap());
    let mut stream = server.connect();
    let accept = "accept: text/event-stream\r\n";
    stream.send(format!("GET {at} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\n{accept}\r\n")).unwrap();
    let asked = || {
        metric(
            &server,
            "pagesmith_http_requests_total{operation=\"getAudienceVersionProgress\",status=\"200\"}",
        )
    };
    eventually("it has begun", || (asked() == 1).then_some(()));
    server.terminate();
    let told = String::from_utf8(stream.rest()).unwrap();
    assert!(told.contains("event: progress") && !told.contains("published"), "{told}");
    assert_eq!(server.wait().code, Some(0));
}
