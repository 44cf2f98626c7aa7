//! What a page is about, by the words of its name and its facts, and whether something else is about the same.
//!
//! What this is not: an understanding of texts. Two texts are about the same if they share words that few texts have; in doubt they are
//! not. The company's own name says nothing, for all that a company knows has it.

use std::collections::{HashMap, HashSet};

use pagesmith_model::brief::Brief;

use crate::concern::{Concerns, Stem};
use crate::language::Language;
use crate::material::Material;

/// What a word counts that is in the page's name or in several of its sentences, and one that is in two.
const CORE: usize = 3;
const REPEATED: usize = 2;
/// So many sentences are several.
const SEVERAL: usize = 3;
/// The least that the words count together that a chunk shares with a page, and that a sentence does.
const LEAST_CHUNK: usize = 8;
const LEAST_SENTENCE: usize = 3;
/// The least where something else speaks for a sentence as well.
const LEAST_LIKELY: usize = 2;
/// One of so many words is shared at least, of the chunk or of the page, whichever has fewer.
const ONE_IN: usize = 5;
/// A chunk of fewer words may be one sentence.
const SHORT: usize = 14;

/// The words that a page is about.
#[derive(Debug, Default)]
pub struct Subject {
    /// Their stems, with what each counts.
    weights: HashMap<Stem, usize>,
}

impl Subject {
    /// What the page of a brief is about, whose context says `own`.
    pub fn of(brief: &Brief, own: &Material, concerns: &Concerns, language: Language) -> Subject {
        let mut counts: HashMap<Stem, usize> = HashMap::new();
        for text in own.sentences() {
            concerns.subjects(&text).into_iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
        }
        let core: HashSet<Stem> = concerns.subjects(&brief.page_name).into_iter().collect();
        let named =
            own.company.iter().chain(brief.account.iter().filter_map(|account| account.name.as_ref()));
        let mut nobody: HashSet<Stem> = named.flat_map(|name| concerns.subjects(name)).collect();
        if let Some(lexicon) = language.lexicon {
            nobody.extend(concerns.subjects(&lexicon.kinds.general));
        }
        let stems: HashSet<Stem> =
            counts.keys().chain(&core).copied().filter(|stem| !nobody.contains(stem)).collect();
        let weight = |stem: Stem| {
            let weight = match counts.get(&stem).copied().unwrap_or_default() {
                count if count >= SEVERAL || core.contains(&stem) => CORE,
                2 => REPEATED,
                _ => 1,
            };
            (stem, weight)
        };
        Subject { weights: stems.into_iter().map(weight).collect() }
    }

    /// How much a text has to do with the page.
    pub fn weight(&self, concerns: &Concerns, text: &str) -> usize {
        concerns.subjects(text).iter().filter_map(|stem| self.weights.get(stem)).sum()
    }

    /// Whether a text has a word that the page is about above all.
    pub fn is_named_in(&self, concerns: &Concerns, text: &str) -> bool {
        concerns.subjects(text).iter().any(|stem| self.weights.get(stem) == Some(&CORE))
    }

    /// The words of a text but those that the page is about above all; these tell its sentences apart.
    pub fn apart(&self, concerns: &Concerns, text: &str) -> HashSet<Stem> {
        let (core, others): (HashSet<Stem>, HashSet<Stem>) =
            concerns.subjects(text).into_iter().partition(|stem| self.weights.get(stem) == Some(&CORE));
        if others.is_empty() { core } else { others }
    }

    /// Whether a text of several sentences is about the page's subject.
    pub fn has_chunk(&self, concerns: &Concerns, text: &str) -> bool {
        let stems = concerns.subjects(text);
        let shared: Vec<usize> = stems.iter().filter_map(|stem| self.weights.get(stem)).copied().collect();
        let weight = shared.iter().sum::<usize>();
        if !shared.contains(&CORE) || stems.len() < SHORT {
            return shared.contains(&CORE) && weight >= LEAST_SENTENCE;
        }
        weight >= LEAST_CHUNK && shared.len() * ONE_IN >= stems.len().min(self.weights.len())
    }

    /// Whether a sentence of such a text is. `is_likely` says that its heading is, or that it answers a concern.
    pub fn has_sentence(&self, concerns: &Concerns, text: &str, is_likely: bool) -> bool {
        self.weight(concerns, text) >= if is_likely { LEAST_LIKELY } else { LEAST_SENTENCE }
    }
}
