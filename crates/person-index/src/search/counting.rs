//! How many persons match: from the sets alone where they are exact, else from the texts, up to a limit.

use pagesmith_model::Result;
use pagesmith_store::tables::person_index::chunks;

use super::{COUNTED, READ, Search};

/// Of so many documents around one, that many make their whole chunk worth reading.
const AROUND: usize = 1024;
const MANY: usize = 24;

impl Search<'_, '_, '_> {
    /// How many of these match, by their texts.
    fn matching_of(&mut self, documents: &[i64]) -> Result<u64> {
        self.read(documents)?;
        let known = documents.iter().filter_map(|document| self.known.get(document));
        Ok(known.filter(|(_, rank)| rank.is_some()).count() as u64)
    }

    /// How many match.
    pub(super) fn total(&mut self) -> Result<Option<u64>> {
        let mut total: u64 = self.looked_through.iter().map(|ids| ids.len() as u64).sum();
        if self.plan.counts() && self.plan.matches_at_first() {
            total += self.posted.iter().map(|posted| posted.matching.len() as u64).sum::<u64>();
            return Ok((total <= COUNTED).then_some(total));
        }
        let mut rare = Vec::new();
        for at in (0..self.posted.len()).rev() {
            if !self.posted[at].is_refined {
                self.refine((0..=at).rev())?;
            }
            if self.plan.counts() {
                total += self.posted[at].matching.len() as u64;
                if total > COUNTED {
                    return Ok(None);
                }
                continue;
            }
            let mut end = self.sizes.segment;
            while let Some(number) = self.posted[at].matching.last_below(end) {
                if total > COUNTED {
                    return Ok(None);
                }
                let document = self.document(at, number);
                let matching = &self.posted[at].matching;
                if matching.len_between(usize::from(number).saturating_sub(AROUND), end) >= MANY
                    && let Some(chunk) = chunks::with(self.tx, self.tenant, document)?
                    && let (segment, first) = self.sizes.place(chunk.first_document)
                    && segment == self.posted[at].segment.number
                {
                    for place in (0..chunk.len()).take_while(|place| first + place < end) {
                        let number = u16::try_from(first + place).unwrap_or(u16::MAX);
                        if matching.contains(number) && self.matcher.rank(chunk.fields(place)).is_some() {
                            total += 1;
                        }
                    }
                    end = first;
                } else {
                    end = usize::from(number);
                    rare.push(document);
                    if rare.len() == READ {
                        total += self.matching_of(&rare)?;
                        rare.clear();
                    }
                }
            }
        }
        total += self.matching_of(&rare)?;
        Ok((total <= COUNTED).then_some(total))
    }
}
