//! Open files: a connection is one, and many systems start a program with fewer than it may have.
//!
//! A server that runs out of them accepts nobody until others leave, so it takes what its settings will need, up to
//! the most that the system allows, and says so where that is too little.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files beside the clients' connections: deliveries on their way, names that are looked up (each may have several sockets while its servers
/// are silent), the database, the log, what the runtime keeps.
const OTHERS: u64 = 4_096;

/// Lets this process open as many files as that many connections need.
pub fn allow(connections: usize) {
    let needed = u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHERS);
    let limit = getrlimit(Resource::Nofile);
    // None is no limit.
    if limit.current.is_none_or(|current| current >= needed) {
        return;
    }
    let current = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..limit }) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
    if current < needed {
        tracing::warn!(
            allowed = current,
            needed,
            "the system allows fewer open files than limits.max_connections needs"
        );
    }
}
