//! How many words a text has.

use crate::tidy;
use crate::words::is_unspaced;

/// How many words a text has; scripts without spaces count two characters as one.
pub fn words(text: &str) -> usize {
    let unspaced = if text.is_ascii() { 0 } else { text.chars().filter(|char| is_unspaced(*char)).count() };
    if unspaced > 0 && unspaced * 2 > tidy::length(text) {
        unspaced.div_ceil(2)
    } else {
        text.split_whitespace().filter(|word| tidy::says_something(word)).count()
    }
}
