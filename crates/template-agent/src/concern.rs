//! What an audience cares about, and how much a fact has to do with it.
//!
//! A concern is a word of the notes, or a group of related words of which the notes have one. What stands in an instruction to stress
//! something weighs more.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use rust_stemmers::Stemmer;

use crate::language::Language;
use crate::tidy;
use crate::words::{Tokens, is_unspaced};

/// How much of a text is looked at.
const MOST_BYTES: usize = 16 * 1024;

/// The fewest letters of a word that has a meaning of its own.
const LEAST_LETTERS: usize = 3;

/// What an audience cares about.
pub struct Concerns {
    language: Language,
    stemmer: Option<Stemmer>,
    /// Stems of the notes.
    stems: BTreeSet<String>,
    /// The groups of related words, a bit each.
    groups: u64,
    /// Stems of what is to be stressed.
    stressed: BTreeSet<String>,
    /// What is not to be mentioned, each as the stems of one thing; of each whether it is a word of money.
    unwanted: Vec<Vec<(String, bool)>>,
    /// The stems of the words that were looked at.
    known: RefCell<HashMap<String, String>>,
}

impl Concerns {
    /// No concerns yet.
    pub fn of(language: Language) -> Concerns {
        Concerns {
            language,
            stemmer: language.stemmer(),
            stems: BTreeSet::new(),
            groups: 0,
            stressed: BTreeSet::new(),
            unwanted: Vec::new(),
            known: RefCell::default(),
        }
    }

    /// Adds what a note speaks of.
    pub fn add(&mut self, note: &str) {
        let tokens = Tokens::of(tidy::head(note, MOST_BYTES));
        self.groups |= self.groups_of(&tokens);
        let stems = self.stems_of(&tokens);
        self.stems.extend(stems);
    }

    /// Adds what is to be stressed.
    pub fn stress(&mut self, thing: &str) {
        self.add(thing);
        let stems = self.stems_of(&Tokens::of(thing));
        self.stressed.extend(stems);
    }

    /// Adds what is not to be mentioned: things that stand in a list are refused one by one.
    pub fn refuse(&mut self, things: &str) {
        const JOINTS: [&str; 12] =
            [" or ", " and ", " oder ", " und ", " ou ", " et ", " o ", " y ", " e ", " of ", " en ", " ni "];
        let mut all = things.to_owned();
        for joint in JOINTS {
            all = all.replace(joint, ",");
        }
        for thing in all.split([',', ';', '/', '(', ')']) {
            let stems = self.stems_of(&Tokens::of(thing));
            // A number is enough to know what is meant by.
            let numbers: BTreeSet<String> = stems
                .iter()
                .filter(|stem| stem.starts_with(|char: char| char.is_ascii_digit()))
                .cloned()
                .collect();
            match (stems.is_empty(), numbers.is_empty()) {
                (true, _) => {}
                (false, true) => self.unwanted.push(self.priced(stems)),
                (false, false) => self.unwanted.push(self.priced(numbers)),
            }
        }
    }

    /// Whether a text mentions what is not to be mentioned: all the words of one thing.
    pub fn refuses(&self, text: &str) -> bool {
        if self.unwanted.is_empty() {
            return false;
        }
        let tokens = Tokens::of(text);
        let stems = self.stems_of(&tokens);
        // A word such as `price` stands for its like: `costs`, `€`.
        let names_price =
            || self.groups_of(&tokens) & self.groups_of(&Tokens::of("€")) != 0 && is_about_price(text);
        self.unwanted.iter().any(|thing| {
            thing.iter().all(|(stem, is_price)| stems.contains(stem) || (*is_price && names_price()))
        })
    }

    /// The stems of a thing, each with whether it is a word of money.
    fn priced(&self, stems: BTreeSet<String>) -> Vec<(String, bool)> {
        let lexicon = self.language.lexicon;
        let priced = |stem: String| {
            let is_price = lexicon.is_some_and(|lexicon| lexicon.numbers.price.is_in(&Tokens::of(&stem)));
            (stem, is_price)
        };
        stems.into_iter().map(priced).collect()
    }

    /// How much a text has to do with the concerns; zero if nothing.
    pub fn weight(&self, text: &str) -> usize {
        let tokens = Tokens::of(text);
        let stems = self.stems_of(&tokens);
        let stressed = stems.intersection(&self.stressed).count();
        let groups = (self.groups_of(&tokens) & self.groups).count_ones() as usize;
        10 * stressed + 2 * groups + stems.intersection(&self.stems).count()
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty() && self.groups == 0
    }

    fn groups_of(&self, tokens: &Tokens) -> u64 {
        self.language.lexicon.map_or(0, |lexicon| lexicon.concerns.related.of(tokens))
    }

    fn stem(&self, word: &str) -> String {
        let Some(stemmer) = &self.stemmer else { return word.to_owned() };
        if let Some(stem) = self.known.borrow().get(word) {
            return stem.clone();
        }
        let stem = stemmer.stem(word).into_owned();
        self.known.borrow_mut().insert(word.to_owned(), stem.clone());
        stem
    }

    fn stems_of(&self, tokens: &Tokens) -> BTreeSet<String> {
        let lexicon = self.language.lexicon;
        let is_empty = |word: &str| lexicon.is_some_and(|lexicon| lexicon.kinds.empty.has(word));
        let mut stems = BTreeSet::new();
        for word in tokens.iter() {
            if word.chars().next().is_some_and(is_unspaced) {
                let signs: Vec<char> = word.chars().collect();
                stems.extend(signs.windows(2).map(|pair| pair.iter().collect::<String>()));
            } else if word.starts_with(|char: char| char.is_ascii_digit()) {
                stems.insert(word.to_owned());
            } else if tidy::length(word) >= LEAST_LETTERS && !is_empty(word) {
                let bare = word.trim_end_matches("'s");
                // `l'audit`, `dell'assistenza`
                let bare = bare
                    .split_once('\'')
                    .map_or(bare, |(_, word)| if tidy::length(word) >= LEAST_LETTERS { word } else { bare });
                stems.insert(self.stem(bare));
            }
        }
        stems
    }
}

/// Whether a text that has a word of money tells a price: it has a number, or is so short that it says nothing else.
fn is_about_price(text: &str) -> bool {
    const SHORT: usize = 8;
    text.chars().any(|char| char.is_ascii_digit() || "€$£¥".contains(char))
        || text.split_whitespace().count() <= SHORT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Concerns {
        Concerns::of(Language::of_texts(&["This is a text that anyone can tell to be English."]))
    }

    #[test]
    fn what_fits_is_found_in_other_forms_and_words() {
        let mut concerns = english();
        concerns.add("They are migrating to NetSuite and worry about downtime.");
        assert!(concerns.weight("We plan the migration to NetSuite with you") >= 2);
        assert!(concerns.weight("No standstill, not even during a changeover") >= 2);
        assert_eq!(concerns.weight("Bread and butter"), 0);
    }

    #[test]
    fn what_is_stressed_comes_before_all() {
        let mut concerns = english();
        concerns.add("downtime, budget, training, staff");
        concerns.stress("the ten-year warranty");
        assert!(
            concerns.weight("A ten-year warranty")
                > concerns.weight("Training for the staff cuts downtime and the budget")
        );
    }

    #[test]
    fn what_is_not_wanted_is_known() {
        let mut concerns = english();
        concerns.refuse("pricing or the Rivalco lawsuit");
        assert!(concerns.refuses("Our pricing is simple"));
        assert!(concerns.refuses("The lawsuit of Rivalco"));
        assert!(concerns.refuses("It is 90 € a month"));
        assert!(!concerns.refuses("Rivalco is a company"));
    }
}
