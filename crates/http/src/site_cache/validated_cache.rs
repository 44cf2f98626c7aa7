//! What was made from something in the database, kept in memory with what it was made from.
//!
//! It is valid while the database has the same. Who has read that validates it ([`ValidatedCache::validate`]); who has not gets what is still
//! fresh ([`ValidatedCache::fresh`]): validated at most a second ago, and this process has committed nothing since. So its own changes show at
//! once and those of others within the second. Invariant: all together never weigh more than the budget.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pagesmith_model::Timestamp;
use quick_cache::{Weighter, unsync};

/// For how long something is fresh after it was validated.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// A point in time by the clock and by commits, taken before the database is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PointInTime {
    /// The instant.
    pub at: Timestamp,
    /// How many transactions this process had committed.
    pub commits: u64,
}

impl PointInTime {
    /// Whether what was validated then is still fresh now.
    pub fn is_fresh(self, now: PointInTime) -> bool {
        // A clock that was set back says nothing about what has passed.
        self.commits == now.commits && self.at <= now.at && now.at.since(self.at) < FRESH_FOR
    }
}

/// What takes memory.
pub(crate) trait Weighed {
    /// About how many bytes.
    fn weight(&self) -> u64;
}

/// A value with what it was made from, and when it was last validated.
#[derive(Debug)]
struct Entry<S, V> {
    source: S,
    validated: PointInTime,
    value: V,
}

#[derive(Debug)]
struct ByWeight;

impl<K, S, V: Weighed> Weighter<K, Entry<S, V>> for ByWeight {
    fn weight(&self, _: &K, entry: &Entry<S, V>) -> u64 {
        entry.value.weight()
    }
}

type Entries<K, S, V> = unsync::Cache<K, Entry<S, V>, ByWeight>;

/// See the file.
#[derive(Debug)]
pub(crate) struct ValidatedCache<K, S, V>(Mutex<Entries<K, S, V>>);

impl<K: Hash + Eq, S: PartialEq, V: Weighed + Clone> ValidatedCache<K, S, V> {
    /// A cache for values that weigh `budget` together, about `usual` of them.
    pub fn new(usual: usize, budget: u64) -> ValidatedCache<K, S, V> {
        ValidatedCache(Mutex::new(Entries::with_weighter(usual, budget, ByWeight)))
    }

    fn lock(&self) -> MutexGuard<'_, Entries<K, S, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, if it is cached and fresh.
    pub fn fresh(&self, key: &K, now: PointInTime) -> Option<V> {
        let entries = self.lock();
        let entry = entries.get(key)?;
        entry.validated.is_fresh(now).then(|| entry.value.clone())
    }

    /// The value, if it is cached and was made from `source`, which the database had at `now`; another value is dropped.
    pub fn validate(&self, key: &K, source: Option<&S>, now: PointInTime) -> Option<V> {
        let mut entries = self.lock();
        let mut entry = entries.get_mut(key)?;
        if source == Some(&entry.source) {
            entry.validated = now;
            return Some(entry.value.clone());
        }
        drop(entry);
        entries.remove(key);
        None
    }

    /// Caches a value that was made from `source`, which the database had at `validated`; replaces an older one.
    pub fn insert(&self, key: K, source: S, validated: PointInTime, value: V) {
        self.lock().insert(key, Entry { source, validated, value });
    }

    /// How many values are cached.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// What all of them weigh.
    #[cfg(test)]
    pub fn weight(&self) -> u64 {
        self.lock().weight()
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.lock().clear();
    }
}
