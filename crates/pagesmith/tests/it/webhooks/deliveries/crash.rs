//! The program under load, killed at random moments: every acknowledged change's event arrives.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pagesmith_model::Timestamp;
use pagesmith_operations::Clock;
use pagesmith_testkit::fixtures;
use serde_json::json;

use crate::process::counter::Counter;
use crate::process::wire::Connection;
use crate::process::{Instance, KEY, Server, eventually};

/// How often a server is killed in every run of the tests.
const KILLS: u64 = 3;
/// Until when all must have arrived after the last start: the lease of a killed worker, the first gaps of the schedule and time to spare.
const ARRIVED: Duration = Duration::from_secs(600);

/// How often a server is killed in this run.
#[expect(clippy::disallowed_methods, reason = "the command says how often to kill")]
pub fn kills() -> u64 {
    std::env::var("PAGESMITH_CRASH_KILLS").ok().map_or(KILLS, |text| text.parse().unwrap())
}

/// The library that lets a program see another time of day; `cargo x crash` names it.
#[expect(clippy::disallowed_methods, reason = "the command says where the library is")]
fn clock_library() -> Option<String> {
    std::env::var("PAGESMITH_CRASH_CLOCK").ok()
}

/// Clients that make versions as fast as they are answered, whoever answers.
pub struct Makers {
    /// Where the server is now.
    address: Arc<Mutex<SocketAddr>>,
    made: Arc<Mutex<BTreeSet<String>>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Makers {
    pub fn start(address: SocketAddr, page: &str) -> Makers {
        let mut makers = Makers {
            address: Arc::new(Mutex::new(address)),
            made: Arc::default(),
            stop: Arc::default(),
            threads: vec![],
        };
        for _ in 0..4 {
            let (address, made, stop) =
                (Arc::clone(&makers.address), Arc::clone(&makers.made), Arc::clone(&makers.stop));
            let path = format!("/v0/pages/{page}/audiences");
            makers.threads.push(std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let at = *address.lock().unwrap();
                    let Ok(mut connection) = Connection::open(at) else {
                        std::thread::yield_now();
                        continue;
                    };
                    make(&mut connection, &path, &made, &stop);
                }
            }));
        }
        makers
    }

    /// From now on it is this server that they ask.
    pub fn go_to(&self, address: SocketAddr) {
        *self.address.lock().unwrap() = address;
    }

    pub fn count(&self) -> usize {
        self.made.lock().unwrap().len()
    }

    pub fn finish(self) -> BTreeSet<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
        self.made.lock().unwrap().clone()
    }
}

/// Makes audiences on one connection until it breaks; their first versions.
fn make(connection: &mut Connection, path: &str, made: &Mutex<BTreeSet<String>>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let Ok(reply) = connection.call("POST", path, Some(KEY), Some(&json!({}))) else { return };
        if reply.status == 201 {
            let version = reply.json()["latestVersion"]["versionId"].as_str().unwrap().to_owned();
            made.lock().unwrap().insert(version);
        }
    }
}

/// A number that is different every time; the seed of a failing run is of no use, since the machine's pace decides.
pub fn chance(below: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() % below
}

#[test]
fn every_acknowledged_change_is_told_although_the_server_is_killed_again_and_again() {
    let (instance, counter) = (Instance::new(), Counter::start());
    let settings = [("EGRESS_ALLOW", "127.0.0.0/8"), ("RATE_LIMIT_REQUESTS", "100000000")];
    let start = || -> Server { instance.serve_with(&settings) };
    let mut server = start();
    let url = format!("http://{}/", counter.address);
    let body = json!({ "url": url, "events": ["page.version.created"] });
    server.post("/v0/webhook_subscriptions", KEY, &body).expect(201);
    let page = server.post("/v0/pages", KEY, &fixtures::page("Crash")).expect(201).json();
    let makers = Makers::start(server.address, page["pageId"].as_str().unwrap());
    for _ in 0..kills() {
        let enough = makers.count() + usize::try_from(20 + chance(200)).unwrap();
        eventually("versions are made", || (makers.count() >= enough).then_some(()));
        server.kill();
        server = start();
        makers.go_to(server.address);
    }
    let made = makers.finish();
    wait_for_all(&counter, &made);
    // What came twice was on its way when the server was killed.
    let doubles = counter.doubles();
    let most = usize::try_from(kills()).unwrap() * 1_024;
    assert!(doubles <= most, "{doubles} came twice");
}

/// Waits until each of these versions was told of.
pub fn wait_for_all(counter: &Counter, made: &BTreeSet<String>) {
    let begun = Instant::now();
    loop {
        let missing = counter.missing(made);
        if missing == 0 {
            return;
        }
        assert!(begun.elapsed() < ARRIVED, "{missing} of {} events never arrived", made.len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The clock of a server differs from the machine's by so many seconds: a page that it makes says between which instants of the machine's.
fn its_clock_is_off_by(server: &Server, seconds: i64) {
    let machine = || Clock::System.now();
    let off = |time: Timestamp| (time.as_micros() + 1_000_000 * seconds).div_euclid(1_000);
    let before = machine();
    let page = server.post("/v0/pages", KEY, &fixtures::page("Clock")).expect(201).json();
    let made: Timestamp = page["createdAt"].as_str().unwrap().parse().unwrap();
    let (made, possible) = (made.as_micros() / 1_000, off(before)..=off(machine()));
    assert!(possible.contains(&made), "a clock {seconds} s off says {made}, which is not in {possible:?}");
}

#[test]
fn every_acknowledged_change_is_told_by_three_servers_of_which_one_is_killed_and_replaced() {
    let (instance, counter) = (Instance::new(), Counter::start());
    let library = clock_library();
    let start = |at: usize| -> Server {
        let mut serving = instance.serving();
        serving.env("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8");
        serving.env("PAGESMITH_RATE_LIMIT_REQUESTS", "100000000");
        // A second behind, right, and a second ahead. What measures time that passes is left alone.
        let seconds = if library.is_some() { [-1, 0, 1][at] } else { 0 };
        if let Some(library) = &library {
            serving.env("LD_PRELOAD", library).env("FAKETIME", format!("{seconds:+}s"));
            serving.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        let server = Server::start(serving);
        its_clock_is_off_by(&server, seconds);
        server
    };
    let mut servers: Vec<Server> = (0..3).map(start).collect();
    let body = json!({ "url": format!("http://{}/", counter.address), "events": ["page.version.created"] });
    servers[0].post("/v0/webhook_subscriptions", KEY, &body).expect(201);
    let page = servers[0].post("/v0/pages", KEY, &fixtures::page("Crowd")).expect(201).json();
    let page = page["pageId"].as_str().unwrap();
    let makers: Vec<Makers> = servers.iter().map(|server| Makers::start(server.address, page)).collect();
    let all_have_made = |more: usize| {
        let before: Vec<usize> = makers.iter().map(Makers::count).collect();
        eventually("each server takes changes", || {
            makers.iter().zip(&before).all(|(makers, before)| makers.count() >= before + more).then_some(())
        });
    };
    for kill in 0..kills() {
        all_have_made(20);
        let at = usize::try_from(kill).unwrap() % servers.len();
        servers.remove(at).kill();
        // The others go on meanwhile, with what it has left behind.
        servers.insert(at, start(at));
        makers[at].go_to(servers[at].address);
    }
    all_have_made(20);
    let made: BTreeSet<String> = makers.into_iter().flat_map(Makers::finish).collect();
    wait_for_all(&counter, &made);
    let doubles = counter.doubles();
    let most = usize::try_from(kills()).unwrap() * 1_024;
    assert!(doubles <= most, "{doubles} came twice");
}
