//! How long a transaction of the embedded database may take.
//!
//! SQLite asks between its steps whether to go on, here every few thousand of them: less than a millisecond of work. A short statement
//! ends before it is asked, so it does not even cost a look at the clock. The steps of a statement that is kept are counted on when it runs again,
//! so any statement may be asked: between [`TimeLimit::end`] and the next [`TimeLimit::start`] all may go on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// After how many steps of its program SQLite asks: some ten million are done in a second.
pub(super) const STEPS: i32 = 4_000;

/// See the file. Only the thread that has the connection uses it.
pub(super) struct TimeLimit {
    limit: Duration,
    begin: Instant,
    /// Nanoseconds since the beginning.
    end: AtomicU64,
    was_stopped: AtomicBool,
}

impl TimeLimit {
    pub(super) fn new(limit: Duration) -> TimeLimit {
        let (end, was_stopped) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
        TimeLimit { limit, begin: Instant::now(), end, was_stopped }
    }

    pub(super) fn start(&self, now: Instant) {
        let end = self.nanos(now).saturating_add(u64::try_from(self.limit.as_nanos()).unwrap_or(u64::MAX));
        self.end.store(end, Ordering::Relaxed);
        self.was_stopped.store(false, Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        self.end.store(u64::MAX, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        let end = self.end.load(Ordering::Relaxed);
        let is_over = end != u64::MAX && self.nanos(Instant::now()) >= end;
        if is_over {
            self.was_stopped.store(true, Ordering::Relaxed);
        }
        is_over
    }

    pub(super) fn was_stopped(&self) -> bool {
        self.was_stopped.load(Ordering::Relaxed)
    }

    fn nanos(&self, at: Instant) -> u64 {
        u64::try_from(at.duration_since(self.begin).as_nanos()).unwrap_or(u64::MAX)
    }
}
