//! The server that writes breaks under load and its standby takes over: service goes on and nothing acknowledged is lost.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pagesmith_testkit::{database, fixtures};
use serde_json::{Value, json};

use crate::process::counter::Counter;
use crate::process::postgres::Postgres;
use crate::process::wire::{Connection, Reply};
use crate::process::{Instance, KEY, eventually};
use crate::webhooks::deliveries::crash::wait_for_all;

/// How long after a promotion the next change is acknowledged at the latest if the primary is gone.
const GOES_ON: Duration = Duration::from_secs(5);
/// The same if it hangs: its last statements are given up after six seconds, and a connection to it after three.
const GIVES_UP: Duration = Duration::from_secs(15);
/// How many clients make changes.
const CLIENTS: usize = 6;

/// A server that writes, and a standby without which it acknowledges nothing.
fn pair() -> (Postgres, Postgres) {
    let mut primary = Postgres::new();
    primary.set(&["fsync=on"]);
    primary.start();
    let standby = Postgres::standby_of(&primary);
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    eventually("the standby is synchronous", || {
        let state = "SELECT coalesce(string_agg(sync_state, ' '), '') FROM pg_stat_replication";
        (primary.ask(state) == "sync").then_some(())
    });
    (primary, standby)
}

/// The address of both, in this order.
fn both(one: &Postgres, other: &Postgres) -> String {
    let (one, other) = (one.port, other.port);
    format!("postgres://postgres@127.0.0.1:{one},127.0.0.1:{other}/postgres?target_session_attrs=read-write")
}

/// Clients that make audiences, each with a key of its own, and repeat what was not acknowledged.
struct Makers {
    /// The acknowledged answers by their keys.
    made: Arc<Mutex<BTreeMap<String, Value>>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Makers {
    fn start(address: SocketAddr, path: &str) -> Makers {
        let (made, stop): (Arc<Mutex<BTreeMap<String, Value>>>, Arc<AtomicBool>) = Default::default();
        let threads = (0..CLIENTS).map(|client| {
            let (made, stop, path) = (Arc::clone(&made), Arc::clone(&stop), path.to_owned());
            std::thread::spawn(move || {
                let mut connection = None;
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let key = format!("failover-{client}-{number}");
                    let body = make_until_acknowledged(&mut connection, address, &path, &key);
                    made.lock().unwrap().insert(key, body);
                }
            })
        });
        let threads = threads.collect();
        Makers { made, stop, threads }
    }

    fn count(&self) -> usize {
        self.made.lock().unwrap().len()
    }

    #[track_caller]
    fn wait_for(&self, more: usize) {
        let enough = self.count() + more;
        eventually("changes are acknowledged", || (self.count() >= enough).then_some(()));
    }

    fn finish(self) -> BTreeMap<String, Value> {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
        self.made.lock().unwrap().clone()
    }
}

fn make_until_acknowledged(
    open: &mut Option<Connection>,
    address: SocketAddr,
    path: &str,
    key: &str,
) -> Value {
    let mut answer = None;
    eventually("a change is acknowledged", || {
        if open.is_none() {
            *open = Connection::open(address).ok();
        }
        match make(open.as_mut()?, path, key) {
            Ok(reply) if reply.status == 201 => answer = Some(reply.json()),
            Ok(reply) => assert_eq!(reply.status, 503, "{}", String::from_utf8_lossy(&reply.body)),
            Err(_) => *open = None,
        }
        answer.take()
    })
}

fn make(connection: &mut Connection, path: &str, key: &str) -> std::io::Result<Reply> {
    connection.send(format!(
        "POST {path} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\nidempotency-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"
    ))?;
    connection.receive()
}

/// Breaks the primary under load, promotes the standby, and looks for what became of everything.
#[track_caller]
fn fail_over(break_it: impl FnOnce(&mut Postgres), most: Duration) {
    let (mut primary, standby) = pair();
    let (instance, counter) = (Instance::at(both(&primary, &standby)), Counter::start());
    let settings = [
        ("EGRESS_ALLOW", "127.0.0.0/8"),
        ("RATE_LIMIT_REQUESTS", "100000000"),
        ("DATABASE_STATEMENT_TIMEOUT", "1s"),
    ];
    let server = instance.serve_with(&settings);
    let url = format!("http://{}/", counter.address);
    let body = json!({ "url": url, "events": ["page.version.created"] });
    server.post("/v0/webhook_subscriptions", KEY, &body).expect(201);
    let page = server.post("/v0/pages", KEY, &fixtures::page("Failover")).expect(201).json();
    let path = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());

    let makers = Makers::start(server.address, &path);
    makers.wait_for(100);
    break_it(&mut primary);
    standby.promote();
    let promoted = Instant::now();
    makers.wait_for(1);
    let paused = promoted.elapsed();
    assert!(paused < most, "the first change came {paused:?} after the promotion:\n{}", server.err.text());
    makers.wait_for(100);
    let made = makers.finish();

    let mut connection = server.connect();
    for (key, body) in &made {
        let again = make(&mut connection, &path, key).unwrap().expect(201);
        assert_eq!((again.header("idempotent-replayed"), &again.json()), (Some("true"), body), "{key}");
    }
    let list = server.get(&path, KEY).expect(200).json();
    assert_eq!(list["totalCount"], made.len(), "something was lost, or done twice");
    let versions =
        made.values().map(|body| body["latestVersion"]["versionId"].as_str().unwrap().to_owned()).collect();
    // What a claim took whose answer was lost with the primary comes when the claim's leases end.
    wait_for_all(&counter, &versions);
    server.stop();

    // A start tries the broken one first.
    let server = instance.serve_with(&settings);
    server.is_well();
    server.stop();
}

#[test]
fn when_the_primary_is_killed_service_goes_on_with_its_standby_and_nothing_acknowledged_is_lost() {
    if database::is_postgres() {
        fail_over(Postgres::kill, GOES_ON);
    }
}

#[test]
fn when_the_primary_hangs_service_goes_on_with_its_standby_and_nothing_acknowledged_is_lost() {
    if database::is_postgres() {
        fail_over(Postgres::freeze, GIVES_UP);
    }
}

#[test]
fn the_server_that_writes_is_found_wherever_it_stands_in_the_address() {
    if !database::is_postgres() {
        return;
    }
    let (mut primary, standby) = pair();
    let instance = Instance::at(both(&standby, &primary));
    let server = instance.serve();
    server.is_well();
    server.stop();
    let line = |instance: &Instance, name: &str| {
        let doctor = instance.run(&["doctor"]);
        doctor.out.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned()
    };
    assert_eq!(
        line(&instance, " durability "),
        "OK    durability  synchronous_commit is on: a change is acknowledged when a standby (*) has stored it"
    );
    assert_eq!(line(&instance, " recovery "), "OK    recovery    the server is not in recovery: it writes");

    let alone = Instance { database: standby.address(), ..instance };
    assert!(line(&alone, " recovery ").starts_with("FAIL  recovery    the server is in recovery"));
    let refused = alone.run(&["tenant", "create", "Elsewhere"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);

    // While none of them writes there is no service, and a sentence that says why.
    let instance = Instance { database: both(&primary, &standby), ..alone };
    primary.stop();
    let refused = instance.run(&["tenant", "list"]);
    let expected = ["nothing listens where", "only reads: it is a standby"];
    assert!(expected.iter().all(|words| refused.err.contains(words)), "{}", refused.err);
}
