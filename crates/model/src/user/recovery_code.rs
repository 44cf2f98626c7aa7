//! Recovery codes: ten texts that stand for a code of an authenticator app, each once.
//!
//! A code is 80 random bits, so that its SHA-256 digest, which is all that is kept, does not betray it. It is shown as four groups of
//! four characters; what is typed may have other spaces and hyphens, capitals, and letters that look like digits.

use crate::key;

/// How many a user has.
pub const NUMBER: usize = 10;
/// Random bytes of a code.
pub const BYTES: usize = 10;

/// Digits and letters without those that look alike: i, l, o and u are left out.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS: usize = 16;
const GROUP: usize = 4;

/// The code of these bits, as it is shown.
pub fn show(bits: [u8; BYTES]) -> String {
    let number = bits.iter().fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
    let mut text = String::with_capacity(CHARACTERS + CHARACTERS / GROUP);
    for at in 0..CHARACTERS {
        if at > 0 && at % GROUP == 0 {
            text.push('-');
        }
        let digit = (number >> (5 * (CHARACTERS - 1 - at))) & 0b1_1111;
        text.push(char::from(ALPHABET[digit as usize]));
    }
    text
}

/// The digest of a code that somebody typed, if the text has the form of one.
pub fn digest(typed: &str) -> Option<[u8; 32]> {
    let mut plain = String::with_capacity(CHARACTERS);
    for char in typed.chars().filter(|char| !char.is_whitespace() && *char != '-') {
        let char = match char.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        };
        let is_digit = u8::try_from(char).is_ok_and(|byte| ALPHABET.contains(&byte));
        if !is_digit || plain.len() == CHARACTERS {
            return None;
        }
        plain.push(char);
    }
    (plain.len() == CHARACTERS).then(|| key::digest(&plain))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_code_is_four_groups() {
        assert_eq!(show([0; BYTES]), "0000-0000-0000-0000");
        assert_eq!(show([255; BYTES]), "zzzz-zzzz-zzzz-zzzz");
        assert_eq!(show([0, 0, 0, 0, 0, 0, 0, 0, 0, 33]), "0000-0000-0000-0011");
    }

    #[test]
    fn what_is_no_code_has_no_digest() {
        for wrong in
            ["", "0000", "0000-0000-0000-000u", "0000-0000-0000-00000", "123456", "0000-0000-0000-000é"]
        {
            assert_eq!(digest(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_code_is_known_in_any_spelling(bits in any::<[u8; BYTES]>(), other in any::<[u8; BYTES]>()) {
            let shown = show(bits);
            let known = digest(&shown);
            prop_assert!(known.is_some());
            prop_assert_eq!(digest(&shown.to_uppercase().replace('-', " ")), known);
            prop_assert_eq!(digest(&shown.replace('-', "").replace('0', "O").replace('1', "l")), known);
            prop_assert_eq!(digest(&show(other)) == known, other == bits);
        }

        #[test]
        fn nothing_that_is_typed_is_too_much(text in "\\PC{0,60}") {
            let _ = digest(&text);
        }
    }
}
