//! `pagesmith serve`: first start, start of several at once, the ways to end, and what survives each of them.

use std::net::TcpStream;
use std::process::Stdio;

use pagesmith_testkit::{database, fixtures};

use crate::process::load::{Load, assert_kept, contents};
use crate::process::postgres::Postgres;
use crate::process::wire::create_head;
use crate::process::{Finished, Instance, KEY, Server, eventually};

/// A start that makes its own first key.
fn serving_for_the_first_time(instance: &Instance) -> Server {
    let mut command = instance.serving();
    command.env_remove("PAGESMITH_BOOTSTRAP_KEY");
    Server::start(command)
}

#[test]
fn the_first_start_prints_one_key_and_later_ones_print_nothing() {
    let instance = Instance::new();
    let server = serving_for_the_first_time(&instance);
    let key = server.out.wait_for("the key", |out| out.strip_suffix('\n').map(str::to_owned));
    assert!(key.starts_with("ps_") && key.len() > 40 && !key.contains(char::is_whitespace), "{key}");
    server.post("/v0/pages", &key, &fixtures::page("First")).expect(201);
    let tenants = instance.json(&["tenant", "list", "--json"]);
    assert_eq!((tenants.as_array().unwrap().len(), &tenants[0]["slug"]), (1, &"default".into()));
    assert!(!server.err.text().contains(&key), "the log holds the key");
    assert_eq!(server.stop(), format!("{key}\n"));

    let server = serving_for_the_first_time(&instance);
    assert_eq!(contents(&server, &key).len(), 1);
    assert_eq!(server.stop(), "");
    assert_eq!(instance.json(&["key", "list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn the_start_looks_at_the_characters_of_the_database() {
    if !database::is_postgres() {
        return;
    }
    // Its cluster was made with the locale C.
    let cluster = Postgres::start_new();
    let server = Instance::at(cluster.address()).serve();
    server.err.wait_for("a warning", |log| log.contains("should be a UTF-8 one").then_some(()));
    server.stop();

    cluster.execute("CREATE DATABASE narrow TEMPLATE template0 ENCODING 'LATIN1'");
    let instance = Instance::at(format!("{}/narrow", cluster.address().rsplit_once('/').unwrap().0));
    for command in [&mut instance.serving(), &mut instance.command(&["migrate"])] {
        let refused = Finished::of(command);
        assert_eq!(refused.code, Some(1), "{}", refused.err);
        assert!(refused.err.contains("encoding is LATIN1"), "{}", refused.err);
    }
    let seen = instance.run(&["doctor"]);
    assert!(seen.out.contains("missing: 0001_foundation"), "refused before it was migrated: {}", seen.out);
}

#[test]
fn a_chosen_first_key_is_used_and_never_printed() {
    let instance = Instance::new();
    let server = instance.serve();
    server.post("/v0/pages", KEY, &fixtures::page("First")).expect(201);
    assert!(!server.err.text().contains(KEY), "the log holds the key");
    assert_eq!(server.stop(), "");

    // Only the first start takes one.
    let another = "ps_another-key-of-more-than-32-characters";
    let server = instance.serve_with(&[("BOOTSTRAP_KEY", another)]);
    server.get("/v0/pages", another).expect(401);
    server.get("/v0/pages", KEY).expect(200);
}

#[test]
fn a_chosen_first_key_that_could_be_guessed_is_refused() {
    let instance = Instance::new();
    for (bad, why) in
        [("ps_short", "at least 32 characters"), (&"ps with spaces ".repeat(4), "without spaces")]
    {
        let failure = Finished::of(instance.serving().env("PAGESMITH_BOOTSTRAP_KEY", bad)).failure();
        assert!(failure.contains(why) && failure.contains("PAGESMITH_BOOTSTRAP_KEY"), "{failure}");
        assert!(!failure.contains(bad), "{failure}");
    }
    // Nothing was made: the next start is the first.
    let server = instance.serve();
    server.get("/v0/pages", KEY).expect(200);
}

#[test]
fn several_servers_may_start_at_once_on_an_empty_database() {
    for _ in 0..3 {
        let instance = Instance::new();
        let starting: Vec<_> = std::thread::scope(|scope| {
            let starts: Vec<_> =
                (0..3).map(|_| scope.spawn(|| serving_for_the_first_time(&instance))).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert_eq!(instance.json(&["tenant", "list", "--json"]).as_array().unwrap().len(), 1);
        assert_eq!(instance.json(&["key", "list", "--json"]).as_array().unwrap().len(), 1);
        // One of them printed the key; what it opens, it opens on all.
        let key = eventually("a key", || {
            let printed: String = starting.iter().map(|server| server.out.text()).collect();
            printed.strip_suffix('\n').map(str::to_owned)
        });
        for server in &starting {
            server.post("/v0/pages", &key, &fixtures::page("Shared")).expect(201);
        }
        for server in starting {
            assert_eq!(contents(&server, &key).len(), 3);
            server.stop();
        }
    }
}

#[test]
fn starts_that_are_cut_off_stand_in_nobodys_way() {
    for _ in 0..4 {
        let instance = Instance::new();
        let quiet = || instance.serving().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut cut_off = [quiet(), quiet(), quiet()];
        let servers = std::thread::scope(|scope| {
            let starts = [(); 3].map(|()| scope.spawn(|| instance.serve()));
            for process in &mut cut_off {
                process.kill().unwrap();
                process.wait().unwrap();
            }
            starts.map(|start| start.join().unwrap())
        });
        assert_eq!(instance.json(&["tenant", "list", "--json"]).as_array().unwrap().len(), 1);
        servers.iter().for_each(Server::is_well);
    }
}

#[test]
fn a_stop_finishes_what_runs_and_accepts_nothing_new() {
    let instance = Instance::new();
    let server = instance.serve();
    let mut idle = server.connect();
    idle.call("GET", "/healthz", None, None).unwrap().expect(200);
    let body = fixtures::page("In flight").to_string();
    let (first, second) = body.split_at(20);
    let mut running = server.connect();
    running.send(format!("{}expect: 100-continue\r\n\r\n", create_head(body.len()))).unwrap();
    // The server waits for the body: the request is running.
    running.receive().unwrap().expect(100);
    running.send(first).unwrap();

    server.terminate();
    eventually("new connections are refused", || TcpStream::connect(server.address).err());
    assert_eq!(idle.rest(), b"", "an idle connection is closed");
    running.send(second).unwrap();
    let made = running.receive().unwrap().expect(201).json();
    assert_eq!(running.rest(), b"");
    let finished = server.wait();
    assert_eq!(finished.code, Some(0), "{}", finished.err);

    let server = instance.serve();
    assert!(contents(&server, KEY).contains_key(made["pageId"].as_str().unwrap()));
}

#[test]
fn a_stop_waits_for_nobody_longer_than_its_time() {
    let instance = Instance::new();
    let server = instance.serve_with(&[("LIMITS_SHUTDOWN_TIMEOUT", "100ms")]);
    let mut running = server.connect();
    running.send(format!("{}expect: 100-continue\r\n\r\n", create_head(100))).unwrap();
    running.receive().unwrap().expect(100);
    server.terminate();
    let finished = server.wait();
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert_eq!(running.rest(), b"");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let instance = Instance::new();
    let server = instance.serve();
    let mut running = server.connect();
    running.send(format!("{}expect: 100-continue\r\n\r\n", create_head(100))).unwrap();
    running.receive().unwrap().expect(100);
    server.terminate();
    eventually("new connections are refused", || TcpStream::connect(server.address).err());
    server.terminate();
    assert_eq!(server.wait().code, Some(1));
}

#[test]
fn a_stop_under_load_acknowledges_nothing_that_is_lost() {
    let instance = Instance::new();
    let server = instance.serve();
    let load = Load::start(server.address, 8);
    load.wait_for(40);
    server.stop();
    let seen = load.finish();
    let server = instance.serve();
    assert_kept(&seen, &contents(&server, KEY));
}

#[test]
fn a_kill_under_load_loses_nothing_that_was_acknowledged() {
    let instance = Instance::new();
    for round in 0..4 {
        let server = instance.serve();
        let load = Load::start(server.address, 8);
        load.wait_for(25 + round * 7);
        server.kill();
        let seen = load.finish();
        let server = instance.serve();
        let pages = contents(&server, KEY);
        assert_kept(&seen, &pages);
        // Each client may have had one more request on the way, stored or not, but whole.
        for id in pages.keys() {
            server.get(&format!("/v0/pages/{id}"), KEY).expect(200);
        }
        assert!(seen.refused.is_empty(), "{seen:?}");
        server.stop();
    }
}

#[test]
fn a_taken_port_is_one_clear_line() {
    let instance = Instance::new();
    let server = instance.serve();
    let address = server.address.to_string();
    let failure = Finished::of(&mut instance.command(&["serve", "--listen", &address])).failure();
    assert!(failure.contains("another program listens on") && failure.contains(&address), "{failure}");
    server.is_well();
}

#[test]
fn the_log_has_one_line_a_request_without_key_or_body() {
    let instance = Instance::new();
    let server = instance.serve();
    let reply = server.post("/v0/pages", KEY, &fixtures::page("A name that nobody logs")).expect(201);
    let id = reply.header("x-request-id").unwrap().to_owned();
    server.terminate();
    let log = server.wait().err;
    let lines: Vec<_> = log.lines().filter(|line| line.contains(&id)).collect();
    assert_eq!(lines.len(), 1, "{log}");
    let line: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!((&line["operation"], &line["status"]), (&"createPage".into(), &201.into()));
    assert!(line["tenant"].as_str().unwrap().starts_with("tenant_"), "{line}");
    assert!(line["duration_us"].as_u64().is_some(), "{line}");
    assert!(!log.contains(KEY) && !log.contains("A name that nobody logs"), "{log}");
}
