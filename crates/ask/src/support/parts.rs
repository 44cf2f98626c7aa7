//! The parts of a sentence that are compared as they are: numbers, addresses, names; and which characters it may have.

use unicode_segmentation::UnicodeSegmentation;

/// Words that begin with a capital letter by custom and name nothing.
const CAPITALS: [&str; 10] =
    ["I", "Sie", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihnen", "Usted", "Ustedes"];

/// Whether a text is plain: no markup, no control characters, nothing that changes how the rest is shown.
pub fn is_plain(text: &str) -> bool {
    let is_allowed = |char: char| {
        !char.is_control()
            && !matches!(char, '<' | '>' | '[' | ']' | '{' | '}' | '`' | '\\' | '^')
            && !matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
            && !matches!(char, '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().all(is_allowed)
}

/// The units that a number has beside it, and the words that mean them.
const UNITS: [(char, &[&str]); 6] = [
    ('€', &["euro", "euros", "eur"]),
    ('$', &["dollar", "dollars", "dólares", "usd"]),
    ('£', &["pound", "pounds", "pfund", "livres", "libras", "gbp"]),
    ('¥', &["yen", "jpy"]),
    ('%', &["percent", "prozent"]),
    ('°', &["degrees", "degree", "grad", "degrés", "grados"]),
];

/// The numbers of a text, without the signs that set thousands apart, each with what makes another one of it: its sign, a bound, and its unit.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        if !chars[at].is_numeric() {
            at += 1;
            continue;
        }
        let start = at;
        let is_inside = |at: usize| {
            chars[at].is_numeric()
                || matches!(chars[at], '.' | ',' | ':' | '/' | '\'' | '’' | '\u{a0}' | '\u{202f}')
                    && chars.get(at + 1).is_some_and(|next| next.is_numeric())
        };
        while at < chars.len() && is_inside(at) {
            at += 1;
        }
        let mut number = sign_before(&chars[..start]);
        number.push_str(&plain_number(&chars[start..at]));
        number.extend(unit_of(&chars[..start], &chars[at..]));
        if chars.get(at) == Some(&'+') {
            number.push('+');
        }
        found.push(number);
    }
    found
}

/// The sign or the bound directly before a number or its unit, as it is at the beginning of a word: `-30`, `≥€9`, and not `10-20`.
fn sign_before(before: &[char]) -> String {
    let before = match before {
        [before @ .., unit] if is_unit(*unit) => before,
        _ => before,
    };
    match before {
        [.., other, _] if other.is_alphanumeric() => String::new(),
        [.., '-' | '−' | '–'] => "-".to_owned(),
        [.., sign @ ('+' | '±' | '≥' | '≤' | '>' | '<' | '~' | '≈')] => sign.to_string(),
        _ => String::new(),
    }
}

/// The unit beside a number: a sign on one of its sides, or the word behind it.
fn unit_of(before: &[char], behind: &[char]) -> Option<char> {
    let is_space = |char: &char| matches!(char, ' ' | '\u{a0}' | '\u{202f}');
    let before = match before {
        [before @ .., space] if is_space(space) => before,
        _ => before,
    };
    let behind = if behind.first().is_some_and(is_space) { &behind[1..] } else { behind };
    let sign = before.last().filter(|char| is_unit(**char) && **char != '%' && **char != '°');
    let sign = sign.or_else(|| behind.first().filter(|char| is_unit(**char)));
    let word = || -> Option<char> {
        let word: String = behind.iter().take_while(|char| char.is_alphabetic()).collect();
        let word = word.to_lowercase();
        UNITS.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(unit, _)| *unit)
    };
    sign.copied().or_else(word)
}

fn is_unit(char: char) -> bool {
    UNITS.iter().any(|(unit, _)| *unit == char)
}

/// A number without the signs that set its thousands apart.
fn plain_number(number: &[char]) -> String {
    let parts: Vec<&[char]> = number.split(|char| !char.is_numeric()).collect();
    let is_grouped = parts.len() > 1 && parts[0].len() <= 3 && parts[1..].iter().all(|part| part.len() == 3);
    let is_time = number.iter().any(|char| matches!(char, ':' | '/'));
    if is_grouped && !is_time { parts.concat().into_iter().collect() } else { number.iter().collect() }
}

/// What of a text is an address of some kind, or could be taken for one.
pub(super) fn addresses(text: &str) -> Vec<&str> {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|char: char| !char.is_alphanumeric() && !matches!(char, '/' | '@')));
    words.filter(|word| is_address(word)).collect()
}

fn is_address(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let is_joint = |three: &[char]| {
        matches!(three[1], '.' | ':') && three[0].is_alphanumeric() && three[2].is_alphabetic()
    };
    word.contains('@') || word.contains("//") || chars.windows(3).any(is_joint)
}

/// The words that begin with a capital letter or have one inside; the first only if `with_first`.
pub(super) fn name_words(text: &str, with_first: bool) -> Vec<&str> {
    let words = text.unicode_words().enumerate();
    let is_name = |(at, word): &(usize, &str)| {
        let inner = word.chars().skip(1).any(char::is_uppercase);
        let first = word.chars().next().is_some_and(char::is_uppercase);
        (inner || first && (*at > 0 || with_first)) && !CAPITALS.contains(word)
    };
    words.filter(is_name).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_however_they_are_written() {
        assert_eq!(
            numbers("From 9:00 to 17:30 for £1,250.50 or 12.000 Euro, 24/7."),
            ["9:00", "17:30", "1,250.50£", "12000€", "24/7"]
        );
        // A sign and a unit make another number of it; where the unit stands does not.
        for (text, number) in [
            ("down to -30 °C", "-30°"),
            ("down to −30 degrees", "-30°"),
            ("from 10-20 pages", "20"),
            ("a COVID-19 test", "19"),
            ("at €9", "9€"),
            ("at 9 €", "9€"),
            ("at 9 euros", "9€"),
            ("at 9 Euro im Monat", "9€"),
            ("at €9+", "9€+"),
            ("at ≥€9", "≥9€"),
            ("41\u{a0}% of it", "41%"),
            ("41 percent", "41%"),
            ("about ~9", "~9"),
            ("9 europeans", "9"),
        ] {
            assert_eq!(numbers(text).last().map(String::as_str), Some(number), "{text}");
        }
        assert_eq!(numbers("1,000 and 1 000 000"), ["1000", "1", "000", "000"]);
    }

    #[test]
    fn what_could_be_followed_is_an_address() {
        for text in
            ["https://evil.example", "evil.example/x", "a@b", "//evil", "javascript:alert(1)", "www.x.y"]
        {
            assert_eq!(addresses(&format!("See ({text}).")).len(), 1, "{text}");
        }
        assert_eq!(addresses("It costs 25.50 pounds. At 9:00, e.g"), ["e.g"]);
    }

    #[test]
    fn names_are_told_by_their_capitals() {
        assert_eq!(
            name_words("The Hauler of Leeds has an iPhone, as I said.", false),
            ["Hauler", "Leeds", "iPhone"]
        );
        assert_eq!(name_words("Hauler: 89", true), ["Hauler"]);
    }

    proptest! {
        #[test]
        fn every_digit_is_in_a_number(text in "\\PC{0,80}") {
            let digits = |text: &str| text.chars().filter(|char| char.is_numeric()).collect::<String>();
            prop_assert_eq!(digits(&numbers(&text).concat()), digits(&text));
        }
    }
}
