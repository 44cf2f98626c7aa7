//! What background work needs, and what a task answers.

use std::sync::Arc;

use pagesmith_model::actor::Actor;
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::context::Context;
use pagesmith_operations::persons::erasures::Erasures;
use pagesmith_store::Store;

use crate::delivery::config::DeliveryConfig;
use crate::generation::config::GenerationConfig;
use crate::outage::Outage;

/// What tasks work with.
#[derive(Clone)]
pub struct Tools {
    /// The database.
    pub store: Store,
    /// Time, chance and ids.
    pub platform: Arc<Platform>,
    /// Every key and tenant of this process.
    pub keys: Arc<KeyRing>,
    /// What this process forgets when a person is erased.
    pub erasures: Arc<Erasures>,
    /// How versions are written.
    pub generation: GenerationConfig,
    /// How deliveries are sent.
    pub delivery: DeliveryConfig,
    /// What is known of tenants whose rows cannot be reached.
    pub outage: Arc<Outage>,
}

impl Tools {
    /// The present instant, for what a worker does.
    pub fn context(&self) -> Context {
        self.platform.context().by(Actor::Worker)
    }
}

/// Whether a task has left something to do at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Nothing until the period has passed.
    Nothing,
    /// More of the same.
    More,
}
