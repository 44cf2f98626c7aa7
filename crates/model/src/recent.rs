//! What was asked for lately, within a budget of bytes.
//!
//! What this is not: a judge of whether something is still right; whoever keeps it knows. Two generations stand in for an order of use:
//! what is asked for moves to the younger one, and when that is full the older one goes. Invariant: both together never hold more than
//! the budget, by the sizes that they were told.

use std::collections::HashMap;
use std::hash::Hash;

/// See the file.
#[derive(Debug)]
pub struct Recent<K, V> {
    young: HashMap<K, Entry<V>>,
    old: HashMap<K, Entry<V>>,
    /// Of the young ones.
    bytes: usize,
    budget: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
}

impl<K: Eq + Hash + Clone, V> Recent<K, V> {
    /// Nothing yet, and never more than that many bytes.
    pub fn new(budget: usize) -> Recent<K, V> {
        Recent { young: HashMap::new(), old: HashMap::new(), bytes: 0, budget }
    }

    /// The value of a key, which is asked for by that.
    pub fn find(&mut self, key: &K) -> Option<&V> {
        self.find_mut(key).map(|value| &*value)
    }

    /// The same, to be changed; its size stays what it was told to be.
    pub fn find_mut(&mut self, key: &K) -> Option<&mut V> {
        if let Some((key, kept)) = self.old.remove_entry(key) {
            self.put(key, kept);
        }
        self.young.get_mut(key).map(|kept| &mut kept.value)
    }

    /// Keeps a value of that many bytes in place of the one before; one that would fill half of the budget is not kept.
    pub fn keep(&mut self, key: K, value: V, bytes: usize) {
        self.forget(&key);
        self.put(key, Entry { value, bytes });
    }

    /// Lets go of a key's value.
    pub fn forget(&mut self, key: &K) {
        self.old.remove(key);
        if let Some(kept) = self.young.remove(key) {
            self.bytes -= kept.bytes;
        }
    }

    /// Lets go of everything.
    pub fn clear(&mut self) {
        *self = Recent::new(self.budget);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes all of them have.
    pub fn bytes(&self) -> usize {
        self.bytes + self.old.values().map(|kept| kept.bytes).sum::<usize>()
    }

    /// Puts in what is in neither generation.
    fn put(&mut self, key: K, kept: Entry<V>) {
        if kept.bytes > self.budget / 2 {
            return;
        }
        if self.bytes + kept.bytes > self.budget / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += kept.bytes;
        self.young.insert(key, kept);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_asked_for_goes_first() {
        let mut recent = Recent::new(80);
        for number in 0..100 {
            recent.keep(number, number, 10);
            assert_eq!(recent.find(&0), Some(&0), "it is asked for all the time");
        }
        assert_eq!(recent.find(&50), None);
    }

    #[test]
    fn what_is_too_large_is_not_kept_and_takes_the_one_before_along() {
        let mut recent = Recent::new(80);
        recent.keep(1, "small", 10);
        recent.keep(1, "large", 41);
        assert_eq!(recent.find(&1), None);
        assert!(recent.is_empty());
    }

    proptest! {
        #[test]
        fn the_budget_is_kept_and_whatever_is_found_is_the_latest(
            steps in prop::collection::vec((0..20_u8, 0..30_usize, 0..4_u8), 1..200),
        ) {
            let (mut recent, mut latest) = (Recent::new(100), BTreeMap::new());
            for (at, (key, bytes, what)) in steps.into_iter().enumerate() {
                match what {
                    0 => {
                        recent.forget(&key);
                        latest.remove(&key);
                    }
                    1 => if let Some(found) = recent.find(&key) {
                        prop_assert_eq!(Some(found), latest.get(&key));
                    },
                    _ => {
                        recent.keep(key, at, bytes);
                        latest.insert(key, at);
                        prop_assert_eq!(recent.find(&key), Some(&at), "what was just kept is there");
                    }
                }
                prop_assert!(recent.bytes() <= 100);
                let young: usize = recent.young.values().map(|kept| kept.bytes).sum();
                prop_assert_eq!(recent.bytes, young);
                prop_assert!(recent.young.keys().all(|key| !recent.old.contains_key(key)));
            }
            recent.clear();
            prop_assert_eq!((recent.len(), recent.bytes()), (0, 0));
        }
    }
}
