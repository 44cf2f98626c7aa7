//! Tables of the words of a list, made so that a word that is not in it costs next to nothing: that is what nearly every look-up finds.
//!
//! What this is not: safe against words that somebody chose to collide. The words of the tables are the agent's own.

/// A few slots to a word, so that most look-ups end at an empty one.
const SLOTS_PER_WORD: usize = 4;

/// A number for a word, the same for every list.
pub fn hash(word: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = word.len() as u64;
    let mut chunks = word.as_bytes().chunks_exact(8);
    let mut mix = |chunk: u64| hash = (hash.rotate_left(23) ^ chunk).wrapping_mul(FACTOR);
    for chunk in &mut chunks {
        mix(chunk.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)));
    }
    mix(chunks.remainder().iter().fold(0, |all, byte| all << 8 | u64::from(*byte)));
    hash ^ hash >> 32
}

/// Words, each with something about it.
#[derive(Debug, Default)]
pub struct Table<T> {
    /// Numbers of entries plus one; zero where there is none. As many as a power of two.
    slots: Vec<u32>,
    entries: Vec<(u64, String, T)>,
}

impl<T: Default> Table<T> {
    /// What is known of a word, which is added if it is not there.
    pub fn entry(&mut self, word: &str) -> &mut T {
        let hash = hash(word);
        let at = match self.place(hash, word) {
            Some(at) => at,
            None => {
                self.entries.push((hash, word.to_owned(), T::default()));
                self.fill();
                self.entries.len() - 1
            }
        };
        &mut self.entries[at].2
    }

    /// What is known of a word, by its hash.
    #[inline]
    pub fn get(&self, hash: u64, word: &str) -> Option<&T> {
        self.place(hash, word).map(|at| &self.entries[at].2)
    }

    #[inline]
    fn place(&self, hash: u64, word: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash as usize & mask;
        loop {
            let at = (self.slots[slot] as usize).checked_sub(1)?;
            let (known, text, _) = &self.entries[at];
            if *known == hash && text == word {
                return Some(at);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Gives the last entry its slot, and all of them others where these have become too few.
    fn fill(&mut self) {
        let count = self.entries.len();
        let mut from = count - 1;
        if self.slots.len() < count * SLOTS_PER_WORD {
            self.slots = vec![0; (count * SLOTS_PER_WORD * 2).next_power_of_two()];
            from = 0;
        }
        let mask = self.slots.len() - 1;
        for (at, (hash, ..)) in self.entries.iter().enumerate().skip(from) {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
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
    let bytes = word.as_bytes().iter().take(HEAD).enumerate();
    bytes.fold(0, |all, (at, byte)| all | u32::from(*byte) << (8 * at))
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
