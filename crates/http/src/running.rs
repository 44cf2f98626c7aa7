//! The requests with an `Idempotency-Key` that this server is working on.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::{Error, Kind, Result};
use pagesmith_store::tables::idempotency::RecordKey;

/// The set of running requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Running(Arc<Mutex<HashSet<RecordKey>>>);

/// A request in the set; it leaves when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningKey {
    running: Running,
    key: RecordKey,
}

impl Running {
    /// Takes the turn of `key`, unless the same request is running.
    pub(crate) fn begin(&self, key: &RecordKey) -> Result<RunningKey> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !running.insert(key.clone()) {
            let detail = "A request with this Idempotency-Key is still running.";
            return Err(Error::new(Kind::StillRunning(1), detail));
        }
        Ok(RunningKey { running: self.clone(), key: key.clone() })
    }
}

impl Drop for RunningKey {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
