//! How many connections write at the same time, adapted to how often they conflict.
//!
//! PostgreSQL detects conflicts of index reads by whole pages, so that on small tables any two writers may conflict, and each conflict costs a
//! whole transaction. So a connection needs a permit to write: a conflict takes the permit away, and after many successes one more is
//! added. Two permits always remain: with a single writer the database would be idle while this server works between two statements.
//! No job waits for a permit that a connection holds while it does something else.

use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::{Receiver, Sender};

/// After how many successes there is one permit more.
const SUCCESSES: usize = 64;
/// So many permits always remain.
const FEWEST: usize = 2;

/// The permission to write.
pub(super) struct WritePermit;

/// The permits of a node.
pub(super) struct WriteLimit {
    free: (Sender<WritePermit>, Receiver<WritePermit>),
    most: usize,
    total: AtomicUsize,
    successes: AtomicUsize,
}

impl WriteLimit {
    /// One for each connection.
    pub(super) fn new(most: usize) -> WriteLimit {
        let limit = WriteLimit {
            free: crossbeam_channel::unbounded(),
            most,
            total: AtomicUsize::new(most),
            successes: AtomicUsize::new(0),
        };
        (0..most).for_each(|_| limit.give_back(WritePermit));
        limit
    }

    /// Where permits are taken from.
    pub(super) fn free(&self) -> &Receiver<WritePermit> {
        &self.free.1
    }

    /// How many there are, taken or free.
    pub(super) fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed).max(1)
    }

    /// Lets another connection write.
    pub(super) fn give_back(&self, permit: WritePermit) {
        // Both ends live as long as this.
        drop(self.free.0.send(permit));
    }

    /// A transaction conflicted: its permit is gone, unless it is one of the last.
    pub(super) fn on_conflict(&self, permit: WritePermit) -> Option<WritePermit> {
        self.successes.store(0, Ordering::Relaxed);
        let fewer = |total: usize| (total > FEWEST).then(|| total - 1);
        let is_gone = self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok();
        (!is_gone).then_some(permit)
    }

    /// A transaction was committed.
    pub(super) fn on_success(&self) {
        if (self.successes.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(SUCCESSES) {
            let more = |total: usize| (total < self.most).then(|| total + 1);
            if self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok() {
                self.give_back(WritePermit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_take_permits_away_except_the_last_and_successes_restore_them() {
        let write_limit = WriteLimit::new(4);
        let taken: Vec<WritePermit> = write_limit.free().try_iter().collect();
        assert_eq!((taken.len(), write_limit.total()), (4, 4));
        let kept = taken.into_iter().filter_map(|permit| write_limit.on_conflict(permit)).count();
        assert_eq!((kept, write_limit.total()), (FEWEST, FEWEST));
        (1..SUCCESSES).for_each(|_| write_limit.on_success());
        assert_eq!((write_limit.total(), write_limit.free().len()), (2, 0));
        write_limit.on_success();
        assert_eq!((write_limit.total(), write_limit.free().len()), (3, 1));
        (0..10 * SUCCESSES).for_each(|_| write_limit.on_success());
        assert_eq!((write_limit.total(), write_limit.free().len()), (4, 2));
    }
}
