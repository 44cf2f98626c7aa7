//! Searching: the chunks of a tenant that say most about some words, by BM25.
//!
//! A search reads of each term in how many chunks it occurs, and then the postings themselves, the rarest term's first, until it has read
//! `MOST_READ` occurrences: what is left are words that nearly every chunk has, and they hardly change the order. So a search takes the
//! same time however much a tenant knows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use pagesmith_model::{Result, TenantId, TopicId};
use pagesmith_store::Tx;
use pagesmith_store::tables::knowledge::chunks::{self, FoundChunk};
use pagesmith_store::tables::knowledge::indexes::{self, Index};

use crate::kept::{Counts, Indexed, KeptPostings, TermPostings};
use crate::posting::{self, SEGMENT};
use crate::text::Languages;
use crate::text::terms::{self, QueryWord};

/// How many occurrences a search reads at most.
const MOST_READ: i64 = 300_000;
/// How many chunks are looked for beyond those wanted, since some may be gone.
const MORE: usize = 16;

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub found: FoundChunk,
    /// How much it says about the words; more is better.
    pub score: f32,
}

/// What is searched for.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// What somebody typed.
    Query(&'a str),
    /// Words, each with the terms that it can be, in the index as the caller has read it. At most 32 of them count.
    Words(&'a [QueryWord], Index),
    /// What a text of any length is about: its words that are frequent there and rare in the index. What this is not: a promise that
    /// what is found is about the same. Whoever asks looks at it.
    Subject(&'a str),
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The best chunks.
    pub hits: Vec<Hit>,
    /// How many chunks there are.
    pub chunks: u64,
    /// In how many of them each of the [`Words`](Wanted::Words) occurs, by the term of it that occurs most; empty where something else is wanted.
    pub occurs: Vec<u64>,
}

/// The best chunks of a tenant for what is wanted. `kept` has what earlier searches have read; whoever asks for other words each time
/// passes none.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    wanted: Wanted<'_>,
    limit: usize,
    kept: Option<&KeptPostings>,
) -> Result<Found> {
    let index = match wanted {
        Wanted::Words(_, index) => index,
        Wanted::Query(_) | Wanted::Subject(_) => indexes::find(tx, tenant)?,
    };
    let on = Indexed { tenant, index, kept };
    let (hits, occurs) = match wanted {
        Wanted::Query(query) => (for_query(tx, on, query, limit)?, vec![]),
        Wanted::Words(words, _) => for_words(tx, on, words, limit)?,
        Wanted::Subject(text) => (about(tx, on, text, limit)?, vec![]),
    };
    Ok(Found { hits, chunks: index.chunks, occurs })
}

fn for_query(tx: &mut Tx<'_>, on: Indexed<'_>, query: &str, limit: usize) -> Result<Vec<Hit>> {
    let words = terms::of_query(query, Languages(on.index.languages));
    let words = rare_words(tx, on, &words)?;
    let ranked = ranked(&words, &read(tx, on, &words)?, (limit + MORE, 1));
    resolve(tx, on.tenant, &ranked, limit)
}

/// The best chunks, and in how many chunks each word occurs.
fn for_words(
    tx: &mut Tx<'_>,
    on: Indexed<'_>,
    words: &[QueryWord],
    limit: usize,
) -> Result<(Vec<Hit>, Vec<u64>)> {
    let words = &words[..words.len().min(32)];
    let mut occurs = vec![0; words.len()];
    if on.index.chunks == 0 || words.is_empty() {
        return Ok((vec![], occurs));
    }
    let found = rare_words(tx, on, words)?;
    for word in &found {
        let most = word.terms.iter().map(|(_, counts)| total(counts)).max();
        occurs[word.place] = u64::try_from(most.unwrap_or_default()).unwrap_or_default();
    }
    let ranked = ranked(&found, &read(tx, on, &found)?, (limit + MORE, 1));
    Ok((resolve(tx, on.tenant, &ranked, limit)?, occurs))
}

/// How many chunks that have all words are looked at for the topics that they are of.
const MOST_WITH_ALL: usize = 500;

/// The topics with a chunk that has all these words, of the best of such chunks.
pub fn topics_with_all(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    query: &str,
    kept: &KeptPostings,
) -> Result<Vec<TopicId>> {
    let on = Indexed { tenant, index: indexes::find(tx, tenant)?, kept: Some(kept) };
    let words = terms::of_query(query, Languages(on.index.languages));
    let found = rare_words(tx, on, &words)?;
    if found.is_empty() || found.len() < words.len() {
        return Ok(vec![]);
    }
    let read = read(tx, on, &found)?;
    // A word that nearly every chunk has is not read.
    let of_words: HashSet<usize> = read.iter().map(|(word, _)| *word).collect();
    let least = u32::try_from(of_words.len()).unwrap_or(u32::MAX);
    let ranked = ranked(&found, &read, (MOST_WITH_ALL, least));
    let numbers: Vec<i64> = ranked.iter().map(|(_, number)| *number).collect();
    if numbers.is_empty() { Ok(vec![]) } else { chunks::topics_of(tx, tenant, &numbers) }
}

/// How many words of a text are looked up, and how many of them are searched for.
const LOOKED_UP: usize = 64;
const MOST_WORDS: usize = 24;
/// So many of them a chunk has at least.
const LEAST_WORDS: u32 = 2;

fn about(tx: &mut Tx<'_>, on: Indexed<'_>, text: &str, limit: usize) -> Result<Vec<Hit>> {
    if on.index.chunks == 0 {
        return Ok(vec![]);
    }
    let subject = terms::of_subject(text, Languages(on.index.languages), LOOKED_UP);
    let counts: HashMap<&String, usize> =
        subject.iter().filter_map(|(word, count)| Some((word.first()?, *count))).collect();
    let all: Vec<QueryWord> = subject.iter().map(|(word, _)| word.clone()).collect();
    let mut words = rare_words(tx, on, &all)?;
    let weight = |word: &Word| {
        let counted = word.terms.iter().filter_map(|(term, _)| counts.get(term)).max();
        word.rarity * (1.0 + (counted.copied().unwrap_or(1) as f32).ln())
    };
    words.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    words.truncate(MOST_WORDS);
    words.sort_by_key(|word| word.occurs);
    let ranked = ranked(&words, &read(tx, on, &words)?, (limit + MORE, LEAST_WORDS));
    resolve(tx, on.tenant, &ranked, limit)
}

/// A word that some chunks have.
struct Word {
    /// Its place among those that were asked for.
    place: usize,
    /// The terms that it can be, each with its numbers of chunks by segment.
    terms: Vec<(String, Counts)>,
    occurs: i64,
    rarity: f32,
}

fn total(counts: &Counts) -> i64 {
    counts.iter().map(|(_, count)| count).sum()
}

/// The words that occur, the rarest first.
fn rare_words(tx: &mut Tx<'_>, on: Indexed<'_>, words: &[QueryWord]) -> Result<Vec<Word>> {
    let terms: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
    let mut counts = on.counts(tx, &terms)?;
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        // Two words may share a term; it counts for the first.
        let terms: Vec<_> = word.iter().filter_map(|term| counts.remove_entry(term)).collect();
        let occurs: i64 = terms.iter().map(|(_, counts)| total(counts)).sum();
        let rarity = posting::rarity(u64::try_from(occurs).unwrap_or_default(), on.index.chunks);
        if occurs > 0 {
            found.push(Word { place, terms, occurs, rarity });
        }
    }
    found.sort_by_key(|word| word.occurs);
    Ok(found)
}

/// The terms whose postings are read, each with the number of its word, its counts, and the segment from which on.
fn to_read(words: &[Word]) -> Vec<(usize, (&str, &Counts, i64))> {
    let mut left = MOST_READ;
    let mut wanted = Vec::new();
    let terms = words.iter().enumerate().flat_map(|(at, word)| word.terms.iter().map(move |term| (at, term)));
    for (at, (term, counts)) in terms {
        let mut from = None;
        // The newest segments first: if there is too much, what is newest is found.
        for (segment, count) in counts.iter().rev() {
            if *count > left {
                left = 0;
                break;
            }
            left -= count;
            from = Some(*segment);
        }
        wanted.extend(from.map(|from| (at, (term.as_str(), counts, from))));
    }
    wanted
}

/// The postings that are wanted, each with the number of the word that it is of.
fn read(tx: &mut Tx<'_>, on: Indexed<'_>, words: &[Word]) -> Result<Vec<(usize, TermPostings)>> {
    let (places, wanted): (Vec<usize>, Vec<_>) = to_read(words).into_iter().unzip();
    Ok(places.into_iter().zip(on.postings(tx, &wanted)?).collect())
}

/// The postings of each segment, with the words that they are of.
fn by_segment(read: &[(usize, TermPostings)]) -> BTreeMap<i64, Vec<(usize, &[u8])>> {
    let mut by_segment: BTreeMap<i64, Vec<(usize, &[u8])>> = BTreeMap::new();
    for (word, postings) in read {
        for (segment, chunks) in postings.iter() {
            by_segment.entry(*segment).or_default().push((*word, chunks));
        }
    }
    by_segment
}

/// A score as it is compared, and the number of a chunk.
type Ranked = (u32, i64);

/// How many chunks a segment has room for.
const ROOM: usize = SEGMENT as usize;

/// The best chunks that have so many of the words, the best first and the newest first among equals.
fn ranked(words: &[Word], read: &[(usize, TermPostings)], (most, least): (usize, u32)) -> Vec<Ranked> {
    // Of each place its score, and which words it has.
    let mut places = vec![(0.0_f32, 0_u32); ROOM];
    let mut best: BinaryHeap<Reverse<Ranked>> = BinaryHeap::with_capacity(most + 1);
    for (segment, postings) in by_segment(read) {
        places.fill((0.0, 0));
        for (word, bytes) in postings {
            let (bit, rarity) = (1_u32 << word, words[word].rarity);
            for (at, weight) in posting::decode(bytes) {
                let (score, set) = &mut places[usize::from(at)];
                // A chunk has a word in one language. There are fewer words than bits.
                if *set & bit == 0 {
                    *set |= bit;
                    *score += posting::score(weight, rarity);
                }
            }
        }
        let full = |best: &BinaryHeap<Reverse<Ranked>>| {
            best.peek().filter(|_| best.len() == most).map(|last| last.0)
        };
        let mut last = full(&best);
        for (place, (score, set)) in places.iter().enumerate() {
            // Scores are not negative, and the bits of such numbers are in their order.
            let score = score.to_bits();
            if last.is_some_and(|(worst, _)| score < worst) || set.count_ones() < least {
                continue;
            }
            let found = (score, posting::number(segment, u16::try_from(place).unwrap_or_default()));
            if last.is_none_or(|last| found > last) {
                if last.is_some() {
                    best.pop();
                }
                best.push(Reverse(found));
                last = full(&best);
            }
        }
    }
    let mut best: Vec<Ranked> = best.into_iter().map(|Reverse(found)| found).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    best
}

/// The chunks themselves, without those that are gone. More than are wanted are read only where some are gone.
fn resolve(tx: &mut Tx<'_>, tenant: &TenantId, ranked: &[Ranked], limit: usize) -> Result<Vec<Hit>> {
    let mut hits = Vec::new();
    let mut left = ranked;
    while hits.len() < limit && !left.is_empty() {
        let (next, others) = left.split_at(left.len().min(limit - hits.len()));
        let numbers: Vec<i64> = next.iter().map(|(_, number)| *number).collect();
        let found = chunks::found(tx, tenant, &numbers)?;
        let mut found: HashMap<i64, FoundChunk> =
            found.into_iter().map(|found| (found.number, found)).collect();
        hits.extend(next.iter().filter_map(|(score, number)| {
            Some(Hit { found: found.remove(number)?, score: f32::from_bits(*score) })
        }));
        left = others;
    }
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    /// Of each of some words in which chunks it occurs, and how much it weighs there.
    fn occurrences() -> impl Strategy<Value = Vec<BTreeMap<i64, u8>>> {
        prop::collection::vec(prop::collection::btree_map(0..3 * SEGMENT, 1..=4_u8, 0..40), 1..5)
    }

    fn encoded(occurs: &BTreeMap<i64, u8>) -> TermPostings {
        let mut segments: BTreeMap<i64, Vec<posting::Occurrence>> = BTreeMap::new();
        for (number, weight) in occurs {
            let (segment, at) = posting::place(*number);
            segments.entry(segment).or_default().push((at, *weight));
        }
        Arc::new(segments.iter().map(|(segment, all)| (*segment, posting::encode(all))).collect())
    }

    proptest! {
        #[test]
        fn the_best_chunks_are_those_of_all_in_their_order(words in occurrences(), most in 1..12_usize, least in 1..3_u32) {
            let read: Vec<(usize, TermPostings)> = words.iter().map(encoded).enumerate().collect();
            let of_word = |place: usize| Word { place, terms: vec![], occurs: 0, rarity: 1.0 + place as f32 };
            let known: Vec<Word> = (0..words.len()).map(of_word).collect();
            let mut all: Vec<Ranked> = Vec::new();
            for number in 0..3 * SEGMENT {
                let has: Vec<(usize, u8)> =
                    words.iter().enumerate().filter_map(|(at, occurs)| Some((at, *occurs.get(&number)?))).collect();
                if has.len() >= least as usize {
                    let score: f32 = has.iter().map(|(at, weight)| posting::score(*weight, known[*at].rarity)).sum();
                    all.push((score.to_bits(), number));
                }
            }
            all.sort_unstable_by(|a, b| b.cmp(a));
            all.truncate(most);
            prop_assert_eq!(ranked(&known, &read, (most, least)), all);
        }
    }
}
