//! What a search asks the postings: of every posted segment a few grams, and the later ones only where they are needed.
//!
//! A common word is answered by the newest segments: of the others, only whether they have better ranks must be known, and mostly
//! the first grams tell that they have not. So the later ones are asked of few segments at first, and of more each time.

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_model::Result;
use pagesmith_store::tables::person_index::postings::Posting;
use pagesmith_store::tables::person_index::segments::{Segment, State};

use super::memory::Detail;
use super::outline::Outline;
use super::{Posted, Search};
use crate::document_set::Documents;
use crate::gram::{self, Loaded};

/// Of how many segments the later grams are asked in one go, at most.
const ASKED: usize = 64;
/// Of how many segments the later grams are asked at first: those of the newest persons mostly do.
pub(super) const REFINED: usize = 2;

impl Search<'_, '_, '_> {
    /// Asks the postings; answers by segment the documents that are not current any more.
    pub(super) fn ask(&mut self, outline: &Outline, removals: &[i64]) -> Result<HashMap<i64, Documents>> {
        let mut removed = outline.removed.clone();
        for document in removals {
            let (segment, number) = self.sizes.place(*document);
            removed.entry(segment).or_default().insert(u16::try_from(number).unwrap_or(u16::MAX));
        }
        let none = Documents::default();
        let posted: Vec<&Arc<Segment>> =
            outline.segments.iter().filter(|segment| segment.state == State::Posted).collect();
        let asked = [(Detail::Wide, self.plan.wide()), (Detail::Narrow, self.plan.narrow())];
        let postings = self.memory.postings(self.tx, self.tenant, &posted, &asked)?;
        for segment in posted {
            let loaded = loaded(postings.get(&segment.number).map_or(&[], Vec::as_slice));
            let removed = removed.get(&segment.number).unwrap_or(&none);
            let (by_rank, matching) = self.plan.candidates(&loaded, removed);
            if !matching.is_empty() {
                let is_refined = self.plan.later().is_empty();
                self.posted.push(Posted { segment: Arc::clone(segment), by_rank, matching, is_refined });
            }
        }
        Ok(removed)
    }

    /// Asks the later grams of the first of these segments, more of them each time; whether there was anything to ask.
    pub(super) fn refine(&mut self, posted: impl Iterator<Item = usize>) -> Result<bool> {
        let mut coarse: Vec<usize> = Vec::new();
        // A segment of several runs is named several times.
        for at in posted.filter(|at| !self.posted[*at].is_refined) {
            if coarse.len() == self.ahead {
                break;
            }
            if !coarse.contains(&at) {
                coarse.push(at);
            }
        }
        if coarse.is_empty() {
            return Ok(false);
        }
        self.ahead = (self.ahead * 2).min(ASKED);
        let segments: Vec<&Arc<Segment>> = coarse.iter().map(|at| &self.posted[*at].segment).collect();
        let asked = [(Detail::Narrow, self.plan.later())];
        let postings = self.memory.postings(self.tx, self.tenant, &segments, &asked)?;
        for at in coarse {
            let posted = &mut self.posted[at];
            let loaded = loaded(postings.get(&posted.segment.number).map_or(&[], Vec::as_slice));
            self.plan.refine(&loaded, &mut posted.by_rank, &mut posted.matching);
            posted.is_refined = true;
        }
        Ok(true)
    }
}

fn loaded(postings: &[Arc<Posting>]) -> Loaded<'_> {
    postings.iter().map(|posting| (posting.gram.as_str(), gram::sets_of(posting))).collect()
}
