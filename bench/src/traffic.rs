//! What an operation moves between a server and PostgreSQL: round trips, bytes each way, and what PostgreSQL writes to its log.
//!
//! One request at a time, through a relay that counts. An idle server asks for a few things by itself; what it does while a request is on its
//! way counts with it, and is told by itself as well.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_postgres::config::Host;

use crate::pairs::{Caller, Line};
use crate::receiver::Receivers;
use crate::report::{Report, TrafficRow};
use crate::request::{Crowd, Template};
use crate::sample;
use crate::setup::{Engine, Operation, Setup, Store, key};
use crate::{Result, deliveries, say};

/// Pages, and persons.
const SEEDED: usize = 1_000;
/// Requests that are counted, after as many that are not.
const REQUESTS: u64 = 200;
/// How long a server is left alone after its start.
const SETTLED: Duration = Duration::from_secs(3);
/// How long an idle server is watched.
const IDLE: Duration = Duration::from_secs(10);
/// How long an event may take to its receiver.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Measures it, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("traffic") || !setup.engines().contains(&Engine::Postgres) {
        return Ok(());
    }
    let store = setup.store(Engine::Postgres, "traffic")?;
    let relay = Relay::start(&store.url())?;
    let server = setup.serve_at(&relay.url, "traffic", &[deliveries::HERE])?;
    add(report, idle(&relay))?;
    let ids = setup.seed(&server, SEEDED)?;
    let caller = Caller::new(&server, key());
    let person = make_persons(&caller)?;
    let mut counted = Counted { store: &store, relay: &relay, line: Line::open(server.address)? };
    let request = |method, path: &str, body: Option<&str>| Template::new(method, path, body, key(), &ids);
    let log = sample::log_body();
    let log = request("POST", "/v0/person_logs", Some(&log));
    let known = Crowd::new(SEEDED as u64 + 1_000, 1_000_000);
    let mut operations = vec![
        ("get page", Operation::Get.template(&ids)),
        ("list 20 pages", Operation::List.template(&ids)),
        ("update page", Operation::Update.template(&ids)),
        ("create page", Operation::Create.template(&ids)),
        ("get person", request("GET", &format!("/v0/persons/{person}"), None)),
        ("list 20 persons", request("GET", "/v0/persons?limit=20", None)),
        ("create person log, a known person", log.clone().among(known)),
        ("create person log, a new person", log.among(Crowd::new(1_000_000, 1))),
    ];
    for (name, template) in &mut operations {
        let row = counted.count(name, |line| line.call(template))?;
        add(report, row)?;
    }
    let receivers = Receivers::start(1)?;
    caller.subscribe(&receivers.urls[0])?;
    let pairs = caller.pairs(1)?;
    let mut published = Template::in_turn(vec![pairs[0].each_ref().map(|version| caller.publish(version))]);
    let row = counted.count("publish a version and deliver its event", |line| {
        let arrived = receivers.count();
        line.call(&mut published)?;
        receivers.wait_for(arrived + 1, TIME_LIMIT)?;
        Ok(())
    })?;
    add(report, row)
}

fn add(report: &mut Report, row: TrafficRow) -> Result<()> {
    say(&row.line())?;
    report.traffic.push(row);
    Ok(())
}

/// What a server does by itself.
fn idle(relay: &Relay) -> TrafficRow {
    // What a start has to do is done by then.
    thread::sleep(SETTLED);
    let (before, begun) = (relay.counts(), Instant::now());
    thread::sleep(IDLE);
    let moved = relay.counts().since(&before);
    TrafficRow::new("an idle server, a second", moved.shares(begun.elapsed().as_secs_f64()), None)
}

/// Makes persons by entries of their logs; the id of one.
fn make_persons(caller: &Caller) -> Result<String> {
    let mut made = Value::Null;
    for number in 0..SEEDED {
        let body = sample::log_body().replace(sample::PERSON, &format!("{number:09}"));
        made = caller.ask("POST", "/v0/person_logs", Some(&serde_json::from_str(&body)?))?;
    }
    let id = made["personId"].as_str().ok_or("an entry of nobody's log")?;
    Ok(id.to_owned())
}

/// Requests to a server behind a relay, one after the other.
struct Counted<'a> {
    store: &'a Store,
    relay: &'a Relay,
    line: Line,
}

impl Counted<'_> {
    /// What a call moves.
    fn count(
        &mut self,
        name: &'static str,
        mut call: impl FnMut(&mut Line) -> Result<()>,
    ) -> Result<TrafficRow> {
        // After a checkpoint PostgreSQL writes whole pages at their first change.
        self.store.settle()?;
        for _ in 0..REQUESTS {
            call(&mut self.line)?;
        }
        let (before, logged) = (self.relay.counts(), self.log_position()?);
        for _ in 0..REQUESTS {
            call(&mut self.line)?;
        }
        let (moved, logged) = (self.relay.counts().since(&before), self.log_position()? - logged);
        Ok(TrafficRow::new(name, moved.shares(REQUESTS as f64), Some(logged / REQUESTS as f64)))
    }

    /// How many bytes PostgreSQL has written to its log.
    fn log_position(&self) -> Result<f64> {
        let Store::Postgres(database) = self.store else { return Ok(0.0) };
        Ok(database.ask("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")?.parse()?)
    }
}

/// What has gone through a relay.
#[derive(Clone, Copy)]
struct Counts {
    round_trips: u64,
    to_database: u64,
    from_database: u64,
}

impl Counts {
    fn since(self, before: &Counts) -> Counts {
        Counts {
            round_trips: self.round_trips - before.round_trips,
            to_database: self.to_database - before.to_database,
            from_database: self.from_database - before.from_database,
        }
    }

    /// Round trips and bytes to and from the database, each divided.
    fn shares(self, by: f64) -> [f64; 3] {
        [self.round_trips, self.to_database, self.from_database].map(|count| count as f64 / by)
    }
}

/// Stands between a server and PostgreSQL and counts. Its threads end with the connections.
struct Relay {
    /// The address of the database behind it.
    url: String,
    totals: Arc<Totals>,
}

#[derive(Default)]
struct Totals {
    round_trips: AtomicU64,
    to_database: AtomicU64,
    from_database: AtomicU64,
}

impl Relay {
    fn start(url: &str) -> Result<Relay> {
        let config: tokio_postgres::Config = url.parse()?;
        let host = config.get_hosts().first().ok_or("PostgreSQL's address has no host")?.clone();
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let totals = Arc::new(Totals::default());
        let counting = Arc::clone(&totals);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A server whose connection is refused says so, which ends the run.
                let _ = join(stream, &host, port, &counting);
            }
        });
        Ok(Relay { url: at(url, address), totals })
    }

    fn counts(&self) -> Counts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let Totals { round_trips, to_database, from_database } = &*self.totals;
        Counts {
            round_trips: read(round_trips),
            to_database: read(to_database),
            from_database: read(from_database),
        }
    }
}

/// A database's address with another host.
fn at(url: &str, address: SocketAddr) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let user = authority.rsplit_once('@').map_or(String::new(), |(user, _)| format!("{user}@"));
    format!("{scheme}://{user}{address}/{path}")
}

fn join(server: TcpStream, host: &Host, port: u16, totals: &Arc<Totals>) -> Result<()> {
    server.set_nodelay(true)?;
    let from_server = server.try_clone()?;
    match host {
        Host::Tcp(name) => {
            let database = TcpStream::connect((name.as_str(), port))?;
            database.set_nodelay(true)?;
            let to_database = database.try_clone()?;
            copy_both((from_server, to_database), (database, server), totals);
        }
        Host::Unix(folder) => {
            let database = UnixStream::connect(Path::new(folder).join(format!(".s.PGSQL.{port}")))?;
            let to_database = database.try_clone()?;
            copy_both((from_server, to_database), (database, server), totals);
        }
    }
    Ok(())
}

fn copy_both<A, B>(
    (mut asked, mut to_database): (TcpStream, A),
    (mut answered, mut to_server): (B, TcpStream),
    totals: &Arc<Totals>,
) where
    A: Write + Send + 'static,
    B: Read + Send + 'static,
{
    // Whether the last bytes came from PostgreSQL: what follows them begins a round trip.
    let was_answered = Arc::new(AtomicBool::new(true));
    let (asking, answering) = (Arc::clone(totals), Arc::clone(totals));
    let seen = Arc::clone(&was_answered);
    thread::spawn(move || {
        copy(&mut asked, &mut to_database, |count| {
            asking
                .round_trips
                .fetch_add(u64::from(was_answered.swap(false, Ordering::Relaxed)), Ordering::Relaxed);
            asking.to_database.fetch_add(count, Ordering::Relaxed);
        });
    });
    thread::spawn(move || {
        copy(&mut answered, &mut to_server, |count| {
            seen.store(true, Ordering::Relaxed);
            answering.from_database.fetch_add(count, Ordering::Relaxed);
        });
        // The other direction ends with it.
        let _ = to_server.shutdown(std::net::Shutdown::Both);
    });
}

fn copy(from: &mut impl Read, to: &mut impl Write, mut count: impl FnMut(u64)) {
    let mut part = [0; 64 * 1024];
    while let Ok(read) = from.read(&mut part) {
        if read == 0 {
            return;
        }
        count(read as u64);
        if to.write_all(&part[..read]).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_another_host() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 7));
        for (url, expected) in [
            ("postgres://me@%2Fvar%2Ftmp:5433/x", "postgres://me@127.0.0.1:7/x"),
            ("postgres://me:a%40b@db:5433/x?a=b", "postgres://me:a%40b@127.0.0.1:7/x?a=b"),
            ("postgres://db/x", "postgres://127.0.0.1:7/x"),
        ] {
            assert_eq!(at(url, address), expected);
        }
    }
}
