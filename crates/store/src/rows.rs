//! Rows that are read again and again, kept in memory by the one server of an embedded database.
//!
//! A kept row is never older than what was acknowledged: a statement that changes a row says so ([`crate::Query::changes`], or
//! [`crate::Query::changes_all_of`] if it changes what many rows show), and before the change is answered the row is dropped here.
//! A reader that began before may not put the old row back, because it has seen an earlier number of commits. Only the file of a
//! table decides which of its rows are kept, since only it changes them; commands that run beside the server must not change such a table.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_cache::unsync::Cache;

/// How many transactions that may have written were ended.
pub(crate) type Commits = Arc<AtomicU64>;

/// How many rows are kept. They are small: a row takes some 300 bytes with its key.
const MOST: usize = 32 * 1024;
/// Parts with a lock each, so that readers seldom meet.
const SHARDS: usize = 16;
/// For so many groups of tenants the changes that concern all rows of a tenant are counted.
const GROUPS: usize = 256;

/// Names a row: its table, and what finds it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowKey {
    /// The table.
    pub table: &'static str,
    /// The tenant's id and the row's.
    pub ids: (Box<str>, Box<str>),
}

/// What a transaction changes of the rows that may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// This row.
    Row(RowKey),
    /// Any row of the tenant of this id.
    AllOf(Box<str>),
}

/// The row's own id tells nearly all of them apart, and hashing takes longer than the comparison that follows it.
impl Hash for RowKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ids.1.hash(state);
    }
}

/// A row as its table reads it.
type CachedRow = Arc<dyn Any + Send + Sync>;

/// The place of an id among so many: a multiplicative hash of its end, which is random. Each shard has its part of the rows, so that
/// ids must be spread evenly; a stronger hash would be computed twice, since the shard's map needs its own.
fn place(id: &str, places: usize) -> usize {
    let end = id.bytes().rev().take(8).fold(0_u64, |end, byte| end << 8 | u64::from(byte));
    usize::try_from(end.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48).unwrap_or_default() % places
}

/// The rows that are kept.
pub(crate) struct Rows {
    shards: Vec<Mutex<Cache<RowKey, Entry>>>,
    /// How many changes there were that concern all rows of a tenant, by groups of tenants.
    changes: Vec<AtomicU64>,
    commits: Commits,
}

struct Entry {
    row: CachedRow,
    /// The count of its tenant's changes when the row was read; it is outdated once there are more.
    changes: u64,
}

impl Rows {
    pub(crate) fn new(commits: Commits) -> Rows {
        Rows {
            shards: (0..SHARDS).map(|_| Mutex::new(Cache::new(MOST / SHARDS))).collect(),
            changes: (0..GROUPS).map(|_| AtomicU64::default()).collect(),
            commits,
        }
    }

    fn shard(&self, key: &RowKey) -> MutexGuard<'_, Cache<RowKey, Entry>> {
        let place = place(&key.ids.1, SHARDS);
        self.shards[place].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changes_of(&self, tenant: &str) -> &AtomicU64 {
        &self.changes[place(tenant, GROUPS)]
    }

    /// The row, if it is kept.
    pub(crate) fn find<T: Clone + 'static>(&self, key: &RowKey) -> Option<T> {
        let shard = self.shard(key);
        let entry = shard.get(key)?;
        if entry.changes != self.changes_of(&key.ids.0).load(Ordering::Acquire) {
            return None;
        }
        let kept = Arc::clone(&entry.row);
        drop(shard);
        kept.downcast_ref::<T>().cloned()
    }

    /// Keeps a row that was read when `commits` had been committed, unless more has been since.
    pub(crate) fn keep<T: Send + Sync + 'static>(&self, key: RowKey, row: T, commits: u64) {
        // Before the commits: whoever counts a change has counted its commit already.
        let changes = self.changes_of(&key.ids.0).load(Ordering::Acquire);
        let mut shard = self.shard(&key);
        if self.commits.load(Ordering::Acquire) == commits {
            shard.insert(key, Entry { row: Arc::new(row), changes });
        }
    }

    /// How many commits were noted.
    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Notes a commit, and drops the rows that it changed.
    pub(crate) fn committed(&self, changed: &[Change]) {
        self.commits.fetch_add(1, Ordering::AcqRel);
        for change in changed {
            match change {
                Change::Row(key) => drop(self.shard(key).remove(key)),
                Change::AllOf(tenant) => {
                    self.changes_of(tenant).fetch_add(1, Ordering::AcqRel);
                }
            }
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
            counts[place(id.as_str(), SHARDS)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert!(place("", GROUPS) < GROUPS && place("a", SHARDS) < SHARDS);
    }

    #[test]
    fn a_changed_row_is_dropped_and_an_old_one_not_put_back() {
        let rows = Rows::new(Commits::default());
        rows.keep(key("a"), 1_i64, 0);
        assert_eq!(rows.find::<i64>(&key("a")), Some(1));
        rows.committed(&[Change::Row(key("a"))]);
        assert_eq!(rows.find::<i64>(&key("a")), None);
        rows.keep(key("a"), 1_i64, 0);
        assert_eq!(rows.find::<i64>(&key("a")), None);
        rows.keep(key("a"), 2_i64, 1);
        rows.committed(&[Change::Row(key("b"))]);
        assert_eq!(rows.find::<i64>(&key("a")), Some(2));
    }

    #[test]
    fn a_change_of_all_rows_of_a_tenant_outdates_each_of_them_and_no_others() {
        let rows = Rows::new(Commits::default());
        let of = |tenant: &str| RowKey { table: "pages", ids: (tenant.into(), "a".into()) };
        rows.keep(key("a"), 1_i64, 0);
        rows.keep(key("b"), 2_i64, 0);
        rows.keep(of("somebody else"), 3_i64, 0);
        rows.committed(&[Change::AllOf("tenant".into())]);
        let found = [key("a"), key("b"), of("somebody else")].map(|key| rows.find::<i64>(&key));
        assert_eq!(found, [None, None, Some(3)]);
        rows.keep(key("a"), 1_i64, 0);
        assert_eq!(rows.find::<i64>(&key("a")), None);
        rows.keep(key("a"), 4_i64, 1);
        assert_eq!(rows.find::<i64>(&key("a")), Some(4));
    }

    #[test]
    fn no_more_rows_are_kept_than_there_is_room_for() {
        let rows = Rows::new(Commits::default());
        for number in 0..2 * MOST {
            rows.keep(key(&number.to_string()), number, 0);
        }
        let kept: usize = rows.shards.iter().map(|shard| shard.lock().unwrap().len()).sum();
        assert!(kept <= MOST && kept > MOST / 2, "{kept}");
    }
}
