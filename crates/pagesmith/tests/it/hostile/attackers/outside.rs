//! The same of what tenants have this server ask elsewhere: name servers that are silent, and websites that never answer or never end.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::{ATTACKERS, ask, ask_at_once, attacked, beside, ended, entries_of, neighbour, while_attacked};
use crate::process::{KEY, eventually};
use crate::topics::entries;

/// How many requests an attacker has at the same time.
const AT_ONCE: usize = 6;

/// Numbers that make names and addresses differ.
static NEXT: AtomicUsize = AtomicUsize::new(0);

#[test]
fn domains_in_masses_whose_name_servers_are_silent() {
    let silent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let (server, keys) = attacked(&[("DNS_SERVERS", &silent.local_addr().unwrap().to_string())]);
    let address = server.address;
    let replies = beside(&server, move |number| {
        let key = &keys[number];
        let name = format!("d{}.attacker-{number}.example", NEXT.fetch_add(1, Ordering::Relaxed));
        let added = ask(address, "POST", "/v0/tenant_domains", key, Some(&json!({ "domain": name })));
        if added.status != 201 {
            return vec![added];
        }
        let id = added.json()["tenantDomainId"].as_str().unwrap().to_owned();
        ask_at_once(address, AT_ONCE, (&format!("/v0/tenant_domains/{id}/verify"), key), &json!({}))
    });
    let statuses: Vec<u16> = replies.iter().flatten().map(|reply| reply.status).collect();
    assert!(statuses.iter().all(|status| [200, 409, 429, 503].contains(status)), "{statuses:?}");
    // Four checks of a tenant may wait, and one more is told so.
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    for reply in replies.iter().flatten().filter(|reply| reply.status == 200) {
        assert_eq!(reply.json()["verificationStatus"], "pending_verification");
    }
    server.is_well();
}

/// A website on every address of the machine that takes connections; what becomes of them is up to `answer`.
fn website(answer: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = Arc::new(answer);
    // It ends with the program of the tests.
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let answer = Arc::clone(&answer);
            thread::spawn(move || answer(connection));
        }
    });
    port
}

#[test]
fn brands_from_websites_that_never_answer() {
    // Nothing once they are let go.
    let held = Arc::new(Mutex::new(Some(Vec::new())));
    let holding = Arc::clone(&held);
    let port = website(move |connection| {
        if let Some(held) = &mut *holding.lock().unwrap() {
            held.push(connection);
        }
    });
    let (server, keys) = attacked(&[("EGRESS_ALLOW", "127.0.0.0/8")]);
    let address = server.address;
    let attack = move |number: usize| {
        let url = format!("http://127.0.0.{}:{port}/", number + 2);
        ask_at_once(address, AT_ONCE, ("/v0/brands/from_website", &keys[number]), &json!({ "url": url }))
    };
    let replies = while_attacked(attack, || {
        let is_full = || held.lock().unwrap().as_ref().is_some_and(|held| held.len() >= ATTACKERS);
        eventually("every attacker waits", || is_full().then_some(()));
        neighbour(&server);
        drop(held.lock().unwrap().take());
    });
    let statuses: Vec<u16> = replies.iter().flatten().map(|reply| reply.status).collect();
    assert!(statuses.iter().all(|status| [409, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&409) && statuses.contains(&429), "{statuses:?}");
    server.is_well();
}

/// Sends more and more until nobody takes it.
fn flood(sending: &mut TcpStream) -> std::io::Result<()> {
    loop {
        sending.write_all(&[b'x'; 64 * 1024])?;
    }
}

/// Answers requests: for `/ours` a page, no rules, and for everything else a page without end.
fn without_end(connection: TcpStream) {
    let mut sending = connection.try_clone().unwrap();
    let mut lines = BufReader::new(connection).lines();
    while let Some(Ok(first)) = lines.next() {
        while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
        let sent = if first.starts_with("GET /ours ") {
            let page = format!(
                "<title>Ours</title><article><p>{}</article>",
                "We bake bread every night. ".repeat(20)
            );
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
            write!(sending, "{head}content-length: {}\r\n\r\n{page}", page.len())
        } else if first.contains("/robots.txt ") {
            write!(sending, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
        } else {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>";
            write!(sending, "{head}").and_then(|()| flood(&mut sending))
        };
        if sent.is_err() {
            return;
        }
    }
}

#[test]
fn entries_of_addresses_that_answer_without_end() {
    let port = website(without_end);
    let (server, keys) = attacked(&[("EGRESS_ALLOW", "127.0.0.0/8")]);
    let topics: Vec<String> = keys.iter().map(|key| entries_of(&server, key)).collect();
    let path =
        |entries: &str, entry: &Value| format!("{entries}/{}", entry["topicEntryId"].as_str().unwrap());
    let first = server.post(&topics[0], &keys[0], &entries::page(&format!("http://127.0.0.2:{port}/0")));
    let first = (keys[0].clone(), path(&topics[0], &first.expect(201).json()));
    let address = server.address;
    let attack = move |number: usize| {
        let url = format!("http://127.0.0.{}:{port}/{}", number + 2, NEXT.fetch_add(1, Ordering::Relaxed));
        ask(address, "POST", &topics[number], &keys[number], Some(&entries::page(&url))).status
    };
    let statuses = while_attacked(attack, || {
        neighbour(&server);
        // The neighbour's page is read though many others wait.
        let entries = entries_of(&server, KEY);
        let ours = entries::page(&format!("http://127.0.0.200:{port}/ours"));
        let entry = server.post(&entries, KEY, &ours).expect(201).json();
        let outcome = eventually("the page is read", || ended(&server, KEY, &path(&entries, &entry)));
        assert_eq!(outcome["outcome"], "success", "{outcome}");
    });
    assert!(statuses.iter().all(|status| [201, 409, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&201), "{statuses:?}");
    let outcome = eventually("it is given up", || ended(&server, &first.0, &first.1));
    assert_eq!(outcome["reason"], "The page is larger than 5 MiB.", "{outcome}");
    server.is_well();
}
