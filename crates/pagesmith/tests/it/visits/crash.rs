//! The program while reports of page views come in, killed at random moments: what it has answered is in the totals.

use std::collections::BTreeMap;
use std::io::Result;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use pagesmith_testkit::fixtures;
use pagesmith_testkit::samples::visits::{BROWSER, report};
use serde_json::{Value, json};

use crate::process::wire::Connection;
use crate::process::{Instance, KEY, Server, eventually};
use crate::webhooks::deliveries::crash::{chance, kills};

/// Threads that send reports, each of one page view at a time.
const SENDERS: u64 = 6;
/// How many reports a page view sends.
const REPORTS: u64 = 12;

/// How many clicks a page view has reported.
#[derive(Debug, Clone, Copy, Default)]
struct ReportedClicks {
    /// At most.
    sent: u64,
    /// By the last report that was answered as counted.
    taken: u64,
}

/// Page views that report as fast as they are answered, whoever answers. Each is a visitor's only one, and its source is its number.
struct Visitors {
    /// Where the server is now.
    address: Mutex<SocketAddr>,
    told: Mutex<BTreeMap<u64, ReportedClicks>>,
    taken: AtomicU64,
    stop: AtomicBool,
    page: String,
    audience: String,
}

impl Visitors {
    fn start(self: &Arc<Visitors>) -> Vec<JoinHandle<()>> {
        let visitors = (0..SENDERS).map(|number| {
            let visitors = Arc::clone(self);
            std::thread::spawn(move || visitors.report(number))
        });
        visitors.collect()
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn report(&self, sender: u64) {
        let mut connection: Option<Connection> = None;
        for view in (0..).map(|number| number * SENDERS + sender) {
            for clicks in 1..=REPORTS {
                self.told.lock().unwrap().entry(view).or_default().sent = clicks;
                // The same report again until somebody has taken it.
                while !self.is_over() {
                    let open = match connection.take() {
                        Some(open) => Ok(open),
                        None => Connection::open(*self.address.lock().unwrap()),
                    };
                    let Ok(mut open) = open else {
                        std::thread::yield_now();
                        continue;
                    };
                    let Ok(is_taken) = self.send(&mut open, view, clicks) else { continue };
                    connection = Some(open);
                    if is_taken {
                        self.told.lock().unwrap().entry(view).or_default().taken = clicks;
                        self.taken.fetch_add(1, Ordering::Relaxed);
                        break;
                    }
                }
                if self.is_over() {
                    return;
                }
            }
        }
    }

    /// Sends a report; whether it is counted.
    fn send(&self, connection: &mut Connection, view: u64, clicks: u64) -> Result<bool> {
        let mut body = report(&format!("{view:032x}"), &self.page, &self.audience);
        body["c"] = json!(clicks);
        body["l"] = json!(format!("/crash?utm_source=v{view}"));
        let (body, agent) = (body.to_string(), BROWSER.replace("141", &(1_000 + view).to_string()));
        connection.send(format!(
            "POST /.pagesmith/v HTTP/1.1\r\nhost: default.localhost\r\nuser-agent: {agent}\r\n\
             content-type: text/plain\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))?;
        let reply = connection.receive()?;
        assert_eq!(reply.status, 204);
        let dropped = reply.header("x-pagesmith-dropped");
        assert!(matches!(dropped, None | Some("busy")), "{dropped:?}");
        Ok(dropped.is_none())
    }
}

/// A page that visitors are shown; the ids of it and of its audience.
fn shown(server: &Server) -> (String, String) {
    let page = server.post("/v0/pages", KEY, &fixtures::page("Crash")).expect(201).json();
    let page = page["pageId"].as_str().unwrap().to_owned();
    let audiences = format!("/v0/pages/{page}/audiences");
    let audience = server.post(&audiences, KEY, &json!({})).expect(201).json();
    let audience = audience["audienceId"].as_str().unwrap().to_owned();
    let path = format!("{audiences}/{audience}");
    eventually("the page is written", || {
        let audience = server.get(&path, KEY).expect(200).json();
        (audience["publishedVersion"]["versionId"].is_string()).then_some(())
    });
    (page, audience)
}

/// The clicks of each session, by the number of its page view.
fn clicks(server: &Server, page: &str) -> BTreeMap<u64, Vec<u64>> {
    let (mut found, mut cursor): (BTreeMap<u64, Vec<u64>>, _) = (BTreeMap::new(), String::new());
    loop {
        let path = format!("/v0/pages/{page}/audience_sessions?limit=100{cursor}");
        let part: Value = server.get(&path, KEY).expect(200).json();
        for session in part["items"].as_array().unwrap() {
            let view = session["utmSource"].as_str().unwrap()[1..].parse().unwrap();
            found.entry(view).or_default().push(session["totalClicksCount"].as_u64().unwrap());
        }
        let Some(next) = part["nextCursor"].as_str() else { return found };
        cursor = format!("&cursor={next}");
    }
}

#[test]
fn every_report_that_was_answered_is_in_the_totals_although_the_server_is_killed_again_and_again() {
    let instance = Instance::new();
    let settings = [("VISITS_REPORTS_PER_ADDRESS", "1000000000"), ("RATE_LIMIT_REQUESTS", "100000000")];
    let start = || -> Server { instance.serve_with(&settings) };
    let mut server = start();
    let (page, audience) = shown(&server);
    let visitors = Arc::new(Visitors {
        address: Mutex::new(server.address),
        told: Mutex::default(),
        taken: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        page: page.clone(),
        audience,
    });
    let senders = visitors.start();
    for _ in 0..kills() {
        let enough = visitors.taken.load(Ordering::Relaxed) + 50 + chance(500);
        eventually("reports are taken", || (visitors.taken.load(Ordering::Relaxed) >= enough).then_some(()));
        server.kill();
        server = start();
        *visitors.address.lock().unwrap() = server.address;
    }
    let enough = visitors.taken.load(Ordering::Relaxed) + 50;
    eventually("reports are taken", || (visitors.taken.load(Ordering::Relaxed) >= enough).then_some(()));
    visitors.stop.store(true, Ordering::Relaxed);
    senders.into_iter().for_each(|sender| sender.join().unwrap());

    let (told, kept) = (visitors.told.lock().unwrap().clone(), clicks(&server, &page));
    for (view, told) in &told {
        let sessions = kept.get(view).map(Vec::as_slice).unwrap_or_default();
        assert!(sessions.len() <= 1, "page view {view} is in {} sessions", sessions.len());
        let clicks = sessions.first().copied().unwrap_or_default();
        assert!(
            (told.taken..=told.sent).contains(&clicks),
            "page view {view}: {told:?}, and {clicks} clicks are kept"
        );
    }
    let summary = server.get(&format!("/v0/pages/{page}/analytics/summary"), KEY).expect(200).json();
    assert_eq!(summary["totalSessions"], kept.len());
}
