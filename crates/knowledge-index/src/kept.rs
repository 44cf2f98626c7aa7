//! Postings that were read, kept in memory: questions and searches share most of their words, and reading postings takes longer than anything
//! that is done with them.
//!
//! What is kept is used only where the index, as the very transaction sees it, is the one that it was read with. Nothing is ever told to forget,
//! and no server has to hear of another one's changes.

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
struct Kept {
    tenant: TenantId,
    term: Box<str>,
    /// The index that it was read with.
    index: Index,
    counts: Counts,
    /// The postings of the segments from that one on, if they were read.
    postings: Option<(i64, TermPostings)>,
}

#[derive(Debug)]
struct ByBytes;

impl Weighter<u64, Kept> for ByBytes {
    fn weight(&self, _: &u64, kept: &Kept) -> u64 {
        let postings = kept.postings.iter().flat_map(|(_, postings)| postings.iter());
        let bytes: usize = postings.map(|(_, chunks)| chunks.len() + size_of::<(i64, Vec<u8>)>()).sum();
        (BESIDE + kept.term.len() + kept.counts.len() * size_of::<(i64, i64)>() + bytes) as u64
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
            known.into_iter().map(|(term, kept)| (term, kept.counts)).collect();
        for (term, mut segments) in read {
            segments.sort_unstable();
            let segments = Arc::new(segments);
            self.keep(&term, &segments, None);
            counts.insert(term, segments);
        }
        counts.retain(|_, segments| !segments.is_empty());
        Ok(counts)
    }

    /// The postings of terms that occur, each with its counts, in the segments from one on.
    pub fn postings(
        &self,
        tx: &mut Tx<'_>,
        wanted: &[(&str, &Counts, i64)],
    ) -> Result<Vec<(String, TermPostings)>> {
        let known = self.known(wanted.iter().map(|(term, ..)| *term));
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for (term, counts, from) in wanted {
            match known.get(*term).and_then(|kept| kept.postings.as_ref()) {
                Some((known_from, postings)) if known_from == from => {
                    found.push(((*term).to_owned(), Arc::clone(postings)));
                }
                _ => missing.push((*term, *counts, *from)),
            }
        }
        let terms: Vec<(&str, i64)> = missing.iter().map(|(term, _, from)| (*term, *from)).collect();
        let mut read: HashMap<String, Vec<(i64, Vec<u8>)>> = HashMap::new();
        if !terms.is_empty() {
            for posting in postings::read(tx, self.tenant, &terms)? {
                read.entry(posting.term).or_default().push((posting.segment, posting.chunks));
            }
        }
        for (term, counts, from) in missing {
            let postings = Arc::new(read.remove(term).unwrap_or_default());
            self.keep(term, counts, Some((from, Arc::clone(&postings))));
            found.push((term.to_owned(), postings));
        }
        Ok(found)
    }

    /// What is kept of these terms and still so.
    fn known<'t>(&self, terms: impl Iterator<Item = &'t str>) -> HashMap<String, Kept> {
        let Some(kept) = self.kept else { return HashMap::new() };
        let terms = terms.map(|term| (kept.digest_of(self.tenant, term), term)).collect::<Vec<_>>();
        let kept = kept.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let is_so = |kept: &&Kept, term: &str| {
            kept.index == self.index && kept.tenant == *self.tenant && *kept.term == *term
        };
        let found = terms.into_iter().filter_map(|(digest, term)| {
            Some((term.to_owned(), kept.get(&digest).filter(|kept| is_so(kept, term))?.clone()))
        });
        found.collect()
    }

    fn keep(&self, term: &str, counts: &Counts, postings: Option<(i64, TermPostings)>) {
        let Some(kept) = self.kept else { return };
        let read = Kept {
            tenant: self.tenant.clone(),
            term: term.into(),
            index: self.index,
            counts: Arc::clone(counts),
            postings,
        };
        let digest = kept.digest_of(self.tenant, term);
        kept.terms.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, read);
    }
}
