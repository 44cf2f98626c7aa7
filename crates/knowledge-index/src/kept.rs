//! Postings that were read, kept in memory: questions and searches share most of their words, and reading postings takes longer than anything
//! that is done with them.
//!
//! What is kept is used only where the index, as the very transaction sees it, is the one that it was read with. So nothing has to be dropped when
//! an index changes, and no server has to hear of another one's changes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::knowledge::indexes::Index;
use pagesmith_store::tables::knowledge::postings;
use quick_cache::{Weighter, unsync};

/// How many bytes of postings are kept.
const BUDGET: u64 = 32 * 1024 * 1024;
/// About how many terms that is.
const EXPECTED_TERMS: usize = 8_000;
/// About what an entry takes beside its postings.
const BESIDE: usize = 160;

/// In how many chunks of each segment a term occurs, in the order of segments.
pub(crate) type Counts = Arc<Vec<(i64, i64)>>;

/// In which chunks of segments a term occurs, encoded.
pub(crate) type TermPostings = Arc<Vec<(i64, Vec<u8>)>>;

/// What was read of a term.
#[derive(Debug, Clone)]
struct ReadTerm {
    counts: Counts,
    /// The postings of the segments from that one on, if they were read.
    postings: Option<(i64, TermPostings)>,
}

/// The same with whose it is and the index that it was read with.
#[derive(Debug)]
struct Kept {
    tenant: TenantId,
    term: Box<str>,
    index: Index,
    read: ReadTerm,
}

#[derive(Debug)]
struct ByBytes;

impl Weighter<u64, Kept> for ByBytes {
    fn weight(&self, _: &u64, kept: &Kept) -> u64 {
        let ReadTerm { counts, postings } = &kept.read;
        let postings = postings.iter().flat_map(|(_, postings)| postings.iter());
        let bytes: usize = postings.map(|(_, chunks)| chunks.len() + size_of::<(i64, Vec<u8>)>()).sum();
        (BESIDE + kept.term.len() + counts.len() * size_of::<(i64, i64)>() + bytes) as u64
    }
}

/// See the file.
#[derive(Debug)]
pub struct KeptPostings {
    /// By a digest of tenant and term; of two with the same one the later is kept.
    terms: Mutex<unsync::Cache<u64, Kept, ByBytes>>,
    digest: RandomState,
}

impl Default for KeptPostings {
    fn default() -> KeptPostings {
        KeptPostings {
            terms: Mutex::new(unsync::Cache::with_weighter(EXPECTED_TERMS, BUDGET, ByBytes)),
            digest: RandomState::new(),
        }
    }
}

impl KeptPostings {
    fn digest_of(&self, tenant: &TenantId, term: &str) -> u64 {
        self.digest.hash_one((tenant, term))
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.terms.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The index of a tenant as a transaction sees it, and what is kept of it.
#[derive(Clone, Copy)]
pub(crate) struct Indexed<'a> {
    pub tenant: &'a TenantId,
    pub index: Index,
    /// Whoever asks for other words each time keeps nothing.
    pub kept: Option<&'a KeptPostings>,
}

impl Indexed<'_> {
    /// In how many chunks of each segment these terms occur, of those that occur.
    pub fn counts(&self, tx: &mut Tx<'_>, terms: &[&str]) -> Result<HashMap<String, Counts>> {
        let known = self.known(terms.iter().copied());
        let missing: Vec<&str> = terms.iter().copied().filter(|term| !known.contains_key(*term)).collect();
        let mut read: HashMap<String, Vec<(i64, i64)>> =
            missing.iter().map(|term| ((*term).to_owned(), vec![])).collect();
        for (term, segment, count) in postings::counts(tx, self.tenant, &missing)? {
            read.entry(term).or_default().push((segment, count));
        }
        let mut counts: HashMap<String, Counts> =
            known.into_iter().map(|(term, known)| (term.to_owned(), known.counts)).collect();
        for (term, mut segments) in read {
            segments.sort_unstable();
            let segments = Arc::new(segments);
            self.keep(&term, ReadTerm { counts: Arc::clone(&segments), postings: None });
            counts.insert(term, segments);
        }
        counts.retain(|_, segments| !segments.is_empty());
        Ok(counts)
    }

    /// The postings of terms that occur, each with its counts, in the segments from one on; in the order of the terms.
    pub fn postings(&self, tx: &mut Tx<'_>, wanted: &[(&str, &Counts, i64)]) -> Result<Vec<TermPostings>> {
        let known = self.known(wanted.iter().map(|(term, ..)| *term));
        let kept = |term: &str, from: i64| {
            let (kept_from, postings) = known.get(term)?.postings.as_ref()?;
            (*kept_from == from).then(|| Arc::clone(postings))
        };
        let missing = wanted.iter().map(|(term, _, from)| (*term, *from));
        let missing: Vec<(&str, i64)> = missing.filter(|(term, from)| kept(term, *from).is_none()).collect();
        let mut read: HashMap<String, Vec<(i64, Vec<u8>)>> = HashMap::new();
        if !missing.is_empty() {
            for posting in postings::read(tx, self.tenant, &missing)? {
                read.entry(posting.term).or_default().push((posting.segment, posting.chunks));
            }
        }
        let of_term = |(term, counts, from): &(&str, &Counts, i64)| {
            kept(term, *from).unwrap_or_else(|| {
                let postings = Arc::new(read.remove(*term).unwrap_or_default());
                let counts = Arc::clone(counts);
                self.keep(term, ReadTerm { counts, postings: Some((*from, Arc::clone(&postings))) });
                postings
            })
        };
        Ok(wanted.iter().map(of_term).collect())
    }

    /// What is kept of these terms and still so.
    fn known<'t>(&self, terms: impl Iterator<Item = &'t str>) -> HashMap<&'t str, ReadTerm> {
        let Some(kept) = self.kept else { return HashMap::new() };
        let terms: Vec<(u64, &str)> = terms.map(|term| (kept.digest_of(self.tenant, term), term)).collect();
        let kept = kept.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let is_so = |kept: &&Kept, term: &str| {
            kept.index == self.index && kept.tenant == *self.tenant && *kept.term == *term
        };
        let known = terms.into_iter().filter_map(|(digest, term)| {
            Some((term, kept.get(&digest).filter(|kept| is_so(kept, term))?.read.clone()))
        });
        known.collect()
    }

    fn keep(&self, term: &str, read: ReadTerm) {
        let Some(kept) = self.kept else { return };
        let digest = kept.digest_of(self.tenant, term);
        let read = Kept { tenant: self.tenant.clone(), term: term.into(), index: self.index, read };
        kept.terms.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        TenantId::parse(&format!("tenant_{name}")).unwrap()
    }

    fn read(bytes: usize) -> ReadTerm {
        let postings = Arc::new(vec![(0, vec![1; bytes])]);
        ReadTerm { counts: Arc::new(vec![(0, 1)]), postings: Some((0, postings)) }
    }

    #[test]
    fn what_was_read_of_another_index_tenant_or_term_is_not_known() {
        let (kept, index) =
            (KeptPostings::default(), Index { next_number: 7, chunks: 7, languages: 1, revision: 3 });
        let (ours, theirs) = (tenant("01m8mrnt48f7fvk0dz8z2jyw33"), tenant("01m8mrnt48f7fvk0dz8z2jyw34"));
        let on = Indexed { tenant: &ours, index, kept: Some(&kept) };
        on.keep("zebra", read(2));
        assert_eq!(on.known(["zebra", "lion"].into_iter()).into_keys().collect::<Vec<_>>(), ["zebra"]);
        assert!(Indexed { tenant: &theirs, ..on }.known(["zebra"].into_iter()).is_empty());
        for other in [
            Index { revision: 4, ..index },
            Index { chunks: 8, ..index },
            Index { next_number: 8, ..index },
            Index { languages: 3, ..index },
        ] {
            assert!(Indexed { index: other, ..on }.known(["zebra"].into_iter()).is_empty(), "{other:?}");
        }
        kept.clear();
        assert!(on.known(["zebra"].into_iter()).is_empty());
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let (kept, ours) = (KeptPostings::default(), tenant("01m8mrnt48f7fvk0dz8z2jyw33"));
        let on = Indexed { tenant: &ours, index: Index::default(), kept: Some(&kept) };
        const BYTES: usize = 64 * 1024;
        for number in 0..2_000 {
            on.keep(&format!("word{number}"), read(BYTES));
        }
        let terms = kept.terms.lock().unwrap();
        assert!(terms.weight() <= BUDGET && terms.len() > 100, "{} of {}", terms.weight(), terms.len());
        // Not only by its own count.
        assert!((terms.len() * BYTES) as u64 <= BUDGET, "{} terms", terms.len());
    }
}
