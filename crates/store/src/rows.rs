//! Rows that are read again and again, kept in memory by the one server of an embedded database.
//!
//! A kept row is never older than what was acknowledged: a statement that changes a row says so ([`crate::Query::changes`]), and before
//! the change is answered the row is dropped here. A reader that began before may not put the old row back, because it has
//! seen an earlier number of commits. Only the file of a table decides which of its rows are kept, since only it changes them;
//! commands that run beside the server must not change such a table.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many transactions that may have written were ended.
pub(crate) type Commits = Arc<AtomicU64>;

/// How many bytes of rows are kept.
const BUDGET: usize = 32 * 1024 * 1024;
/// Parts with a lock each, so that readers seldom meet.
const SHARDS: usize = 16;

/// Names a row: its table, and what finds it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowKey {
    /// The table.
    pub table: &'static str,
    /// The tenant's id and the row's.
    pub ids: (Box<str>, Box<str>),
}

/// The row's own id tells nearly all of them apart, and hashing takes longer than the comparison that follows it.
impl Hash for RowKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ids.1.hash(state);
    }
}

/// A row as its table reads it.
type Kept = Arc<dyn Any + Send + Sync>;

/// The shard of a row: a multiplicative hash of its id's end, which is random. Each shard has its part of the budget, so that
/// ids must be spread evenly; a stronger hash would be computed twice, since the shard's map needs its own.
fn place(id: &str) -> usize {
    let end = id.bytes().rev().take(8).fold(0_u64, |end, byte| end << 8 | u64::from(byte));
    usize::try_from(end.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60).unwrap_or_default() % SHARDS
}

/// The rows that are kept.
pub(crate) struct Rows {
    shards: Vec<Mutex<Shard>>,
    commits: Commits,
}

#[derive(Default)]
struct Shard {
    rows: HashMap<RowKey, (Kept, usize)>,
    /// Oldest first; names that are gone stay until their turn comes.
    order: VecDeque<RowKey>,
    bytes: usize,
}

impl Rows {
    pub(crate) fn new(commits: Commits) -> Rows {
        Rows { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), commits }
    }

    fn shard(&self, key: &RowKey) -> MutexGuard<'_, Shard> {
        let place = place(&key.ids.1);
        self.shards[place].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The row, if it is kept.
    pub(crate) fn find<T: Clone + 'static>(&self, key: &RowKey) -> Option<T> {
        let kept = Arc::clone(&self.shard(key).rows.get(key)?.0);
        kept.downcast_ref::<T>().cloned()
    }

    /// Keeps a row that was read when `commits` had been committed, unless more has been since.
    pub(crate) fn keep<T: Send + Sync + 'static>(&self, key: RowKey, row: T, bytes: usize, commits: u64) {
        let mut shard = self.shard(&key);
        if self.commits.load(Ordering::Acquire) != commits || bytes > BUDGET / SHARDS {
            return;
        }
        shard.bytes += bytes;
        if let Some((_, before)) = shard.rows.insert(key.clone(), (Arc::new(row), bytes)) {
            shard.bytes -= before;
        } else {
            shard.order.push_back(key);
        }
        while shard.bytes > BUDGET / SHARDS
            && let Some(oldest) = shard.order.pop_front()
        {
            shard.drop_row(&oldest);
        }
    }

    /// How many commits were noted.
    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Notes a commit, and drops the rows that it changed.
    pub(crate) fn committed(&self, changed: &[RowKey]) {
        self.commits.fetch_add(1, Ordering::AcqRel);
        for key in changed {
            self.shard(key).drop_row(key);
        }
    }
}

impl Shard {
    fn drop_row(&mut self, key: &RowKey) {
        if let Some((_, bytes)) = self.rows.remove(key) {
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::id::Uuid7Source;
    use pagesmith_model::{PageId, Timestamp};

    use super::*;

    fn key(id: &str) -> RowKey {
        RowKey { table: "pages", ids: ("tenant".into(), id.into()) }
    }

    #[test]
    fn ids_are_spread_evenly() {
        let source = Uuid7Source::new();
        let mut random = 1_u64;
        let mut counts = [0; SHARDS];
        for _ in 0..16_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let id = PageId::mint(source.next(Timestamp::from_micros(0), random));
            counts[place(id.as_str())] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert!(place("") < SHARDS && place("a") < SHARDS);
    }

    #[test]
    fn a_changed_row_is_dropped_and_an_old_one_not_put_back() {
        let rows = Rows::new(Commits::default());
        rows.keep(key("a"), 1_i64, 10, 0);
        assert_eq!(rows.find::<i64>(&key("a")), Some(1));
        rows.committed(&[key("a")]);
        assert_eq!(rows.find::<i64>(&key("a")), None);
        rows.keep(key("a"), 1_i64, 10, 0);
        assert_eq!(rows.find::<i64>(&key("a")), None);
        rows.keep(key("a"), 2_i64, 10, 1);
        rows.committed(&[key("b")]);
        assert_eq!(rows.find::<i64>(&key("a")), Some(2));
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows() {
        let rows = Rows::new(Commits::default());
        let size = BUDGET / SHARDS / 4;
        for number in 0..SHARDS * 40 {
            rows.keep(key(&number.to_string()), number, size, 0);
        }
        rows.keep(key("huge"), 0_usize, BUDGET, 0);
        assert_eq!(rows.find::<usize>(&key("huge")), None);
        let shards = rows.shards.iter().map(|shard| shard.lock().unwrap());
        let bytes: usize = shards.map(|shard| shard.bytes.max(shard.rows.len() * size)).sum();
        assert!(bytes <= BUDGET && bytes > BUDGET / 2, "{bytes}");
    }
}
