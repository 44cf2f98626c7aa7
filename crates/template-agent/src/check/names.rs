//! The names in notes: what a capital, a form of address or an address of mail shows to be one.
//!
//! What this is not: a list of names. In doubt a word is no name, since a common word that is in the notes may be on the page.

use std::collections::HashSet;
use std::ops::Range;

use super::plain::is_without_spaces;
use crate::contact;
use crate::language::Language;
use crate::tidy;

/// The fewest letters of a name.
const LEAST: usize = 3;

/// The words of a text, with what shows that one is a name.
pub struct Spelled<'a> {
    text: &'a str,
    /// The words in small letters, one after the other.
    folded: String,
    words: Vec<Word<'a>>,
}

struct Word<'a> {
    text: &'a str,
    /// Where it is among the words in small letters.
    folded: Range<usize>,
    /// Whether it is within a sentence.
    is_inside: bool,
    /// What is between it and the word before.
    gap: &'a str,
}

impl<'a> Spelled<'a> {
    /// The words of a text.
    pub fn of(text: &'a str) -> Spelled<'a> {
        let mut all = Spelled { text, folded: String::with_capacity(text.len()), words: Vec::new() };
        let (mut ends_sentence, mut behind) = (true, 0);
        let mut begun: Option<(usize, usize)> = None;
        for (at, char) in text.char_indices() {
            if char.is_alphabetic() {
                begun.get_or_insert((at, all.folded.len()));
                tidy::fold(char, &mut all.folded);
                continue;
            }
            if let Some(begun) = begun.take() {
                all.add(begun, at, behind, !ends_sentence);
                (ends_sentence, behind) = (false, at);
            }
            ends_sentence |=
                matches!(char, '.' | '!' | '?' | ':' | '-' | '•' | '\n' | '"' | '“' | '*' | '#' | '|');
        }
        if let Some(begun) = begun {
            all.add(begun, text.len(), behind, !ends_sentence);
        }
        all
    }

    fn add(&mut self, (start, folded): (usize, usize), end: usize, behind: usize, is_inside: bool) {
        let folded = folded..self.folded.len();
        self.words.push(Word {
            text: &self.text[start..end],
            folded,
            is_inside,
            gap: &self.text[behind..start],
        });
    }

    /// A word in small letters, or nothing where there is no word.
    fn folded(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &self.folded[word.folded.clone()])
    }

    /// The words in small letters of which that is true.
    fn that(&self, is: impl Fn(&Word<'a>) -> bool) -> impl Iterator<Item = &str> {
        let words = self.words.iter().filter(move |word| is(word));
        words.map(|word| &self.folded[word.folded.clone()])
    }

    /// All words, in small letters.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.that(|_| true)
    }

    /// Those that have a capital, in small letters.
    pub fn capitals(&self) -> impl Iterator<Item = &str> {
        self.that(|word| is_capital(word.text))
    }

    /// Those that begin a sentence, in small letters: where one has a capital within another sentence, it is a name.
    pub fn beginnings(&self, language: Language) -> impl Iterator<Item = &str> {
        let is_common = move |word: &str| {
            language
                .lexicon
                .is_some_and(|lexicon| lexicon.kinds.empty.has(word) || lexicon.grammar.asks.has(word))
        };
        // In German all nouns have a capital.
        let words = self.that(move |word| language.tag != "de" && !word.is_inside && is_capital(word.text));
        words.filter(move |word| !is_common(word))
    }

    /// Those that have a capital within a sentence, in small letters; none of a text that gives one to most of its words.
    pub fn inner_capitals(&self) -> impl Iterator<Item = &str> {
        let (mut capitals, mut small) = (0, 0);
        for word in self.words.iter().filter(|word| word.is_inside && tidy::length(word.text) > LEAST) {
            *(if is_capital(word.text) { &mut capitals } else { &mut small }) += 1;
        }
        let is_title = capitals > 1 && capitals >= small;
        self.that(move |word| !is_title && word.is_inside && is_capital(word.text))
    }

    /// The names, in small letters.
    pub fn names(&self, language: Language) -> HashSet<String> {
        let mut found: HashSet<String> = HashSet::new();
        if self.text.contains('@') {
            found.extend(contact::mail_addresses(self.text).map(tidy::folded));
        }
        if self.text.contains(is_without_spaces) {
            found.extend(addressed(self.text));
        }
        for (at, word) in self.words.iter().enumerate() {
            let is_name = match language.tag {
                // All nouns have a capital.
                "de" => self.is_german_name(at, language),
                _ => {
                    let is_brand = word.text.chars().skip(1).any(char::is_uppercase);
                    (word.is_inside || is_brand) && is_capital(word.text) && !is_shouted(word.text)
                }
            };
            let folded = self.folded(at);
            if is_name && !language.lexicon.is_some_and(|lexicon| lexicon.kinds.empty.has(folded)) {
                found.insert(folded.to_owned());
            }
        }
        found
    }

    /// In German a name follows a form of address or another name, or is written as no noun is.
    fn is_german_name(&self, at: usize, language: Language) -> bool {
        const TITLES: [&str; 8] = ["herr", "herrn", "frau", "dr", "prof", "firma", "kollege", "kollegin"];
        const FORMS: [&str; 5] = ["gmbh", "ag", "kg", "se", "ohg"];
        let words = &self.words;
        let word = words[at].text;
        if !is_capital(word) || is_shouted(word) {
            return false;
        }
        let is_joined = |at: usize| words.get(at).is_some_and(|word| matches!(word.gap, " " | ". "));
        let before = |at: usize| at.checked_sub(1).map_or("", |at| self.folded(at));
        let is_article =
            |word: &str| language.lexicon.is_some_and(|lexicon| lexicon.grammar.articles.has(word));
        let is_title = |word: &str| TITLES.contains(&word);
        let follows_title = is_title(before(at)) && is_joined(at);
        let follows_first_name =
            at >= 2 && is_title(self.folded(at - 2)) && is_joined(at) && is_joined(at - 1);
        let has_inner_capital = word.chars().skip(1).any(char::is_uppercase);
        let has_form = FORMS.contains(&self.folded(at + 1)) && is_joined(at + 1);
        // `Petra Lindner`, but not `der Leiter Einkauf`.
        let pair = |first: usize| {
            let [one, other] =
                [first, first + 1].map(|at| words.get(at).is_some_and(|word| is_capital(word.text)));
            one && other
                && words[first + 1].gap == " "
                && words[first].is_inside
                && !is_article(before(first))
                && !is_title(self.folded(first))
        };
        follows_title
            || follows_first_name
            || has_inner_capital
            || has_form
            || pair(at)
            || at.checked_sub(1).is_some_and(pair)
    }
}

/// Whether a name is looked for among the words; else it is looked for anywhere in the text.
pub fn is_word(name: &str) -> bool {
    name.chars().all(char::is_alphabetic) && !name.chars().any(is_without_spaces)
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && tidy::length(word) >= LEAST
}

/// `PLEASE NOTE`: capitals that stress; a short name such as `SAP` has no more than five.
fn is_shouted(word: &str) -> bool {
    tidy::length(word) > 5 && word.chars().all(char::is_uppercase)
}

/// What is before a form of address in Japanese and Chinese: `田中様`, `山田部長`, `王经理`.
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
        let mut all: Vec<String> = Spelled::of(text).names(Language::of_texts(&[text])).into_iter().collect();
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
