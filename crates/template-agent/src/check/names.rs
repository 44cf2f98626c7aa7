//! The names in notes: what a capital, a form of address or an address of mail shows to be one.
//!
//! What this is not: a list of names. In doubt a word is no name, since a common word that stands in the notes may stand on the page.

use std::collections::HashSet;

use super::plain::is_without_spaces;
use crate::language::Language;
use crate::tidy;

/// The fewest letters of a name.
const LEAST: usize = 3;

/// The words that begin a sentence, in small letters: where one stands with a capital within another sentence, it is a name.
pub fn beginnings(text: &str, language: Language) -> HashSet<String> {
    if language.tag == "de" {
        return HashSet::new();
    }
    let is_common = |word: &str| {
        language
            .lexicon
            .is_some_and(|lexicon| lexicon.kinds.empty.has(word) || lexicon.grammar.asks.has(word))
    };
    let words = words(text).into_iter().filter(|word| !word.is_inside && is_capital(word.text));
    words.map(|word| tidy::folded(word.text)).filter(|word| !is_common(word)).collect()
}

/// The words that have a capital within a sentence, in small letters; none of a text that gives one to most of its words.
pub fn inner_capitals(text: &str) -> HashSet<String> {
    let words = words(text);
    let long = words.iter().filter(|word| word.is_inside && tidy::length(word.text) > LEAST);
    let (capitals, small): (Vec<_>, Vec<_>) = long.partition(|word| is_capital(word.text));
    let is_title = capitals.len() > 1 && capitals.len() >= small.len();
    let inside = words.iter().filter(|word| !is_title && word.is_inside && is_capital(word.text));
    inside.map(|word| tidy::folded(word.text)).collect()
}

/// The names of a text, in small letters.
pub fn of(text: &str, language: Language) -> HashSet<String> {
    let mut found: HashSet<String> = addresses(text).chain(addressed(text)).collect();
    let words = words(text);
    for (at, word) in words.iter().enumerate() {
        let is_name = match language.tag {
            // All nouns have a capital.
            "de" => is_german_name(&words, at, language),
            _ => {
                let is_brand = word.text.chars().skip(1).any(char::is_uppercase);
                (word.is_inside || is_brand) && is_capital(word.text) && !is_shouted(word.text)
            }
        };
        let folded = tidy::folded(word.text);
        let is_common = language.lexicon.is_some_and(|lexicon| lexicon.kinds.empty.has(&folded));
        if is_name && !is_common {
            found.insert(folded);
        }
    }
    found
}

/// The words of a text that have a capital, in small letters.
pub fn capitals(text: &str) -> HashSet<String> {
    words(text).iter().filter(|word| is_capital(word.text)).map(|word| tidy::folded(word.text)).collect()
}

/// Whether a name is a word that stands between others; else it is looked for within the text.
pub fn is_word(name: &str) -> bool {
    name.chars().all(char::is_alphabetic) && !name.chars().any(is_without_spaces)
}

struct Word<'a> {
    text: &'a str,
    /// Whether it stands within a sentence.
    is_inside: bool,
    /// What stands between it and the word before.
    gap: &'a str,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut all = Vec::new();
    let mut end = 0;
    let mut at = 0;
    for part in text.split(|char: char| !char.is_alphabetic()) {
        if !part.is_empty() {
            let gap = &text[end..at];
            let is_inside =
                end > 0 && !gap.contains(['.', '!', '?', ':', '-', '•', '\n', '"', '“', '*', '#', '|']);
            all.push(Word { text: part, is_inside, gap });
            end = at + part.len();
        }
        at += part.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    all
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && tidy::length(word) >= LEAST
}

/// `PLEASE NOTE`: capitals that stress; a short name such as `SAP` has no more than five.
fn is_shouted(word: &str) -> bool {
    tidy::length(word) > 5 && word.chars().all(char::is_uppercase)
}

/// In German a name follows a form of address or another name, or is written as no noun is.
fn is_german_name(words: &[Word<'_>], at: usize, language: Language) -> bool {
    const TITLES: [&str; 8] = ["herr", "herrn", "frau", "dr", "prof", "firma", "kollege", "kollegin"];
    const FORMS: [&str; 5] = ["gmbh", "ag", "kg", "se", "ohg"];
    let word = words[at].text;
    if !is_capital(word) || is_shouted(word) {
        return false;
    }
    let folded = |at: usize| words.get(at).map(|word| tidy::folded(word.text)).unwrap_or_default();
    let is_joined = |at: usize| words.get(at).is_some_and(|word| matches!(word.gap, " " | ". "));
    let before = at.checked_sub(1).map(folded).unwrap_or_default();
    let is_article = |word: &str| language.lexicon.is_some_and(|lexicon| lexicon.grammar.articles.has(word));
    let is_title = |word: &str| TITLES.contains(&word);
    let follows_title = is_title(&before) && is_joined(at);
    let follows_first_name = at >= 2 && is_title(&folded(at - 2)) && is_joined(at) && is_joined(at - 1);
    let has_inner_capital = word.chars().skip(1).any(char::is_uppercase);
    let has_form = FORMS.contains(&folded(at + 1).as_str()) && is_joined(at + 1);
    // `Petra Lindner`, but not `der Leiter Einkauf`.
    let pair = |first: usize| {
        let [one, other] =
            [first, first + 1].map(|at| words.get(at).is_some_and(|word| is_capital(word.text)));
        let ahead = first.checked_sub(1).map(folded).unwrap_or_default();
        one && other
            && words[first + 1].gap == " "
            && words[first].is_inside
            && !is_article(&ahead)
            && !is_title(&folded(first))
    };
    follows_title
        || follows_first_name
        || has_inner_capital
        || has_form
        || pair(at)
        || at.checked_sub(1).is_some_and(pair)
}

/// Addresses of mail.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    text.split(|char: char| char.is_whitespace() || "<>()[]\",;".contains(char))
        .map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()))
        .filter(|word| {
            word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        })
        .map(tidy::folded)
}

/// What stands before a form of address in Japanese and Chinese: `田中様`, `山田部長`, `王经理`.
fn addressed(text: &str) -> impl Iterator<Item = String> {
    const FORMS: [&str; 15] = [
        "さん", "様", "氏", "先生", "社長", "部長", "課長", "常務", "専務", "女士", "经理", "經理", "总监",
        "老师", "小姐",
    ];
    // What ends so is a kind of persons: `担当者様`.
    const KINDS: [char; 8] = ['者', '員', '客', '主', '生', '皆', '社', '户'];
    let is_of_name = |char: &char| {
        matches!(char, '\u{30a0}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
            && !matches!(char, '・' | '的' | '和')
    };
    FORMS.iter().flat_map(move |form| {
        text.match_indices(form).filter_map(move |(at, _)| {
            let name: Vec<char> = text[..at].chars().rev().take_while(is_of_name).take(4).collect();
            let is_name = name.len() >= 2 && !name.first().is_some_and(|last| KINDS.contains(last));
            is_name.then(|| name.into_iter().rev().collect())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut all: Vec<String> = of(text, Language::of_texts(&[text])).into_iter().collect();
        all.sort();
        all
    }

    #[test]
    fn names_are_told_from_words() {
        for (text, names) in [
            (
                "They left Stobbs’s depot in March. Ask for jo@stobbs.example, the new buyer.",
                vec!["jo@stobbs.example", "march", "stobbs"],
            ),
            ("TeleTracking is in the race.", vec!["teletracking"]),
            ("PLEASE DISCOUNT nothing. The budget is small.", vec![]),
            (
                "Herr Brandt zögert noch, sein Budget und die Freigabe fehlen. Der Leiter Einkauf entscheidet mit Petra Lindner von HubSpot.",
                vec!["brandt", "hubspot", "lindner", "petra"],
            ),
            ("担当者様より、田中様と山田部長が予算を心配しているとのことです。", vec!["山田", "田中"]),
        ] {
            assert_eq!(found(text), names, "{text}");
        }
    }
}
