//! Hands: how many versions are written at the same time, by the template and by models.
//!
//! Each has hands of its own. The template computes, a model is waited for: if they shared, a tenant with a slow model would keep those
//! waiting whose pages take a moment.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Desk;

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

/// The hands of a process.
pub(super) struct Hands {
    template: Arc<Semaphore>,
    models: Arc<Semaphore>,
}

impl Hands {
    pub(super) fn of(desk: &Desk) -> Hands {
        let hands = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        Hands { template: hands(desk.concurrency), models: hands(desk.models.concurrency) }
    }

    pub(super) fn free(&self) -> Free {
        Free { template: self.template.available_permits(), models: self.models.available_permits() }
    }

    /// Takes a hand, which is free again when this is dropped.
    pub(super) fn take(&self, by_model: bool) -> Option<OwnedSemaphorePermit> {
        let hands = if by_model { &self.models } else { &self.template };
        Arc::clone(hands).try_acquire_owned().ok()
    }
}
