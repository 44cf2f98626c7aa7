//! Words of a text, and lists of words to look for in it.
//!
//! A text is read into [`Tokens`] once; looking for a list in it costs about as much as the text is long, however long the list is.

use std::ops::Range;

use serde::{Deserialize, Deserializer};

use crate::tidy;

mod groups;
mod table;

pub use groups::Groups;
use table::Starts;
pub use table::{Table, hash};

/// The words of a text, in small letters, with their places in the text.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// The folded text.
    pub folded: String,
    words: Vec<Word>,
    /// How long the text is, in bytes.
    length: usize,
    /// Whether it has characters of a script without spaces between words.
    is_unspaced: bool,
}

/// Where a word stands, in bytes: in the folded text and in the text itself, which may be longer or shorter.
#[derive(Debug, Clone)]
struct Word {
    folded: Range<usize>,
    original: Range<usize>,
    /// By which the lists know it.
    hash: u64,
    /// By which they know its beginning.
    head: u32,
}

/// The ASCII characters that words consist of.
const IN_WORD: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        all[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'\'' || byte == b'-';
        byte += 1;
    }
    all
};

impl Tokens {
    /// The words of a text.
    pub fn of(text: &str) -> Tokens {
        let mut tokens = Tokens {
            folded: String::with_capacity(text.len() + 8),
            words: Vec::with_capacity(text.len() / 4 + 1),
            length: text.len(),
            is_unspaced: false,
        };
        let mut start = None;
        // What was copied, of the text; ASCII is copied in runs and made small at the end.
        let mut copied = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let place = (tokens.folded.len() + at - copied, at);
            if IN_WORD[usize::from(byte)] {
                start.get_or_insert(place);
                at += bytes[at..].iter().take_while(|byte| IN_WORD[usize::from(**byte)]).count();
                continue;
            }
            if byte.is_ascii() {
                at += 1;
                if let Some(start) = start.take() {
                    tokens.add(start, place);
                }
                if matches!(byte, b'$' | b'%') {
                    tokens.add(place, (place.0 + 1, at));
                }
                continue;
            }
            let Some(char) = text[at..].chars().next() else { break };
            tokens.folded.push_str(&text[copied..at]);
            tidy::fold(char, &mut tokens.folded);
            at += char.len_utf8();
            copied = at;
            tokens.is_unspaced = tokens.is_unspaced || is_unspaced(char);
            // Hyphens and apostrophes belong to a word, signs such as `€` are words of their own.
            if char.is_alphanumeric() || tokens.folded[place.0..].starts_with(['\'', '-']) {
                start.get_or_insert(place);
                continue;
            }
            if let Some(start) = start.take() {
                tokens.add(start, place);
            }
            if matches!(char, '€' | '£') {
                tokens.add(place, (tokens.folded.len(), at));
            }
        }
        tokens.folded.push_str(&text[copied..]);
        if let Some(start) = start {
            tokens.add(start, (tokens.folded.len(), text.len()));
        }
        tokens.folded.make_ascii_lowercase();
        for word in &mut tokens.words {
            let text = &tokens.folded[word.folded.clone()];
            (word.hash, word.head) = (hash(text), table::head(text));
        }
        tokens
    }

    fn add(&mut self, (folded, original): (usize, usize), (folded_end, end): (usize, usize)) {
        self.words.push(Word { folded: folded..folded_end, original: original..end, hash: 0, head: 0 });
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.word(at))
    }

    /// The words with that by which the lists know them.
    pub fn known(&self) -> impl Iterator<Item = (u64, &str)> {
        self.words.iter().map(|word| (word.hash, &self.folded[word.folded.clone()]))
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
pub struct Words(Table<()>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        let mut words = Words::default();
        Vec::<String>::deserialize(deserializer)?.iter().for_each(|word| {
            words.0.entry(word);
        });
        Ok(words)
    }
}

impl Words {
    /// The words.
    fn entries(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(word, ())| word)
    }

    /// Whether the word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.knows(hash(word), word)
    }

    /// Whether the word with that hash is one of them.
    pub fn knows(&self, hash: u64, word: &str) -> bool {
        self.0.get(hash, word).is_some()
    }

    /// Whether the text has any of them.
    pub fn in_text(&self, tokens: &Tokens) -> bool {
        tokens.known().any(|(hash, word)| self.knows(hash, word))
    }

    /// How many words of the text are of them.
    pub fn count(&self, tokens: &Tokens) -> usize {
        if self.0.is_empty() {
            return 0;
        }
        tokens.known().filter(|(hash, word)| self.knows(*hash, word)).count()
    }
}

/// A list of words and sequences of words; one that ends in `*` stands for every word that begins so.
#[derive(Debug, Default)]
pub struct Matcher {
    /// Words and sequences of words by their first word.
    whole: Table<Sequences>,
    /// Beginnings of words.
    starts: Starts,
    /// Words of scripts that put no spaces between words: found anywhere.
    anywhere: Vec<String>,
}

/// Whether the words from that number on are these, the last of which may be the beginning of one.
fn stands(tokens: &Tokens, from: usize, wanted: &[String], is_start: bool) -> bool {
    wanted.iter().enumerate().all(|(offset, wanted_word)| {
        let word = tokens.word(from + offset);
        if is_start && offset + 1 == wanted.len() {
            word.starts_with(wanted_word.as_str())
        } else {
            word == wanted_word
        }
    })
}

/// What a list has that begins with a word.
#[derive(Debug, Default)]
struct Sequences {
    /// The word alone.
    is_alone: bool,
    /// What follows the word, the longest first; the last may be the beginning of a word.
    longer: Vec<(Vec<String>, bool)>,
}

impl<'de> Deserialize<'de> for Matcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Matcher, D::Error> {
        let mut matcher = Matcher::default();
        for entry in Vec::<String>::deserialize(deserializer)? {
            matcher.add(&entry);
            // Who types in a hurry leaves the apostrophe out: `dont put it in`.
            if entry.contains("n't") {
                matcher.add(&entry.replace("n't", "nt"));
            }
        }
        Ok(matcher)
    }
}

impl FromIterator<&'static str> for Matcher {
    fn from_iter<T: IntoIterator<Item = &'static str>>(entries: T) -> Matcher {
        let mut matcher = Matcher::default();
        entries.into_iter().for_each(|entry| matcher.add(entry));
        matcher
    }
}

/// One of the texts of a list.
enum Entry {
    /// Of a script that puts no spaces between words.
    Anywhere(String),
    /// A word or a sequence of words; whether the last is the beginning of a word.
    Words(Vec<String>, bool),
}

impl Entry {
    fn of(entry: &str) -> Entry {
        let folded = tidy::folded(entry.trim());
        if folded.chars().any(is_unspaced) {
            return Entry::Anywhere(folded);
        }
        let (entry, is_start) =
            folded.strip_suffix('*').map_or((folded.as_str(), false), |entry| (entry, true));
        Entry::Words(Tokens::of(entry).iter().map(str::to_owned).collect(), is_start)
    }
}

/// Where something was found: the number of the first word, and of the one behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordRange {
    /// The first word.
    pub start: usize,
    /// The word behind the last.
    pub end: usize,
}

impl Matcher {
    fn add(&mut self, entry: &str) {
        match Entry::of(entry) {
            Entry::Anywhere(text) => self.anywhere.push(text),
            Entry::Words(words, is_start) => match words.as_slice() {
                [] => {}
                [only] if is_start => self.starts.add(only),
                [only] => self.whole.entry(only).is_alone = true,
                [first, rest @ ..] => {
                    let sequences = self.whole.entry(first);
                    sequences.longer.push((rest.to_vec(), is_start));
                    sequences.longer.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
                }
            },
        }
    }

    /// Its entries as they are written in a list.
    fn entries(&self) -> impl Iterator<Item = String> {
        let starts = self.starts.iter().map(|start| format!("{start}*"));
        let alone =
            self.whole.iter().filter(|(_, sequences)| sequences.is_alone).map(|(word, _)| word.to_owned());
        let sequences = self.whole.iter().flat_map(|(first, sequences)| {
            sequences.longer.iter().map(move |(rest, is_start)| {
                format!("{first} {}{}", rest.join(" "), if *is_start { "*" } else { "" })
            })
        });
        starts.chain(alone).chain(sequences).chain(self.anywhere.iter().cloned())
    }

    /// The longest entry that begins at that word.
    pub fn at(&self, tokens: &Tokens, start: usize) -> Option<WordRange> {
        let Word { folded, hash, head, .. } = tokens.words.get(start)?;
        let word = &tokens.folded[folded.clone()];
        let whole = self.whole.get(*hash, word).and_then(|sequences| sequences.length(tokens, start));
        let length = whole.or_else(|| self.starts.has_of_headed(*head, word).then_some(1))?;
        Some(WordRange { start, end: start + length })
    }

    /// The first entry that is found.
    pub fn find(&self, tokens: &Tokens) -> Option<WordRange> {
        (0..tokens.len()).find_map(|start| self.at(tokens, start))
    }

    /// Whether any entry is found.
    pub fn is_in(&self, tokens: &Tokens) -> bool {
        self.find(tokens).is_some()
            || tokens.is_unspaced && self.anywhere.iter().any(|entry| tokens.folded.contains(entry.as_str()))
    }

    /// Whether the text begins with an entry; how many words it has.
    pub fn begins(&self, tokens: &Tokens) -> Option<usize> {
        self.at(tokens, 0).map(|found| found.end)
    }
}

impl Sequences {
    /// How many words the longest sequence has that begins at that word.
    fn length(&self, tokens: &Tokens, start: usize) -> Option<usize> {
        let fits = |(rest, is_start): &&(Vec<String>, bool)| stands(tokens, start + 1, rest, *is_start);
        let longest = self.longer.iter().find(fits).map(|(rest, _)| rest.len() + 1);
        longest.or_else(|| self.is_alone.then_some(1))
    }
}

/// Whether a character is of a script without spaces between words.
pub fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}' | '가'..='힣')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(entries: &[&'static str]) -> Matcher {
        entries.iter().copied().collect()
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
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["i", "b-c's", "d"]);
        assert_eq!(&text[tokens.start(1)..tokens.end(1)], "b-c’s");
        assert_eq!(&text[tokens.start(2)..tokens.end(2)], "D");
        assert_eq!((tokens.start(3), tokens.end(3)), (text.len(), text.len()));
    }
}
