//! Clients that are slow, silent, greedy or no HTTP clients at all, against the real listener.
//!
//! Each gets a clear 4xx or a closed connection, writes nothing, and costs the others nothing: after every one of them
//! a page is made and read as before.

mod attackers;
mod crowds;
mod hanging_names;
mod neighbours;
mod nonsense;
mod refusals;
mod slowness;
mod unread;

use crate::process::load::contents;
use crate::process::{Instance, KEY, Server, eventually};

/// A server with short time limits.
#[track_caller]
fn impatient() -> Server {
    Instance::new().serve_with(&[("LIMITS_HEADER_TIMEOUT", "300ms"), ("LIMITS_BODY_TIMEOUT", "300ms")])
}

/// A server with the usual time limits.
#[track_caller]
fn patient() -> Server {
    Instance::new().serve()
}

/// Nothing was written, and others are served as before.
#[track_caller]
fn is_unharmed(server: &Server) {
    assert_eq!(contents(server, KEY).len(), 0);
    server.is_well();
}

/// The value of a metric, named with its labels.
fn metric(server: &Server, name: &str) -> u64 {
    // Where connections are few, there may be room for this one only when another has ended.
    let ask = || server.connect().call("GET", "/metrics", None, None).ok();
    let text = String::from_utf8(eventually("there is room to ask", ask).body).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0, |value| value.parse().unwrap())
}

/// How many connections the server has ended for that reason.
fn cut_off(server: &Server, reason: &str) -> u64 {
    metric(server, &format!("pagesmith_http_connections_cut_off_total{{reason=\"{reason}\"}}"))
}
