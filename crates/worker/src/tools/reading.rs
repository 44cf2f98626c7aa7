//! How pages and files are read, and which hosts are being asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::egress::Egress;
use crate::limited_process::documents::DocumentReader;

pub(crate) mod problem;
pub(crate) mod robots;

use robots::RobotsCache;

/// How long an attempt takes at least whose page cannot be reached: longer than looking up a name and making a connection may
/// ([`crate::egress::Options::connect`]), so that the time does not tell one cause from another.
const UNREACHABLE: Duration = Duration::from_secs(6);

/// How pages and files are read.
#[derive(Clone)]
pub struct ReadingConfig {
    /// What fetches pages.
    pub(crate) egress: Egress,
    /// What reads files.
    pub documents: DocumentReader,
    pub(crate) robots: Arc<RobotsCache>,
    /// How many pages of each host are being read; files are those of a host without a name.
    busy: Arc<Mutex<HashMap<String, usize>>>,
    /// How long an attempt takes at least whose page cannot be reached.
    pub unreachable_takes: Duration,
}

impl ReadingConfig {
    /// The configuration of a server.
    pub fn new(egress: Egress, documents: DocumentReader) -> ReadingConfig {
        let (robots, busy) = (Arc::default(), Arc::default());
        ReadingConfig { egress, documents, robots, busy, unreachable_takes: UNREACHABLE }
    }

    /// How many pages of each host are being read.
    pub(crate) fn busy(&self) -> HashMap<String, usize> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts one more of a host, or one fewer.
    pub(crate) fn count(&self, host: &str, begins: bool) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let count = busy.entry(host.to_owned()).or_default();
        *count = if begins { *count + 1 } else { count.saturating_sub(1) };
        if *count == 0 {
            busy.remove(host);
        }
    }
}
