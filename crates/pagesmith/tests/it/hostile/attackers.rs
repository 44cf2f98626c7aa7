//! A neighbour's view of the real server: twelve tenants, or as many clients without a key, do their worst, and another tenant's calls never
//! fail.
//!
//! Tests assert that limits hold where they should; how fast the neighbour is served meanwhile is measured by
//! `cargo x bench --only neighbours`.

mod contents;
mod documents;
mod outside;
mod streams;
mod visitors;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use super::cut_off;
use crate::process::wire::{Connection, Reply};
use crate::process::{Instance, KEY, Server, eventually};

/// How many attack at the same time.
const ATTACKERS: usize = 12;
/// How often the neighbour makes and reads a page meanwhile.
const ROUNDS: usize = 10;

/// A server, and the keys of the tenants that attack it.
fn attacked(settings: &[(&str, &str)]) -> (Server, Vec<String>) {
    let instance = Instance::new();
    let server = instance.serve_with(settings);
    let key = |number: usize| {
        let tenant = format!("attacker-{number}");
        instance.json(&["tenant", "create", &tenant, "--json"]);
        let key = instance.json(&["key", "create", "--tenant", &tenant, "--json"]);
        key["secret"].as_str().unwrap().to_owned()
    };
    let keys: Vec<_> = (0..ATTACKERS).map(key).collect();
    (server, keys)
}

/// Runs an attack by everyone again and again, while the neighbour works; what was seen of each attack. All of them have begun before the
/// neighbour does, and end after it.
fn beside<T: Send + 'static>(server: &Server, attack: impl Fn(usize) -> T + Send + Sync + 'static) -> Vec<T> {
    while_attacked(attack, || neighbour(server))
}

/// The same, with what the neighbour does.
fn while_attacked<T: Send + 'static>(
    attack: impl Fn(usize) -> T + Send + Sync + 'static,
    neighbour: impl FnOnce(),
) -> Vec<T> {
    let (attack, done) = (Arc::new(attack), Arc::new(AtomicBool::new(false)));
    let begun = Arc::new(AtomicUsize::new(0));
    let attackers = (0..ATTACKERS).map(|number| {
        let (attack, done, begun) = (Arc::clone(&attack), Arc::clone(&done), Arc::clone(&begun));
        std::thread::spawn(move || {
            let mut seen = Vec::new();
            begun.fetch_add(1, Ordering::Relaxed);
            loop {
                seen.push(attack(number));
                if done.load(Ordering::Relaxed) {
                    return seen;
                }
            }
        })
    });
    let attackers: Vec<_> = attackers.collect();
    eventually("all attack", || (begun.load(Ordering::Relaxed) == ATTACKERS).then_some(()));
    neighbour();
    done.store(true, Ordering::Relaxed);
    attackers.into_iter().flat_map(|attacker| attacker.join().unwrap()).collect()
}

/// The calls of the tenant next door, none of which may fail.
#[track_caller]
fn neighbour(server: &Server) {
    let mut connection = server.connect();
    let mut call = |method: &str, path: &str, body: Option<&Value>, status: u16| {
        connection.call(method, path, Some(KEY), body).unwrap().expect(status).json()
    };
    for round in 0..ROUNDS {
        let page = call("POST", "/v0/pages", Some(&fixtures::page(&format!("Round {round}"))), 201);
        let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
        assert_eq!(call("GET", &path, None, 200), page);
        assert_eq!(call("GET", "/v0/pages?limit=5", None, 200)["items"][0], page);
        let found = call("GET", &format!("/v0/pages/search?query=round%20{round}"), None, 200);
        assert_eq!(found["items"][0]["pageId"], page["pageId"]);
    }
    connection.call("GET", "/healthz", None, None).unwrap().expect(200);
}

/// The path of the entries of a new topic.
fn entries_of(server: &Server, key: &str) -> String {
    let topic = server.post("/v0/topics", key, &json!({ "title": "Read" })).expect(201).json();
    format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap())
}

/// How reading an entry has ended, if it has.
fn ended(server: &Server, key: &str, entry: &str) -> Option<Value> {
    let log = server.get(&format!("{entry}/log"), key).expect(200).json();
    (log["enrichmentStatus"] != "pending").then(|| log["items"][0].clone())
}

/// The answers to the same request on so many connections at the same time.
fn ask_at_once(
    server: std::net::SocketAddr,
    count: usize,
    (path, key): (&str, &str),
    body: &Value,
) -> Vec<Reply> {
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let send = |_| {
        let mut connection = Connection::open(server).unwrap();
        connection.send(&request).unwrap();
        connection
    };
    let mut connections: Vec<Connection> = (0..count).map(send).collect();
    connections.iter_mut().map(|connection| connection.receive().unwrap()).collect()
}

/// The answer to one request on a connection of its own.
fn ask(server: std::net::SocketAddr, method: &str, path: &str, key: &str, body: Option<&Value>) -> Reply {
    Connection::open(server).unwrap().call(method, path, Some(key), body).unwrap()
}

/// The status of the answer to an upload. Who is refused before all of a file was sent may be cut off, and lose the answer.
fn upload_status(server: std::net::SocketAddr, key: &str, name: &str, bytes: &[u8]) -> u16 {
    let sent = Connection::open(server).unwrap().upload(key, name, bytes);
    sent.map_or(503, |reply| reply.status)
}

#[test]
fn bodies_that_break_a_rule_at_every_second_byte() {
    let (server, keys) = attacked(&[]);
    let (address, body) = (server.address, json!({ "actions": vec![0; 90_000] }));
    let replies = beside(&server, move |number| {
        ask(address, "POST", "/v0/pages", &keys[number], Some(&body)).expect(400)
    });
    for reply in replies {
        assert!(reply.body.len() < 200_000, "an answer of {} bytes", reply.body.len());
        let told = reply.json();
        let issues: usize =
            told["details"].as_array().unwrap().iter().map(|of| of["issues"].as_array().unwrap().len()).sum();
        assert_eq!(issues, 100);
        assert!(told["detail"].as_str().unwrap().contains("more"), "{}", told["detail"]);
    }
    server.is_well();
}

#[test]
fn large_lists_that_nobody_reads() {
    let (server, keys) = attacked(&[("LIMITS_ANSWERS_IN_MEMORY_MIB", "64")]);
    let mut large = fixtures::page("Large");
    large["pageContext"] = json!("\u{1f600}".repeat(200_000));
    for key in &keys {
        for _ in 0..3 {
            server.post("/v0/pages", key, &large).expect(201);
        }
    }
    let address = server.address;
    // All together stay below what an address may have, which is the neighbour's as well.
    let held: Arc<[Mutex<VecDeque<Connection>>]> = (0..ATTACKERS).map(|_| Mutex::default()).collect();
    let of_attackers = Arc::clone(&held);
    let status = |mut connection: Connection| connection.receive().ok().map(|reply| reply.status);
    let read = beside(&server, move |number| {
        let (mut held, key) = (of_attackers[number].lock().unwrap(), &keys[number]);
        for _ in 0..8 {
            let mut connection = Connection::open(address).unwrap();
            let head = format!("GET /v0/pages HTTP/1.1\r\nhost: api\r\nx-api-key: {key}\r\n\r\n");
            connection.send(head).unwrap();
            held.push_back(connection);
        }
        let surplus = held.len().saturating_sub(40);
        held.drain(..surplus).filter_map(status).collect::<Vec<_>>()
    });
    // Much more than fits was asked for at the same time: some of it was refused, and said so.
    let unread = held.iter().flat_map(|held| std::mem::take(&mut *held.lock().unwrap())).filter_map(status);
    let statuses: Vec<u16> = read.into_iter().flatten().chain(unread).collect();
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&503) && statuses.contains(&200), "{statuses:?}");
    server.is_well();
}

#[test]
fn searches_of_very_many_words_over_long_names() {
    let (server, keys) = attacked(&[]);
    let name = |first: usize| (first..first + 45).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    for key in &keys {
        for number in 0..10 {
            let person = json!({ "name": name(number), "email": format!("long-{number}@example.com") });
            server.post("/v0/persons", key, &person).expect(201);
        }
    }
    let words = (0..180).map(|number| format!("w{number}")).collect::<Vec<_>>().join("%20");
    let (address, path) = (server.address, format!("/v0/persons/search?query={words}&limit=100"));
    let replies = beside(&server, move |number| ask(address, "GET", &path, &keys[number], None).expect(200));
    // The first sixteen words are looked for: w0 to w15, which only the first name has.
    for reply in replies {
        assert_eq!(reply.json()["totalCount"], 1);
    }
    server.is_well();
}

#[test]
fn documents_that_anybody_may_have() {
    let (server, _) = attacked(&[]);
    let address = server.address;
    let replies = beside(&server, move |_| ask(address, "GET", "/openapi.json", "none", None).expect(200));
    let tags: std::collections::BTreeSet<_> =
        replies.iter().map(|reply| reply.header("etag").unwrap().to_owned()).collect();
    assert_eq!(tags.len(), 1, "made once");
    server.is_well();
}

#[test]
fn requests_in_a_row_whose_answers_nobody_reads() {
    let (server, _) = attacked(&[("LIMITS_WRITE_TIMEOUT", "300ms")]);
    let address = server.address;
    let request = "GET /openapi.json HTTP/1.1\r\nhost: api\r\n\r\n".repeat(200);
    let ended = beside(&server, move |_| {
        let mut connection = Connection::open(address).unwrap();
        // Taken as long as there is room on the way; then the server ends the connection.
        (0..).take_while(|_| connection.send(&request).is_ok()).count()
    });
    // A client whose time limit passes with an unread connection ends it as well; but none of them had to.
    eventually("the server has ended every connection", || {
        (cut_off(&server, "write_timeout") == ended.len() as u64).then_some(())
    });
    server.is_well();
}

#[test]
fn bodies_that_never_arrive() {
    let (server, keys) = attacked(&[("LIMITS_BODY_TIMEOUT", "300ms")]);
    let address = server.address;
    let replies = beside(&server, move |number| {
        let mut connection = Connection::open(address).unwrap();
        let head = crate::process::wire::create_head(1_000_000).replace(KEY, &keys[number]);
        connection.send(format!("{head}\r\n{{\"name\":")).unwrap();
        connection.receive().unwrap().expect(400)
    });
    for reply in replies {
        assert_eq!(reply.json()["details"][0]["issues"][0]["code"], "incomplete");
    }
    server.is_well();
}

#[test]
fn more_connections_than_an_address_may_have() {
    let (server, _) = attacked(&[("LIMITS_CONNECTIONS_PER_ADDRESS", "40")]);
    let address = server.address;
    // The attackers have one address, the neighbour another one.
    let attacker = std::net::Ipv4Addr::new(127, 0, 0, 2).into();
    let kept = beside(&server, move |_| {
        let open = (0..20).filter_map(|_| {
            let mut connection = Connection::open_from(attacker, address).ok()?;
            connection.call("GET", "/healthz", None, None).ok().map(|_| connection)
        });
        open.collect::<Vec<_>>().len()
    });
    // Each asked for twenty, of which all twelve can have forty together.
    assert!(kept.iter().any(|kept| *kept < 20), "{kept:?}");
    server.is_well();
}
