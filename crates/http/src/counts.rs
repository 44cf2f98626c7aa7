//! How many of something each owner has at once: connections of an address, streams of a tenant.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts by owner; cheap to clone.
#[derive(Debug)]
pub(crate) struct Counts<K>(Arc<Mutex<HashMap<K, usize>>>);

/// One of what an owner has; given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit<K: Hash + Eq> {
    counts: Counts<K>,
    owner: K,
}

impl<K> Default for Counts<K> {
    fn default() -> Counts<K> {
        Counts(Arc::default())
    }
}

impl<K> Clone for Counts<K> {
    fn clone(&self) -> Counts<K> {
        Counts(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq + Clone> Counts<K> {
    /// One more for this owner, unless it has `limit` already.
    pub(crate) fn take(&self, owner: K, limit: usize) -> Option<Permit<K>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.entry(owner.clone()) {
            Entry::Occupied(count) if *count.get() >= limit => return None,
            Entry::Vacant(_) if limit == 0 => return None,
            Entry::Occupied(mut count) => *count.get_mut() += 1,
            Entry::Vacant(place) => {
                place.insert(1);
            }
        }
        drop(counts);
        Some(Permit { counts: self.clone(), owner })
    }
}

impl<K: Hash + Eq> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(count) = counts.get_mut(&self.owner) else { return };
        *count -= 1;
        if *count == 0 {
            counts.remove(&self.owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_has_so_many_at_once_and_leaves_nothing_behind() {
        let counts = Counts::default();
        let (first, second) = (counts.take("a", 2).unwrap(), counts.take("a", 2).unwrap());
        assert!(counts.take("a", 2).is_none());
        let other = counts.take("b", 2).unwrap();
        drop(first);
        let third = counts.take("a", 2).unwrap();
        assert!(counts.take("a", 2).is_none());
        drop((second, third, other));
        assert!(counts.0.lock().unwrap().is_empty());
        assert!(counts.take("a", 0).is_none());
        assert!(counts.0.lock().unwrap().is_empty());
    }
}
