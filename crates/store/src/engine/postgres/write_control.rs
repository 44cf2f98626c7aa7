//! What decides when a connection writes, how much at once, and what follows a conflict.
//!
//! PostgreSQL detects conflicts between serializable writes by pages of its indexes. On small tables any two writers
//! may conflict, and each conflict costs a whole transaction. This is what happens to the state:
//!
//! | Event | Write limit (of the server) | Batch size (of the connection) | Next |
//! |---|---|---|---|
//! | A write is taken alone | – | one more, up to 16 | |
//! | A write commits | after 64 commits in a row one more, up to the connections | – | |
//! | A shared commit succeeds | the same | one more, up to 16 | |
//! | A write conflicts | one fewer, at least 2; the connection's permit is gone | – | tried again after a pause |
//! | A shared commit conflicts | the same | half if the limit stays | tried again, three times; then each alone |
//! | A write of a shared commit is refused | – | half | each write alone |
//!
//! The attempts of one transaction:
//!
//! | Attempt | Runs |
//! |---|---|
//! | 1 to 20 | beside others |
//! | 21 and later | while no other write of the server runs |
//! | none after five seconds | it is given up |
//!
//! The decisions are pure and in [`state`]; this file adds the locks and the channel. A connection has a [`Writer`],
//! all of them share one [`WriteControl`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use crate::options::WriteRule;

mod state;
#[cfg(test)]
mod tests;

use state::{BatchSize, WriteLimit};

/// How often a shared commit is attempted.
pub(super) const SHARED_ATTEMPTS: u32 = 3;

/// The permission to write.
pub(super) struct WritePermit;

/// What the connections of a server share.
pub(super) struct WriteControl {
    limit: Mutex<WriteLimit>,
    free: (Sender<WritePermit>, Receiver<WritePermit>),
    /// Held shared by each attempt to write, or exclusively by one.
    attempts: RwLock<()>,
    /// The rule that is not applied; only for measurements.
    disabled_rule: Option<WriteRule>,
}

impl WriteControl {
    /// The control of so many connections, each of which may write.
    pub(super) fn new(connections: usize, disabled_rule: Option<WriteRule>) -> WriteControl {
        let control = WriteControl {
            limit: Mutex::new(WriteLimit::new(connections)),
            free: crossbeam_channel::unbounded(),
            attempts: RwLock::default(),
            disabled_rule,
        };
        (0..connections).for_each(|_| control.give_back(WritePermit));
        control
    }

    fn give_back(&self, permit: WritePermit) {
        // Both ends live as long as this.
        drop(self.free.0.send(permit));
    }

    fn applies(&self, rule: WriteRule) -> bool {
        self.disabled_rule != Some(rule)
    }

    fn limit(&self) -> MutexGuard<'_, WriteLimit> {
        self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The attempts of a transaction; `writes` if others must be able to exclude it.
    pub(super) fn attempts(&self, writes: bool) -> Attempts<'_> {
        Attempts { control: self, writes, hold: None }
    }
}

/// What a transaction holds during each of its attempts.
pub(super) struct Attempts<'a> {
    control: &'a WriteControl,
    writes: bool,
    hold: Option<Hold<'a>>,
}

/// A guard of [`WriteControl::attempts`].
enum Hold<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Alone { _guard: RwLockWriteGuard<'a, ()> },
}

impl Attempts<'_> {
    /// Waits until this attempt may run; the first is number 1.
    pub(super) fn begin(&mut self, attempt: u32) {
        if !self.writes {
            return;
        }
        let attempts = &self.control.attempts;
        let is_alone = state::runs_alone(attempt) && self.control.applies(WriteRule::RunningAlone);
        self.hold = Some(if is_alone {
            Hold::Alone { _guard: attempts.write().unwrap_or_else(PoisonError::into_inner) }
        } else {
            Hold::Shared { _guard: attempts.read().unwrap_or_else(PoisonError::into_inner) }
        });
    }

    /// Lets others attempt theirs.
    pub(super) fn end(&mut self) {
        self.hold = None;
    }
}

/// The part of one connection.
pub(super) struct Writer {
    control: Arc<WriteControl>,
    permit: Option<WritePermit>,
    batch_size: BatchSize,
    /// Tells the connection from others.
    number: u32,
}

impl Writer {
    /// The part of the connection of that number. It has no permit yet.
    pub(super) fn new(control: Arc<WriteControl>, number: u32) -> Writer {
        Writer { control, permit: None, batch_size: BatchSize::new(), number }
    }

    /// What all connections share.
    pub(super) fn control(&self) -> &Arc<WriteControl> {
        &self.control
    }

    /// Whether the connection may write.
    pub(super) fn may_write(&self) -> bool {
        self.permit.is_some()
    }

    /// Where a permit comes from when one is free.
    pub(super) fn free_permits(&self) -> &Receiver<WritePermit> {
        &self.control.free.1
    }

    /// Takes a permit.
    pub(super) fn accept(&mut self, permit: WritePermit) {
        self.permit = Some(permit);
    }

    /// Returns the permit, so that another connection may write while this one does something else.
    pub(super) fn release(&mut self) {
        if let Some(permit) = self.permit.take() {
            self.control.give_back(permit);
        }
    }

    /// How many writes to take at once while so many more wait.
    pub(super) fn batch_size(&self, waiting: usize) -> usize {
        if !self.control.applies(WriteRule::SharedCommits) {
            return 1;
        }
        self.batch_size.of(waiting, self.control.limit().total())
    }

    /// A write was taken alone, because no others wait or because it had to be.
    pub(super) fn on_single(&mut self) {
        self.batch_size.grow();
    }

    /// A transaction of so many writes was committed.
    pub(super) fn on_success(&mut self, writes: usize) {
        if writes > 1 {
            self.batch_size.grow();
        }
        if self.control.limit().on_success() {
            self.control.give_back(WritePermit);
        }
    }

    /// A write conflicted in this attempt; how long it rests before the next.
    pub(super) fn on_conflict(&mut self, attempt: u32) -> Duration {
        self.lose_permit();
        if !self.control.applies(WriteRule::Pause) {
            return Duration::ZERO;
        }
        state::pause_before_next(attempt, self.number)
    }

    /// A shared commit conflicted.
    pub(super) fn on_shared_conflict(&mut self) {
        if !self.lose_permit() {
            self.batch_size.shrink();
        }
    }

    /// A write of a shared commit was refused, or the connection was lost.
    pub(super) fn on_shared_failure(&mut self) {
        self.batch_size.shrink();
    }

    /// Takes the permit away, unless it is one of the last; whether it is gone.
    fn lose_permit(&mut self) -> bool {
        if !self.control.applies(WriteRule::WriteLimit) {
            return false;
        }
        let Some(permit) = self.permit.take() else { return false };
        let is_gone = self.control.limit().on_conflict();
        self.permit = (!is_gone).then_some(permit);
        is_gone
    }
}
