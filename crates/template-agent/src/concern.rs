//! What an audience cares about, and how much a fact has to do with it.
//!
//! A concern is a word of the notes, or a group of related words of which the notes have one. What is in an instruction to stress
//! something weighs more.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::FixedState;
use rust_stemmers::Stemmer;

use crate::language::Language;
use crate::tidy;
use crate::words::{Tokens, hash, is_unspaced};

/// How much of a text is looked at.
const MOST_BYTES: usize = 16 * 1024;

/// The fewest letters of a word that has a meaning of its own.
const LEAST_LETTERS: usize = 3;

/// A stem, by the hash of its letters.
pub type Stem = u64;

/// What a text speaks of.
struct TextTopics {
    /// Each stem once.
    stems: Vec<Stem>,
    /// The groups of related words, a bit each.
    groups: u64,
}

/// What an audience cares about.
pub struct Concerns {
    language: Language,
    stemmer: Option<Stemmer>,
    /// Stems of the notes.
    stems: HashSet<Stem, FixedState>,
    /// The groups of related words, a bit each.
    groups: u64,
    /// Stems of what is to be stressed.
    stressed: HashSet<Stem, FixedState>,
    /// What is not to be mentioned, each as the stems of one thing; of each whether it is a word of money.
    unwanted: Vec<Vec<(Stem, bool)>>,
    /// The stems of the words that were looked at, by the hashes of these.
    known: RefCell<HashMap<u64, Stem, FixedState>>,
    /// The texts that were looked at, by their hashes.
    texts: RefCell<HashMap<u64, Rc<TextTopics>, FixedState>>,
}

impl Concerns {
    /// No concerns yet.
    pub fn of(language: Language) -> Concerns {
        Concerns {
            language,
            stemmer: language.stemmer(),
            stems: HashSet::default(),
            groups: 0,
            stressed: HashSet::default(),
            unwanted: Vec::new(),
            known: RefCell::default(),
            texts: RefCell::default(),
        }
    }

    /// Adds what a note speaks of.
    pub fn add(&mut self, note: &str) {
        let told = self.topics(tidy::head(note, MOST_BYTES));
        self.groups |= told.groups;
        self.stems.extend(&told.stems);
    }

    /// Adds what is to be stressed.
    pub fn stress(&mut self, thing: &str) {
        self.add(thing);
        let told = self.topics(thing);
        self.stressed.extend(&told.stems);
    }

    /// Adds what is not to be mentioned: things that are in a list are refused one by one.
    pub fn refuse(&mut self, things: &str) {
        const JOINTS: [&str; 12] =
            [" or ", " and ", " oder ", " und ", " ou ", " et ", " o ", " y ", " e ", " of ", " en ", " ni "];
        let mut all = things.to_owned();
        for joint in JOINTS {
            all = all.replace(joint, ",");
        }
        for thing in all.split([',', ';', '/', '(', ')']) {
            let tokens = Tokens::of(thing);
            let stems: BTreeSet<String> =
                self.meanings(&tokens).map(|meaning| self.stemmed(&meaning)).collect();
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
        let told = self.topics(text);
        // A word such as `price` stands for its like: `costs`, `€`.
        let names_price = || told.groups & self.topics("€").groups != 0 && is_about_price(text);
        self.unwanted.iter().any(|thing| {
            thing.iter().all(|(stem, is_price)| told.stems.contains(stem) || (*is_price && names_price()))
        })
    }

    /// The stems of a thing, each with whether it is a word of money.
    fn priced(&self, stems: BTreeSet<String>) -> Vec<(Stem, bool)> {
        let lexicon = self.language.lexicon;
        let priced = |stem: String| {
            let is_price = lexicon.is_some_and(|lexicon| lexicon.numbers.price.is_in(&Tokens::of(&stem)));
            (hash(&stem), is_price)
        };
        stems.into_iter().map(priced).collect()
    }

    /// How much a text has to do with the concerns; zero if nothing.
    pub fn weight(&self, text: &str) -> usize {
        if self.is_empty() && self.stressed.is_empty() {
            return 0;
        }
        let TextTopics { stems, groups } = &*self.topics(text);
        let stressed = stems.iter().filter(|stem| self.stressed.contains(*stem)).count();
        let groups = (groups & self.groups).count_ones() as usize;
        10 * stressed + 2 * groups + stems.iter().filter(|stem| self.stems.contains(*stem)).count()
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty() && self.groups == 0
    }

    /// The stems of the words of a text that can be its subject: no numbers, and none of the signs by which Japanese inflects.
    pub fn subjects(&self, text: &str) -> Vec<Stem> {
        let tokens = Tokens::of(tidy::head(text, MOST_BYTES));
        let is_subject = |meaning: &Meaning<'_>| {
            !meaning.text.chars().any(|char| char.is_ascii_digit() || matches!(char, '\u{3040}'..='\u{309f}'))
        };
        let stems = self.meanings(&tokens).filter(is_subject).map(|meaning| hash(&self.stemmed(&meaning)));
        let mut stems: Vec<Stem> = stems.collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }

    /// What a text speaks of; sentences are asked for by several stages.
    fn topics(&self, text: &str) -> Rc<TextTopics> {
        let of_text = || {
            let tokens = Tokens::of(text);
            let groups = self.language.lexicon.map_or(0, |lexicon| lexicon.concerns.related.of(&tokens));
            Rc::new(TextTopics { stems: self.stems_of(&tokens), groups })
        };
        Rc::clone(self.texts.borrow_mut().entry(hash(text)).or_insert_with(of_text))
    }

    /// The words of a text that have a meaning of their own.
    fn meanings<'a>(&'a self, tokens: &'a Tokens) -> impl Iterator<Item = Meaning<'a>> {
        let lexicon = self.language.lexicon;
        let is_empty =
            move |hash: u64, word: &str| lexicon.is_some_and(|lexicon| lexicon.kinds.empty.knows(hash, word));
        tokens.known().flat_map(move |(hash, word)| {
            let is_unspaced = word.chars().next().is_some_and(is_unspaced);
            let is_number = word.starts_with(|char: char| char.is_ascii_digit());
            let is_word = !is_unspaced && !is_number;
            let is_told = is_number || is_word && is_long(word) && !is_empty(hash, word);
            let alone = is_told.then(|| Meaning { text: if is_word { bare(word) } else { word }, is_word });
            let signs = pairs(if is_unspaced { word } else { "" });
            alone.into_iter().chain(signs.map(|text| Meaning { text, is_word: false }))
        })
    }

    fn stemmed(&self, meaning: &Meaning<'_>) -> String {
        let stemmer = self.stemmer.as_ref().filter(|_| meaning.is_word);
        stemmer.map_or_else(|| meaning.text.to_owned(), |stemmer| stemmer.stem(meaning.text).into_owned())
    }

    /// The stems of a text, each once.
    fn stems_of(&self, tokens: &Tokens) -> Vec<Stem> {
        let mut known = self.known.borrow_mut();
        let mut stem = |meaning: Meaning<'_>| {
            let hash_of_word = hash(meaning.text);
            *known.entry(hash_of_word).or_insert_with(|| hash(&self.stemmed(&meaning)))
        };
        let mut stems: Vec<Stem> = self.meanings(tokens).map(&mut stem).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}

/// A word that has a meaning of its own, or two signs of a script that puts no spaces between words.
struct Meaning<'a> {
    text: &'a str,
    /// Whether it has a stem.
    is_word: bool,
}

/// Each two signs that stand side by side.
fn pairs(word: &str) -> impl Iterator<Item = &str> {
    let others = word.char_indices().skip(1);
    word.char_indices().zip(others).map(|((start, _), (at, other))| &word[start..at + other.len_utf8()])
}

/// Whether a word is so long that it has a meaning of its own.
fn is_long(word: &str) -> bool {
    word.chars().nth(LEAST_LETTERS - 1).is_some()
}

/// A word without what joins it: `l'audit`, `dell'assistenza`, `Anna's`.
fn bare(word: &str) -> &str {
    let bare = word.strip_suffix("'s").unwrap_or(word);
    bare.split_once('\'').map_or(bare, |(_, word)| if is_long(word) { word } else { bare })
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

    #[test]
    fn scripts_without_spaces_are_compared_two_signs_at_a_time() {
        let mut concerns = Concerns::of(Language::of_texts(&["私たちは毎朝パンを焼いています。"]));
        concerns.add("青猫が好き");
        assert_eq!(concerns.weight("青猫"), 1);
        assert_eq!(concerns.weight("青"), 0);
        assert_eq!(concerns.weight("猫青"), 0);
    }
}
