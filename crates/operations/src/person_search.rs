//! The search over persons: best first, newest first within a rank, and how many there are.
//!
//! `model::fields` says what matches. What is fresh or newly packed is looked through; of posted segments and of those that are kept as
//! tails, sets of documents say who may match, and every one that is answered is read and ranked by its text. Within a run of documents ids
//! rise with numbers, so the newest of many runs are found by walking each from its end, as far as it is needed.
//! How the index comes about is said in [`crate::person_index`].

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_model::documents::Documents;
use pagesmith_model::fields::Matcher;
use pagesmith_model::gram::Plan;
use pagesmith_model::text::Query;
use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_chunks::{self, Chunk};
use pagesmith_store::tables::person_segments::{self, Segment};
use pagesmith_store::tables::person_texts::{self, PersonText};
use pagesmith_store::tables::{person_indexes, person_removals};

use crate::person_index::Sizes;

mod asking;
mod locked;
mod memory;
mod outline;
mod recent;
mod tail;

pub use memory::Memory;

/// More matches than these are not counted.
pub const COUNTED: u64 = 1_000;
/// How many texts are read in one go, at most.
const READ: usize = 256;
/// Of so many documents around one, that many make their whole chunk worth reading.
const AROUND: usize = 1024;
const MANY: usize = 24;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonMatches {
    /// Persons with their ranks; 0 is best.
    pub matches: Vec<(i64, PersonId)>,
    /// How many match in all; `None` if more than [`COUNTED`].
    pub total: Option<u64>,
}

/// Up to `fetch` persons that match a query that is not blank, after the position of an earlier one.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    query: &Query,
    after: Option<(i64, &str)>,
    fetch: usize,
    memory: &Memory,
) -> Result<PersonMatches> {
    search_with(tx, tenant, query, after, fetch, (Sizes::default(), memory))
}

/// The same in an index of other sizes, for tests.
pub fn search_with(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    query: &Query,
    after: Option<(i64, &str)>,
    fetch: usize,
    (sizes, memory): (Sizes, &Memory),
) -> Result<PersonMatches> {
    if query.is_blank() {
        return Err(Error::internal("a search without words is a list"));
    }
    let mut search = Search::open(tx, tenant, query, (sizes, memory))?;
    let mut matches = Vec::new();
    let (first, id) = after.map_or((0, None), |(rank, id)| (rank, Some(id)));
    for rank in first.clamp(0, 4)..4 {
        let wanted = fetch - matches.len();
        if wanted == 0 {
            break;
        }
        let after = if rank == first { id } else { None };
        for id in search.walk(rank, after, wanted)? {
            let id = PersonId::parse(&id).ok_or_else(|| Error::internal("a broken id of a person"))?;
            matches.push((rank, id));
        }
    }
    Ok(PersonMatches { matches, total: search.total()? })
}

/// A search under way.
struct Search<'t, 'c, 'q> {
    tx: &'t mut Tx<'c>,
    tenant: &'q TenantId,
    matcher: Matcher<'q>,
    plan: Plan,
    sizes: Sizes,
    memory: &'q Memory,
    /// The ids that match among what was looked through, by rank, newest first.
    looked_through: [Vec<String>; 4],
    /// Posted segments, and then tails.
    posted: Vec<Posted>,
    /// Of how many segments the later grams are asked next.
    ahead: usize,
    /// What was read of posted documents: the id, and the rank if it matches.
    known: HashMap<i64, (String, Option<i64>)>,
}

/// A segment of which it is known which documents may match.
struct Posted {
    segment: Arc<Segment>,
    by_rank: [Documents; 4],
    matching: Documents,
    /// Whether the later grams have had their say.
    is_refined: bool,
}

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

impl<'t, 'c, 'q> Search<'t, 'c, 'q> {
    fn open(
        tx: &'t mut Tx<'c>,
        tenant: &'q TenantId,
        query: &'q Query,
        (sizes, memory): (Sizes, &'q Memory),
    ) -> Result<Self> {
        // Whoever matches has every word, and the longest is the rarest.
        let word = query.words.iter().map(|word| word.text.as_str()).max_by_key(|word| word.len());
        let asked = vec![
            person_texts::fresh(tenant, word.unwrap_or_default()),
            person_indexes::changes(tenant),
            person_removals::list(tenant),
        ];
        let mut answers = tx.batch(asked)?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let fresh = person_texts::texts(&next())?;
        let changes = person_indexes::count(&next())?;
        let removals = person_removals::documents(&next())?;
        let mut search = Search {
            tx,
            tenant,
            matcher: Matcher::new(query),
            plan: Plan::of(query),
            sizes,
            memory,
            looked_through: Default::default(),
            posted: Vec::new(),
            ahead: asking::REFINED,
            known: HashMap::new(),
        };
        search.look_through_fresh(fresh);
        if let Some(changes) = changes {
            let outline = memory.outline(search.tx, tenant, changes, sizes)?;
            let removed = search.ask(&outline, &removals)?;
            let unknown = search.ask_tails(&outline, &removed)?;
            let chunks = memory.chunks(search.tx, tenant, &unknown)?;
            chunks.iter().for_each(|chunk| search.look_through(chunk, &removed));
        }
        for ids in &mut search.looked_through {
            ids.sort_unstable_by(|a, b| b.cmp(a));
        }
        Ok(search)
    }

    fn look_through_fresh(&mut self, fresh: Vec<PersonText>) {
        for person in fresh {
            if let Some(rank) = self.matcher.rank(&person.fields) {
                self.looked_through[rank as usize].push(person.person_id);
            }
        }
    }

    fn look_through(&mut self, chunk: &Chunk, removed: &HashMap<i64, Documents>) {
        let (segment, first) = self.sizes.place(chunk.first_document);
        let removed = removed.get(&segment);
        let mut from = 0;
        while let Some(byte) = self.matcher.next(&chunk.texts, from) {
            let at = chunk.place(byte);
            let number = u16::try_from(first + at).unwrap_or(u16::MAX);
            if removed.is_none_or(|removed| !removed.contains(number))
                && let Some(rank) = self.matcher.rank(chunk.fields(at))
            {
                self.looked_through[rank as usize].push(chunk.person(at).to_owned());
            }
            from = chunk.end(at);
        }
    }

    /// The newest `wanted` ids of a rank, after one of them.
    fn walk(&mut self, rank: i64, after: Option<&str>, wanted: usize) -> Result<Vec<String>> {
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
                        marks = Some(person_segments::marks(self.tx, self.tenant, posted.segment.number)?);
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

    fn document(&self, at: usize, number: u16) -> i64 {
        self.sizes.first_of(self.posted[at].segment.number) + i64::from(number)
    }

    /// Reads what is not known yet.
    fn read(&mut self, documents: &[i64]) -> Result<()> {
        let unknown: Vec<i64> =
            documents.iter().copied().filter(|document| !self.known.contains_key(document)).collect();
        for some in unknown.chunks(READ) {
            let rows = self.tx.all(person_texts::numbered(self.tenant, some))?;
            for person in person_texts::texts(&rows)? {
                let rank = self.matcher.rank(&person.fields).map(|rank| rank as i64);
                self.known.insert(person.document, (person.person_id, rank));
            }
        }
        Ok(())
    }

    /// How many of these match, by their texts.
    fn matching_of(&mut self, documents: &[i64]) -> Result<u64> {
        self.read(documents)?;
        let known = documents.iter().filter_map(|document| self.known.get(document));
        Ok(known.filter(|(_, rank)| rank.is_some()).count() as u64)
    }

    /// How many match.
    fn total(&mut self) -> Result<Option<u64>> {
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
                    && let Some(chunk) = person_chunks::with(self.tx, self.tenant, document)?
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
