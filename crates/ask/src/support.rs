//! Whether passages say what a sentence says that somebody else has written: a model, which may err, invent, or obey a stranger.
//!
//! A sentence is supported by one passage, or not at all. Its words, numbers and names have to be in a sentence of the passage with what is
//! around it, and what turns a meaning round (`not`, `only`) has to be in both or in neither. What this is not: an understanding of either. A
//! sentence that puts words of its passage together wrongly can pass, so that whoever writes is asked for one fact a sentence. Invariants:
//! what is supported has no markup, no control characters, and no number, name or address that its passage does not have.

use std::collections::HashSet;

use pagesmith_knowledge_index::text::Language;
use pagesmith_knowledge_index::text::terms;

use crate::lexicon::{self, Lexicon};
use crate::passage::{self, Text};

mod parts;
mod stated;

pub use stated::Stated;

pub use parts::is_plain;
use parts::{addresses, name_words, numbers};

/// The longest sentence, in characters.
const LONGEST: usize = 400;
/// In a language without a list of words that carry no meaning, words of so many letters count as such.
const SHORT: usize = 3;

/// What is wrong about a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsupported {
    /// It says nothing, is too long, or has markup or characters that are not shown.
    Form,
    /// It names an address that no passage has.
    Address,
    /// It has a number that no passage has there.
    Number,
    /// It has a name that no passage has there.
    Name,
    /// It has a word that no passage has there.
    Word,
    /// It denies what the passage says, or leaves out that the passage denies or limits it.
    Turned,
}

/// What sentences are checked against.
#[derive(Debug, Clone)]
pub struct Support {
    passages: Vec<Backing>,
    names: HashSet<String>,
}

/// A passage with what it has.
#[derive(Debug, Clone)]
struct Backing {
    language: Language,
    folded: String,
    heading: Words,
    sentences: Vec<Words>,
}

/// What a part of a passage has.
#[derive(Debug, Clone, Default)]
struct Words {
    terms: HashSet<String>,
    plain: HashSet<String>,
    numbers: HashSet<String>,
    is_denied: bool,
    is_limited: bool,
    /// Whether it names something itself: then it is not about what the sentence before it names.
    has_name: bool,
}

impl Words {
    fn of(text: &str, language: Language, lexicon: Option<&Lexicon>) -> Words {
        let words = terms::words(text);
        Words {
            terms: terms::reduced_to(&words, language).into_iter().collect(),
            numbers: numbers(text).into_iter().collect(),
            is_denied: words.iter().any(|word| lexicon::denies(word)),
            is_limited: words.iter().any(|word| lexicon::limits(word)),
            has_name: name_words(text, true)
                .iter()
                .flat_map(|word| terms::words(word))
                .any(|word| !lexicon.is_some_and(|lexicon| lexicon.function.contains(&word))),
            plain: words.into_iter().collect(),
        }
    }
}

/// A sentence that is checked.
struct Claim {
    /// Its words that carry meaning, as terms of the passage's language.
    terms: Vec<String>,
    /// Those of them that are names.
    names: Vec<String>,
    /// Words that count or oblige, which have to stand as they are.
    strict: Vec<String>,
    numbers: Vec<String>,
    is_denied: bool,
    is_limited: bool,
}

impl Support {
    /// Against these passages; `names` is what the site is called, which is known of everything here. What a passage is about beside what it
    /// says counts for nothing.
    pub fn of(texts: &[Text<'_>], names: &[&str]) -> Support {
        let backing = |text: &Text<'_>| {
            let lexicon = lexicon::of_language(text.language);
            let sentences = passage::sentences(text.text).into_iter();
            Backing {
                language: text.language,
                folded: format!("{} {}", text.heading, text.text).to_lowercase(),
                heading: Words::of(text.heading, text.language, lexicon),
                sentences: sentences.map(|part| Words::of(part, text.language, lexicon)).collect(),
            }
        };
        Support {
            passages: texts.iter().map(backing).collect(),
            names: names.iter().flat_map(|name| terms::words(name)).collect(),
        }
    }

    /// The number of a passage that says what the sentence says; of those that do, the first of the `cited` ones, else the first.
    ///
    /// # Errors
    ///
    /// What is wrong about the sentence, by the passage that comes closest.
    pub fn check(&self, sentence: &str, cited: &[usize]) -> Result<usize, Unsupported> {
        if sentence.chars().count() > LONGEST || !is_plain(sentence) {
            return Err(Unsupported::Form);
        }
        let cited = cited.iter().copied().filter(|at| *at < self.passages.len());
        let others = 0..self.passages.len();
        let mut closest = Unsupported::Form;
        for at in cited.chain(others) {
            match self.passages[at].says(sentence, &self.names) {
                Ok(()) => return Ok(at),
                Err(wrong) => closest = nearer(closest, wrong),
            }
        }
        Err(closest)
    }
}

/// The one of two faults that is found later, so that more was right.
fn nearer(one: Unsupported, other: Unsupported) -> Unsupported {
    let place = |fault| match fault {
        Unsupported::Form => 0,
        Unsupported::Address => 1,
        Unsupported::Number => 2,
        Unsupported::Name => 3,
        Unsupported::Word => 4,
        Unsupported::Turned => 5,
    };
    if place(other) > place(one) { other } else { one }
}

impl Backing {
    fn says(&self, sentence: &str, names: &HashSet<String>) -> Result<(), Unsupported> {
        if addresses(sentence).iter().any(|address| !self.folded.contains(&address.to_lowercase())) {
            return Err(Unsupported::Address);
        }
        let claim = self.claim(sentence, names);
        if claim.terms.is_empty() && claim.numbers.is_empty() {
            return Err(Unsupported::Form);
        }
        let mut closest = Unsupported::Number;
        for at in 0..self.sentences.len() {
            match self.bears(&claim, at) {
                Ok(()) => return Ok(()),
                Err(wrong) => closest = nearer(closest, wrong),
            }
        }
        Err(closest)
    }

    fn claim(&self, sentence: &str, names: &HashSet<String>) -> Claim {
        let lexicon = lexicon::of_language(self.language);
        let reduced = |words: Vec<String>| terms::reduced_to(&words, self.language);
        let named = name_words(sentence, false);
        let named = named.iter().flat_map(|word| terms::words(word));
        // What an apostrophe sets off is no name.
        let named: Vec<String> = named.filter(|word| word.chars().count() > 1).collect();
        let is_empty = |word: &String| match lexicon {
            Some(lexicon) => lexicon.function.contains(word) || lexicon.connects.contains(word),
            None => word.chars().count() <= SHORT,
        };
        let all = terms::words(sentence);
        let carries = |word: &&String| {
            !names.contains(*word)
                && (named.contains(word) || !is_empty(word))
                && !lexicon::denies(word)
                && !lexicon::limits(word)
        };
        Claim {
            terms: reduced(all.iter().filter(carries).cloned().collect()),
            names: reduced(named.iter().filter(|word| !names.contains(*word)).cloned().collect()),
            strict: all.iter().filter(|word| lexicon::is_strict(word)).cloned().collect(),
            numbers: numbers(sentence),
            is_denied: all.iter().any(|word| lexicon::denies(word)),
            is_limited: all.iter().any(|word| lexicon::limits(word)),
        }
    }

    /// Whether the sentence at a place says what is claimed, with its heading and the sentences beside it.
    fn bears(&self, claim: &Claim, at: usize) -> Result<(), Unsupported> {
        let own = &self.sentences[at];
        let before = at.checked_sub(1).and_then(|at| self.sentences.get(at));
        let beside = [before, self.sentences.get(at + 1)];
        let has_number = |number: &String| own.numbers.contains(number);
        // What counts has to stand together with what is counted.
        if !claim.numbers.iter().all(has_number) {
            return Err(Unsupported::Number);
        }
        let counts = !claim.numbers.is_empty() || !claim.strict.is_empty();
        if !claim.strict.iter().all(|word| own.plain.contains(word) || self.heading.plain.contains(word)) {
            return Err(Unsupported::Number);
        }
        let near = |term: &String| own.terms.contains(term) || self.heading.terms.contains(term);
        let carried =
            |term: &String| !own.has_name && before.is_some_and(|before| before.terms.contains(term));
        let around =
            |term: &String| near(term) || beside.iter().flatten().any(|words| words.terms.contains(term));
        let is_named = |term: &String| if counts { near(term) || carried(term) } else { around(term) };
        if !claim.names.iter().all(is_named) {
            return Err(Unsupported::Name);
        }
        if !claim.terms.iter().all(around) || !claim.terms.iter().any(near) && claim.numbers.is_empty() {
            return Err(Unsupported::Word);
        }
        if claim.is_denied != own.is_denied || claim.is_limited != own.is_limited {
            return Err(Unsupported::Turned);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
