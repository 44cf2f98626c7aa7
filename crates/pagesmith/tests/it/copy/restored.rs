//! A restore into PostgreSQL that is killed leaves the empty database, the backup's, or one that nothing opens and the same restore
//! completes.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use pagesmith_testkit::database::{TestDatabase, is_postgres};

use super::{own, wait};
use crate::process::{Instance, eventually};

/// The statements after which a database can be another one than before: everything else is a part of a transaction.
const ENDS: [&[u8]; 2] = [b"COMMIT", b"DROP TABLE unfinished_copy"];

/// Where a restore is killed: as it is about to end its transaction of that number, or when the server has answered.
#[derive(Debug, Clone, Copy)]
struct CutPoint {
    number: usize,
    answered: bool,
}

/// A proxy between a restore and the server. It tells when the place is reached, and lets nothing through from then on.
struct Between {
    address: SocketAddr,
    reached: Receiver<()>,
}

impl Between {
    fn start(server: SocketAddr, place: CutPoint) -> Between {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, reached) = channel();
        std::thread::spawn(move || {
            let ends = Arc::new(Mutex::new(0));
            for client in listener.incoming().flatten() {
                let (ends, tell) = (Arc::clone(&ends), tell.clone());
                std::thread::spawn(move || pass(client, server, place, (&ends, &tell)));
            }
        });
        Between { address, reached }
    }
}

/// Passes what is said on, up to the place.
fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    place: CutPoint,
    (ends, tell): (&Mutex<usize>, &Sender<()>),
) {
    let mut server = TcpStream::connect(server).unwrap();
    let (mut answers, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    // Whether the server's next answer is the last thing that happens.
    let is_over = Arc::new(Mutex::new(false));
    let (over, told) = (Arc::clone(&is_over), tell.clone());
    std::thread::spawn(move || {
        let mut part = [0; 65_536];
        while let Ok(length @ 1..) = answers.read(&mut part) {
            if *over.lock().unwrap() {
                let _ = told.send(());
                return;
            }
            if back.write_all(&part[..length]).is_err() {
                break;
            }
        }
        if !*over.lock().unwrap() {
            drop(back.shutdown(Shutdown::Both));
        }
    });
    let mut part = [0; 65_536];
    while let Ok(length @ 1..) = client.read(&mut part) {
        let said = &part[..length];
        if ENDS.iter().any(|end| said.windows(end.len()).any(|words| words == *end)) {
            let mut ends = ends.lock().unwrap();
            *ends += 1;
            *is_over.lock().unwrap() = *ends == place.number;
            if *ends == place.number && !place.answered {
                drop(server.shutdown(Shutdown::Both));
                let _ = tell.send(());
                // The restore waits for its answer until it is killed.
                continue;
            }
        }
        if server.write_all(said).is_err() {
            break;
        }
    }
    if !*is_over.lock().unwrap() {
        drop(server.shutdown(Shutdown::Both));
    }
}

/// What a killed restore has left.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Left {
    Empty,
    Unfinished,
    Restored,
}

/// The tenants.
const TENANTS: &str = "SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM tenants";
/// Whether there is a table.
const HAS: &str = "SELECT (to_regclass('NAME') IS NOT NULL)::text";

#[test]
fn a_restore_into_postgresql_that_is_killed_anywhere_leaves_one_of_both_databases_whole() {
    if !is_postgres() {
        return;
    }
    // A few rows in a few tables: the restore is begun anew for each place.
    let source = Instance::new();
    source.run(&["migrate"]).success();
    for name in ["Acme", "Globex"] {
        source.run(&["tenant", "create", name]).success();
    }
    let backup = source.path().join("copy.db").display().to_string();
    source.run(&["backup", &backup]).success();

    let mut seen = Vec::new();
    // The tables are made in one transaction, the first one of an empty database; what follows begins where they are there.
    for (make, places) in [(Instance::new as fn() -> Instance, 1..=1), (with_tables, 1..=usize::MAX)] {
        let places = places.flat_map(|number| [false, true].map(|answered| CutPoint { number, answered }));
        for place in places {
            let other = make();
            let Some(left) = killed(&other, &backup, place) else { break };
            seen.push(left);
            let again = other.run(&["restore", &backup]);
            if left == Left::Restored {
                assert!(again.failure().contains("holds data already"), "{place:?}");
            } else {
                again.success();
            }
            assert_eq!(wait(ask_of(&other, TENANTS)), "Acme Globex", "{place:?}");
        }
    }
    // Whatever the order of the tables: first nothing, then what nothing opens, and in the end all of it.
    assert!(seen.is_sorted_by_key(|left| *left as u8), "{seen:?}");
    let count = |which: Left| seen.iter().filter(|left| **left == which).count();
    assert!(count(Left::Empty) >= 3 && count(Left::Unfinished) >= 6, "{seen:?}");
    assert_eq!(count(Left::Restored), 1, "{seen:?}");
}

/// An empty database with tables.
fn with_tables() -> Instance {
    let TestDatabase { address, folder, guard, .. } = own();
    Instance { database: address, folder: Arc::new(folder), guard: guard.map(Arc::new) }
}

/// Restores and is killed at that place; what is left then, or nothing if the restore ended before it came there.
fn killed(other: &Instance, backup: &str, place: CutPoint) -> Option<Left> {
    let (head, rest) = other.database.split_once("@127.0.0.1:").unwrap();
    let (port, rest) = rest.split_once('/').unwrap();
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().unwrap()));
    let between = Between::start(server, place);
    let through = Instance::at(format!("{head}@{}/{rest}", between.address));
    let mut command = through.command(&["restore", backup]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_reached = eventually("the place is reached, or the end", || {
        if between.reached.try_recv().is_ok() {
            return Some(true);
        }
        ended(&mut child).then_some(false)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    is_reached.then(|| left(other))
}

fn ended(child: &mut Child) -> bool {
    let ended = child.try_wait().unwrap();
    assert!(ended.is_none_or(|status| status.success()), "{ended:?}");
    ended.is_some()
}

fn left(other: &Instance) -> Left {
    let has = |name: &str| wait(ask_of(other, &HAS.replace("NAME", name))) == "true";
    if !has("schema_migrations") {
        return Left::Empty;
    }
    if has("unfinished_copy") {
        let failure = other.run(&["migrate"]).failure();
        assert!(failure.contains("unfinished copy") && failure.contains("pagesmith restore"), "{failure}");
        return Left::Unfinished;
    }
    if wait(ask_of(other, TENANTS)).is_empty() { Left::Empty } else { Left::Restored }
}

async fn ask_of(instance: &Instance, text: &str) -> String {
    pagesmith_testkit::database::ask_at(&instance.database, text).await
}
