//! The search over persons: best first, newest first within a rank, and how many there are.
//!
//! `model::fields` says what matches. What is fresh or newly packed is looked through; of posted segments and of those that are kept as
//! tails, sets of documents say who may match, and every one that is answered is read and ranked by its text. Within a run of documents ids
//! rise with numbers, so the newest of many runs are found by walking each from its end, as far as it is needed.
//! How the index comes about is said in [`crate::steps`].

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_model::fields::Matcher;
use pagesmith_model::text::Query;
use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_index::chunks::Chunk;
use pagesmith_store::tables::person_index::segments::Segment;
use pagesmith_store::tables::person_index::texts::{self, PersonText};
use pagesmith_store::tables::person_index::{self, removals};

use crate::document_set::Documents;
use crate::gram::Plan;
use crate::steps::Sizes;

mod asking;
mod counting;
mod locked;
mod memory;
mod outline;
mod recent;
mod tail;
mod walking;

pub use memory::Memory;

/// More matches than these are not counted.
const COUNTED: u64 = 1_000;
/// How many texts are read in one go, at most.
const READ: usize = 256;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonMatches {
    /// Persons with their ranks; 0 is best.
    pub matches: Vec<(i64, PersonId)>,
    /// How many match in all; `None` if more than 1,000.
    pub total: Option<u64>,
}

/// Up to `fetch` persons that match a query that is not blank, after the position of an earlier one.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    query: &Query,
    after: Option<&(i64, PersonId)>,
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
    after: Option<&(i64, PersonId)>,
    fetch: usize,
    (sizes, memory): (Sizes, &Memory),
) -> Result<PersonMatches> {
    if query.is_blank() {
        return Err(Error::internal("a search without words is a list"));
    }
    let mut search = Search::open(tx, tenant, query, (sizes, memory))?;
    let mut matches = Vec::new();
    let (first, id) = after.map_or((0, None), |(rank, id)| (*rank, Some(id.as_str())));
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
            texts::fresh(tenant, word.unwrap_or_default()),
            person_index::changes(tenant),
            removals::list(tenant),
        ];
        let mut answers = tx.batch(asked)?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let fresh = texts::texts(&next())?;
        let changes = person_index::count(&next())?;
        let removals = removals::documents(&next())?;
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
}
