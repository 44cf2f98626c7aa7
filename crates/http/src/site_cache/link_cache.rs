//! What links lead to, kept in memory for as long as a page is fresh ([`super::validated_cache`]).

use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::TenantId;
use pagesmith_operations::site::links::LinkTargets;
use quick_cache::unsync;

use crate::site_cache::validated_cache::PointInTime;

/// How many links are kept.
const MOST: usize = 2_000;

/// The links that were followed last.
pub(crate) struct LinkCache(Mutex<unsync::Cache<(TenantId, Box<str>), CachedLink>>);

#[derive(Clone)]
struct CachedLink {
    targets: Arc<LinkTargets>,
    read: PointInTime,
}

impl Default for LinkCache {
    fn default() -> LinkCache {
        LinkCache(Mutex::new(unsync::Cache::new(MOST)))
    }
}

impl LinkCache {
    /// What the link leads to, if that is kept and fresh.
    pub fn fresh(&self, key: &(TenantId, Box<str>), now: PointInTime) -> Option<Arc<LinkTargets>> {
        let links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.get(key).filter(|link| link.read.is_fresh(now)).map(|link| Arc::clone(&link.targets))
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Keeps what the database had at `read`.
    pub fn insert(&self, key: (TenantId, Box<str>), targets: &Arc<LinkTargets>, read: PointInTime) {
        let link = CachedLink { targets: Arc::clone(targets), read };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, link);
    }
}
