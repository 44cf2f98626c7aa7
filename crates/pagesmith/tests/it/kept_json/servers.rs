//! Two servers under writes: no read that began after an acknowledged write, anywhere, shows less than it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::two_servers;

/// Pages that are changed, each by one writer.
const PAGES: usize = 3;
/// How often each is at least, and how many reads there are meanwhile, of a page and of a list each.
const WRITES: u64 = 50;
const READS: u64 = 500;

/// What was acknowledged so far.
#[derive(Default)]
struct Acknowledged {
    names: [AtomicU64; PAGES],
    audiences: [AtomicU64; PAGES],
    pages: AtomicU64,
    /// How many reads were made.
    reads: AtomicU64,
    /// How many writers have ended.
    ended: AtomicUsize,
}

fn path(page: &Value) -> String {
    format!("/v0/pages/{}", page["pageId"].as_str().unwrap())
}

/// The number at the end of a page's name.
fn number(page: &Value) -> u64 {
    page["name"].as_str().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

async fn write(servers: [Client; 2], page: Value, at: usize, seen: Arc<Acknowledged>) {
    for write in 1.. {
        if write > WRITES && seen.reads.load(Ordering::SeqCst) >= READS {
            break;
        }
        let server = &servers[(write % 2) as usize];
        server.patch(&path(&page), &json!({ "name": format!("Page {write}") })).await.expect(200);
        seen.names[at].store(write, Ordering::SeqCst);
        if write % 5 == 0 {
            let (page_body, audience) = (fixtures::page("One more 0"), format!("{}/audiences", path(&page)));
            server.post("/v0/pages", &page_body).await.expect(201);
            seen.pages.fetch_add(1, Ordering::SeqCst);
            server.post(&audience, &json!({ "customName": format!("Audience {write}") })).await.expect(201);
            seen.audiences[at].fetch_add(1, Ordering::SeqCst);
        }
    }
    seen.ended.fetch_add(1, Ordering::SeqCst);
}

/// Checks a page against what was acknowledged before it was asked for.
fn check(page: &Value, least: (u64, u64)) {
    let shown = (number(page), page["audiencesCount"].as_u64().unwrap());
    assert!(shown.0 >= least.0 && shown.1 >= least.1, "{shown:?} of at least {least:?}");
}

async fn read(server: Client, pages: Vec<Value>, last: String, seen: Arc<Acknowledged>) {
    while seen.ended.load(Ordering::SeqCst) < PAGES {
        let at = (seen.reads.fetch_add(1, Ordering::SeqCst) % PAGES as u64) as usize;
        let least = || (seen.names[at].load(Ordering::SeqCst), seen.audiences[at].load(Ordering::SeqCst));
        let expected = least();
        check(&server.get(&path(&pages[at])).await.expect(200).json(), expected);
        let (expected, total) = (least(), seen.pages.load(Ordering::SeqCst));
        // The pages that are changed are at the end of the list.
        let list = server.get(&last).await.expect(200).json();
        assert!(list["totalCount"].as_u64().unwrap() >= total);
        let of = |item: &&Value| item["pageId"] == pages[at]["pageId"];
        check(list["items"].as_array().unwrap().iter().find(of).unwrap(), expected);
        // Where every answer is there at once, nobody else would get a turn.
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_read_after_an_acknowledged_write_shows_less_than_it() {
    let app = TestApp::start().await;
    let servers = two_servers(&app).map(|server| Client::new(server, Some(app.key.clone())));
    let mut pages = Vec::new();
    for _ in 0..PAGES {
        pages.push(servers[0].post("/v0/pages", &fixtures::page("Page 0")).await.expect(201).json());
    }
    // A page behind them, so that a cursor leads to them, however many are made meanwhile.
    let front = servers[0].post("/v0/pages", &fixtures::page("Front 0")).await.expect(201).json();
    let list = servers[0].get("/v0/pages?limit=1").await.expect(200).json();
    assert_eq!(list["items"][0]["pageId"], front["pageId"]);
    let last = format!("/v0/pages?limit=10&cursor={}", list["nextCursor"].as_str().unwrap());
    let seen = Arc::new(Acknowledged::default());
    seen.pages.store(PAGES as u64 + 1, Ordering::SeqCst);
    let mut tasks = JoinSet::new();
    for (at, page) in pages.iter().enumerate() {
        tasks.spawn(write(servers.clone(), page.clone(), at, Arc::clone(&seen)));
    }
    for at in 0..4 {
        tasks.spawn(read(servers[at % 2].clone(), pages.clone(), last.clone(), Arc::clone(&seen)));
    }
    // The first that fails ends the test.
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn flags_and_shared_links_show_on_both_nodes_at_once() {
    let app = TestApp::start().await;
    let servers = two_servers(&app).map(|server| Client::new(server, Some(app.key.clone())));
    let block = json!({ "kind": "navigation", "name": "Main", "links": [] });
    let block = servers[0].post("/v0/page_link_blocks", &block).await.expect(200).json();
    let block_id = block["linkBlockId"].as_str().unwrap();
    let mut pages = Vec::new();
    for name in ["Spring", "Summer"] {
        let mut body = fixtures::page(name);
        body["navLinkBlockId"] = json!(block_id);
        pages.push(servers[0].post("/v0/pages", &body).await.expect(201).json());
    }
    for round in 0..40 {
        let (writer, home) = (&servers[round % 2], &pages[round / 2 % 2]);
        let site = json!({ "homePageId": home["pageId"] }).to_string().into_bytes();
        writer.send("PUT", "/v0/site", Some(site)).await.expect(200);
        let entry = json!([{ "type": "link", "id": "one", "text": format!("Round {round}"), "url": "https://acme.example" }]);
        let links = json!({ "links": entry });
        writer.patch(&format!("/v0/page_link_blocks/{block_id}"), &links).await.expect(200);
        for server in &servers {
            let items = server.get("/v0/pages").await.expect(200).json()["items"].clone();
            for (page, item) in pages.iter().rev().zip(items.as_array().unwrap()) {
                assert_eq!(server.get(&path(page)).await.expect(200).json(), *item);
                assert_eq!(
                    item["flags"] == json!(["home_page"]),
                    page["pageId"] == home["pageId"],
                    "{round}"
                );
                assert_eq!(item["navLinks"], entry);
            }
        }
    }
}
