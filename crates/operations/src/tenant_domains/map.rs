//! Which tenant's site a domain shows: every held domain in memory, so that a visit costs no look-up in the database.
//!
//! The map holds all held domains as of a revision; a task reloads it when the revision has risen.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use pagesmith_model::Result;
use pagesmith_store::Store;
use pagesmith_store::tables::revisions;
use pagesmith_store::tables::tenant_domains::held::{self, HeldDomain};

/// Everything as of one revision.
#[derive(Default)]
struct Snapshot {
    revision: Option<i64>,
    by_name: HashMap<Box<str>, Arc<HeldDomain>>,
}

/// All held domains; shared by all requests.
pub struct DomainMap {
    store: Store,
    snapshot: ArcSwap<Snapshot>,
}

impl DomainMap {
    /// An empty map over the store; [`DomainMap::refresh`] fills it.
    pub fn new(store: Store) -> DomainMap {
        DomainMap { store, snapshot: ArcSwap::default() }
    }

    /// Reloads everything if the revision has risen since.
    pub async fn refresh(&self) -> Result<()> {
        let known = self.snapshot.load().revision;
        let loaded = self
            .store
            .read(move |tx| {
                let revision = revisions::find(tx, revisions::DOMAINS)?;
                if Some(revision) == known {
                    return Ok(None);
                }
                Ok(Some((revision, held::list(tx)?)))
            })
            .await?;
        if let Some((revision, domains)) = loaded {
            self.keep(revision, domains);
        }
        Ok(())
    }

    /// Puts these in the place of all that are there.
    pub fn keep(&self, revision: i64, domains: Vec<HeldDomain>) {
        let entry = |held: HeldDomain| (Box::from(held.domain.as_str()), Arc::new(held));
        let by_name = domains.into_iter().map(entry).collect();
        self.snapshot.store(Arc::new(Snapshot { revision: Some(revision), by_name }));
    }

    /// Who holds a domain, whose name is in lower case.
    pub fn find(&self, domain: &str) -> Option<Arc<HeldDomain>> {
        self.snapshot.load().by_name.get(domain).cloned()
    }
}
