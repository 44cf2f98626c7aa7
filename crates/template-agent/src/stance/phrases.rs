//! Words and sequences of words that are looked for in texts of any language, however hasty they were typed.
//!
//! What this is not: a matcher of one language's words, which is [`words`](crate::words).

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use pagesmith_model::text;

use crate::words::is_unspaced;

/// Words and sequences of words; one that ends in `*` may end within a word.
#[derive(Default)]
pub struct Phrases {
    automaton: Option<AhoCorasick>,
    /// By the number of the phrase: whether it ends within a word.
    is_start: Vec<bool>,
}

impl Phrases {
    pub fn of(entries: impl Iterator<Item = String>, kind: Option<AhoCorasickKind>) -> Phrases {
        let mut all: Vec<String> = entries.flat_map(|entry| spellings(&entry)).collect();
        all.sort_unstable();
        all.dedup();
        let bare = all.iter().map(|phrase| phrase.trim_end_matches('*'));
        let automaton = AhoCorasick::builder().kind(kind).build(bare);
        Phrases {
            automaton: automaton.ok(),
            is_start: all.iter().map(|phrase| phrase.ends_with('*')).collect(),
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.automaton.as_ref().map_or(0, |_| self.is_start.len())
    }

    /// Whether any of them is in a folded text. If the automaton could not be built, which a test rules out, nothing is trusted.
    pub fn is_in(&self, folded: &str) -> bool {
        self.automaton.is_none() || self.found(folded).next().is_some()
    }

    /// The numbers of those that are in a folded text, as often as they occur.
    pub fn found<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.spans(folded).map(|(phrase, _)| phrase)
    }

    /// The same with where they stand.
    pub fn spans<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        let all = self.automaton.iter().flat_map(move |automaton| automaton.find_overlapping_iter(folded));
        all.filter_map(|found| {
            let (before, inside, behind) =
                (&folded[..found.start()], &folded[found.range()], &folded[found.end()..]);
            let phrase = found.pattern().as_usize();
            let ends_word =
                self.is_start[phrase] || inside.ends_with(is_joined) || !behind.starts_with(is_letter);
            let begins_word = inside.starts_with(is_joined) || !without_and(before).ends_with(is_letter);
            (begins_word && ends_word).then(|| (phrase, found.range()))
        })
    }
}

/// The ways in which people type a text: without accents, and perhaps without apostrophes.
pub fn spellings(entry: &str) -> Vec<String> {
    let folded = text::fold(entry);
    let hasty = folded.replace("n't", "nt");
    if hasty == folded { vec![folded] } else { vec![folded, hasty] }
}

/// What is before a word without the `and` that Arabic and Hebrew write together with it.
fn without_and(before: &str) -> &str {
    let bare = before.trim_end_matches(['و', 'ف', 'ו']);
    if before.len() - bare.len() == 'و'.len_utf8() { bare } else { before }
}

fn is_letter(char: char) -> bool {
    char.is_alphanumeric() || char == '-'
}

/// Whether words of a character's script are joined to others. Folding divides Korean syllables into their letters.
fn is_joined(char: char) -> bool {
    is_unspaced(char) || matches!(char, '\u{1100}'..='\u{11ff}')
}
