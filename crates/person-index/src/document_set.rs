//! A set of documents of one segment of a search index, and how it is stored.
//!
//! A segment holds at most [`CAPACITY`] documents, numbered from 0, so a set is at most 2 KiB of bits. A small one is
//! stored as a list. What this is not: a set of any numbers; for those there are libraries.

/// How many documents a segment has room for.
pub const CAPACITY: usize = 1 << 14;

const WORDS: usize = CAPACITY / 64;
const BITMAP: usize = CAPACITY / 8;

/// A set of numbers below [`CAPACITY`].
///
/// All words of it, or none yet: a search makes many sets, and most of them stay empty.
#[derive(Clone, Debug, Default)]
pub struct Documents(Vec<u64>);

impl PartialEq for Documents {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.is_empty() && other.is_empty())
    }
}

impl Eq for Documents {}

impl FromIterator<u16> for Documents {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

impl Documents {
    /// The set that was stored so.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut set = Self::default();
        set.add_bytes(bytes);
        set
    }

    /// Adds a set that was stored so.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() == BITMAP {
            self.make_room();
            for (word, bits) in self.0.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word |= u64::from_le_bytes(*bits);
            }
        } else {
            for number in bytes.as_chunks::<2>().0 {
                self.insert(u16::from_le_bytes(*number));
            }
        }
    }

    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sorted: Vec<u16> = Vec::with_capacity(self.len());
        let mut end = CAPACITY;
        while let Some(number) = self.last_below(end) {
            sorted.push(number);
            end = usize::from(number);
        }
        sorted.reverse();
        encode(&sorted)
    }

    fn make_room(&mut self) {
        if self.0.is_empty() {
            self.0 = vec![0; WORDS];
        }
    }

    /// Adds one; a number without room is left out.
    pub fn insert(&mut self, number: u16) {
        self.make_room();
        if let Some(word) = self.0.get_mut(usize::from(number) / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Takes one away.
    pub fn remove(&mut self, number: u16) {
        if let Some(word) = self.0.get_mut(usize::from(number) / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Keeps what a set that was stored so has too.
    pub fn and_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() == BITMAP {
            for (word, bits) in self.0.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word &= u64::from_le_bytes(*bits);
            }
        } else {
            let numbers = bytes.as_chunks::<2>().0.iter().map(|number| u16::from_le_bytes(*number));
            *self = numbers.filter(|number| self.contains(*number)).collect();
        }
    }

    /// Keeps what the other has not.
    pub fn minus(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Whether this one is in it.
    pub fn contains(&self, number: u16) -> bool {
        self.0.get(usize::from(number) / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many there are in the words around these numbers: somewhat more than between them.
    pub fn len_between(&self, from: usize, to: usize) -> usize {
        let words = self.0.get(from / 64..to.div_ceil(64).min(WORDS)).unwrap_or_default();
        words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The greatest number below `end`.
    pub fn last_below(&self, end: usize) -> Option<u16> {
        let end = end.min(CAPACITY);
        let mut at = end / 64;
        let mut word = self.0.get(at).map_or(0, |word| word & ((1 << (end % 64)) - 1));
        while word == 0 {
            at = at.checked_sub(1)?;
            word = *self.0.get(at)?;
        }
        u16::try_from(at * 64 + 63 - word.leading_zeros() as usize).ok()
    }
}

/// How a set of these ascending numbers is stored: a list of two bytes each, or all bits if that is shorter.
pub fn encode(ascending: &[u16]) -> Vec<u8> {
    if ascending.len() * 2 < BITMAP {
        return ascending.iter().flat_map(|number| number.to_le_bytes()).collect();
    }
    let mut bits = vec![0_u8; BITMAP];
    for number in ascending {
        if let Some(byte) = bits.get_mut(usize::from(*number) / 8) {
            *byte |= 1 << (number % 8);
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn any_set() -> impl Strategy<Value = BTreeSet<u16>> {
        let number = 0..CAPACITY as u16;
        prop_oneof![
            prop::collection::btree_set(number.clone(), 0..40),
            (number, 0..3_000_u16)
                .prop_map(|(from, count)| (from..(from + count).min(CAPACITY as u16)).collect()),
        ]
    }

    fn set_of(numbers: &BTreeSet<u16>) -> Documents {
        numbers.iter().copied().collect()
    }

    fn numbers_of(set: &Documents) -> BTreeSet<u16> {
        (0..CAPACITY as u16).filter(|number| set.contains(*number)).collect()
    }

    proptest! {
        #[test]
        fn comes_back_as_it_was_stored(numbers in any_set()) {
            let ascending: Vec<u16> = numbers.iter().copied().collect();
            let set = Documents::from_bytes(&encode(&ascending));
            prop_assert_eq!(numbers_of(&set), numbers.clone());
            prop_assert_eq!(set.to_bytes(), encode(&ascending));
            let (mut set, mut rest) = (set, numbers.clone());
            for number in numbers.iter().step_by(2) {
                set.remove(*number);
                rest.remove(number);
            }
            prop_assert_eq!(numbers_of(&set), rest);
        }

        #[test]
        fn does_what_sets_do(a in any_set(), b in any_set()) {
            let (mut both, mut rest) = (set_of(&a), set_of(&a));
            both.and_bytes(&set_of(&b).to_bytes());
            rest.minus(&set_of(&b));
            prop_assert_eq!(numbers_of(&both), &a & &b);
            prop_assert_eq!(numbers_of(&rest), &a - &b);
            prop_assert_eq!((both.len(), both.is_empty()), ((&a & &b).len(), (&a & &b).is_empty()));
        }

        #[test]
        fn is_walked_from_its_end(numbers in any_set(), end in 0..=CAPACITY) {
            let last = numbers.iter().copied().rfind(|number| usize::from(*number) < end);
            prop_assert_eq!(set_of(&numbers).last_below(end), last);
        }
    }
}
