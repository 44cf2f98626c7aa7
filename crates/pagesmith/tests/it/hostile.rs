//! Clients that are slow, silent, greedy or no HTTP clients at all, against the real listener.
//!
//! Each gets a clear 4xx or a closed connection, writes nothing, and costs the others nothing: after every one of them
//! a page is made and read as before.

mod attackers;
mod crowds;
mod neighbours;
mod nonsense;
mod refusals;
mod slowness;
mod unread;

use crate::process::load::contents;
use crate::process::{Instance, KEY, Server};

/// A server that loses its patience quickly.
#[track_caller]
fn impatient() -> Server {
    Instance::new().serve_with(&[("LIMITS_HEADER_TIMEOUT", "300ms"), ("LIMITS_BODY_TIMEOUT", "300ms")])
}

/// A server with its usual patience.
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
