//! The tail of an index: packed segments, whose grams a process keeps in memory as if they were posted.
//!
//! Without it every search would look through up to a whole segment of texts. A search that meets chunks which the tail does not know
//! adds one of them and looks through the others. Invariant: what a tail covers is a beginning of its segment's chunks, each as it
//! was named; when one of them changes, which only an erasure does, the tail begins anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pagesmith_model::Result;
use pagesmith_store::tables::person_index::chunks::Name;
use pagesmith_store::tables::person_index::segments::{Segment, State};

use super::locked::locked;
use super::outline::Outline;
use super::{Posted, Search};
use crate::document_set::Documents;
use crate::gram::{Index, Loaded};

/// So few chunks are as quickly looked through.
const FEW: usize = 2;

/// A packed segment's tail, shared by those who search.
pub(super) type Shared = Arc<Mutex<Tail>>;

/// See the file.
#[derive(Default)]
pub(super) struct Tail {
    covered: Vec<Name>,
    index: Index,
}

impl Search<'_, '_, '_> {
    /// Asks the tails of packed segments; answers the chunks that must be looked through.
    pub(super) fn ask_tails(
        &mut self,
        outline: &Outline,
        removed: &HashMap<i64, Documents>,
    ) -> Result<Vec<Name>> {
        let mut rest = Vec::new();
        let number = |name: &Name| self.sizes.place(name.first_document).0;
        let by_segment: Vec<&[Name]> = outline.packed.chunk_by(|a, b| number(a) == number(b)).collect();
        for chunks in by_segment {
            let number = self.sizes.place(chunks[0].first_document).0;
            let packed = outline.segments.iter().find(|of| of.number == number && of.state == State::Packed);
            match packed.filter(|_| chunks.len() > FEW) {
                Some(segment) => {
                    let covered = self.ask_tail(segment, removed.get(&number), chunks)?;
                    rest.extend_from_slice(&chunks[covered..]);
                }
                None => rest.extend_from_slice(chunks),
            }
        }
        Ok(rest)
    }

    /// How many of a segment's chunks its tail has answered for.
    fn ask_tail(
        &mut self,
        segment: &Arc<Segment>,
        removed: Option<&Documents>,
        chunks: &[Name],
    ) -> Result<usize> {
        let shared = self.memory.tail(self.tenant, segment.number);
        let mut tail = locked(&shared);
        if tail.covered.len() > chunks.len() && tail.covered.starts_with(chunks) {
            // This transaction is older than what others have added.
            return Ok(0);
        }
        if !chunks.starts_with(&tail.covered) {
            *tail = Tail::default();
        }
        if let Some(next) = chunks.get(tail.covered.len()) {
            for chunk in self.memory.chunks(self.tx, self.tenant, &[*next])? {
                let first = self.sizes.place(chunk.first_document).1;
                for at in 0..chunk.len() {
                    tail.index.add(u16::try_from(first + at).unwrap_or(u16::MAX), chunk.fields(at));
                }
                tail.covered.push(*next);
            }
            self.memory.keep_tail(self.tenant, segment.number, &shared, tail.index.size());
        }
        let grams = [self.plan.wide(), self.plan.narrow(), self.plan.later()];
        let loaded: Loaded<'_> = grams
            .into_iter()
            .flatten()
            .filter_map(|gram| Some((gram.as_str(), tail.index.sets(gram)?)))
            .collect();
        let covered = tail.covered.len();
        drop(tail);
        let (mut by_rank, mut matching) =
            self.plan.candidates(&loaded, removed.unwrap_or(&Documents::default()));
        self.plan.refine(&loaded, &mut by_rank, &mut matching);
        self.posted.push(Posted { segment: Arc::clone(segment), by_rank, matching, is_refined: true });
        Ok(covered)
    }
}
