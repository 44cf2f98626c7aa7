//! Capacity: how many versions are written at the same time, by the template and by models.
//!
//! The two have separate limits. The template takes milliseconds and a model takes seconds: with one shared limit, a tenant with a slow
//! model would delay the tenants whose pages the template writes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::GenerationConfig;

/// How many versions may be begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct Free {
    pub(super) template: usize,
    pub(super) models: usize,
}

impl Free {
    pub(super) fn all(self) -> usize {
        self.template + self.models
    }
}

/// The limits of a process.
pub(super) struct Capacity {
    template: Arc<Semaphore>,
    models: Arc<Semaphore>,
}

impl Capacity {
    pub(super) fn of(config: &GenerationConfig) -> Capacity {
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        Capacity { template: permits(config.concurrency), models: permits(config.models.concurrency) }
    }

    pub(super) fn free(&self) -> Free {
        Free { template: self.template.available_permits(), models: self.models.available_permits() }
    }

    /// Takes a permit, which is free again when this is dropped.
    pub(super) fn take(&self, by_model: bool) -> Option<OwnedSemaphorePermit> {
        let semaphore = if by_model { &self.models } else { &self.template };
        Arc::clone(semaphore).try_acquire_owned().ok()
    }
}
