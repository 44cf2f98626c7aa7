//! The same of what tenants store: files, addresses to be read, searches of knowledge and tables of routes without end, and the tenant next door
//! does not notice.

use std::io::Cursor;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{DynamicImage, GrayImage, ImageFormat};
use pagesmith_testkit::fixtures;
use serde_json::json;

use super::{ask, attacked, beside, upload_status};
use crate::topics::entries;

/// How many bytes a file has that an attacker uploads.
const FILE: usize = 300 * 1024;

/// Numbers that make files and addresses differ.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The status of the answer to a new file of an attacker.
fn upload(server: SocketAddr, key: &str) -> u16 {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut file = vec![b'x'; FILE];
    file.extend(number.to_be_bytes());
    upload_status(server, key, "large.bin", &file)
}

#[test]
fn files_that_fill_what_a_tenant_may_store() {
    let (server, keys) = attacked(&[("FILES_QUOTA_MIB", "1")]);
    let (address, of_attackers) = (server.address, keys.clone());
    let statuses = beside(&server, move |number| upload(address, &of_attackers[number]));
    // Three of them fit; a server that is busy with others' files says so.
    assert!(statuses.iter().all(|status| [201, 409, 503].contains(status)), "{statuses:?}");
    let stored = statuses.iter().filter(|status| **status == 201).count();
    assert!((1..=keys.len() * 3).contains(&stored), "{stored}");
    for key in &keys {
        while upload(address, key) != 409 {}
    }
    server.is_well();
}

#[test]
fn pictures_that_unpack_to_far_more_than_they_are() {
    let (server, keys) = attacked(&[]);
    let mut bomb = Cursor::new(Vec::new());
    DynamicImage::ImageLuma8(GrayImage::new(7_000, 7_000)).write_to(&mut bomb, ImageFormat::Png).unwrap();
    let bomb = bomb.into_inner();
    assert!(bomb.len() < 300_000, "{}", bomb.len());
    let address = server.address;
    let statuses = beside(&server, move |number| {
        // What stands behind the last part of a picture makes it another one.
        let different = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let file = [&bomb[..], &different].concat();
        upload_status(address, &keys[number], "bomb.png", &file)
    });
    assert!(statuses.iter().all(|status| [201, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&201), "{statuses:?}");
    server.is_well();
}

#[test]
fn addresses_that_are_read_without_end() {
    let (server, keys) = attacked(&[]);
    let topics: Vec<String> = keys
        .iter()
        .map(|key| {
            let topic = server.post("/v0/topics", key, &json!({ "title": "Elsewhere" })).expect(201).json();
            format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap())
        })
        .collect();
    let address = server.address;
    let statuses = beside(&server, move |number| {
        // Nothing within is read, whatever its name.
        let url = format!("http://127.0.0.1:8080/{}", NEXT.fetch_add(1, Ordering::Relaxed));
        ask(address, "POST", &topics[number], &keys[number], Some(&entries::page(&url))).status
    });
    assert!(statuses.iter().all(|status| [201, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&201), "{statuses:?}");
    server.is_well();
}

#[test]
fn searches_of_knowledge_for_very_many_words() {
    let (server, keys) = attacked(&[]);
    for key in &keys {
        let topic = server.post("/v0/topics", key, &json!({ "title": "Words" })).expect(201).json();
        let path = format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap());
        let text = "anvil bellows crucible forge hammer tongs ".repeat(500);
        server.post(&path, key, &entries::text(&text)).expect(201);
    }
    let address = server.address;
    let query = (0..180).map(|word| format!("a{word}")).collect::<Vec<_>>().join(" ");
    let statuses = beside(&server, move |number| {
        ask(address, "POST", "/v0/knowledge/search", &keys[number], Some(&json!({ "query": query }))).status
    });
    assert!(statuses.iter().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200), "{statuses:?}");
    server.is_well();
}

#[test]
fn tables_with_far_too_many_routes() {
    let (server, keys) = attacked(&[]);
    let page = |key: &String| {
        let page = server.post("/v0/pages", key, &fixtures::page("Routed")).expect(201).json();
        page["pageId"].as_str().unwrap().to_owned()
    };
    let pages: Vec<String> = keys.iter().map(page).collect();
    let address = server.address;
    let replies = beside(&server, move |number| {
        let route = json!({ "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta", "weight": 1 });
        let target = json!({
            "targetType": "page_routing", "pageId": pages[number], "routingTable": vec![route; 10_000],
        });
        let body =
            json!({ "path": format!("/go/{}", NEXT.fetch_add(1, Ordering::Relaxed)), "target": target });
        ask(address, "POST", "/v0/page_links", &keys[number], Some(&body))
    });
    for reply in replies {
        let reply = reply.expect(400);
        assert!(reply.body.len() < 200_000, "an answer of {} bytes", reply.body.len());
        assert!(reply.json()["detail"].as_str().unwrap().contains("at most 100 items"), "{}", reply.json());
    }
    server.is_well();
}
