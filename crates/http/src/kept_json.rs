//! Finished JSON of resources, kept in memory. What is asked of it, and when it is sent, is in [`super::kept_resource`].
//!
//! Invariants:
//!
//! * All JSON together never takes more than [`BUDGET`] bytes.
//! * JSON is found only under the stamp that it was made with.
//! * Nothing is kept from before the database was connected anew, or a person was erased: see [`KeptJson::clear`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderValue;
use bytes::Bytes;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::Stamp;
use quick_cache::{Equivalent, Weighter, unsync};
use serde::Serialize;

use crate::reply::{etag, json};

/// How many bytes of JSON are kept.
const BUDGET: u64 = 32 * 1024 * 1024;
/// About how many resources that is; the keys of half as many that were dropped are remembered.
const EXPECTED_ENTRIES: usize = 20_000;
/// About what a resource takes beside its JSON.
const ENTRY_OVERHEAD: usize = 300;

/// The JSON of a resource.
#[derive(Debug)]
pub(crate) struct Finished {
    stamp: Stamp,
    /// The JSON.
    pub json: Bytes,
    /// Its tag.
    pub tag: HeaderValue,
}

impl Finished {
    /// The JSON of what the database had under a stamp.
    pub fn of(stamp: Stamp, view: &impl Serialize) -> Result<Finished> {
        let json = json(view)?;
        let tag = HeaderValue::try_from(etag(&json)).map_err(Error::internal)?;
        // Copied, not shrunk: an allocator may leave what shrinks to half in its block, and only the length is counted.
        Ok(Finished { stamp, json: Bytes::copy_from_slice(&json), tag })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    tenant: TenantId,
    id: Box<str>,
}

/// A [`Key`] that is looked for.
#[derive(Hash)]
struct KeyRef<'a> {
    tenant: &'a TenantId,
    id: &'a str,
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.id == &*key.id && *self.tenant == key.tenant
    }
}

#[derive(Debug)]
struct ByBytes;

impl Weighter<Key, Arc<Finished>> for ByBytes {
    fn weight(&self, _: &Key, finished: &Arc<Finished>) -> u64 {
        (finished.json.len() + ENTRY_OVERHEAD) as u64
    }
}

/// See the file.
#[derive(Debug)]
pub(crate) struct KeptJson(Mutex<State>);

#[derive(Debug)]
struct State {
    finished: unsync::Cache<Key, Arc<Finished>, ByBytes>,
    /// How often the database had been connected when all of it was read, or later ([`pagesmith_store::Store::connects`]).
    connects: u64,
}

impl Default for KeptJson {
    fn default() -> KeptJson {
        let finished = unsync::Cache::with_weighter(EXPECTED_ENTRIES, BUDGET, ByBytes);
        KeptJson(Mutex::new(State { finished, connects: 0 }))
    }
}

impl KeptJson {
    /// What is kept, of what was read since the database was connected for the `connects`th time.
    fn since(&self, connects: u64) -> MutexGuard<'_, State> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.connects < connects {
            state.finished.clear();
            state.connects = connects;
        }
        state
    }

    /// Whether anything is kept of it, under whichever stamp.
    pub fn has(&self, tenant: &TenantId, id: &str) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.finished.peek(&KeyRef { tenant, id }).is_some()
    }

    /// What is kept of each of these under its stamp. `connects` was asked for after the stamps.
    pub fn find<'a>(
        &self,
        tenant: &TenantId,
        stamped: impl IntoIterator<Item = (&'a str, Stamp)>,
        connects: u64,
    ) -> Vec<Option<Arc<Finished>>> {
        let state = self.since(connects);
        let find = |(id, stamp)| {
            let finished = state.finished.get(&KeyRef { tenant, id })?;
            (finished.stamp == stamp).then(|| Arc::clone(finished))
        };
        stamped.into_iter().map(find).collect()
    }

    /// Keeps what was read after `connects` was asked for, unless the database was connected anew since.
    pub fn keep(&self, tenant: &TenantId, id: &str, finished: Arc<Finished>, connects: u64) {
        let mut state = self.since(connects);
        if state.connects == connects {
            state.finished.insert(Key { tenant: tenant.clone(), id: id.into() }, finished);
        }
    }

    /// How many resources are kept.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).finished.len()
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).finished.clear();
    }
}

#[cfg(test)]
mod tests;
