//! The newest persons of a rank: each run of documents is walked from its end, as far as it is needed.
//!
//! Within a run ids rise with numbers, so a walk meets the newest first. A document's current text is read before it counts.

use pagesmith_model::Result;
use pagesmith_store::tables::person_index::{segments, texts};

use super::{READ, Search};

/// A run of a posted segment on a walk from its end.
struct Walk {
    /// Which of the posted segments.
    at: usize,
    /// From here on documents are of the run.
    from: usize,
    /// Documents below are still to come.
    to: usize,
    /// No id to come is above this one.
    newest: String,
    /// None is below this one.
    oldest: String,
}

impl Search<'_, '_, '_> {
    /// The newest `wanted` ids of a rank, after one of them.
    pub(super) fn walk(&mut self, rank: i64, after: Option<&str>, wanted: usize) -> Result<Vec<String>> {
        let at = usize::try_from(rank).unwrap_or_default();
        let mut found = self.looked_through[at].clone();
        found.retain(|id| after.is_none_or(|after| id.as_str() < after));
        found.truncate(wanted);
        let mut walks = self.walks(at, after)?;
        let mut size = wanted.max(8);
        loop {
            walks.retain(|walk| self.last(at, walk).is_some());
            if let Some(least) = found.get(wanted - 1) {
                walks.retain(|walk| walk.newest > *least);
            }
            walks.sort_by(|a, b| b.newest.cmp(&a.newest));
            let Some(first) = walks.first() else { break };
            // Whoever reaches into the first run goes along with it.
            let beside = walks.iter().take_while(|walk| walk.newest >= first.oldest).count().max(1);
            if walks[..beside].iter().any(|walk| !self.posted[walk.at].is_refined) {
                self.refine(walks.iter().map(|walk| walk.at))?;
                continue;
            }
            let (mut along, mut taken) = (0, Vec::new());
            for walk in &mut walks {
                // Whoever is behind those goes along as well while there is room in what is read.
                let room = size.saturating_sub(taken.len());
                if along >= beside && (room == 0 || !self.posted[walk.at].is_refined) {
                    break;
                }
                along += 1;
                let share = if along > beside { room } else { (size / beside).max(2) };
                for _ in 0..share {
                    let Some(number) = self.posted[walk.at].by_rank[at].last_below(walk.to) else { break };
                    if usize::from(number) < walk.from {
                        break;
                    }
                    walk.to = usize::from(number);
                    taken.push(self.document(walk.at, number));
                }
            }
            self.read(&taken)?;
            for document in taken {
                if let Some((id, known)) = self.known.get(&document)
                    && *known == Some(rank)
                    && after.is_none_or(|after| id.as_str() < after)
                {
                    found.push(id.clone());
                }
            }
            for walk in &mut walks[..along] {
                let last = self.document(walk.at, u16::try_from(walk.to).unwrap_or_default());
                if let Some((id, _)) = self.known.get(&last) {
                    walk.newest.clone_from(id);
                }
            }
            found.sort_unstable_by(|a, b| b.cmp(a));
            found.truncate(wanted);
            size = (size * 2).min(READ);
        }
        Ok(found)
    }

    /// The runs in which this rank may be met after that id, each from its end.
    fn walks(&mut self, rank: usize, after: Option<&str>) -> Result<Vec<Walk>> {
        let mut walks = Vec::new();
        for (at, posted) in self.posted.iter().enumerate() {
            if posted.by_rank[rank].is_empty() {
                continue;
            }
            let mut marks = None;
            for run in &posted.segment.runs {
                let (mut to, mut newest) = (run.to, run.newest.as_str());
                if let Some(after) = after.filter(|after| run.newest.as_str() >= *after) {
                    if run.oldest.as_str() >= after {
                        continue;
                    }
                    if marks.is_none() {
                        marks = Some(segments::marks(self.tx, self.tenant, posted.segment.number)?);
                    }
                    // From the first mark on that is not before the position, nothing is.
                    let marks = marks.as_deref().unwrap_or_default();
                    let step = self.sizes.mark;
                    let beyond = (run.from.div_ceil(step)..run.to.div_ceil(step))
                        .find(|mark| marks.get(*mark).is_some_and(|id| id.as_str() >= after));
                    to = beyond.map_or(to, |mark| mark * step);
                    newest = after;
                }
                walks.push(Walk {
                    at,
                    from: run.from,
                    to,
                    newest: newest.to_owned(),
                    oldest: run.oldest.clone(),
                });
            }
        }
        Ok(walks)
    }

    /// The next document of a walk.
    fn last(&self, rank: usize, walk: &Walk) -> Option<u16> {
        self.posted[walk.at].by_rank[rank]
            .last_below(walk.to)
            .filter(|number| usize::from(*number) >= walk.from)
    }

    pub(super) fn document(&self, at: usize, number: u16) -> i64 {
        self.sizes.first_of(self.posted[at].segment.number) + i64::from(number)
    }

    /// Reads what is not known yet.
    pub(super) fn read(&mut self, documents: &[i64]) -> Result<()> {
        let unknown: Vec<i64> =
            documents.iter().copied().filter(|document| !self.known.contains_key(document)).collect();
        for some in unknown.chunks(READ) {
            let rows = self.tx.all(texts::numbered(self.tenant, some))?;
            for person in texts::texts(&rows)? {
                let rank = self.matcher.rank(&person.fields).map(|rank| rank as i64);
                self.known.insert(person.document, (person.person_id, rank));
            }
        }
        Ok(())
    }
}
