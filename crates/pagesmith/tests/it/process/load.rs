//! Clients that make pages as fast as they can, remember every answer, and go on whatever happens to the server.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use pagesmith_testkit::fixtures;

use super::wire::{Connection, Reply};
use super::{KEY, Server, eventually};

/// Running clients.
pub struct Load {
    seen: Arc<Mutex<Seen>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// What the clients were answered.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    /// The names of the pages that were acknowledged, by id.
    pub acknowledged: BTreeMap<String, String>,
    /// How often each other status came.
    pub refused: BTreeMap<u16, usize>,
    /// Requests that found the connection closed.
    pub unanswered: usize,
    /// A refusal without Retry-After.
    pub unclear: Option<String>,
}

impl Load {
    /// Starts clients of the server at that address.
    pub fn start(address: SocketAddr, clients: usize) -> Load {
        let (seen, stop): (Arc<Mutex<Seen>>, Arc<AtomicBool>) = Default::default();
        let threads = (0..clients).map(|client| {
            let (seen, stop) = (Arc::clone(&seen), Arc::clone(&stop));
            std::thread::spawn(move || work(client, address, &seen, &stop))
        });
        let threads = threads.collect();
        Load { seen, stop, threads }
    }

    pub fn seen(&self) -> Seen {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until that many more pages are acknowledged.
    #[track_caller]
    pub fn wait_for(&self, more: usize) {
        let before = self.seen().acknowledged.len();
        eventually("pages are acknowledged", || {
            (self.seen.lock().unwrap().acknowledged.len() >= before + more).then_some(())
        });
    }

    /// Stops the clients; what they saw.
    pub fn finish(self) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
        self.seen.lock().unwrap().clone()
    }
}

fn work(client: usize, address: SocketAddr, seen: &Mutex<Seen>, stop: &AtomicBool) {
    let mut connection = None;
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let name = format!("Page {client}-{number}");
        let reply = create(&mut connection, address, &name);
        let mut seen = seen.lock().unwrap();
        match reply {
            Ok(reply) if reply.status == 201 => {
                let id = reply.json()["pageId"].as_str().unwrap().to_owned();
                seen.acknowledged.insert(id, name);
                continue;
            }
            Ok(reply) => {
                *seen.refused.entry(reply.status).or_default() += 1;
                if reply.header("retry-after").is_none() {
                    seen.unclear = Some(String::from_utf8_lossy(&reply.body).into_owned());
                }
            }
            Err(_) => {
                seen.unanswered += 1;
                connection = None;
            }
        }
        drop(seen);
        // Whoever was refused does not come back at once, or it would take the server's time to recover.
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn create(connection: &mut Option<Connection>, address: SocketAddr, name: &str) -> std::io::Result<Reply> {
    let open = match connection {
        Some(open) => open,
        None => connection.insert(Connection::open(address)?),
    };
    open.call("POST", "/v0/pages", Some(KEY), Some(&fixtures::page(name)))
}

/// The names of all pages by id, as the list tells them; their number must be the one that the list tells.
#[track_caller]
pub fn contents(server: &Server, key: &str) -> BTreeMap<String, String> {
    let mut connection = server.connect();
    let mut pages = BTreeMap::new();
    let mut path = "/v0/pages?limit=100".to_owned();
    loop {
        let list = connection.call("GET", &path, Some(key), None).unwrap().expect(200).json();
        for page in list["items"].as_array().unwrap() {
            let text = |field: &str| page[field].as_str().unwrap().to_owned();
            assert_eq!(pages.insert(text("pageId"), text("name")), None, "listed twice");
        }
        match list["nextCursor"].as_str() {
            Some(cursor) => path = format!("/v0/pages?limit=100&cursor={cursor}"),
            None => {
                assert_eq!(list["totalCount"], pages.len(), "the total is not the number of pages");
                return pages;
            }
        }
    }
}

/// Every acknowledged page is among the pages.
#[track_caller]
pub fn assert_kept(seen: &Seen, pages: &BTreeMap<String, String>) {
    let lost: Vec<_> = seen.acknowledged.iter().filter(|(id, name)| pages.get(*id) != Some(name)).collect();
    assert!(
        lost.is_empty(),
        "{} of {} acknowledged pages are lost: {lost:?}",
        lost.len(),
        seen.acknowledged.len()
    );
}
