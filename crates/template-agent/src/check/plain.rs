//! The words of a text in a form in which texts are compared, whatever their script and their signs.

use crate::tidy;
use crate::words::{Tokens, is_unspaced};

/// A word in half words: characters of scripts without spaces are half a word each.
pub fn weight(word: &str) -> usize {
    if word.chars().all(is_without_spaces) { 1 } else { 2 }
}

/// How many words these are.
pub fn count(words: &[String]) -> usize {
    words.iter().map(|word| weight(word)).sum::<usize>().div_ceil(2)
}

/// Whether a character's script puts no spaces between words; Korean does.
pub fn is_without_spaces(char: char) -> bool {
    is_unspaced(char) && !matches!(char, '가'..='힣')
}

/// The words of a text in small letters, each character of a script without spaces as one of its own.
pub fn plain_words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for token in Tokens::of(text).iter().flat_map(|token| token.split('-')) {
        let mut rest = token;
        while let Some((at, char)) = rest.char_indices().find(|(_, char)| is_without_spaces(*char)) {
            push(&rest[..at], &mut all);
            push(&rest[at..at + char.len_utf8()], &mut all);
            rest = &rest[at + char.len_utf8()..];
        }
        push(rest, &mut all);
    }
    all
}

fn push(word: &str, all: &mut Vec<String>) {
    let word = word.trim_matches('\'');
    if tidy::says_something(word) {
        all.push(word.to_owned());
    }
}
