//! What a tenant notices of neighbours that do their worst: its list of pages, beside each attack.
//!
//! Twelve tenants attack at the same time (`attacks.rs`), or as many clients without a key. Their own answers may be refusals; the
//! other tenant's calls must all succeed.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::attacks::{Attack, Attackers};
use crate::deliveries::HERE;
use crate::report::{Bar, Report};
use crate::request::Template;
use crate::server::Server;
use crate::setup::{Engine, Operation, Setup};
use crate::visits;
use crate::{Result, client, say};

/// Connections of the tenant that is measured.
const READERS: usize = 2;
/// Pages of the tenant that is measured.
const PAGES: usize = 1_000;
/// Visitors come from many addresses, and pages on this machine are read.
const SETTINGS: [(&str, &str); 2] = [visits::BEHIND_PROXY, HERE];
/// How long an attack takes.
const DURATION: Duration = Duration::from_secs(5);
/// How long an attacker waits for anything before it looks whether the attack is over.
const STEP: Duration = Duration::from_millis(100);
/// The p99 of a list of pages that must hold beside every attack, in milliseconds.
const LIMIT: f64 = 50.0;

/// What the attackers were answered.
#[derive(Clone, Copy, Default)]
struct Tally {
    successes: u64,
    refusals: u64,
    /// Connections that the server closed or refused.
    closed: u64,
}

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("neighbours") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "neighbours")?;
        let server = setup.serve(&store, "neighbours", &SETTINGS)?;
        setup.seed(&server, PAGES)?;
        let attackers = Attackers::new(setup, &store, &server)?;
        measure(engine, &server, None, report)?;
        for attack in attackers.of_programs().iter().chain(&attackers.of_visitors()) {
            measure(engine, &server, Some(attack), report)?;
            server.cut_log()?;
        }
    }
    Ok(())
}

/// The list of pages beside one attack, or beside none.
fn measure(engine: Engine, server: &Server, attack: Option<&Attack>, report: &mut Report) -> Result<()> {
    let (address, attack) = (server.address, attack.cloned());
    let name = attack.as_ref().map_or("nothing", |attack| attack.name);
    let list = Operation::List.template(&Arc::default());
    let work = move || {
        let end = Instant::now() + DURATION;
        let requests = attack.iter().flat_map(|attack| attack.requests.clone().into_iter());
        let reads = attack.as_ref().is_some_and(|attack| attack.reads);
        let clients: Vec<_> = requests
            .enumerate()
            .map(|(number, request)| {
                std::thread::spawn(move || {
                    yield_processor();
                    client(address, request.for_connection(number), reads, end)
                })
            })
            .collect();
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
        let mut sum = Tally::default();
        for client in clients {
            let tally = client.join().map_err(|_| "an attacking client panicked".to_owned())?;
            sum.successes += tally.successes;
            sum.refusals += tally.refusals;
            sum.closed += tally.closed;
        }
        Ok(sum)
    };
    let (tally, latencies, error) = client::beside(address, &list, READERS, work)?;
    let (p50, p99) = (latencies.quantile(0.5), latencies.quantile(0.99));
    say(&format!(
        "{}: list of pages beside {name}: p50 {p50:?}, p99 {p99:?}; attackers: {} successes, {} refusals, {} closed",
        engine.name(),
        tally.successes,
        tally.refusals,
        tally.closed
    ))?;
    if let Some(error) = error {
        report.problem(format!("{}: list of pages beside {name}: {error}", engine.name()));
    }
    let name = format!("list 20 pages beside {name}, {}: p99", engine.name());
    report.bar(Bar::at_most(name, p99.as_secs_f64() * 1e3, LIMIT, "ms"));
    Ok(())
}

/// Lets the server and its database go first: attackers have machines of their own, and here they would take the server's processors. Where
/// that is refused they do take them.
fn yield_processor() {
    const LOW: i32 = 15;
    rustix::process::nice(LOW).ok();
}

/// A client of an attack, until its end.
fn client(address: SocketAddr, mut request: Template, reads: bool, end: Instant) -> Tally {
    let mut tally = Tally::default();
    while Instant::now() < end {
        let Ok(mut stream) = open(address) else {
            tally.closed += 1;
            std::thread::sleep(STEP);
            continue;
        };
        let outcome = if reads {
            converse(&mut stream, &mut request, end, &mut tally)
        } else {
            send_only(&mut stream, &mut request, end)
        };
        tally.closed += u64::from(outcome.is_err());
    }
    tally
}

fn open(address: SocketAddr) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(STEP))?;
    stream.set_write_timeout(Some(STEP))?;
    Ok(stream)
}

/// Sends a request and reads its answer, again and again.
fn converse(
    stream: &mut TcpStream,
    request: &mut Template,
    end: Instant,
    tally: &mut Tally,
) -> std::io::Result<()> {
    let mut part = vec![0; 64 * 1024];
    while Instant::now() < end {
        write(stream, request.next(), end)?;
        let mut answer = Vec::new();
        let status = loop {
            match stream.read(&mut part) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => answer.extend_from_slice(&part[..count]),
                Err(error) if is_slow(&error) && Instant::now() < end => continue,
                Err(error) if is_slow(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
            if let Some(status) = client::whole(&answer)? {
                break status;
            }
        };
        let counter = if status / 100 == 2 { &mut tally.successes } else { &mut tally.refusals };
        *counter += 1;
    }
    Ok(())
}

/// Sends requests as long as the server takes them, and reads nothing.
fn send_only(stream: &mut TcpStream, request: &mut Template, end: Instant) -> std::io::Result<()> {
    while Instant::now() < end {
        write(stream, request.next(), end)?;
    }
    Ok(())
}

/// Writes all of it, or as much as the server takes until the end.
fn write(stream: &mut TcpStream, mut bytes: &[u8], end: Instant) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(error) if is_slow(&error) && Instant::now() < end => {}
            Err(error) if is_slow(&error) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_slow(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
