//! Words of a text, and lists of words to look for in it.
//!
//! A text is read into [`Tokens`] once; looking for a list in it costs about as much as the text is long, however long the list is.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Deserializer};

use crate::tidy;

/// The words of a text, in small letters, with their places in the text.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// The folded text.
    pub folded: String,
    words: Vec<Word>,
    /// How long the text is, in bytes.
    length: usize,
}

/// Where a word stands, in bytes: in the folded text and in the text itself, which may be longer or shorter.
#[derive(Debug, Clone)]
struct Word {
    folded: Range<usize>,
    original: Range<usize>,
}

impl Tokens {
    /// The words of a text.
    pub fn of(text: &str) -> Tokens {
        let mut tokens =
            Tokens { folded: String::with_capacity(text.len()), words: Vec::new(), length: text.len() };
        let mut start = None;
        for (at, char) in text.char_indices() {
            let place = (tokens.folded.len(), at);
            tidy::fold(char, &mut tokens.folded);
            let end = (tokens.folded.len(), at + char.len_utf8());
            // Hyphens and apostrophes belong to a word, signs such as `€` are words of their own.
            if char.is_alphanumeric() || tokens.folded[place.0..].starts_with(['\'', '-']) {
                start.get_or_insert(place);
                continue;
            }
            if let Some(start) = start.take() {
                tokens.add(start, place);
            }
            if matches!(char, '€' | '$' | '£' | '%') {
                tokens.add(place, end);
            }
        }
        if let Some(start) = start {
            tokens.add(start, (tokens.folded.len(), text.len()));
        }
        tokens
    }

    fn add(&mut self, (folded, original): (usize, usize), (folded_end, end): (usize, usize)) {
        self.words.push(Word { folded: folded..folded_end, original: original..end });
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.word(at))
    }

    /// The word with that number, or an empty one.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &self.folded[word.folded.clone()])
    }

    /// Where in the text itself the word begins, in bytes; the text's end for a word behind the last.
    pub fn start(&self, at: usize) -> usize {
        self.words.get(at).map_or(self.length, |word| word.original.start)
    }

    /// Where in the text itself the word ends.
    pub fn end(&self, at: usize) -> usize {
        self.words.get(at).map_or(self.length, |word| word.original.end)
    }
}

/// A set of single words.
#[derive(Debug, Default)]
pub struct Words(HashSet<String>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        Ok(Words(Vec::<String>::deserialize(deserializer)?.into_iter().collect()))
    }
}

impl Words {
    /// Whether the word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// Whether the text has any of them.
    pub fn in_text(&self, tokens: &Tokens) -> bool {
        tokens.iter().any(|word| self.has(word))
    }
}

/// A list of words and sequences of words; one that ends in `*` stands for every word that begins so.
#[derive(Debug, Default)]
pub struct Matcher {
    /// Sequences of words by their first word; the last may be the beginning of a word.
    whole: HashMap<String, Vec<(Vec<String>, bool)>>,
    /// Beginnings of words.
    starts: Vec<String>,
    /// Words of scripts that put no spaces between words: found anywhere.
    anywhere: Vec<String>,
}

impl<'de> Deserialize<'de> for Matcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Matcher, D::Error> {
        let mut matcher = Matcher::default();
        Vec::<String>::deserialize(deserializer)?.iter().for_each(|entry| matcher.add(entry));
        Ok(matcher)
    }
}

/// Where something was found: the number of the first word, and of the one behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The first word.
    pub start: usize,
    /// The word behind the last.
    pub end: usize,
}

impl Matcher {
    fn add(&mut self, entry: &str) {
        let folded = tidy::folded(entry.trim());
        if folded.chars().any(is_unspaced) {
            self.anywhere.push(folded);
            return;
        }
        let (entry, is_start) =
            folded.strip_suffix('*').map_or((folded.as_str(), false), |entry| (entry, true));
        let words: Vec<String> = Tokens::of(entry).iter().map(str::to_owned).collect();
        match words.as_slice() {
            [] => {}
            [only] if is_start => self.starts.push(only.clone()),
            [first, ..] => self.whole.entry(first.clone()).or_default().push((words.clone(), is_start)),
        }
    }

    /// The longest entry that begins at that word.
    pub fn at(&self, tokens: &Tokens, start: usize) -> Option<Found> {
        let word = tokens.word(start);
        let fits = |(entry, is_start): &&(Vec<String>, bool)| {
            entry.iter().enumerate().all(|(offset, wanted)| {
                let word = tokens.word(start + offset);
                if *is_start && offset + 1 == entry.len() {
                    word.starts_with(wanted.as_str())
                } else {
                    word == wanted
                }
            })
        };
        let whole =
            self.whole.get(word).into_iter().flatten().filter(fits).map(|(entry, _)| entry.len()).max();
        let is_start =
            || !word.is_empty() && self.starts.iter().any(|begin| word.starts_with(begin.as_str()));
        let length = whole.or_else(|| is_start().then_some(1))?;
        Some(Found { start, end: start + length })
    }

    /// The first entry that is found.
    pub fn find(&self, tokens: &Tokens) -> Option<Found> {
        (0..tokens.len()).find_map(|start| self.at(tokens, start))
    }

    /// Whether any entry is found.
    pub fn is_in(&self, tokens: &Tokens) -> bool {
        self.find(tokens).is_some()
            || self.anywhere.iter().any(|entry| tokens.folded.contains(entry.as_str()))
    }

    /// Whether the text begins with an entry; how many words it has.
    pub fn begins(&self, tokens: &Tokens) -> Option<usize> {
        self.at(tokens, 0).map(|found| found.end)
    }
}

/// Whether a character is of a script without spaces between words.
pub fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}' | '가'..='힣')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(entries: &[&str]) -> Matcher {
        let mut matcher = Matcher::default();
        entries.iter().for_each(|entry| matcher.add(entry));
        matcher
    }

    #[test]
    fn words_sequences_and_beginnings_are_found() {
        let list = matcher(&["instead of", "warrant*", "€", "than", "data centre*", "保証"]);
        let at = |text: &str| list.find(&Tokens::of(text)).map(|found| (found.start, found.end));
        assert_eq!(at("3 minutes instead of 40"), Some((2, 4)));
        assert_eq!(at("Ten years’ warranty"), Some((2, 3)));
        assert_eq!(at("from 90€"), Some((2, 3)));
        assert_eq!(at("our data centres"), Some((1, 3)));
        assert_eq!(at("thank you, instead"), None);
        assert!(list.is_in(&Tokens::of("十年保証です")));
    }

    #[test]
    fn the_place_of_a_word_is_known_however_its_small_letters_are_written() {
        let text = "İ b-c’s D";
        let tokens = Tokens::of(text);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["i\u{307}", "b-c's", "d"]);
        assert_eq!(&text[tokens.start(1)..tokens.end(1)], "b-c’s");
        assert_eq!(&text[tokens.start(2)..tokens.end(2)], "D");
        assert_eq!((tokens.start(3), tokens.end(3)), (text.len(), text.len()));
    }
}
