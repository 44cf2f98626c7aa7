//! The answer to a question: the sentences that say most of what is asked, or that nothing is known.
//!
//! Every word of a question weighs what it is rare. A sentence covers a word that it has, in whatever form; it covers less of a word that
//! stands for it, that its neighbours or its heading have, or that is a part of one of its own. What a sentence covers of the whole weight is
//! how well it answers. A word that occurs nowhere weighs nearly as much as one that occurs once, so that a question about something of
//! which nothing is known is covered little, however much is known of all around it. What is only told beside a question helps to find its
//! answer and hinders none.

use pagesmith_knowledge_index::text::rarity;

use crate::covering::{AllTerms, Covered, covered};
use crate::passage::{Passage, Sentence};
use crate::question::{Question, QuestionPart, Word};

/// So much of the weight of a question has to be covered by an answer.
const THRESHOLD: f32 = 0.54;
/// What one passage is worse than the best and still quoted.
const NEAR: f32 = 0.85;
/// The most passages that are quoted, and sentences of one.
const MOST_QUOTES: usize = 3;
const MOST_SENTENCES: usize = 3;
/// So much of the weight of a question is covered by a heading that asks the same.
const SAME_QUESTION: f32 = 0.8;
/// The most passages that are near.
const MOST_NEAR: usize = 8;
/// What a further sentence has to cover more to be quoted as well.
const GAIN: f32 = 0.15;
/// What is left of the weight of a word that occurs nowhere, and of one where it is asked whether something is so (`Can I bring my dog?`): of
/// that nothing is known if a word of it is missing, while a fact can be told in other words.
const ABSENT: f32 = 0.65;
const ABSENT_WHETHER: f32 = 0.8;
/// The same if its meaning is listed, and none of the words that stand for it occurs either.
const ABSENT_LISTED: f32 = 1.1;
/// The weight of a part of a compound.
const HALF: f32 = 0.7;
/// The weight of a word that carries little, and what is left of that where it occurs nowhere.
const LIGHT: f32 = 0.5;
const LIGHT_UNKNOWN: f32 = 0.1;
/// The weight of a word that is told before something else is asked, and what is left of that where it occurs nowhere.
const TOLD: f32 = 0.5;
const TOLD_UNKNOWN: f32 = 0.4;

/// What is known of the words of a question in all that a tenant knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentFrequencies {
    /// How many chunks there are beside the passages.
    pub chunks: u64,
    /// In how many of them each of [`Question::words`] occurs.
    pub occurs: Vec<u64>,
}

/// Sentences of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote<'a> {
    /// The number of the passage.
    pub passage: usize,
    /// The sentences, in their order.
    pub sentences: Vec<&'a str>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer<'a> {
    /// What is quoted, the best first; nothing if nothing is known.
    pub quotes: Vec<Quote<'a>>,
    /// The parts of the question that nothing is known of, as they were asked.
    pub missed: Vec<String>,
    /// The passages that say most, the best first, quoted or not.
    pub ranked: Vec<usize>,
    /// The same and those that follow, for whoever writes an answer in other words; nothing if nothing is known.
    pub near: Vec<usize>,
}

impl Answer<'_> {
    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        !self.quotes.is_empty()
    }
}

/// Answers a question from passages.
pub fn answer<'a>(question: &Question, passages: &[&'a Passage], known: &DocumentFrequencies) -> Answer<'a> {
    // What the words of a part are worth was counted for the whole.
    let of_part = |part: &QuestionPart| DocumentFrequencies {
        chunks: known.chunks,
        occurs: part.words.iter().map(|word| occurs(word, &question.whole, known)).collect(),
    };
    let terms = AllTerms::of(passages);
    if let Some(found) = Search::new(&question.whole, passages, &terms, known).answer() {
        let asked = question.parts.iter().filter(|part| part.is_asked && !part.words.is_empty());
        let missed =
            asked.filter(|part| Search::new(part, passages, &terms, &of_part(part)).answer().is_none());
        return Answer { missed: missed.map(|part| part.text.clone()).collect(), ..found };
    }
    let mut answer = Answer::default();
    for part in question.parts.iter().filter(|part| !part.words.is_empty()) {
        match Search::new(part, passages, &terms, &of_part(part)).answer() {
            Some(found) => answer.add(found),
            None => answer.missed.push(part.text.clone()),
        }
    }
    if answer.quotes.is_empty() {
        return Answer { missed: vec![question.whole.text.clone()], ..Answer::default() };
    }
    answer
}

fn occurs(word: &Word, whole: &QuestionPart, known: &DocumentFrequencies) -> u64 {
    let at = whole.words.iter().position(|other| other.exact == word.exact);
    at.and_then(|at| known.occurs.get(at)).copied().unwrap_or_default()
}

impl<'a> Answer<'a> {
    /// Adds the answer to another part.
    fn add(&mut self, other: Answer<'a>) {
        for quote in other.quotes {
            match self.quotes.iter().position(|known| known.passage == quote.passage) {
                Some(at) => {
                    for sentence in quote.sentences {
                        if !self.quotes[at].sentences.contains(&sentence) {
                            self.quotes[at].sentences.push(sentence);
                        }
                    }
                }
                None if self.quotes.len() < MOST_QUOTES => self.quotes.push(quote),
                None => {}
            }
        }
        for (known, more) in [(&mut self.ranked, other.ranked), (&mut self.near, other.near)] {
            for passage in more {
                if !known.contains(&passage) {
                    known.push(passage);
                }
            }
        }
        self.near.truncate(MOST_NEAR);
    }
}

/// What is left of the weight of a word that occurs nowhere.
fn absent(part: &QuestionPart, word: &Word) -> f32 {
    match (part.is_whether, word.is_listed()) {
        (false, _) => ABSENT,
        (true, false) => ABSENT_WHETHER,
        (true, true) => ABSENT_LISTED,
    }
}

/// How much of some weights is covered.
fn share_of(covered: impl IntoIterator<Item = f32>, weights: &[f32]) -> f32 {
    let covered = covered.into_iter().zip(weights).map(|(share, weight)| share * weight);
    covered.sum::<f32>() / weights.iter().sum::<f32>()
}

struct Search<'a, 'p> {
    part: &'p QuestionPart,
    passages: &'p [&'a Passage],
    covered: Vec<Covered>,
    weights: Vec<f32>,
    /// The weights without those of words that only surround what is asked.
    asked: Vec<f32>,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(
        part: &'p QuestionPart,
        passages: &'p [&'a Passage],
        terms: &AllTerms<'a>,
        known: &DocumentFrequencies,
    ) -> Search<'a, 'p> {
        let covered = covered(part, passages, terms);
        let chunks = known.chunks + u64::try_from(passages.len()).unwrap_or_default();
        let weight = |(at, word): (usize, &Word)| {
            let here = covered.iter().filter(|one| one.counts[at] > 0.0).count();
            let here = u64::try_from(here).unwrap_or_default();
            let occurs = here.max(known.occurs.get(at).copied().unwrap_or_default());
            let weight = rarity(occurs, chunks) * if occurs == 0 { absent(part, word) } else { 1.0 };
            let weight = if word.is_half { weight * HALF } else { weight };
            let of = |is_so: bool, known: f32, unknown: f32| match (is_so, occurs) {
                (false, _) => 1.0,
                (true, 0) => known * unknown,
                (true, _) => known,
            };
            weight * of(word.is_light, LIGHT, LIGHT_UNKNOWN) * of(word.is_told, TOLD, TOLD_UNKNOWN)
        };
        let weights: Vec<f32> = part.words.iter().enumerate().map(weight).collect();
        let is_asked = |word: &Word| part.refers || !word.is_told;
        let asked =
            part.words.iter().zip(&weights).map(|(word, weight)| if is_asked(word) { *weight } else { 0.0 });
        let asked = asked.collect();
        Search { part, passages, covered, weights, asked }
    }

    fn weighed(&self, covered: impl IntoIterator<Item = f32>) -> f32 {
        share_of(covered, &self.weights)
    }

    /// The best sentence of a passage, what it covers, and how good the passage is.
    fn best(&self, passage: usize) -> Option<(usize, f32, f32)> {
        let wants = self.part.wants;
        let value = |sentence: &Sentence| {
            let is_wanted =
                wants.price && sentence.has_price || !wants.price && wants.number && sentence.has_number;
            if is_wanted { 0.06 } else { 0.0 }
        };
        let covered = &self.covered[passage];
        let sentences = self.passages[passage].sentences.iter().enumerate();
        let (at, coverage, value) = sentences
            .map(|(at, sentence)| {
                let own = self.weighed(covered.sentence(at).iter().copied());
                let around = self.weighed(covered.around(at));
                // What is told beside a question helps to find its answer and hinders none.
                let coverage = around.max(share_of(covered.around(at), &self.asked));
                (at, coverage, around + 0.15 * own + value(sentence))
            })
            .max_by(|one, other| one.2.total_cmp(&other.2).then(other.0.cmp(&one.0)))?;
        let Covered { counts, heading, terms, .. } = covered;
        let length = 0.25 + 0.75 * (*terms as f32) / 200.0;
        let frequency = self.weighed(counts.iter().map(|count| count / (count + 1.2 * length)));
        Some((at, coverage, value + 0.15 * frequency + 0.15 * self.weighed(heading.iter().copied())))
    }

    /// The answer, if enough is covered.
    fn answer(&self) -> Option<Answer<'a>> {
        // Of a question whose words all stand everywhere nothing can be told apart.
        if self.asked.iter().sum::<f32>() <= 0.0 {
            return None;
        }
        let mut ranked: Vec<(usize, usize, f32, f32)> = (0..self.passages.len())
            .filter_map(|passage| {
                self.best(passage).map(|(at, coverage, score)| (passage, at, coverage, score))
            })
            .collect();
        ranked.sort_by(|one, other| other.3.total_cmp(&one.3).then(one.0.cmp(&other.0)));
        let best = ranked.first().filter(|(_, _, coverage, _)| *coverage >= THRESHOLD)?.3;
        let quoted = ranked
            .iter()
            .filter(|(_, _, coverage, score)| *coverage >= THRESHOLD && *score >= best * NEAR)
            .take(MOST_QUOTES)
            .map(|(passage, at, ..)| self.quote(*passage, *at));
        Some(Answer {
            quotes: quoted.collect(),
            missed: vec![],
            ranked: ranked.iter().take(MOST_QUOTES).map(|(passage, ..)| *passage).collect(),
            near: ranked.iter().take(MOST_NEAR).map(|(passage, ..)| *passage).collect(),
        })
    }

    /// The best sentence of a passage, with those that cover more of the question or, where a number is wanted, have one. Of an answer to the
    /// same question, its beginning.
    fn quote(&self, passage: usize, best: usize) -> Quote<'a> {
        let own = &self.covered[passage];
        let read = self.passages[passage];
        let sentences = &read.sentences;
        if read.asks && self.weighed(own.heading.iter().copied()) >= SAME_QUESTION {
            // Its answer was written for this question and repeats few of its words.
            let sentences = sentences.iter().take(MOST_SENTENCES).map(|sentence| read.text(sentence));
            return Quote { passage, sentences: sentences.collect() };
        }
        let mut chosen = vec![best];
        let mut covered = own.sentence(best).to_vec();
        while chosen.len() < MOST_SENTENCES {
            let with = |at: usize| own.sentence(at).iter().zip(&covered).map(|(one, other)| one.max(*other));
            let before = self.weighed(covered.iter().copied());
            let next = (0..sentences.len())
                .filter(|at| !chosen.contains(at))
                .map(|at| (at, self.weighed(with(at)) - before))
                .max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
            match next.filter(|(_, gain)| *gain >= GAIN) {
                Some((at, _)) => {
                    covered = with(at).collect();
                    chosen.push(at);
                }
                None => break,
            }
        }
        let has = |at: &usize| sentences.get(*at).is_some_and(|sentence| sentence.has_number);
        if self.part.wants.number
            && chosen.len() < MOST_SENTENCES
            && !chosen.iter().any(has)
            && has(&(best + 1))
        {
            chosen.push(best + 1);
        }
        chosen.sort_unstable();
        Quote { passage, sentences: chosen.into_iter().map(|at| read.text(&sentences[at])).collect() }
    }
}
