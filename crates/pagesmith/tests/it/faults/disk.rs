//! A disk that is full: no file may grow beyond where it is now.

use pagesmith_testkit::{database, fixtures};
use rustix::process::{Resource, Rlimit, prlimit};

use crate::process::load::{Load, assert_kept, contents};
use crate::process::{Finished, Instance, KEY, Server, after, eventually};

/// A server whose files may be stopped from growing. The signal that the limit brings besides the error is ignored,
/// since a full disk brings none.
fn serve(instance: &Instance) -> Server {
    let mut serving = instance.serving();
    serving.env_remove("PAGESMITH_SQL_COVERAGE");
    Server::start(after("trap '' XFSZ", &serving))
}

fn limit(server: &Server, size: Option<u64>) {
    let limit = Rlimit { current: size, maximum: None };
    prlimit(Some(server.pid()), Resource::Fsize, limit).unwrap();
}

#[test]
fn a_full_disk_stops_writes_but_not_reads_and_passes() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let mut server = serve(&instance);
    let load = Load::start(server.address, 4);
    load.wait_for(50);
    // At most a little more.
    let journal = std::fs::metadata(instance.path().join("test.db-wal")).unwrap().len();
    limit(&server, Some(journal + 10_000));
    eventually("writes are refused", || load.seen().refused.contains_key(&503).then_some(()));
    let full = load.seen();

    let reply = server.post("/v0/pages", KEY, &fixtures::page("Too much")).expect(503);
    let seconds: u32 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(reply.json()["code"], "SERVICE_UNAVAILABLE");
    let pages = contents(&server, KEY);
    assert_kept(&full, &pages);
    for id in full.acknowledged.keys().take(10) {
        server.get(&format!("/v0/pages/{id}"), KEY).expect(200);
    }
    server.get("/healthz", KEY).expect(200);
    eventually("it is not ready", || {
        let ready = server.get("/readyz", KEY);
        let says = "The database can be read, but nothing can be written to it.";
        (ready.status == 503 && ready.json()["detail"] == says).then_some(())
    });
    assert!(server.ended().is_none());

    limit(&server, None);
    eventually("writes work again", || {
        (server.post("/v0/pages", KEY, &fixtures::page("At last")).status == 201).then_some(())
    });
    eventually("it is ready again", || (server.get("/readyz", KEY).status == 200).then_some(()));
    load.wait_for(10);
    let seen = load.finish();
    assert!(seen.refused.keys().all(|status| *status == 503), "{:?}", seen.refused);
    assert_eq!((seen.unclear.as_ref(), seen.unanswered), (None, 0));
    assert_kept(&seen, &contents(&server, KEY));
    server.stop();
    let server = instance.serve();
    assert_kept(&seen, &contents(&server, KEY));
}

#[test]
fn a_kill_while_the_disk_is_full_loses_nothing_that_was_acknowledged() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let server = serve(&instance);
    let load = Load::start(server.address, 4);
    load.wait_for(50);
    let journal = std::fs::metadata(instance.path().join("test.db-wal")).unwrap().len();
    limit(&server, Some(journal + 10_000));
    eventually("writes are refused", || load.seen().refused.contains_key(&503).then_some(()));
    server.kill();
    let seen = load.finish();
    let server = instance.serve();
    assert_kept(&seen, &contents(&server, KEY));
    server.is_well();
}

#[test]
fn a_disk_that_is_full_from_the_start_is_one_clear_line() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let mut serving = instance.serving();
    serving.env_remove("PAGESMITH_SQL_COVERAGE");
    let finished = Finished::of(&mut after("trap '' XFSZ; ulimit -f 4", &serving));
    assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
    let last = finished.err.lines().last().unwrap();
    assert!(last.starts_with("pagesmith: ") && !last.contains("panicked"), "{}", finished.err);
    // The next start finds nothing in its way.
    instance.serve().is_well();
}
