//! The same of streams of events: twelve tenants open one after the other and read none of them.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use pagesmith_testkit::fixtures;
use serde_json::json;

use super::{ATTACKERS, attacked, beside};
use crate::process::Server;
use crate::process::wire::{Connection, Reply};

/// How many streams of a tenant may be open.
const MOST: usize = 3;
/// How many requests of a tenant nobody reads the answers of; all together stay below what an address may have.
const UNREAD: usize = 20;

/// The path of a version's stream, of a tenant's own page.
fn followed(server: &Server, key: &str) -> String {
    let id = |answer: &Reply, name: &str| answer.json()[name].as_str().unwrap().to_owned();
    let page = id(&server.post("/v0/pages", key, &fixtures::page("Followed")).expect(201), "pageId");
    let audiences = format!("/v0/pages/{page}/audiences");
    let made = server.post(&audiences, key, &json!({})).expect(201);
    let version = made.json()["latestVersion"]["versionId"].as_str().unwrap().to_owned();
    format!("{audiences}/{}/versions/{version}/progress", id(&made, "audienceId"))
}

#[test]
fn streams_that_nobody_reads() {
    // The model never says a word, so all versions are being written for as long as the test.
    let model = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, keys) = attacked(&[
        ("LIMITS_STREAMS_PER_TENANT", &MOST.to_string()),
        ("AGENT_KIND", "openai"),
        ("AGENT_MODEL", "silent"),
        ("AGENT_BASE_URL", &format!("http://{}", model.local_addr().unwrap())),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let heads: Vec<String> = keys
        .iter()
        .map(|key| {
            let path = followed(&server, key);
            format!(
                "GET {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {key}\r\naccept: text/event-stream\r\n\r\n"
            )
        })
        .collect();
    let address = server.address;
    let unread: Arc<[Mutex<Vec<Connection>>]> = (0..ATTACKERS).map(|_| Mutex::default()).collect();
    let of_attackers = Arc::clone(&unread);
    let read = beside(&server, move |number| {
        let mut unread = of_attackers[number].lock().unwrap();
        let ask = || {
            let mut connection = Connection::open(address).unwrap();
            connection.send(&heads[number]).unwrap();
            connection
        };
        if unread.is_empty() {
            unread.extend((0..UNREAD).map(|_| ask()));
            return None;
        }
        let mut connection = ask();
        // Each looks now and then whether there is a place for one more, and keeps what it gets.
        let head = connection.head().unwrap();
        if head.status == 200 {
            unread.push(connection);
            return Some(number);
        }
        is_refused(&connection.body_of(head).unwrap());
        None
    });
    let mut opened = [0; ATTACKERS];
    read.into_iter().flatten().for_each(|number| opened[number] += 1);
    for (number, unread) in unread.iter().enumerate() {
        // Behind the unread connections in the list are the streams that were kept open above.
        for connection in unread.lock().unwrap().iter_mut().take(UNREAD) {
            let head = connection.head().unwrap();
            match head.status {
                200 => opened[number] += 1,
                _ => is_refused(&connection.body_of(head).unwrap()),
            }
        }
    }
    assert_eq!(opened, [MOST; ATTACKERS]);
    server.is_well();
}

/// One stream more is told that there are enough.
#[track_caller]
fn is_refused(reply: &Reply) {
    let told = reply.json();
    assert_eq!((reply.status, &told["code"]), (429, &json!("RATE_LIMITED")), "{told}");
    assert_eq!(told["details"]["limit"], json!(MOST), "{told}");
    assert!(reply.header("retry-after").is_some(), "{told}");
}
