//! The version before this one, beside this one: servers are replaced one by one under load, and set back, and nothing is lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use pagesmith_testkit::fixtures;
use serde_json::json;

use crate::process::counter::Counter;
use crate::process::{Instance, KEY, Server, eventually};
use crate::webhooks::deliveries::crash::{Makers, wait_for_all};

/// The settings of every server here.
const SETTINGS: [(&str, &str); 2] =
    [("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8"), ("PAGESMITH_RATE_LIMIT_REQUESTS", "100000000")];

/// The program of the version before; `cargo x upgrade` builds it.
#[expect(clippy::disallowed_methods, reason = "the command says where the other program is")]
fn before() -> String {
    std::env::var("PAGESMITH_BEFORE").unwrap()
}

/// The command that serves, by another program.
fn by(program: &str, serving: &Command) -> Command {
    let mut command = crate::process::bare(Path::new(program));
    command.args(serving.get_args()).current_dir(serving.get_current_dir().unwrap());
    for (name, value) in serving.get_envs() {
        value.map(|value| command.env(name, value));
    }
    command
}

#[test]
#[ignore = "needs the program of the version before: cargo x upgrade"]
fn servers_are_replaced_by_newer_ones_and_back_one_at_a_time() {
    let before = before();
    let (instance, counter) = (Instance::new(), Counter::start());
    let start = |is_newer: bool| {
        let mut serving = instance.serving();
        serving.envs(SETTINGS);
        Server::start(if is_newer { serving } else { by(&before, &serving) })
    };
    let mut servers = [start(false), start(false)];
    let body = json!({ "url": format!("http://{}/", counter.address), "events": ["page.version.created"] });
    servers[0].post("/v0/webhook_subscriptions", KEY, &body).expect(201);
    let page = servers[0].post("/v0/pages", KEY, &fixtures::page("Upgrade")).expect(201).json();
    let page = page["pageId"].as_str().unwrap();
    let makers: Vec<Makers> = servers.iter().map(|server| Makers::start(server.address, page)).collect();
    let all_make = || {
        let counts: Vec<usize> = makers.iter().map(Makers::count).collect();
        eventually("each server takes changes", || {
            makers.iter().zip(&counts).all(|(makers, count)| makers.count() >= count + 50).then_some(())
        });
    };
    all_make();
    // The new version is there before the first of the old servers goes; it migrates.
    let newest = start(true);
    all_make();
    for server in servers.iter().chain([&newest]) {
        assert_eq!(server.connect().call("GET", "/readyz", None, None).unwrap().status, 200);
    }
    // Forward, and back again.
    for is_newer in [true, false] {
        for at in 0..servers.len() {
            let replacement = start(is_newer);
            makers[at].go_to(replacement.address);
            std::mem::replace(&mut servers[at], replacement).stop();
            all_make();
        }
    }
    let made: BTreeSet<String> = makers.into_iter().flat_map(Makers::finish).collect();
    wait_for_all(&counter, &made);
    let path = format!("/v0/pages/{page}/audiences?limit=1");
    let total = newest.get(&path, KEY).expect(200).json()["totalCount"].as_u64().unwrap();
    assert!(total >= made.len() as u64, "{total} audiences of {}", made.len());
}
