//! Groups of words of the same concern, all looked for at once.

use serde::{Deserialize, Deserializer, de};

use super::table::Table;
use super::{Entry, Tokens, stands};

/// Lists of words as [`super::Matcher`] knows them, of which those are asked for that a text has a word of.
#[derive(Debug, Default)]
pub struct Groups {
    /// Words and sequences of words by their first word.
    whole: Table<Beginning>,
    /// Beginnings of words, by their first byte, each with the group that it belongs to.
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
        let mut groups = Groups { starts: vec![Vec::new(); 256], ..Groups::default() };
        for (at, list) in lists.iter().enumerate() {
            list.iter().for_each(|entry| groups.add(entry, 1 << at));
        }
        Ok(groups)
    }
}

impl Groups {
    fn add(&mut self, entry: &str, group: u64) {
        match Entry::of(entry) {
            Entry::Anywhere(text) => self.anywhere.push((text, group)),
            Entry::Words(words, is_start) => match words.as_slice() {
                [] => {}
                [only] if is_start => {
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
        let mut found = 0;
        for (at, (hash, word)) in tokens.known().enumerate() {
            if let Some(beginning) = self.whole.get(hash, word) {
                found |= beginning.alone;
                for (rest, is_start, group) in &beginning.longer {
                    if stands(tokens, at + 1, rest, *is_start) {
                        found |= group;
                    }
                }
            }
            let starts = word.bytes().next().and_then(|first| self.starts.get(usize::from(first)));
            for (start, group) in starts.into_iter().flatten() {
                if word.starts_with(start.as_str()) {
                    found |= group;
                }
            }
        }
        if tokens.is_unspaced {
            let has = |(text, _): &&(String, u64)| tokens.folded.contains(text.as_str());
            found |= self.anywhere.iter().filter(has).fold(0, |all, (_, group)| all | group);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        groups: Groups,
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
