//! Values that were asked for lately, within a budget of bytes, as `quick_cache` chooses them.
//!
//! Not a judge of whether a value is still right: the caller knows. Invariant: all values together never take more than
//! the budget, by the sizes that they were kept with.

use std::hash::Hash;

use quick_cache::Weighter;
use quick_cache::unsync::Cache;

/// About what a value takes, for an estimate of how many there are. Keys of that many values that were dropped are
/// remembered, so that a value which is asked for again stays longer.
const USUAL_ENTRY_BYTES: usize = 4096;

/// See the file.
#[derive(Debug)]
pub(super) struct Recent<K, V>(Cache<K, Entry<V>, ByBytes>);

/// A value with its size. The size is kept, as it must not change while the value is in the cache.
#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
}

#[derive(Debug)]
struct ByBytes;

impl<K, V> Weighter<K, Entry<V>> for ByBytes {
    fn weight(&self, _: &K, kept: &Entry<V>) -> u64 {
        // The entry itself counts too: a value without bytes is never evicted.
        (kept.bytes + size_of::<K>() + size_of::<Entry<V>>()) as u64
    }
}

impl<K: Eq + Hash, V> Recent<K, V> {
    /// Nothing yet, and never more than that many bytes.
    pub fn new(budget: usize) -> Recent<K, V> {
        Recent(Cache::with_weighter(budget / USUAL_ENTRY_BYTES, budget as u64, ByBytes))
    }

    /// The value of a key, which is asked for by that.
    pub fn find(&self, key: &K) -> Option<&V> {
        self.0.get(key).map(|kept| &kept.value)
    }

    /// Keeps a value of that many bytes in place of the one before. A value that takes nearly all of the budget is dropped.
    pub fn keep(&mut self, key: K, value: V, bytes: usize) {
        self.0.insert(key, Entry { value, bytes });
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_asked_for_goes_first() {
        let mut recent = Recent::new(8_000);
        for number in 0..100 {
            recent.keep(number, number, 1_000);
            assert_eq!(recent.find(&0), Some(&0), "it is asked for all the time");
        }
        assert_eq!(recent.find(&50), None);
    }

    #[test]
    fn what_is_too_large_is_not_kept_and_takes_the_one_before_along() {
        let mut recent = Recent::new(8_000);
        recent.keep(1, "small", 1_000);
        recent.keep(1, "large", 8_000);
        assert_eq!(recent.find(&1), None);
        assert_eq!(recent.0.weight(), 0);
    }

    #[test]
    fn values_without_bytes_are_dropped_as_well() {
        let mut recent = Recent::new(8_000);
        (0..1_000).for_each(|number| recent.keep(number, (), 0));
        assert!(recent.0.weight() <= 8_000 && recent.0.len() < 1_000);
    }

    proptest! {
        #[test]
        fn the_budget_is_kept_and_whatever_is_found_is_the_latest(
            steps in prop::collection::vec((0..20_u8, 0..3_000_usize, any::<bool>()), 1..200),
        ) {
            let (mut recent, mut latest) = (Recent::new(10_000), BTreeMap::new());
            for (at, (key, bytes, is_kept)) in steps.into_iter().enumerate() {
                if is_kept {
                    recent.keep(key, at, bytes);
                    latest.insert(key, at);
                }
                if let Some(found) = recent.find(&key) {
                    prop_assert_eq!(Some(found), latest.get(&key));
                }
                prop_assert!(recent.0.weight() <= 10_000);
            }
            recent.clear();
            prop_assert_eq!((recent.0.len(), recent.0.weight()), (0, 0));
        }
    }
}
