//! Spelling: which known word somebody meant who has mistyped it, and whether two words differ by no more than a slip.
//!
//! Known words are found by what is left of them without one letter, so that a look-up takes the same time however many words are known.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The fewest letters of a word that may be mistyped.
pub(crate) const FEWEST: usize = 5;
/// The fewest letters of a word with a wrong consonant, or with two slips.
const LONG: usize = 8;

/// Known words by what is left of them.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    words: Vec<String>,
    /// The places of the words of which the same is left; of different ones with the same digest the word itself decides.
    left: HashMap<u64, Vec<u32>>,
    digest: RandomState,
}

impl Spelling {
    /// Of these words, without those that are too short.
    pub fn of(words: impl IntoIterator<Item = String>) -> Spelling {
        let mut spelling = Spelling::default();
        for word in words.into_iter().filter(|word| word.chars().count() >= FEWEST) {
            let place = u32::try_from(spelling.words.len()).unwrap_or(u32::MAX);
            for left in remainders(&word) {
                let digest = spelling.digest.hash_one(left);
                let places = spelling.left.entry(digest).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
            spelling.words.push(word);
        }
        spelling
    }

    /// The first known word that differs from this one by one slip and begins with the same letter.
    pub fn meant(&self, word: &str) -> Option<&str> {
        if word.chars().count() < FEWEST {
            return None;
        }
        let places =
            remainders(word).into_iter().filter_map(|left| self.left.get(&self.digest.hash_one(left)));
        let words = places.flatten().filter_map(|place| Some((place, self.words.get(*place as usize)?)));
        let meant =
            words.filter(|(_, known)| known.chars().next() == word.chars().next() && is_slip(word, known));
        meant.min_by_key(|(place, _)| **place).map(|(_, known)| known.as_str())
    }
}

/// A word, and what is left of it without each of its letters.
fn remainders(word: &str) -> Vec<String> {
    let without = |(at, char): (usize, char)| [&word[..at], &word[at + char.len_utf8()..]].concat();
    std::iter::once(word.to_owned()).chain(word.char_indices().map(without)).collect()
}

/// Whether two words differ by one letter too many, two that have changed places, another vowel, or, if they are long, another consonant. Short
/// words that differ by a consonant are mostly two words (`trailer`, `trainer`).
pub(crate) fn is_slip(one: &str, other: &str) -> bool {
    let differ = || one.chars().zip(other.chars()).filter(|(a, b)| a != b);
    let is_vowel = |char| matches!(char, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let is_replaced = one.chars().count() == other.chars().count() && differ().count() == 1;
    let is_vowels = || differ().all(|(a, b)| is_vowel(a) && is_vowel(b));
    is_misspelt(one, other) && (!is_replaced || one.chars().count() >= LONG || is_vowels())
}

/// Whether two words differ by one letter: another one, one too many, or two that have changed places.
fn is_misspelt(one: &str, other: &str) -> bool {
    let has_digit = one.bytes().chain(other.bytes()).any(|byte| byte.is_ascii_digit());
    !has_digit && is_within(one, other, 1)
}

/// Whether two long words that begin with the same letter differ by two slips.
pub(crate) fn is_misspelt_twice(one: &str, other: &str) -> bool {
    let is_long = |word: &str| word.len() >= LONG && word.chars().count() >= LONG;
    if one.as_bytes().first() != other.as_bytes().first() || !is_long(one) || !is_long(other) {
        return false;
    }
    is_within(one, other, 2)
}

/// Whether so many letters put in, taken out, replaced or made to change places are enough to make one word of the other.
fn is_within(one: &str, other: &str, letters: usize) -> bool {
    // Most words are told apart by their lengths; a letter has four bytes at most.
    one.len().abs_diff(other.len()) <= 4 * letters && strsim::osa_distance(one, other) <= letters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_known_word_is_found_that_was_meant() {
        let words = ["evening", "ermassigung", "samedi", "badehose", "trainer", "kaution", "bank"];
        let spelling = Spelling::of(words.map(str::to_owned));
        for (typed, meant) in [
            ("evning", "evening"),
            ("eveening", "evening"),
            ("evenign", "evening"),
            ("ermasigung", "ermassigung"),
            ("ermassigunk", "ermassigung"),
            ("samdi", "samedi"),
            ("badehse", "badehose"),
            ("kaotion", "kaution"),
        ] {
            assert_eq!(spelling.meant(typed), Some(meant), "{typed}");
        }
        for typed in ["trailer", "banc", "kation2", "aution", "morning", "", "é"] {
            assert_eq!(spelling.meant(typed), None, "{typed}");
        }
    }

    #[test]
    fn long_words_may_have_two_slips() {
        assert!(is_misspelt_twice("accomodtion", "accommodation"));
        assert!(is_misspelt_twice("restauratoin", "restauration"));
        assert!(!is_misspelt_twice("trailer", "tremor") && !is_misspelt_twice("veranstaltung", "verwaltung"));
    }

    proptest! {
        #[test]
        fn a_word_without_one_of_its_letters_is_found(word in "[a-zäéß]{6,14}", at in 1..14_usize) {
            let spelling = Spelling::of([word.clone()]);
            let typed: String = word.chars().enumerate().filter(|(place, _)| *place != at).map(|(_, char)| char).collect();
            prop_assert_eq!(spelling.meant(&typed), Some(word.as_str()));
        }

        #[test]
        fn any_words_can_be_compared(one in "\\PC{0,20}", other in "\\PC{0,20}") {
            prop_assert!(is_misspelt(&one, &one) || one.chars().any(|char| char.is_ascii_digit()));
            prop_assert_eq!(is_misspelt(&one, &other), is_misspelt(&other, &one));
            is_misspelt_twice(&one, &other);
        }
    }
}
