//! Lists of words in a text file: a name in brackets, then words between bars.

use aho_corasick::AhoCorasick;

use crate::words::{Table, hash};

/// Whole words.
#[derive(Debug)]
pub struct Set(Table<()>);

impl From<Vec<&'static str>> for Set {
    fn from(words: Vec<&'static str>) -> Set {
        let mut table = Table::default();
        words.into_iter().for_each(|word| {
            table.entry(word);
        });
        Set(table)
    }
}

impl Set {
    /// Whether the word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.0.get(hash(word), word).is_some()
    }
}

/// Beginnings of sentences, by their first byte and in their order.
#[derive(Debug)]
pub struct Beginnings(Vec<Vec<&'static str>>);

impl From<Vec<&'static str>> for Beginnings {
    fn from(words: Vec<&'static str>) -> Beginnings {
        let mut all = vec![Vec::new(); 256];
        for word in words {
            if let Some(first) = word.bytes().next() {
                all[usize::from(first)].push(word);
            }
        }
        Beginnings(all)
    }
}

impl Beginnings {
    /// What is in the text behind the first of them that it begins with.
    pub fn strip<'a>(&self, text: &'a str) -> Option<&'a str> {
        let first = text.bytes().next()?;
        self.0[usize::from(first)].iter().find_map(|begin| text.strip_prefix(begin))
    }
}

/// Parts of texts.
#[derive(Debug)]
pub struct PhraseSet(Option<AhoCorasick>);

impl From<Vec<&'static str>> for PhraseSet {
    fn from(parts: Vec<&'static str>) -> PhraseSet {
        PhraseSet(AhoCorasick::new(parts).ok())
    }
}

impl PhraseSet {
    /// Where the one ends that ends first in the text.
    pub fn end_in(&self, text: &str) -> Option<usize> {
        Some(self.0.as_ref()?.find(text)?.end())
    }
}

/// The words of the list with that name.
pub fn of(text: &'static str, name: &str) -> Vec<&'static str> {
    let mut lines = text
        .lines()
        .skip_while(|line| line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) != Some(name));
    lines.next();
    let lines = lines.take_while(|line| line.starts_with('|'));
    lines.flat_map(|line| line.trim_matches('|').split('|')).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_the_spaces_between_their_bars() {
        let text = "[a]\n|x|y z |\n|w|\n\n[b]\n|v|\n";
        assert_eq!(of(text, "a"), ["x", "y z ", "w"]);
        assert_eq!(of(text, "b"), ["v"]);
        assert!(of(text, "c").is_empty());
    }
}
