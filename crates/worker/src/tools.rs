//! What background work needs, and what a task answers.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_file_storage::Storage;
use pagesmith_model::actor::Actor;
use pagesmith_model::{RequestId, TenantId};
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::context::{Context, TenantContext};
use pagesmith_operations::persons::erasures::Erasures;
use pagesmith_operations::tenant_domains::check::DnsChecker;
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::visits::salts::Salts;
use pagesmith_store::Store;
use pagesmith_store::tables::servers::Server;

use crate::mail::Mailer;
use crate::outage::Outage;

pub(crate) mod certificates;
pub(crate) mod delivery;
pub(crate) mod enrichment;
pub(crate) mod generation;
pub(crate) mod pictures;
pub(crate) mod reading;

use certificates::Automatic;
use delivery::DeliveryConfig;
use enrichment::EnrichmentConfig;
use generation::GenerationConfig;
use pictures::PictureConfig;
use reading::ReadingConfig;

/// What tasks work with.
#[derive(Clone)]
pub struct Tools {
    /// The database.
    pub store: Store,
    /// The bytes of files.
    pub files: Storage,
    /// Time, chance and ids.
    pub platform: Arc<Platform>,
    /// Every key and tenant of this process.
    pub keys: Arc<KeyRing>,
    /// Every domain that a tenant holds, in this process.
    pub domains: Arc<DomainMap>,
    /// Checks the DNS of domains.
    pub dns_checker: DnsChecker,
    /// How certificates are ordered, if they are.
    pub certificates: Option<Arc<Automatic>>,
    /// How invitations are sent by e-mail, if they are.
    pub mailer: Option<Arc<Mailer>>,
    /// What this process forgets when a person is erased.
    pub erasures: Arc<Erasures>,
    /// The salts of visitors' numbers that this process has in memory.
    pub salts: Arc<Salts>,
    /// Without activity for so long a visitor's session ends.
    pub session_timeout: Duration,
    /// How versions are written.
    pub generation: GenerationConfig,
    /// How deliveries are sent.
    pub delivery: DeliveryConfig,
    /// How submissions are enriched.
    pub enrichment: EnrichmentConfig,
    /// How pages and files of topic entries are read.
    pub reading: ReadingConfig,
    /// How variants of pictures are made.
    pub pictures: PictureConfig,
    /// This server, as others see it.
    pub server: Arc<Server>,
    /// What is known of tenants whose rows cannot be reached.
    pub outage: Arc<Outage>,
}

impl Tools {
    /// The present instant, for what a worker does.
    pub fn context(&self) -> Context {
        self.platform.context().by(Actor::Worker)
    }

    /// The same for work of a tenant that a request has caused.
    pub(crate) fn context_of(&self, tenant: &TenantId, cause: Option<&RequestId>) -> TenantContext {
        self.context().caused_by(cause.cloned()).of(tenant.clone())
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
