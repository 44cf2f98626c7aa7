//! What passages cover of the words of a question: by their sentences, headings and contexts, in whatever form a word occurs.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::passage::Passage;
use crate::question::{QuestionPart, Word};
use crate::spelling::{is_misspelt_twice, is_slip};

/// How much of a word is covered.
mod share {
    /// By itself.
    pub const EXACT: f32 = 1.0;
    /// By a word that stands for it.
    pub const RELATED: f32 = 0.85;
    /// By an amount of money, where the price is asked.
    pub const AMOUNT: f32 = 0.85;
    /// By a word that is the same but for a slip.
    pub const MISSPELT: f32 = 0.8;
    /// By the word that was meant, or one that stands for it.
    pub const MEANT: f32 = 0.75;
    /// By a longer word that begins or ends with it.
    pub const WITHIN: f32 = 0.75;
    /// By a shorter word that it begins or ends with.
    pub const AROUND: f32 = 0.5;
    /// In the heading.
    pub const HEADING: f32 = 0.95;
    /// In the sentence before or behind.
    pub const BESIDE: f32 = 0.8;
    /// Elsewhere in the passage.
    pub const ELSEWHERE: f32 = 0.6;
    /// In what the passage is about.
    pub const CONTEXT: f32 = 0.6;
}

/// The fewest letters of a word that may be a part of another one, and of the stem of one that may be misspelt.
const PART: usize = 5;
const FEWEST: usize = 4;
/// The fewest letters of the end of a long word, and of a long word.
const SHORT_END: usize = 4;
const LONG: usize = 8;

/// The words of a part of a question by the terms that cover them.
struct Terms<'p> {
    /// What a term covers of words.
    same: HashMap<&'p str, Vec<(usize, f32)>, RandomState>,
    /// The lengths of those terms.
    lengths: Vec<bool>,
    /// What a term covers of words that begin or end with it.
    parts: HashMap<&'p str, Vec<usize>, RandomState>,
    /// Words that may be mistyped.
    mistyped: Vec<(usize, &'p str)>,
}

impl<'p> Terms<'p> {
    /// `stands` tells which words stand somewhere as they are.
    fn of(words: &'p [Word], stands: &[bool]) -> Terms<'p> {
        let mut terms =
            Terms { same: HashMap::default(), lengths: vec![], parts: HashMap::default(), mistyped: vec![] };
        for (at, (word, stands)) in words.iter().zip(stands).enumerate() {
            let mut note = |term: &'p String, share: f32| {
                let same = terms.same.entry(term.as_str()).or_default();
                if same.last().is_none_or(|(last, _)| *last != at) {
                    same.push((at, share));
                }
            };
            word.exact.iter().for_each(|term| note(term, share::EXACT));
            word.related.iter().for_each(|term| note(term, share::RELATED));
            if !stands {
                word.meant.iter().for_each(|term| note(term, share::MEANT));
            }
            for exact in &word.exact {
                parts_of(exact).for_each(|part| {
                    let of = terms.parts.entry(part).or_default();
                    if !of.contains(&at) {
                        of.push(at);
                    }
                });
                if !stands && word.is_unlisted && exact.len() >= FEWEST {
                    terms.mistyped.push((at, exact));
                }
            }
        }
        for length in terms.same.keys().map(|term| term.len()) {
            terms.lengths.resize(terms.lengths.len().max(length + 1), false);
            terms.lengths[length] = true;
        }
        terms
    }

    /// How much a term of a text covers of each word.
    fn cover(&self, term: &str, shares: &mut [f32]) {
        let mut note = |at: usize, share: f32| shares[at] = shares[at].max(share);
        for (at, share) in self.same.get(term).into_iter().flatten() {
            note(*at, *share);
        }
        for at in self.parts.get(term).into_iter().flatten() {
            note(*at, share::AROUND);
        }
        for part in parts_of(term).filter(|part| self.lengths.get(part.len()) == Some(&true)) {
            for (at, share) in self.same.get(part).into_iter().flatten() {
                note(*at, if *share == share::EXACT { share::WITHIN } else { share::AROUND });
            }
        }
        for (at, word) in &self.mistyped {
            if word.as_bytes().first() != term.as_bytes().first() {
                continue;
            }
            if is_slip(word, term) && term.len() >= FEWEST || is_misspelt_twice(word, term) {
                note(*at, share::MISSPELT);
            }
        }
    }
}

/// What a term begins or ends with, if that is long enough to mean something.
fn parts_of(term: &str) -> impl Iterator<Item = &str> {
    let inner = PART..term.len().max(PART);
    let begins = inner.filter_map(|length| term.get(..length));
    let shortest = if term.len() >= LONG { SHORT_END } else { PART };
    let ends = (shortest..term.len().max(shortest)).filter_map(|length| term.get(term.len() - length..));
    begins.chain(ends)
}

/// What a passage covers of each word: by its sentences, its heading, its context.
pub(crate) struct Covered {
    /// Sentence by sentence.
    sentences: Vec<f32>,
    /// By the best sentence for each word.
    anywhere: Vec<f32>,
    pub heading: Vec<f32>,
    context: Vec<f32>,
    /// How often each word occurs.
    pub counts: Vec<f32>,
    /// How many terms its sentences have.
    pub terms: u32,
}

impl Covered {
    /// What a sentence covers by itself; nothing where there is none.
    pub fn sentence(&self, at: usize) -> &[f32] {
        let words = self.anywhere.len();
        self.sentences.get(at * words..(at + 1) * words).unwrap_or_default()
    }

    /// What a sentence with all around it covers of each word.
    pub fn around(&self, at: usize) -> impl Iterator<Item = f32> {
        let before = at.checked_sub(1).map_or(&[][..], |before| self.sentence(before));
        let behind = self.sentence(at + 1);
        self.sentence(at).iter().enumerate().map(move |(word, own)| {
            let of = |beside: &[f32]| beside.get(word).copied().unwrap_or_default();
            own.max(self.heading[word] * share::HEADING)
                .max(of(before).max(of(behind)) * share::BESIDE)
                .max(self.anywhere[word] * share::ELSEWHERE)
                .max(self.context[word] * share::CONTEXT)
        })
    }
}

/// The terms of all passages, each once and with a number.
pub(crate) struct AllTerms<'t> {
    numbers: HashMap<&'t str, usize, RandomState>,
    /// The numbers of the terms of each passage.
    of_passages: Vec<Vec<usize>>,
}

impl<'t> AllTerms<'t> {
    pub fn of(passages: &[&'t Passage]) -> AllTerms<'t> {
        let most = passages.iter().map(|passage| passage.terms.len()).sum();
        let mut numbers = HashMap::with_capacity_and_hasher(most, RandomState::default());
        let mut number = |term: &'t str| {
            let next = numbers.len();
            *numbers.entry(term).or_insert(next)
        };
        let of_passages =
            passages.iter().map(|passage| passage.terms.iter().map(|term| number(term)).collect()).collect();
        AllTerms { numbers, of_passages }
    }
}

/// What each passage covers of the words of a part of a question. The terms are those of the same passages.
pub(crate) fn covered(part: &QuestionPart, passages: &[&Passage], all: &AllTerms<'_>) -> Vec<Covered> {
    let covering = Covering::of(part, all);
    passages.iter().zip(&all.of_passages).map(|(passage, numbers)| covering.read(passage, numbers)).collect()
}

/// Reads what passages cover; what a term covers is the same wherever it stands.
struct Covering<'p> {
    part: &'p QuestionPart,
    /// What a term covers of each word, in the order of the terms' numbers.
    shares: Vec<f32>,
}

impl<'p> Covering<'p> {
    fn of(part: &'p QuestionPart, all: &AllTerms<'_>) -> Covering<'p> {
        let stands = |word: &Word| word.exact.iter().any(|exact| all.numbers.contains_key(exact.as_str()));
        let terms = Terms::of(&part.words, &part.words.iter().map(stands).collect::<Vec<bool>>());
        let words = part.words.len();
        let mut shares = vec![0.0; all.numbers.len() * words];
        for (term, number) in &all.numbers {
            terms.cover(term, &mut shares[number * words..(number + 1) * words]);
        }
        Covering { part, shares }
    }

    /// Adds to `best` what some terms of a passage cover of each word, and to `counts` how often.
    fn add(&self, numbers: &[usize], terms: &[u32], best: &mut [f32], counts: &mut [f32]) {
        let words = best.len();
        for term in terms {
            let at = numbers[*term as usize] * words;
            let shares = &self.shares[at..at + words];
            for ((best, count), share) in best.iter_mut().zip(counts.iter_mut()).zip(shares) {
                *best = best.max(*share);
                *count += if *share > 0.0 { 1.0 } else { 0.0 };
            }
        }
    }

    /// What a passage covers, with the numbers of its terms.
    fn read(&self, passage: &Passage, numbers: &[usize]) -> Covered {
        let words = self.part.words.len();
        let none = || vec![0.0_f32; words];
        let mut sentences = vec![0.0_f32; words * passage.sentences.len()];
        let (mut anywhere, mut heading, mut context, mut counts) = (none(), none(), none(), none());
        let mut terms = 0;
        for (sentence, best) in passage.sentences.iter().zip(sentences.chunks_exact_mut(words.max(1))) {
            self.add(numbers, &sentence.terms, best, &mut counts);
            for ((best, anywhere), word) in best.iter_mut().zip(&mut anywhere).zip(&self.part.words) {
                if word.is_price && sentence.has_price {
                    *best = best.max(share::AMOUNT);
                }
                *anywhere = anywhere.max(*best);
            }
            terms += sentence.terms.len();
        }
        self.add(numbers, &passage.heading, &mut heading, &mut counts);
        self.add(numbers, &passage.context, &mut context, &mut counts);
        let terms = u32::try_from(terms).unwrap_or(u32::MAX);
        Covered { sentences, anywhere, heading, context, counts, terms }
    }
}
