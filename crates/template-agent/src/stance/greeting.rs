//! Greetings, and how those go on who say who they are: a page opens with what it says, not with `Hello everyone`.
//!
//! What this is not: a letter to somebody by name, which is an instruction as everything else that is said to the writer.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::lists::{self, Beginnings};
use crate::tidy;
use crate::words::is_unspaced;

/// The most bytes of a greeting.
const LONGEST: usize = 60;
/// The most bytes of a greeting before who greets.
const LONGEST_BEFORE: usize = 24;

/// The list with that name, the longest first: `allemaal` before `alle`.
fn list(name: &str) -> Beginnings {
    let mut all = lists::of(include_str!("greetings.txt"), name);
    all.sort_by_key(|text| std::cmp::Reverse(text.len()));
    all.into()
}

/// How people greet.
static GREETINGS: LazyLock<Beginnings> = LazyLock::new(|| list("greeting"));
/// Whom they greet.
static WHOM: LazyLock<Beginnings> = LazyLock::new(|| list("whom"));
/// The words by which they introduce themselves: what follows says who they are.
static INTRODUCTIONS: LazyLock<Beginnings> = LazyLock::new(|| list("introduction"));

/// What is behind one of these, if they end where a word does.
fn behind<'a>(all: &Beginnings, text: &'a str) -> Option<&'a str> {
    let is_apart = |rest: &&str| {
        !rest.starts_with(char::is_alphanumeric)
            || text.starts_with(is_unspaced)
            || rest.starts_with(is_unspaced)
    };
    all.strip(text).filter(is_apart)
}

/// Whether a text says no more than hello: `Bonjour`, `Hallo zusammen!`
pub fn is_greeting(text: &str) -> bool {
    text.len() <= LONGEST && behind_greeting(bare(text)).is_some_and(str::is_empty)
}

/// What is behind a greeting to nobody by name: `so basically we tow boats` of `hey team so basically we tow boats`.
pub fn behind_greeting(text: &str) -> Option<&str> {
    let head = tidy::head(text, LONGEST);
    let folded = tidy::folded(head);
    let mut rest = behind(&GREETINGS, &folded).map(bare)?;
    while let Some(next) = behind(&WHOM, rest).or_else(|| behind(&GREETINGS, rest)) {
        rest = bare(next);
    }
    unfolded(text, &folded, rest)
}

/// The text from its first letter or digit on.
fn bare(text: &str) -> &str {
    text.trim_start_matches(|char: char| !char.is_alphanumeric())
}

/// The end of a text of which `rest` is the end in the folded text. `’` is folded into a sign of fewer bytes, so characters count.
fn unfolded<'a>(text: &'a str, folded: &str, rest: &str) -> Option<&'a str> {
    let taken = folded[..folded.len() - rest.len()].chars().count();
    let at = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(taken)?;
    Some(&text[at..])
}

/// Who or what somebody says they are: `Keller Bikes` of `We are Keller Bikes`; the article goes in languages where it is told apart.
pub fn introduced(text: &str) -> Option<&str> {
    let folded = tidy::folded(tidy::head(text, LONGEST));
    let rest = INTRODUCTIONS.strip(&folded)?;
    unfolded(text, &folded, rest).filter(|who| !who.is_empty())
}

/// The text without the greeting at its beginning: one that is a line of its own, or one before which whoever greets says who they
/// are, as in `Hi there, we are Keller Bikes in Freiburg.`
///
/// Any other sentence that begins so is a letter's, and was written to somebody else than visitors.
pub fn without(text: &str) -> Cow<'_, str> {
    let begun = text.trim_start();
    if let Some((line, rest)) = begun.split_once('\n')
        && is_greeting(line)
    {
        return Cow::Borrowed(rest);
    }
    let head = tidy::head(begun, LONGEST_BEFORE);
    let Some(end) = head.find([',', '!', '.']) else { return Cow::Borrowed(text) };
    let rest = begun[end..].trim_start_matches([',', '!', '.']).trim_start();
    let greeting = tidy::folded(&head[..end]);
    let is_told = || behind(&GREETINGS, &greeting).is_some() && introduced(rest).is_some();
    if is_told() { Cow::Owned(tidy::capital(rest)) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_told_from_names_and_sentences() {
        for greeting in [
            "Bonjour",
            "Hola",
            "Hallo zusammen!",
            "Hello and welcome",
            "Ciao a tutti",
            "Olá a todos",
            "Hallo allemaal",
            "Dzień dobry",
            "Hej",
            "Merhaba arkadaşlar",
            "こんにちは。",
            "你好！",
            "안녕하세요",
            "Здравствуйте",
            "مرحبا",
            "שלום",
            "Welcome to our website!",
            "Hi, hello!",
            "Willkommen auf unserer Website",
        ] {
            assert!(is_greeting(greeting), "{greeting}");
        }
        for other in [
            "Hello Kitty Café",
            "History",
            "Welcome to Corner Dental",
            "Hi Anna, can you make a page?",
            "Oil for looms",
            "",
            "Dagelijks vers",
            "Alle Preise",
            "!",
        ] {
            assert!(!is_greeting(other), "{other}");
        }
    }

    #[test]
    fn who_greets_and_says_who_they_are_speaks_to_visitors() {
        for (typed, told) in [
            ("hi, we are Keller Bikes in Freiburg. we lend", "We are Keller Bikes in Freiburg. we lend"),
            ("Hello! We're the Hotel Lindenhof.", "We're the Hotel Lindenhof."),
            ("Hey there,\nwe are Lotus Yoga.", "we are Lotus Yoga."),
            ("Hallo zusammen, wir sind die Bäckerei Keller.", "Wir sind die Bäckerei Keller."),
            ("Good morning, we are Corner Dental.", "We are Corner Dental."),
            ("Dzień dobry, jesteśmy Zakwas.", "Jesteśmy Zakwas."),
            ("Cześć, jesteśmy piekarnią z Gdańska.", "Jesteśmy piekarnią z Gdańska."),
            ("Hola\nSomos Roca.", "Somos Roca."),
        ] {
            assert_eq!(without(typed), told);
        }
        for letter in [
            "Hi Anna, can you make a page?",
            "Hi, this is Anna from marketing.",
            "Hi",
            "",
            "History, we are told, repeats itself.",
            "Good coffee, we are Bean & Leaf.",
            "Bom preço, somos a padaria Sol.",
            "Guten Appetit, wir sind das Gasthaus Krone.",
            "Hello everybody out there who reads this, we are late.",
        ] {
            assert_eq!(without(letter), letter);
        }
    }

    #[test]
    fn who_somebody_is_stands_behind_the_introduction() {
        for (text, who) in [
            ("We’re Keller Bikes", Some("Keller Bikes")),
            ("Somos a Padaria Sol, padaria de bairro", Some("Padaria Sol, padaria de bairro")),
            ("Siamo l’Officina Bianchi", Some("Officina Bianchi")),
            ("我们是北京的面包店", Some("北京的面包店")),
            ("Wir bauen", None),
            ("We are ", Some("")),
        ] {
            assert_eq!(introduced(text).unwrap_or_default(), who.unwrap_or_default(), "{text}");
        }
    }
}
