//! Removing erased persons from the memory of servers.
//!
//! The command that erases a person runs in a process of its own and raises a revision. Every few seconds, each server reads the
//! revision and clears its caches of pages, of JSON and of searched texts if it has changed. A cached page is checked against the
//! database at least once a second anyway, so an erased person's page is shown for a second at most.

use std::sync::{Mutex, OnceLock, PoisonError};

use pagesmith_model::Result;
use pagesmith_store::Store;
use pagesmith_store::tables::revisions;

type Forget = Box<dyn Fn() + Send + Sync>;

/// The last revision that this process has seen, and how it clears its caches.
#[derive(Default)]
pub struct Erasures {
    known: Mutex<Option<i64>>,
    forget: OnceLock<Forget>,
}

impl std::fmt::Debug for Erasures {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Erasures").finish_non_exhaustive()
    }
}

impl Erasures {
    /// Sets how this process clears its caches; only the first call counts.
    pub fn forget_by(&self, forget: impl Fn() + Send + Sync + 'static) {
        self.forget.get_or_init(|| Box::new(forget));
    }

    /// Clears the caches if somebody was erased since the last call.
    pub async fn look(&self, store: &Store) -> Result<()> {
        let now = store.read(|tx| revisions::find(tx, revisions::ERASED)).await?;
        let before = self.known.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        if before.is_some_and(|before| before != now)
            && let Some(forget) = self.forget.get()
        {
            forget();
        }
        Ok(())
    }
}
