//! The chunks that every search of a tenant looks through, kept in memory.
//!
//! What is packed and not posted yet can be two megabytes, which take longer to read than to look through. A chunk never changes but by
//! an erasure, which its name counts: so what is kept is right as long as the database names it, and nobody has to be told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pagesmith_model::recent::Recent;
use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_chunks::{self, Chunk, Name};

/// How many bytes of chunks a process keeps.
const BUDGET: usize = 32 * 1024 * 1024;

/// Chunks by tenant and first document, with the erasures that they know of.
type Chunks = Recent<(TenantId, i64), (i64, Arc<Chunk>)>;

/// See the file; one for a process.
#[derive(Debug)]
pub struct Tails(Mutex<Chunks>);

impl Default for Tails {
    fn default() -> Tails {
        Tails(Mutex::new(Recent::new(BUDGET)))
    }
}

impl Tails {
    fn lock(&self) -> MutexGuard<'_, Chunks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
        self.lock().clear();
    }

    fn find(&self, tenant: &TenantId, name: Name) -> Option<Arc<Chunk>> {
        let mut kept = self.lock();
        let (erasures, chunk) = kept.find(&(tenant.clone(), name.first_document))?;
        (*erasures == name.erasures).then(|| Arc::clone(chunk))
    }

    fn keep(&self, tenant: &TenantId, name: Name, chunk: &Arc<Chunk>) {
        let key = (tenant.clone(), name.first_document);
        self.lock().keep(key, (name.erasures, Arc::clone(chunk)), chunk.size());
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
}
