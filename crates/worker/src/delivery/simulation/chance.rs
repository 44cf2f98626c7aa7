//! Chance that a seed decides, shared by everything that happens in a run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of numbers; clones draw from the same one.
#[derive(Clone)]
pub(super) struct Chance(Arc<Mutex<ChaCha8Rng>>);

impl Chance {
    pub(super) fn of(seed: u64) -> Chance {
        Chance(Arc::new(Mutex::new(ChaCha8Rng::seed_from_u64(seed))))
    }

    /// A number below `end`.
    pub(super) fn below(&self, end: u64) -> u64 {
        self.0.lock().unwrap().next_u64() % end
    }

    /// True so many times in a hundred.
    pub(super) fn percent(&self, share: u64) -> bool {
        self.below(100) < share
    }

    /// A time from nothing to `most`.
    pub(super) fn up_to(&self, most: Duration) -> Duration {
        Duration::from_micros(self.below(u64::try_from(most.as_micros()).unwrap() + 1))
    }

    /// One of several.
    pub(super) fn pick<'a, T>(&self, of: &'a [T]) -> &'a T {
        let at = self.below(u64::try_from(of.len()).unwrap());
        &of[usize::try_from(at).unwrap()]
    }
}
