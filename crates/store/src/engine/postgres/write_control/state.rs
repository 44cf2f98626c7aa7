//! The decisions of [`super`], without locks, channels or a clock.

use std::time::Duration;

/// After so many commits in a row one more connection may write.
pub(super) const COMMITS: usize = 64;
/// So many connections may always write: with one, the database would rest while this server works between two
/// statements.
pub(super) const FEWEST: usize = 2;
/// The most writes that share a commit: what they lock, others wait for.
pub(super) const LARGEST: usize = 16;
/// After so many attempts a transaction runs alone: one that reads what all others write would never succeed.
const BESIDE_OTHERS: u32 = 20;

/// How many connections may write at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WriteLimit {
    most: usize,
    total: usize,
    commits: usize,
}

impl WriteLimit {
    /// All of so many connections.
    pub(super) fn new(connections: usize) -> WriteLimit {
        WriteLimit { most: connections, total: connections, commits: 0 }
    }

    /// How many may write.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// A transaction of a connection with a permit conflicted; whether its permit is gone.
    pub(super) fn on_conflict(&mut self) -> bool {
        self.commits = 0;
        let is_gone = self.total > FEWEST;
        self.total -= usize::from(is_gone);
        is_gone
    }

    /// A transaction was committed; whether there is one permit more.
    pub(super) fn on_success(&mut self) -> bool {
        self.commits = (self.commits + 1) % COMMITS;
        let is_new = self.commits == 0 && self.total < self.most;
        self.total += usize::from(is_new);
        is_new
    }
}

/// How many writes a connection takes at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BatchSize {
    writes: usize,
}

impl BatchSize {
    /// The largest.
    pub(super) fn new() -> BatchSize {
        BatchSize { writes: LARGEST }
    }

    /// How many to take while so many more wait: none with which another of so many writers could begin.
    pub(super) fn of(&self, waiting: usize, writers: usize) -> usize {
        (1 + waiting / writers.max(1)).min(self.writes)
    }

    pub(super) fn grow(&mut self) {
        self.writes = (self.writes + 1).min(LARGEST);
    }

    pub(super) fn shrink(&mut self) {
        self.writes = (self.writes / 2).max(1);
    }
}

/// Whether that attempt, of which the first is number 1, runs while no other write does.
pub(super) fn runs_alone(attempt: u32) -> bool {
    attempt > BESIDE_OTHERS
}

/// How long a transaction rests after this attempt. It grows with each attempt and differs between connections, so that
/// transactions that conflicted do not meet again at once.
pub(super) fn pause_before_next(attempt: u32, connection: u32) -> Duration {
    Duration::from_micros(100 * u64::from(connection % 8 + 1) * u64::from(attempt.min(8)))
}
