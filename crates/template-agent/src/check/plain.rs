//! The words of a text in a form in which texts are compared, whatever their script and their signs.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::tidy;
use crate::words::{Tokens, hash, is_unspaced};

/// Numbers of words or of runs of words.
pub type Hashes = HashSet<u64, FixedState>;

/// So many words in a row are a run; scripts without spaces count two characters as one word.
const RUN: usize = 5;

/// The words of a text in small letters, each character of a script without spaces as one of its own.
#[derive(Debug, Default)]
pub struct Plain {
    /// The words, with a space before and behind each.
    text: String,
    places: Vec<WordSpan>,
}

/// Where a word begins and ends, in bytes.
#[derive(Debug)]
struct WordSpan {
    start: usize,
    end: usize,
    hash: u64,
    weight: usize,
}

/// A word.
pub struct Word<'a> {
    /// The word itself.
    pub text: &'a str,
    /// By which it is looked up.
    pub hash: u64,
    /// In half words: characters of scripts without spaces are half a word each.
    pub weight: usize,
}

/// Whether a character's script puts no spaces between words; Korean does.
pub fn is_without_spaces(char: char) -> bool {
    is_unspaced(char) && !matches!(char, '가'..='힣')
}

impl Plain {
    /// The words of a text.
    pub fn of(text: &str) -> Plain {
        Plain::of_tokens(&Tokens::of(text))
    }

    /// The words of a text that was read before.
    pub fn of_tokens(tokens: &Tokens) -> Plain {
        let text = String::with_capacity(tokens.folded.len() + 2);
        let mut plain = Plain { text, places: Vec::with_capacity(tokens.len()) };
        plain.text.push(' ');
        for (hash, token) in tokens.known() {
            if token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                plain.add(token, hash, 2);
            } else {
                token.split('-').for_each(|part| plain.add_part(part));
            }
        }
        plain
    }

    fn add_part(&mut self, part: &str) {
        let mut rest = part;
        while let Some((at, char)) = rest.char_indices().find(|(_, char)| is_without_spaces(*char)) {
            let end = at + char.len_utf8();
            self.add_word(&rest[..at], 2);
            self.add_word(&rest[at..end], 1);
            rest = &rest[end..];
        }
        self.add_word(rest, 2);
    }

    fn add_word(&mut self, word: &str, weight: usize) {
        let word = word.trim_matches('\'');
        if tidy::says_something(word) {
            self.add(word, hash(word), weight);
        }
    }

    fn add(&mut self, word: &str, hash: u64, weight: usize) {
        let start = self.text.len();
        self.text.push_str(word);
        self.places.push(WordSpan { start, end: self.text.len(), hash, weight });
        self.text.push(' ');
    }

    /// The words, with a space before and behind each.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The words.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        self.places.iter().map(|place| Word {
            text: &self.text[place.start..place.end],
            hash: place.hash,
            weight: place.weight,
        })
    }

    /// How many words these are.
    pub fn count(&self) -> usize {
        self.places.iter().map(|word| word.weight).sum::<usize>().div_ceil(2)
    }

    /// The runs of words with what they are looked up by.
    pub fn runs(&self) -> impl Iterator<Item = (&str, u64)> {
        (0..self.places.len()).map_while(|first| {
            let mut sum = 0;
            let mut hasher = FixedState::default().build_hasher();
            let last = self.places[first..].iter().find(|word| {
                hasher.write_u64(word.hash);
                sum += word.weight;
                sum >= 2 * RUN
            })?;
            Some((&self.text[self.places[first].start..last.end], hasher.finish()))
        })
    }
}
