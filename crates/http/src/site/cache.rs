//! Finished pages, kept in memory.
//!
//! It knows nothing of time and changes: whoever takes a page says what the database shows now, and gets the page only if it was drawn
//! from just that. Two generations stand in for an order of use: a page that is asked for moves to the younger one, and when that is full
//! the older one goes. Invariant: both together never hold more than [`BUDGET`] bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderValue;
use bytes::Bytes;
use pagesmith_model::TenantId;
use pagesmith_operations::site::Address;
use pagesmith_store::tables::audiences::Spot;

/// How many bytes of pages are kept.
const BUDGET: usize = 64 * 1024 * 1024;
/// About what a page takes beside its text.
const BESIDE: usize = 2_000;

/// A page as it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    /// What it was drawn from.
    pub spot: Spot,
    /// The document.
    pub html: Bytes,
    /// The document's tag.
    pub tag: HeaderValue,
    /// What the browser may run and fetch.
    pub policy: HeaderValue,
    /// What caches may do.
    pub caching: HeaderValue,
    /// What crawlers may do, unless it is everything.
    pub robots: Option<HeaderValue>,
}

/// Names a page.
type Key = (TenantId, Address);

/// See the file.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Key, Arc<Finished>>,
    old: HashMap<Key, Arc<Finished>>,
    /// Of the young ones.
    bytes: usize,
}

fn size(page: &Finished) -> usize {
    page.html.len() + page.policy.len() + BESIDE
}

impl Cache {
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page, if it is kept and was drawn from what is there now; a page that was not is dropped.
    pub fn find(&self, key: &Key, now: Option<&Spot>) -> Option<Arc<Finished>> {
        let mut pages = self.lock();
        let found = pages.young.get(key).or_else(|| pages.old.get(key)).cloned()?;
        if now != Some(&found.spot) {
            pages.forget(key);
            return None;
        }
        if !pages.young.contains_key(key) {
            pages.keep(key.clone(), Arc::clone(&found));
        }
        Some(found)
    }

    /// Keeps a page.
    pub fn keep(&self, key: Key, page: Arc<Finished>) {
        self.lock().keep(key, page);
    }
}

impl Generations {
    fn forget(&mut self, key: &Key) {
        self.old.remove(key);
        if let Some(page) = self.young.remove(key) {
            self.bytes -= size(&page);
        }
    }

    fn keep(&mut self, key: Key, page: Arc<Finished>) {
        let size = size(&page);
        if size > BUDGET / 2 {
            return;
        }
        self.forget(&key);
        if self.bytes + size > BUDGET / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size;
        self.young.insert(key, page);
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::id::Uuid7Source;
    use pagesmith_model::{PageId, Timestamp};

    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn page(changed: i64, bytes: usize) -> Arc<Finished> {
        let value = HeaderValue::from_static("x");
        Arc::new(Finished {
            spot: Spot {
                page_id: PageId::parse("page_00000000000000000000000000").unwrap(),
                page_updated_at: at(changed),
                audience_id: None,
                audience_updated_at: None,
                version_id: None,
                is_archived: false,
            },
            html: Bytes::from(vec![0; bytes]),
            tag: value.clone(),
            policy: value.clone(),
            caching: value,
            robots: None,
        })
    }

    fn key(name: usize) -> Key {
        let tenant = TenantId::mint(Uuid7Source::new().next(at(0), 0));
        (tenant, Address { page: name.to_string(), audience: None })
    }

    #[test]
    fn only_what_was_drawn_from_what_is_there_now_is_found() {
        let (cache, drawn) = (Cache::default(), page(1, 10));
        let key = key(1);
        cache.keep(key.clone(), Arc::clone(&drawn));
        assert!(cache.find(&key, Some(&drawn.spot)).is_some());
        assert!(cache.find(&key, Some(&page(2, 0).spot)).is_none());
        // What was once wrong does not come back.
        assert!(cache.find(&key, Some(&drawn.spot)).is_none());
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows_and_what_is_asked_for_stays() {
        let (cache, drawn) = (Cache::default(), page(1, 1_000_000));
        let tenant = key(0).0;
        let key = |name: usize| (tenant.clone(), Address { page: name.to_string(), audience: None });
        for name in 0..200 {
            cache.keep(key(name), Arc::clone(&drawn));
            assert!(cache.find(&key(0), Some(&drawn.spot)).is_some(), "{name}");
        }
        let pages = cache.lock();
        let held = pages.young.values().chain(pages.old.values()).map(|page| size(page)).sum::<usize>();
        assert!(held <= BUDGET && held > BUDGET / 2, "{held}");
        assert_eq!(pages.bytes, pages.young.values().map(|page| size(page)).sum::<usize>());
        drop(pages);
        cache.keep(key(999), page(1, BUDGET));
        assert!(cache.find(&key(999), Some(&drawn.spot)).is_none());
    }
}
