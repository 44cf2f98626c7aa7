//! A phone number in a text: international or national, with the separators that people write.

use std::ops::Range;

/// Fewer digits are no number of somebody's.
const FEWEST: usize = 7;
/// The most digits of a spelling: fifteen, two zeros in front and one in brackets.
const MOST: usize = 18;

/// Where the number of these digits, its country's code first, is in a text.
pub(super) fn places(text: &str, number: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins = bytes[at].is_ascii_digit() && !text[..at].ends_with(|char: char| char.is_alphanumeric());
        match begins.then(|| length(text, at, number)).flatten() {
            Some(length) => {
                let start = at - usize::from(at > 0 && bytes[at - 1] == b'+');
                found.push(start..at + length);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How long the number's spelling is that begins at a digit, if one does.
fn length(text: &str, at: usize, number: &str) -> Option<usize> {
    let mut digits = String::new();
    let mut longest = None;
    let mut gap = 0;
    for (offset, char) in text[at..].char_indices() {
        if char.is_ascii_digit() {
            digits.push(char);
            gap = 0;
            if digits.len() > MOST {
                break;
            }
            let rest = &text[at + offset + 1..];
            if !rest.starts_with(char::is_alphanumeric) && is_spelling(&digits, number) {
                longest = Some(offset + 1);
            }
        } else if matches!(char, ' ' | '\u{a0}' | '.' | '-' | '/' | '(' | ')' | '–') && gap < 3 {
            gap += 1;
        } else {
            break;
        }
    }
    longest
}

/// Whether digits are the number: as it is, after two zeros, or as it is dialled in its country, with or without the code before that.
fn is_spelling(digits: &str, number: &str) -> bool {
    if digits.len() < FEWEST {
        return false;
    }
    let digits = digits.strip_prefix("00").unwrap_or(digits);
    // A country's code has one to three digits.
    let codes = (1..=3).filter(|code| number.len() >= code + FEWEST - 1);
    digits == number
        || codes.clone().any(|code| digits.strip_prefix('0').unwrap_or(digits) == &number[code..])
        || codes.clone().any(|code| {
            digits.strip_prefix(&number[..code]).and_then(|rest| rest.strip_prefix('0'))
                == Some(&number[code..])
        })
}
