//! The chunks that every search of a tenant looks through, kept in memory.
//!
//! What is packed and not posted yet can be two megabytes, which take longer to read than to look through. A chunk never changes but by
//! an erasure, which its name counts: so what is kept is right as long as the database names it, and nobody has to be told. Two generations
//! stand in for an order of use. Invariant: both together never hold more than the budget.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_chunks::{self, Chunk, Name};

/// How many bytes of chunks a process keeps.
const BUDGET: usize = 32 * 1024 * 1024;

/// Chunks by tenant and first document, with the erasures that they know of.
type Chunks = HashMap<(TenantId, i64), (i64, Arc<Chunk>)>;

/// See the file; one for a process.
#[derive(Debug)]
pub struct Tails {
    kept: Mutex<Generations>,
    budget: usize,
}

#[derive(Debug, Default)]
struct Generations {
    young: Chunks,
    old: Chunks,
    /// Of the young ones.
    bytes: usize,
}

impl Default for Tails {
    fn default() -> Tails {
        Tails { kept: Mutex::default(), budget: BUDGET }
    }
}

impl Tails {
    /// The chunks of these names, in their order; those that are not kept are read.
    pub(super) fn chunks(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        names: &[Name],
    ) -> Result<Vec<Arc<Chunk>>> {
        let mut found: Vec<Option<Arc<Chunk>>> = names.iter().map(|name| self.find(tenant, *name)).collect();
        let places: HashMap<i64, usize> = (0..names.len())
            .filter(|at| found[*at].is_none())
            .map(|at| (names[at].first_document, at))
            .collect();
        if !places.is_empty() {
            let missing: Vec<i64> = places.keys().copied().collect();
            for chunk in person_chunks::these(tx, tenant, &missing)? {
                let Some(at) = places.get(&chunk.first_document) else { continue };
                let chunk = Arc::new(chunk);
                self.keep(tenant, names[*at], &chunk);
                found[*at] = Some(chunk);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Lets go of all.
    pub fn clear(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Generations::default();
    }

    fn find(&self, tenant: &TenantId, name: Name) -> Option<Arc<Chunk>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.clone(), name.first_document);
        let is_young = kept.young.contains_key(&key);
        let (erasures, chunk) = kept.young.get(&key).or_else(|| kept.old.get(&key)).cloned()?;
        if erasures != name.erasures {
            return None;
        }
        if !is_young {
            kept.keep(key, erasures, &chunk, self.budget);
        }
        Some(chunk)
    }

    fn keep(&self, tenant: &TenantId, name: Name, chunk: &Arc<Chunk>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.keep((tenant.clone(), name.first_document), name.erasures, chunk, self.budget);
    }
}

impl Generations {
    fn keep(&mut self, key: (TenantId, i64), erasures: i64, chunk: &Arc<Chunk>, budget: usize) {
        let size = chunk.size();
        if size > budget / 2 {
            return;
        }
        self.old.remove(&key);
        if let Some((_, former)) = self.young.remove(&key) {
            self.bytes -= former.size();
        }
        if self.bytes + size > budget / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size;
        self.young.insert(key, (erasures, Arc::clone(chunk)));
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_store::tables::person_texts::PersonText;

    use super::*;

    fn chunk(first_document: i64) -> Arc<Chunk> {
        let text = PersonText {
            person_id: "person_1".to_owned(),
            fields: "a".repeat(100),
            document: first_document,
        };
        Arc::new(Chunk::of(first_document, &[text]))
    }

    fn name(first_document: i64, erasures: i64) -> Name {
        Name { first_document, erasures }
    }

    #[test]
    fn a_chunk_is_found_until_something_is_erased_from_it() {
        let (tails, tenant) =
            (Tails::default(), TenantId::parse("tenant_01h2xcejqtf2nbrexx3vqjhp41").unwrap());
        tails.keep(&tenant, name(7, 0), &chunk(7));
        assert!(tails.find(&tenant, name(7, 0)).is_some());
        assert!(tails.find(&tenant, name(7, 1)).is_none());
        assert!(tails.find(&tenant, name(8, 0)).is_none());
        let other = TenantId::parse("tenant_01h2xcejqtf2nbrexx3vqjhp42").unwrap();
        assert!(tails.find(&other, name(7, 0)).is_none(), "what is one tenant's is no other's");
    }

    #[test]
    fn what_is_not_asked_for_goes_first_and_the_budget_is_kept() {
        let tenant = TenantId::parse("tenant_01h2xcejqtf2nbrexx3vqjhp41").unwrap();
        let budget = chunk(0).size() * 8;
        let tails = Tails { kept: Mutex::default(), budget };
        for first in 0..100 {
            tails.keep(&tenant, name(first, 0), &chunk(first));
            assert!(tails.find(&tenant, name(0, 0)).is_some(), "it is asked for all the time");
            let kept = tails.kept.lock().unwrap();
            let bytes: usize =
                kept.young.values().chain(kept.old.values()).map(|(_, chunk)| chunk.size()).sum();
            assert!(bytes <= budget, "{bytes} after {first}");
        }
        assert!(tails.find(&tenant, name(50, 0)).is_none());
    }
}
