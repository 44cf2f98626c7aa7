//! Tables of the words of a list, made so that a word that is not in it costs next to nothing: that is what nearly every look-up finds.
//!
//! What this is not: safe against words that somebody chose to collide. The words of the tables are the agent's own.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// A number for a word, the same for every list, so that a word of a text has to be hashed once only.
pub fn hash(word: &str) -> u64 {
    FixedState::default().hash_one(word)
}

/// Words, each with its hash and something about it. Comparing hashes first spares reading the words of most others.
#[derive(Debug)]
pub struct Table<T>(HashTable<(u64, String, T)>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(HashTable::new())
    }
}

impl<T: Default> Table<T> {
    /// What is known of a word, which is added if it is not there.
    pub fn entry(&mut self, word: &str) -> &mut T {
        let hash = hash(word);
        let entry = self.0.entry(hash, |(_, known, _)| known == word, |(hash, ..)| *hash);
        let entry = match entry {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => entry.insert((hash, word.to_owned(), T::default())),
        };
        &mut entry.into_mut().2
    }

    /// The words, each with what is known of it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(_, word, about)| (word.as_str(), about))
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of a word, by its hash.
    #[inline]
    pub fn get(&self, hash: u64, word: &str) -> Option<&T> {
        self.0.find(hash, |(of, known, _)| *of == hash && known == word).map(|(.., about)| about)
    }
}

/// How many bytes of a beginning are looked at first.
const HEAD: usize = 3;

/// Beginnings of words.
#[derive(Debug, Default)]
pub struct Starts {
    /// In their order; none begins with another one.
    all: Vec<String>,
    /// What is looked at of a head: as many bytes as the shortest beginning has.
    mask: u32,
    /// A bit for each hash of these bytes that a beginning has.
    heads: [u64; 16],
}

impl Starts {
    /// The beginnings that are looked for.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    /// Adds a beginning.
    pub fn add(&mut self, start: &str) {
        if self.has_of(start) {
            return;
        }
        self.all.retain(|other| !other.starts_with(start));
        self.all.push(start.to_owned());
        self.all.sort();
        let bytes = self.all.iter().map(String::len).min().unwrap_or_default().min(HEAD);
        self.mask = (1 << (8 * bytes)) - 1;
        self.heads = [0; 16];
        for start in &self.all {
            let bit = bit(head(start) & self.mask);
            self.heads[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// Whether there is the beginning of that word.
    pub fn has_of(&self, word: &str) -> bool {
        self.has_of_headed(head(word), word)
    }

    /// The same for a word with its head.
    #[inline]
    pub fn has_of_headed(&self, head: u32, word: &str) -> bool {
        let bit = bit(head & self.mask);
        if self.heads[bit / 64] & 1 << (bit % 64) == 0 {
            return false;
        }
        // The beginning of a word is the last of those that do not come behind it, as none begins with another one.
        let behind = self.all.partition_point(|start| start.as_str() <= word);
        behind > 0 && word.starts_with(self.all[behind - 1].as_str())
    }
}

/// The first bytes of a word, in the order of their places from the lowest; zero behind its end.
pub fn head(word: &str) -> u32 {
    let byte = |at: usize| word.as_bytes().get(at).map_or(0, |byte| u32::from(*byte) << (8 * at));
    (0..HEAD).map(byte).sum()
}

/// The number of a head's bit.
#[inline]
fn bit(head: u32) -> usize {
    (head.wrapping_mul(0x9e37_79b9) >> 22) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_found_and_no_others(words in prop::collection::vec("[a-cé]{1,9}", 0..40), other in "[a-cé]{0,9}") {
            let mut table: Table<usize> = Table::default();
            words.iter().for_each(|word| *table.entry(word) += 1);
            for word in words.iter().chain([&other]) {
                let count = words.iter().filter(|known| *known == word).count();
                prop_assert_eq!(table.get(hash(word), word).copied().unwrap_or_default(), count);
            }
        }

        #[test]
        fn beginnings_are_found_and_no_others(starts in prop::collection::vec("[a-cé]{1,6}", 0..20), word in "[a-cé]{0,9}") {
            let mut all = Starts::default();
            starts.iter().for_each(|start| all.add(start));
            prop_assert_eq!(all.has_of(&word), starts.iter().any(|start| word.starts_with(start.as_str())));
        }
    }
}
