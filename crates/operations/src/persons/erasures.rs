//! What must leave the memory of servers when a person is erased.
//!
//! The command that erases runs beside the servers and raises a number; each server looks at it now and then, and empties what it keeps
//! of pages and persons' texts when the number has risen. Nothing that was erased is shown before that either: it is asked for at every visit.

use std::sync::{Mutex, OnceLock, PoisonError};

use pagesmith_model::Result;
use pagesmith_store::Store;
use pagesmith_store::tables::revisions;

type Forget = Box<dyn Fn() + Send + Sync>;

/// The number of erasures that this process knows of, and what it does at the next.
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
    /// Says how this process forgets; the first way stays.
    pub fn forget_by(&self, forget: impl Fn() + Send + Sync + 'static) {
        self.forget.get_or_init(|| Box::new(forget));
    }

    /// Looks whether somebody was erased, and forgets if so.
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
