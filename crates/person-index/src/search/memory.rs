//! What searches ask again and again, kept in memory: outlines, chunks that are not posted yet, their tails, and what common grams say.
//!
//! A chunk never changes but by an erasure, and neither does a posting; its segment counts those, and the index counts all changes of its
//! outline. So what is kept is right as long as the database names it with that count, and nobody has to be told. Where a gram does not
//! occur is kept as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_index::chunks::{self, Chunk, Name};
use pagesmith_store::tables::person_index::postings::{self, Posting};
use pagesmith_store::tables::person_index::segments::Segment;

use super::locked::locked;
use super::outline::Outline;
use super::recent::Recent;
use super::tail::Shared;
use crate::steps::Sizes;

/// How many bytes of outlines a process keeps.
const OUTLINES: usize = 16 * 1024 * 1024;
/// How many bytes of chunks.
const CHUNKS: usize = 32 * 1024 * 1024;
/// How many bytes of postings.
const POSTINGS: usize = 64 * 1024 * 1024;
/// How many bytes of tails.
const TAILS: usize = 32 * 1024 * 1024;
/// What a posting takes beside its sets, about.
const ENTRY_OVERHEAD: usize = 96;
/// How many segments are asked in one go, at most.
const ASKED: usize = 64;

/// Outlines by tenant, each as it was after so many changes.
type Outlines = Recent<TenantId, (i64, Arc<Outline>)>;

/// Chunks by tenant and first document, with the erasures that they know of.
type Chunks = Recent<(TenantId, i64), (i64, Arc<Chunk>)>;

/// What segments say of a gram, by tenant, gram and how much was asked.
type Grams = Recent<(TenantId, String, Detail), Arc<[SegmentPosting]>>;

/// Tails by tenant and segment.
type Tails = Recent<(TenantId, i64), Shared>;

/// How much of a gram is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Detail {
    /// All its sets.
    Wide,
    /// Where it occurs.
    Narrow,
}

/// What a segment with so many erasures says of a gram; nothing where it does not occur.
#[derive(Debug, Clone)]
struct SegmentPosting {
    segment: i64,
    erasures: i64,
    posting: Option<Arc<Posting>>,
}

/// The postings of grams by segment.
pub(super) type BySegment = HashMap<i64, Vec<Arc<Posting>>>;

/// See the file; one for a process.
pub struct Memory {
    outlines: Mutex<Outlines>,
    chunks: Mutex<Chunks>,
    grams: Mutex<Grams>,
    tails: Mutex<Tails>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            outlines: Mutex::new(Recent::new(OUTLINES)),
            chunks: Mutex::new(Recent::new(CHUNKS)),
            grams: Mutex::new(Recent::new(POSTINGS)),
            tails: Mutex::new(Recent::new(TAILS)),
        }
    }
}

impl Memory {
    /// Lets go of all.
    pub fn clear(&self) {
        locked(&self.outlines).clear();
        locked(&self.chunks).clear();
        locked(&self.grams).clear();
        locked(&self.tails).clear();
    }

    /// The outline of an index after so many changes, which are those that the transaction sees; it is read if it is not kept.
    pub(super) fn outline(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        changes: i64,
        sizes: Sizes,
    ) -> Result<Arc<Outline>> {
        let kept = locked(&self.outlines).find(tenant).cloned();
        if let Some((_, outline)) = kept.filter(|(known, _)| *known == changes) {
            return Ok(outline);
        }
        let outline = Arc::new(Outline::read(tx, tenant, sizes)?);
        let size = outline.size();
        locked(&self.outlines).keep(tenant.clone(), (changes, Arc::clone(&outline)), size);
        Ok(outline)
    }

    /// The tail of a segment; a new one if none is kept.
    pub(super) fn tail(&self, tenant: &TenantId, segment: i64) -> Shared {
        locked(&self.tails).find(&(tenant.clone(), segment)).cloned().unwrap_or_default()
    }

    /// Keeps the tail of a segment, which has so many bytes.
    pub(super) fn keep_tail(&self, tenant: &TenantId, segment: i64, tail: &Shared, bytes: usize) {
        locked(&self.tails).keep((tenant.clone(), segment), Arc::clone(tail), bytes);
    }

    /// The chunks of these names, in their order; those that are not kept are read.
    pub(super) fn chunks(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        names: &[Name],
    ) -> Result<Vec<Arc<Chunk>>> {
        let mut found: Vec<Option<Arc<Chunk>>> = names.iter().map(|name| self.chunk(tenant, *name)).collect();
        let places: HashMap<i64, usize> = (0..names.len())
            .filter(|at| found[*at].is_none())
            .map(|at| (names[at].first_document, at))
            .collect();
        if !places.is_empty() {
            let missing: Vec<i64> = places.keys().copied().collect();
            for chunk in chunks::these(tx, tenant, &missing)? {
                let Some(at) = places.get(&chunk.first_document) else { continue };
                let chunk = Arc::new(chunk);
                self.keep_chunk(tenant, names[*at], &chunk);
                found[*at] = Some(chunk);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn chunk(&self, tenant: &TenantId, name: Name) -> Option<Arc<Chunk>> {
        let kept = locked(&self.chunks);
        let (erasures, chunk) = kept.find(&(tenant.clone(), name.first_document))?;
        (*erasures == name.erasures).then(|| Arc::clone(chunk))
    }

    fn keep_chunk(&self, tenant: &TenantId, name: Name, chunk: &Arc<Chunk>) {
        let key = (tenant.clone(), name.first_document);
        locked(&self.chunks).keep(key, (name.erasures, Arc::clone(chunk)), chunk.size());
    }

    /// What these segments, each named once, say of these grams; what is not kept is read, all of it in one go.
    pub(super) fn postings(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        segments: &[&Arc<Segment>],
        asked: &[(Detail, &[String])],
    ) -> Result<BySegment> {
        let grams = asked.iter().flat_map(|(how, grams)| grams.iter().map(|gram| (*how, gram.as_str())));
        let mut lists: Vec<List<'_>> = grams.map(|(how, gram)| self.list(tenant, how, gram)).collect();
        let (mut queries, mut answered) = (Vec::new(), Vec::new());
        for (how, _) in asked {
            let (mut grams, mut unknown) = (Vec::new(), Vec::new());
            for list in lists.iter().filter(|list| list.how == *how) {
                let before = unknown.len();
                unknown.extend(segments.iter().filter(|of| list.find(of).is_none()).map(|of| of.number));
                grams.extend((unknown.len() > before).then_some(list.gram));
            }
            unknown.sort_unstable();
            unknown.dedup();
            for some in unknown.chunks(ASKED) {
                answered.push(*how);
                queries.push(match how {
                    Detail::Wide => postings::wide(tenant, some, &grams),
                    Detail::Narrow => postings::narrow(tenant, some, &grams),
                });
            }
        }
        if !queries.is_empty() {
            let mut read = Read::new();
            for (how, rows) in answered.into_iter().zip(tx.batch(queries)?) {
                for found in postings::found(&rows)? {
                    let gram = found.posting.gram.clone();
                    read.insert((how, gram, found.segment), Arc::new(found.posting));
                }
            }
            for list in &mut lists {
                if list.complete(segments, &mut read) {
                    self.keep_list(tenant, list);
                }
            }
        }
        let mut by_segment = BySegment::new();
        for list in &lists {
            for segment in segments {
                if let Some(Some(posting)) = list.find(segment) {
                    by_segment.entry(segment.number).or_default().push(Arc::clone(posting));
                }
            }
        }
        Ok(by_segment)
    }

    fn list<'g>(&self, tenant: &TenantId, how: Detail, gram: &'g str) -> List<'g> {
        let said = locked(&self.grams).find(&(tenant.clone(), gram.to_owned(), how)).cloned();
        List { how, gram, said: said.unwrap_or_default() }
    }

    fn keep_list(&self, tenant: &TenantId, list: &List<'_>) {
        let size = |said: &SegmentPosting| {
            let Some(posting) = &said.posting else { return size_of::<SegmentPosting>() };
            let sets = [&posting.word_starts, &posting.field_starts, &posting.whole];
            let sets = sets.into_iter().flatten().map(Vec::len).sum::<usize>();
            size_of::<SegmentPosting>() + ENTRY_OVERHEAD + posting.anywhere.len() + sets
        };
        let bytes = list.said.iter().map(size).sum();
        let key = (tenant.clone(), list.gram.to_owned(), list.how);
        locked(&self.grams).keep(key, Arc::clone(&list.said), bytes);
    }
}

/// Postings that were just read.
type Read = HashMap<(Detail, String, i64), Arc<Posting>>;

/// What is known of a gram, in the order of the segments.
struct List<'g> {
    how: Detail,
    gram: &'g str,
    said: Arc<[SegmentPosting]>,
}

impl List<'_> {
    /// What a segment says, as it is now; `None` if that is not known.
    fn find(&self, segment: &Segment) -> Option<&Option<Arc<Posting>>> {
        let at = self.said.binary_search_by_key(&segment.number, |said| said.segment).ok()?;
        let said = self.said.get(at)?;
        (said.erasures == segment.erasures).then_some(&said.posting)
    }

    /// Adds what was read of these segments, where it was not known; whether that was anything.
    fn complete(&mut self, segments: &[&Arc<Segment>], read: &mut Read) -> bool {
        let unknown: Vec<&&Arc<Segment>> = segments.iter().filter(|of| self.find(of).is_none()).collect();
        if unknown.is_empty() {
            return false;
        }
        let mut said: Vec<SegmentPosting> = self.said.to_vec();
        said.retain(|said| unknown.iter().all(|of| of.number != said.segment));
        said.extend(unknown.into_iter().map(|of| SegmentPosting {
            segment: of.number,
            erasures: of.erasures,
            posting: read.remove(&(self.how, self.gram.to_owned(), of.number)),
        }));
        said.sort_unstable_by_key(|said| said.segment);
        self.said = said.into();
        true
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_store::tables::person_index::segments::State;
    use pagesmith_store::tables::person_index::texts::PersonText;

    use super::*;

    fn tenant(last: char) -> TenantId {
        TenantId::parse(&format!("tenant_01h2xcejqtf2nbrexx3vqjhp4{last}")).unwrap()
    }

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
        let (memory, of) = (Memory::default(), tenant('1'));
        memory.keep_chunk(&of, name(7, 0), &chunk(7));
        assert!(memory.chunk(&of, name(7, 0)).is_some());
        assert!(memory.chunk(&of, name(7, 1)).is_none());
        assert!(memory.chunk(&of, name(8, 0)).is_none());
        assert!(memory.chunk(&tenant('2'), name(7, 0)).is_none(), "what is one tenant's is no other's");
    }

    fn segment(number: i64, erasures: i64) -> Arc<Segment> {
        Arc::new(Segment { number, state: State::Posted, runs: vec![], removed: None, erasures })
    }

    fn posting(gram: &str) -> Arc<Posting> {
        let (anywhere, gram) = (vec![1, 0], gram.to_owned());
        Arc::new(Posting { gram, anywhere, word_starts: None, field_starts: None, whole: None })
    }

    #[test]
    fn what_a_segment_says_of_a_gram_is_known_until_something_is_erased_from_it() {
        let (memory, of) = (Memory::default(), tenant('1'));
        let mut list = memory.list(&of, Detail::Wide, "ann");
        let mut read = Read::from([((Detail::Wide, "ann".to_owned(), 2), posting("ann"))]);
        assert!(list.complete(&[&segment(1, 0), &segment(2, 5)], &mut read));
        memory.keep_list(&of, &list);
        let mut list = memory.list(&of, Detail::Wide, "ann");
        assert_eq!(list.find(&segment(1, 0)), Some(&None), "where it does not occur is known as well");
        assert_eq!(list.find(&segment(2, 5)), Some(&Some(posting("ann"))));
        assert_eq!(list.find(&segment(2, 6)), None);
        assert_eq!(list.find(&segment(3, 0)), None);
        assert!(!list.complete(&[&segment(1, 0), &segment(2, 5)], &mut Read::new()));
        assert!(list.complete(&[&segment(2, 6)], &mut Read::new()));
        assert_eq!(list.find(&segment(2, 6)), Some(&None));
        assert_eq!(list.find(&segment(1, 0)), Some(&None), "others are still known");
        assert_eq!(memory.list(&of, Detail::Narrow, "ann").find(&segment(1, 0)), None);
        assert_eq!(memory.list(&tenant('2'), Detail::Wide, "ann").find(&segment(1, 0)), None);
        memory.clear();
        assert_eq!(memory.list(&of, Detail::Wide, "ann").find(&segment(1, 0)), None);
    }
}
