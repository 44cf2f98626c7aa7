//! PostgreSQL goes away and comes back.

use std::time::{Duration, Instant};

use pagesmith_testkit::database::{self, Held};
use pagesmith_testkit::fixtures;

use crate::process::load::{Load, assert_kept, contents};
use crate::process::postgres::Postgres;
use crate::process::{Finished, Instance, KEY, Server, eventually};

/// An answer that takes longer than this is no answer.
const SOON: Duration = Duration::from_secs(10);

#[track_caller]
fn writes_again(server: &Server) {
    eventually("writes work again", || {
        let reply = server.post("/v0/pages", KEY, &fixtures::page("Again"));
        assert!(
            [201, 503].contains(&reply.status),
            "{}: {:?}",
            reply.status,
            String::from_utf8_lossy(&reply.body)
        );
        (reply.status == 201).then_some(())
    });
}

#[test]
fn without_postgresql_everything_is_a_quick_503_until_it_is_back() {
    if !database::is_postgres() {
        return;
    }
    let mut postgres = Postgres::start_new();
    let instance = Instance::at(postgres.address());
    let server = instance.serve();
    let made = server.post("/v0/pages", KEY, &fixtures::page("Before")).expect(201).json();
    let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());

    postgres.stop();
    for round in 0..3 {
        for (method, path) in [("GET", page.as_str()), ("GET", "/v0/pages"), ("POST", "/v0/pages")] {
            let body = (method == "POST").then(|| fixtures::page("Meanwhile"));
            let begun = Instant::now();
            let reply = server.connect().call(method, path, Some(KEY), body.as_ref()).unwrap().expect(503);
            assert!(begun.elapsed() < SOON, "{method} {path} in round {round} took {:?}", begun.elapsed());
            assert!(reply.header("retry-after").is_some());
            assert_eq!(reply.json()["code"], "SERVICE_UNAVAILABLE");
        }
        server.get("/healthz", KEY).expect(200);
        server.get("/metrics", KEY).expect(200);
        server.get("/v0/pages", "ps_an-unknown-key-while-nobody-can-look").expect(503);
    }

    // What was found last holds for a second.
    eventually("it is not ready", || (server.get("/readyz", KEY).status == 503).then_some(()));
    postgres.start();
    writes_again(&server);
    eventually("it is ready", || (server.get("/readyz", KEY).status == 200).then_some(()));
    assert_eq!(server.get(&page, KEY).expect(200).json(), made);
    assert!(!contents(&server, KEY).values().any(|name| name == "Meanwhile"), "a refused page was made");
    server.stop();
}

#[test]
fn a_postgresql_that_only_reads_leaves_the_server_not_ready() {
    if !database::is_postgres() {
        return;
    }
    let postgres = Postgres::start_new();
    let server = Instance::at(postgres.address()).serve();
    server.get("/readyz", KEY).expect(200);
    for (setting, status, detail) in
        [("on", 503, "The database can be read, but nothing can be written to it."), ("off", 200, "")]
    {
        postgres.execute(&format!("ALTER SYSTEM SET default_transaction_read_only = {setting}"));
        postgres.execute("SELECT pg_reload_conf()");
        eventually("readiness follows", || {
            let ready = server.get("/readyz", KEY);
            (ready.status == status && (status == 200 || ready.json()["detail"] == detail)).then_some(())
        });
    }
    server.stop();
}

#[test]
fn a_postgresql_that_may_lose_commits_is_served_from_only_where_that_is_allowed() {
    if !database::is_postgres() {
        return;
    }
    let postgres = Postgres::start_new();
    let instance = Instance::at(postgres.address());
    instance.run(&["migrate"]).success();
    postgres.execute("ALTER ROLE postgres SET synchronous_commit = off");
    let refused = Finished::of(&mut instance.serving());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    let last = refused.err.lines().last().unwrap();
    assert!(
        last.contains("synchronous_commit is off") && last.contains("database_allow_asynchronous_commit"),
        "{last}"
    );
    let doctor = instance.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.lines().any(|line| line.starts_with("FAIL  durability ")), "{}", doctor.out);
    let allowed = ("DATABASE_ALLOW_ASYNCHRONOUS_COMMIT", "true");
    let server = instance.serve_with(&[allowed]);
    server.is_well();
    server.stop();
    // The address may say otherwise for our sessions, and those count.
    let stricter = format!("{}?options=-c%20synchronous_commit%3Don", postgres.address());
    let server = Instance { database: stricter, ..instance }.serve();
    server.is_well();
    server.stop();
}

#[test]
fn a_crash_of_postgresql_under_load_loses_nothing_that_was_acknowledged() {
    if !database::is_postgres() {
        return;
    }
    let mut postgres = Postgres::start_new();
    let instance = Instance::at(postgres.address());
    let server = instance.serve();
    let load = Load::start(server.address, 8);
    for round in 0..4 {
        load.wait_for(40);
        if round % 2 == 0 {
            postgres.crash();
        } else {
            postgres.stop();
        }
        eventually("requests are refused", || {
            let reply = server.post("/v0/pages", KEY, &fixtures::page("Down"));
            (reply.status == 503).then_some(())
        });
        postgres.start();
    }
    load.wait_for(40);
    let seen = load.finish();
    assert!(seen.refused.keys().all(|status| *status == 503), "{:?} {:?}", seen.refused, server.err.text());
    assert_eq!((seen.unclear.as_ref(), seen.unanswered), (None, 0));
    let pages = contents(&server, KEY);
    assert_kept(&seen, &pages);
    for id in seen.acknowledged.keys().take(20) {
        server.get(&format!("/v0/pages/{id}"), KEY).expect(200);
    }
    server.stop();
}

#[test]
fn a_server_may_start_before_its_database() {
    if !database::is_postgres() {
        return;
    }
    let mut postgres = Postgres::start_new();
    let instance = Instance::at(postgres.address());
    postgres.stop();
    let server = std::thread::scope(|scope| {
        let starting = scope.spawn(|| instance.serve());
        postgres.start();
        starting.join().unwrap()
    });
    server.is_well();

    // Commands do not wait; they say what is wrong.
    postgres.stop();
    let failure = Finished::of(&mut instance.command(&["tenant", "list"]));
    assert_eq!((failure.code, failure.out.as_str()), (Some(1), ""));
    assert!(failure.err.lines().last().unwrap().starts_with("pagesmith: "), "{}", failure.err);
    // A stop is a stop, also then.
    server.stop();
}

#[test]
fn a_database_that_hangs_is_a_503_in_time_and_a_full_queue_one_at_once() {
    if !database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let server = instance.serve_with(&[
        ("DATABASE_CONNECTIONS", "1"),
        ("DATABASE_QUEUE", "2"),
        ("LIMITS_REQUEST_TIMEOUT", "500ms"),
    ]);
    let held = Held::open(&instance.database, "LOCK TABLE pages IN ACCESS EXCLUSIVE MODE");
    let refusal = || {
        let reply = server.post("/v0/pages", KEY, &fixtures::page("Meanwhile")).expect(503);
        assert!(reply.header("retry-after").is_some());
        reply.json()["detail"].as_str().unwrap().to_owned()
    };
    // Whoever waits for a lock is told so before the request's own time is over.
    assert_eq!(refusal(), "The database is not available right now.");
    eventually("the queue is full", || {
        std::thread::scope(|scope| {
            let crowd = [(); 8].map(|()| scope.spawn(refusal));
            let said = crowd.map(|one| one.join().unwrap());
            said.iter().any(|detail| detail.contains("too much to do")).then_some(())
        })
    });
    server.get("/healthz", KEY).expect(200);
    drop(held);
    writes_again(&server);
    server.stop();
}
