//! Groups of words of the same concern, all looked for at once.

use serde::{Deserialize, Deserializer, de};

use super::table::{Starts, Table};
use super::{Entry, Matcher, Tokens, Word, Words, stands};

/// Lists of words as [`super::Matcher`] knows them, of which those are asked for that a text has a word of.
#[derive(Debug, Default)]
pub struct Groups {
    /// Words and sequences of words by their first word.
    whole: Table<Beginning>,
    /// Beginnings of words, of whatever group.
    any_start: Starts,
    /// The same by their first byte, each with the group that it belongs to.
    starts: Vec<Vec<(String, u64)>>,
    /// Words of scripts that put no spaces between words.
    anywhere: Vec<(String, u64)>,
}

/// What begins with a word.
#[derive(Debug, Default)]
struct Beginning {
    /// The groups that have the word alone.
    alone: u64,
    /// What follows it in a sequence, whether the last is the beginning of a word, and the group.
    longer: Vec<(Vec<String>, bool, u64)>,
}

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Groups, D::Error> {
        let lists = Vec::<Vec<String>>::deserialize(deserializer)?;
        if lists.len() > u64::BITS as usize {
            return Err(de::Error::custom("more groups than a number has bits"));
        }
        let mut groups = Groups::empty();
        for (at, list) in lists.iter().enumerate() {
            list.iter().for_each(|entry| groups.add(entry, 1 << at));
        }
        Ok(groups)
    }
}

impl Groups {
    fn empty() -> Groups {
        Groups { starts: vec![Vec::new(); 256], ..Groups::default() }
    }

    /// These lists of single words and then these of words and sequences, a group each; at most 64 together.
    pub fn of_lists(words: &[&Words], lists: &[&Matcher]) -> Groups {
        let mut groups = Groups::empty();
        for (at, list) in words.iter().enumerate() {
            list.entries().for_each(|word| groups.whole.entry(word).alone |= 1 << at);
        }
        for (at, list) in lists.iter().enumerate() {
            list.entries().for_each(|entry| groups.add(&entry, 1 << (words.len() + at)));
        }
        groups
    }

    fn add(&mut self, entry: &str, group: u64) {
        match Entry::of(entry) {
            Entry::Anywhere(text) => self.anywhere.push((text, group)),
            Entry::Words(words, is_start) => match words.as_slice() {
                [] => {}
                [only] if is_start => {
                    self.any_start.add(only);
                    self.starts[usize::from(only.as_bytes()[0])].push((only.clone(), group));
                }
                [only] => self.whole.entry(only).alone |= group,
                [first, rest @ ..] => {
                    self.whole.entry(first).longer.push((rest.to_vec(), is_start, group));
                }
            },
        }
    }

    /// The groups that the text has a word of, a bit each.
    pub fn of(&self, tokens: &Tokens) -> u64 {
        let mut found = (0..tokens.len()).fold(0, |found, at| found | self.at(tokens, at));
        if tokens.is_unspaced {
            let has = |(text, _): &&(String, u64)| tokens.folded.contains(text.as_str());
            found |= self.anywhere.iter().filter(has).fold(0, |all, (_, group)| all | group);
        }
        found
    }

    /// The groups of which an entry begins at that word, a bit each.
    pub fn at(&self, tokens: &Tokens, at: usize) -> u64 {
        let Some(Word { folded, hash, head, .. }) = tokens.words.get(at) else { return 0 };
        let word = &tokens.folded[folded.clone()];
        let mut found = 0;
        if let Some(beginning) = self.whole.get(*hash, word) {
            let longer = beginning.longer.iter();
            let standing = longer.filter(|(rest, is_start, _)| stands(tokens, at + 1, rest, *is_start));
            found = standing.fold(beginning.alone, |found, (.., group)| found | group);
        }
        if self.any_start.has_of_headed(*head, word) {
            let starts = word.bytes().next().and_then(|first| self.starts.get(usize::from(first)));
            let begun = starts.into_iter().flatten().filter(|(start, _)| word.starts_with(start.as_str()));
            found = begun.fold(found, |found, (_, group)| found | group);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Deserialize)]
    struct File {
        groups: Groups,
    }

    proptest! {
        #[test]
        fn lists_find_the_same_together_as_each_by_itself(
            lists in prop::collection::vec(prop::collection::vec("[ab]{1,3}( [ab]{1,2}){0,2}[*]?", 0..6), 1..5),
            text in "[ab]{1,4}( [ab]{1,4}){0,6}",
        ) {
            #[derive(Deserialize)]
            struct File {
                lists: Vec<Matcher>,
            }
            let file: File = toml::from_str(&toml::to_string(&BTreeMap::from([("lists", &lists)])).unwrap()).unwrap();
            let groups = Groups::of_lists(&[], &file.lists.iter().collect::<Vec<_>>());
            let tokens = Tokens::of(&text);
            for at in 0..tokens.len() {
                for (number, list) in file.lists.iter().enumerate() {
                    prop_assert_eq!(groups.at(&tokens, at) & 1 << number != 0, list.at(&tokens, at).is_some());
                }
            }
        }
    }

    #[test]
    fn all_groups_of_a_text_are_found() {
        let file: File =
            toml::from_str("groups = [['cost', 'pric*'], ['data centre*', 'cost'], ['保証']]").unwrap();
        let of = |text: &str| file.groups.of(&Tokens::of(text));
        assert_eq!(of("The cost"), 0b011);
        assert_eq!(of("Our pricing"), 0b001);
        assert_eq!(of("Two data centres"), 0b010);
        assert_eq!(of("data, a centre"), 0);
        assert_eq!(of("十年保証です"), 0b100);
    }
}
