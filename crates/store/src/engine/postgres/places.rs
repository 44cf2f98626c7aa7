//! How many connections write at the same time, learnt from how often they met.
//!
//! What writers read of an index they share by whole pages, so that on small tables any two of them may meet, and each meeting costs a whole
//! transaction. So there are places: who writes has one, who meets another gives it up, and after many successes one more is
//! made. With two places left writes stand in two lines and many share a transaction: with one, whatever else it wins, the database
//! rests while this server thinks. No job waits for a place that a connection holds while it does something else.

use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::{Receiver, Sender};

/// After how many successes there is one place more.
const SUCCESSES: usize = 64;
/// So many places are never given up.
const FEWEST: usize = 2;

/// Leave to write.
pub(super) struct Place;

/// The places of a node.
pub(super) struct Places {
    free: (Sender<Place>, Receiver<Place>),
    most: usize,
    total: AtomicUsize,
    successes: AtomicUsize,
}

impl Places {
    /// One for each connection.
    pub(super) fn new(most: usize) -> Places {
        let places = Places {
            free: crossbeam_channel::unbounded(),
            most,
            total: AtomicUsize::new(most),
            successes: AtomicUsize::new(0),
        };
        (0..most).for_each(|_| places.give_back(Place));
        places
    }

    /// Where places are taken from.
    pub(super) fn free(&self) -> &Receiver<Place> {
        &self.free.1
    }

    /// How many there are, taken or free.
    pub(super) fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed).max(1)
    }

    /// Lets another connection write.
    pub(super) fn give_back(&self, place: Place) {
        // Both ends live as long as this.
        drop(self.free.0.send(place));
    }

    /// A transaction met another one: its place is gone, unless it is one of the last.
    pub(super) fn met(&self, place: Place) -> Option<Place> {
        self.successes.store(0, Ordering::Relaxed);
        let fewer = |total: usize| (total > FEWEST).then(|| total - 1);
        let is_gone = self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok();
        (!is_gone).then_some(place)
    }

    /// A transaction went well.
    pub(super) fn went_well(&self) {
        if (self.successes.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(SUCCESSES) {
            let more = |total: usize| (total < self.most).then(|| total + 1);
            if self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok() {
                self.give_back(Place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meetings_take_places_away_but_the_last_and_successes_bring_them_back() {
        let places = Places::new(4);
        let taken: Vec<Place> = places.free().try_iter().collect();
        assert_eq!((taken.len(), places.total()), (4, 4));
        let kept = taken.into_iter().filter_map(|place| places.met(place)).count();
        assert_eq!((kept, places.total()), (FEWEST, FEWEST));
        (1..SUCCESSES).for_each(|_| places.went_well());
        assert_eq!((places.total(), places.free().len()), (2, 0));
        places.went_well();
        assert_eq!((places.total(), places.free().len()), (3, 1));
        (0..10 * SUCCESSES).for_each(|_| places.went_well());
        assert_eq!((places.total(), places.free().len()), (4, 2));
    }
}
