//! How to open a database.

use std::num::NonZero;
use std::time::Duration;

use crate::database_url::DatabaseUrl;

/// How to open a database.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Which one.
    pub url: DatabaseUrl,
    /// Threads that read from an embedded database.
    pub readers: usize,
    /// Cores of this machine. An embedded database reads for one tenant on at most as many threads.
    pub cores: usize,
    /// Connections to PostgreSQL, each with its thread.
    pub connections: usize,
    /// How many closures may wait; of one more, whoever has most waiting loses its newest.
    pub queue: usize,
    /// How long a transaction may read and write: a statement that takes longer is stopped, and no further one begins.
    pub time_limit: Duration,
    /// Whether this is the one server of an embedded database, which may keep rows in memory; commands beside it are not.
    pub serves: bool,
    /// How many waiting closures an embedded database commits under one sync.
    pub max_batch: usize,
    /// Whether this writes very much and ends: an embedded database then keeps more pages in memory and moves its journal less often.
    pub bulk: bool,
    /// The rule for writes to PostgreSQL that is not applied; only for measuring what it is worth.
    pub disabled_rule: Option<WriteRule>,
}

/// A rule for writes to PostgreSQL; `docs/design/store.md` ("What the rules are worth") has measurements of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteRule {
    /// Conflicts lower the number of connections that write at once.
    WriteLimit,
    /// Writes that wait share a commit.
    SharedCommits,
    /// A transaction that has failed very often runs while no other write does.
    RunningAlone,
    /// A transaction rests after a conflict.
    Pause,
}

impl StoreOptions {
    /// The defaults for the database at `url`.
    pub fn new(url: DatabaseUrl) -> StoreOptions {
        StoreOptions {
            url,
            readers: 3,
            cores: std::thread::available_parallelism().map_or(1, NonZero::get),
            connections: 8,
            queue: 1024,
            time_limit: Duration::from_secs(10),
            serves: false,
            max_batch: 512,
            bulk: false,
            disabled_rule: None,
        }
    }
}
