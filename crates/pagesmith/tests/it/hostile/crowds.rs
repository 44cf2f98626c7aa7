//! More connections than anyone needs.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{is_unharmed, patient};
use crate::process::{Instance, KEY, Server, after, eventually};

/// Connections that only cost.
const CROWD: usize = 2000;

/// Lets this process open as many files as the system allows it.
fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
}

#[test]
fn thousands_of_silent_connections_do_not_keep_others_out() {
    allow_many_files();
    let instance = Instance::new();
    // As many systems start a program: with few open files, of which it may take more.
    let mut serving = instance.serving();
    serving.env("PAGESMITH_LIMITS_CONNECTIONS_PER_ADDRESS", "10000");
    let server = Server::start(after("ulimit -S -n 1024", &serving));
    let mut crowd: Vec<_> = (0..CROWD).map(|_| server.connect()).collect();
    for half in &mut crowd[..CROWD / 2] {
        half.send("GET /v0/pages HTTP/1.1\r\nhost: api\r\n").unwrap();
    }
    is_unharmed(&server);
    // They were not thrown out either: a request that is whole at last is answered.
    for half in &mut crowd[..CROWD / 2] {
        half.send(format!("x-api-key: {KEY}\r\n\r\n")).unwrap();
    }
    for half in &mut crowd[..CROWD / 2] {
        half.receive().unwrap().expect(200);
    }
    drop(crowd);
    server.is_well();
}

#[test]
fn one_more_connection_than_allowed_waits_until_another_ends() {
    let server =
        Instance::new().serve_with(&[("LIMITS_MAX_CONNECTIONS", "3"), ("LIMITS_HEADER_TIMEOUT", "300ms")]);
    let _idle: Vec<_> = (0..6).map(|_| server.connect()).collect();
    is_unharmed(&server);
}

#[test]
fn waves_of_connections_that_end_at_once_leave_nothing_behind() {
    allow_many_files();
    let server = patient();
    let descriptors = || std::fs::read_dir(format!("/proc/{}/fd", server.pid().as_raw_nonzero()));
    if descriptors().is_err() {
        // Only Linux tells.
        return;
    }
    server.is_well();
    let before = descriptors().unwrap().count();
    for _ in 0..5 {
        drop((0..300).map(|_| server.connect()).collect::<Vec<_>>());
    }
    eventually("the connections are closed on this side too", || {
        // The database may have been given a few more of its own.
        (descriptors().unwrap().count() < before + 100).then_some(())
    });
    server.is_well();
}
