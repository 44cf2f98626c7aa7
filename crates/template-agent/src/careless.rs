//! Texts that were typed in a hurry: sentences that begin with a small letter, and words that only fill.
//!
//! What this is not: a corrector of spelling. Only the first letter of a sentence changes, and only in texts where most sentences
//! begin small. Elsewhere a small letter behind a full stop belongs to an abbreviation.

use std::borrow::Cow;

use crate::sentence;
use crate::stance::label;
use crate::tidy;

/// The fewest sentences with a small first letter that make a text one that was typed in a hurry.
const LEAST: usize = 2;

/// What people type before they say something.
const FILLERS: [&str; 10] = [
    "so basically ",
    "basically, ",
    "basically ",
    "ok so ",
    "okay so ",
    "so yeah ",
    "well, ",
    "also ",
    "im prinzip ",
    "bref, ",
];

/// The text with a capital at the beginning of each sentence, if it was typed without them.
pub fn with_capitals(text: &str) -> Cow<'_, str> {
    let starts: Vec<usize> = starts(text);
    let is_small = |at: &usize| text[*at..].starts_with(char::is_lowercase);
    let small = starts.iter().filter(|at| is_small(at)).count();
    if small < LEAST || small * 2 < starts.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in starts.iter().copied().filter(is_small) {
        out.push_str(&text[from..at]);
        let rest = &text[at..];
        let rest = without_fillers(rest);
        let Some(first) = rest.chars().next() else { break };
        out.extend(first.to_uppercase());
        from = text.len() - rest.len() + first.len_utf8();
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// The text behind the fillers that it begins with.
fn without_fillers(mut text: &str) -> &str {
    let begins = |text: &str, filler: &&&str| tidy::head(text, filler.len()).to_lowercase() == **filler;
    loop {
        let filler = FILLERS.iter().find(|filler| begins(text, filler));
        let rest = filler.map(|filler| &text[tidy::head(text, filler.len()).len()..]);
        match rest.or_else(|| label::behind_site(text)) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

/// Where sentences begin, in bytes: the first letter of each line of sentences, and behind each mark that ends one.
fn starts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        // A line without a mark could be a heading if it began with a capital.
        if line.trim_start().starts_with(char::is_alphabetic) && line.contains(['.', '!', '?', ':']) {
            found.push(at + indent);
        }
        for (mark, char) in line.char_indices().filter(|(_, char)| matches!(char, '.' | '!' | '?')) {
            let behind = &line[mark + char.len_utf8()..];
            let next = behind.trim_start();
            let is_end = behind.len() != next.len()
                && next.starts_with(char::is_alphabetic)
                && !(char == '.' && sentence::is_shortened(&line[..mark], behind));
            if is_end {
                found.push(at + line.len() - next.len());
            }
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sentences_typed_without_capitals_are_told_apart() {
        assert_eq!(
            with_capitals(
                "so basically we sell probes. they last a season. costs 389 eur. works w/o internet"
            ),
            "We sell probes. They last a season. Costs 389 eur. Works w/o internet"
        );
        assert_eq!(
            with_capitals("ok so for the site: we fix boilers. same day mostly"),
            "We fix boilers. Same day mostly"
        );
        assert_eq!(
            with_capitals("voor de website, we maken daken schoon. zonder hoge druk"),
            "We maken daken schoon. Zonder hoge druk"
        );
        assert_eq!(with_capitals("for the sites, we pay. also daily"), "For the sites, we pay. Daily");
        assert_eq!(with_capitals("wir backen. täglich ab sechs.\nkommen sie vorbei!"), {
            "Wir backen. Täglich ab sechs.\nKommen sie vorbei!"
        });
    }

    #[test]
    fn a_text_with_capitals_stays_as_it_is() {
        for text in [
            "We pay approx. five percent more, e.g. in May. Fine. It is so.",
            "iPads are welcome. We lend them. You bring them back.",
            "- fast\n- safe. And quiet.\n\nWe build pumps. They last.",
            "",
            "one line",
        ] {
            assert_eq!(with_capitals(text), text);
        }
    }

    proptest! {
        #[test]
        fn nothing_but_first_letters_and_fillers_changes(text in "(?s)[a-zäö .!?,\\nA-Z]{0,80}") {
            let changed = with_capitals(&text);
            let small = |text: &str| text.to_lowercase();
            if FILLERS.iter().any(|filler| small(&text).contains(filler)) {
                prop_assert!(changed.len() <= text.len());
            } else {
                prop_assert_eq!(small(&changed), small(&text));
            }
        }
    }
}
