//! The words of a phrase that say which of several things is meant, and whether a text has them.

use crate::token::{fold, words};

/// The words of a phrase that say which of several things is meant.
#[derive(Debug, Default)]
pub(crate) struct Qualifiers {
    pub(crate) words: Vec<String>,
    pub(crate) quotes: Vec<String>,
    pub(crate) ordinal: Option<i64>,
}

impl Qualifiers {
    pub(crate) fn says_words(&self) -> bool {
        !self.words.is_empty() || !self.quotes.is_empty()
    }

    /// The same without some words.
    pub(crate) fn without(&self, is_left: impl Fn(&str) -> bool) -> Qualifiers {
        let words = self.words.iter().filter(|word| !is_left(word)).cloned().collect();
        Qualifiers { words, quotes: self.quotes.clone(), ordinal: self.ordinal }
    }

    /// Whether a text holds all of them.
    pub(crate) fn fit(&self, text: &str) -> bool {
        let folded = fold(text);
        let of_text = words(text);
        self.quotes.iter().all(|quote| !quote.is_empty() && folded.contains(quote))
            && self.words.iter().all(|word| of_text.iter().any(|other| is_same(word, other)))
    }

    /// Whether a text is just these words.
    pub(crate) fn is_whole(&self, text: &str) -> bool {
        let of_text = words(text);
        let mine: Vec<String> =
            if let [quote] = self.quotes.as_slice() { words(quote) } else { self.words.clone() };
        !mine.is_empty() && self.fit(text) && mine == of_text
    }
}

/// The longest word, in bytes, that may be misspelt.
const MOST_LETTERS: usize = 40;

/// Whether two words are forms of the same.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_form = short.len() >= 4 && long.starts_with(short) && long.len() - short.len() <= 3;
    let is_near = short.len() >= 6 && long.len() - short.len() <= 1 && long.len() <= MOST_LETTERS;
    is_form || (is_near && strsim::damerau_levenshtein(one, other) <= 1)
}

/// The index of the nth of so many; from the end if it is negative.
pub(crate) fn nth(number: i64, count: usize) -> Option<usize> {
    let index = if number < 0 {
        count.checked_sub(usize::try_from(-number).ok()?)?
    } else {
        usize::try_from(number).ok()?.checked_sub(1)?
    };
    (index < count).then_some(index)
}
