//! Passages: what answers are taken from, as sentences.
//!
//! A sentence ends where a line does; signs of lists and tables in front of it are left out. What is longer than a reader would take as one
//! sentence is cut between words. Invariant: a sentence is a part of its text, letter by letter.

use std::collections::HashMap;

use pagesmith_knowledge_index::text::Language;
use pagesmith_knowledge_index::text::terms;
use unicode_segmentation::UnicodeSegmentation;

use crate::lexicon;

/// The longest sentence, in characters.
const LONGEST: usize = 400;
/// The most sentences of a passage.
const MOST: usize = 60;
/// About what a string takes beside its letters.
const BESIDE_STRING: usize = 24;

/// A text that answers may be taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    /// What it is about beside what it says: a topic, the name of a page.
    pub context: &'a str,
    /// The heading above it.
    pub heading: &'a str,
    /// What it says.
    pub text: &'a str,
    /// Its language.
    pub language: Language,
}

/// A sentence with its terms, which are places among those of its passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Where it begins and ends in the text.
    place: (u32, u32),
    pub terms: Box<[u32]>,
    pub has_number: bool,
    pub has_price: bool,
}

/// A passage that was read: its text as sentences, and the terms of each. It holds what it was read from, so that it can be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    from: [Box<str>; 3],
    language: Language,
    /// All terms, each once.
    pub(crate) terms: Box<[Box<str>]>,
    pub(crate) context: Box<[u32]>,
    pub(crate) heading: Box<[u32]>,
    /// Whether the heading asks something, so that what is below it is the answer.
    pub(crate) asks: bool,
    pub(crate) sentences: Box<[Sentence]>,
}

impl Passage {
    /// Reads a text.
    pub fn read(text: &Text<'_>) -> Passage {
        let mut terms = Terms { language: text.language, places: HashMap::new(), all: vec![] };
        let sentences = sentences(text.text).into_iter().map(|sentence| {
            let begin = sentence.as_ptr().addr() - text.text.as_ptr().addr();
            Sentence {
                place: (place(begin), place(begin + sentence.len())),
                terms: terms.of(sentence),
                has_number: sentence.bytes().any(|byte| byte.is_ascii_digit()),
                has_price: has_price(sentence),
            }
        });
        let sentences = sentences.collect();
        Passage {
            from: [text.context, text.heading, text.text].map(Box::from),
            language: text.language,
            context: terms.of(text.context),
            heading: terms.of(text.heading),
            asks: text.heading.trim_end().ends_with(['?', '？', '؟']),
            sentences,
            terms: terms.all.into(),
        }
    }

    /// What a sentence says.
    pub(crate) fn text(&self, sentence: &Sentence) -> &str {
        let (begin, end) = sentence.place;
        &self.from[2][begin as usize..end as usize]
    }

    /// Whether it was read from this text.
    pub(crate) fn is_of(&self, text: &Text<'_>) -> bool {
        self.language == text.language
            && [text.context, text.heading, text.text]
                .iter()
                .zip(&self.from)
                .all(|(text, from)| **text == **from)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let strings = self.from.iter().chain(&self.terms).map(|text| text.len() + BESIDE_STRING);
        let sentences =
            self.sentences.iter().map(|sentence| size_of::<Sentence>() + sentence.terms.len() * 4);
        size_of::<Passage>() + strings.sum::<usize>() + sentences.sum::<usize>()
    }
}

/// Places in a text; no text that is read is longer.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The terms of a passage while it is read.
struct Terms {
    language: Language,
    places: HashMap<String, u32>,
    all: Vec<Box<str>>,
}

impl Terms {
    fn of(&mut self, text: &str) -> Box<[u32]> {
        let mut words = terms::words(text);
        if let Some(lexicon) = lexicon::of_language(self.language) {
            let joined = (0..words.len())
                .filter_map(|at| Some(words[at..at + lexicon.joined(&words[at..])?].concat()));
            words.extend(joined.collect::<Vec<String>>());
        }
        let terms = terms::reduced_to(&words, self.language);
        let place = |term: String| {
            *self.places.entry(term).or_insert_with_key(|term| {
                self.all.push(term.as_str().into());
                place(self.all.len() - 1)
            })
        };
        terms.into_iter().map(place).collect()
    }
}

/// The sentences of a text.
pub fn sentences(text: &str) -> Vec<&str> {
    parts(text).into_iter().map(|(part, _)| part).collect()
}

/// The sentences of a text; of one that was too long its parts, which are told from whole ones.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line
            .trim_start_matches(|char: char| {
                char.is_whitespace() || matches!(char, '-' | '*' | '•' | '|' | '>' | '#')
            })
            .trim_end();
        for sentence in line.split_sentence_bounds() {
            let (mut rest, mut is_part) = (sentence.trim(), false);
            while rest.chars().count() > LONGEST {
                let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(end, _)| end);
                let cut = rest[..end].rfind(char::is_whitespace).filter(|cut| *cut > 0).unwrap_or(end);
                is_part = true;
                found.push((rest[..cut].trim_end(), is_part));
                rest = rest[cut..].trim_start();
            }
            if rest.chars().any(char::is_alphanumeric) {
                found.push((rest, is_part));
            }
            if found.len() >= MOST {
                found.truncate(MOST);
                return found;
            }
        }
    }
    found
}

/// The first sentences of what a model has written that are allowed, without its marks of emphasis; at most so many, with fewer characters than
/// `most_characters`. A part of a sentence that is too long ends them.
pub fn beginning(
    written: &str,
    is_allowed: impl Fn(&str) -> bool,
    most_sentences: usize,
    most_characters: usize,
) -> Option<String> {
    let plain = written.replace("**", "");
    let allowed = parts(&plain).into_iter().filter(|(sentence, _)| is_allowed(sentence));
    let whole = allowed.take_while(|(_, is_part)| !is_part);
    let mut kept = String::new();
    for (sentence, _) in whole.take(most_sentences) {
        if kept.chars().count() + sentence.chars().count() >= most_characters {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(sentence);
    }
    (!kept.is_empty()).then_some(kept)
}

/// Whether a text names an amount of money.
fn has_price(text: &str) -> bool {
    const SIGNS: [char; 4] = ['€', '$', '£', '¥'];
    const WORDS: [&str; 14] = [
        "euro", "euros", "eur", "dollar", "dollars", "usd", "pound", "pounds", "gbp", "franken", "chf",
        "francs", "libras", "cent",
    ];
    text.contains(SIGNS) && text.bytes().any(|byte| byte.is_ascii_digit())
        || text
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sentences_are_those_of_lines_without_the_signs_of_lists() {
        let text = "- Free in Leeds. It costs 25 pounds in York.\n| Hauler | £89 |\n\n***\nWhy?";
        assert_eq!(
            sentences(text),
            ["Free in Leeds.", "It costs 25 pounds in York.", "Hauler | £89 |", "Why?"]
        );
        assert!(has_price("£89") && has_price("8 Euro") && !has_price("89 times") && !has_price("£"));
    }

    proptest! {
        #[test]
        fn every_sentence_stands_in_the_text(text in "\\PC{0,900}") {
            for sentence in sentences(&text) {
                prop_assert!(text.contains(sentence) && !sentence.is_empty());
                prop_assert!(sentence.chars().count() <= LONGEST);
            }
        }

        #[test]
        fn long_sentences_are_cut_and_lose_nothing(words in prop::collection::vec("[a-z]{1,12}", 1..300)) {
            let text = words.join(" ");
            let kept: Vec<&str> = sentences(&text).iter().flat_map(|sentence| sentence.split(' ')).collect();
            prop_assert_eq!(kept, words);
        }
    }
}
