//! What a shorter text must keep: numbers, names and links.

use std::collections::HashSet;

use crate::document::Document;
use crate::language::Language;
use crate::ordinary::Ordinary;
use crate::thing::texts;
use crate::token::fold;

/// A page is in the language of a list if the list does not know at most one in so many of its lowercase words.
const ONE_IN: usize = 3;

/// The words of a page that are names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    found: HashSet<String>,
    /// Whether the page is in the language of the list, so that a lowercase word that the list does not know is a name: `adidas`.
    knows_language: bool,
}

impl Names {
    /// The names on a page that ordinary words can be as well: what has a capital within sentences, who is addressed or quoted, what is on
    /// logos, and the site's name.
    pub(crate) fn of(document: &Document, language: &Language) -> Names {
        let mut found = HashSet::new();
        let (mut all, mut unknown) = (0, 0);
        let ordinary = Ordinary::of(language.tag);
        for block in &document.content.blocks {
            for (path, text) in texts(block) {
                let is_name =
                    ["/author", "/names/", "/altText", "/role"].iter().any(|part| path.contains(part));
                if is_name {
                    found.extend(capitals(&text, false));
                } else if language.tag != "de" && !is_title_case(&text) {
                    found.extend(capitals(&text, true));
                }
                found.extend(addressed(&text, language));
                for word in words(&text).filter(|word| word.chars().all(char::is_lowercase)) {
                    all += 1;
                    unknown += usize::from(!ordinary.has_lowercase(word));
                }
            }
        }
        let site = document.content.head.site_name.as_deref().unwrap_or_default();
        found.extend(capitals(site, false));
        Names { found, knows_language: unknown * ONE_IN <= all }
    }

    /// Whether a word is a name on the page.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.found.contains(word)
    }

    /// Whether a piece of a text must stay.
    pub(crate) fn keep(&self, piece: &str, language: &Language) -> bool {
        let has_link = ["http", "www.", "](", "@", "<", "`", "tel:"].iter().any(|sign| piece.contains(sign));
        let ordinary = Ordinary::of(language.tag);
        has_link
            || piece.split_whitespace().any(is_address)
            || piece.chars().any(char::is_numeric)
            || with_word_before(piece).any(|(before, word)| {
                parts(word).any(|part| self.found.contains(part))
                    || is_sign(word)
                    || parts(word).any(|part| language.tells_number(&fold(part)))
                    || if is_capital(word) {
                        // `Einfach Machen leitet`, `mit Einfach Machen`
                        let is_filler = |word: &str| is_capital(word) && language.is_filler(&fold(word));
                        let is_odd = before.is_some_and(|before| is_filler(before) || is_filler(word));
                        !ordinary.has(word) || ordinary.may_be_name(word, before) || is_odd
                    } else {
                        self.knows_language && !ordinary.has_lowercase(word)
                    }
            })
    }
}

/// Whether a word is an address without what begins one: `acme.example`, `/docs/start`.
fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '/');
    let is_domain = word.split('/').next().is_some_and(|host| {
        let labels: Vec<&str> = host.split('.').collect();
        let is_label = |label: &&str| {
            label.len() >= 2 && label.chars().all(|char| char.is_alphanumeric() || char == '-')
        };
        labels.len() >= 2 && labels.iter().all(is_label)
    });
    is_domain || (word.starts_with('/') && word.len() > 1)
}

fn is_capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Whether a word is written as only names are: with capitals inside.
fn is_sign(word: &str) -> bool {
    parts(word).any(|part| part.chars().skip(1).any(char::is_uppercase))
}

/// What is on both sides of hyphens and apostrophes: `l'Atelier`, `Maria's`.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split(['-', '\'', '’'])
}

/// Whether all longer words of a text have a capital, as in some headings: then a capital does not show a name.
fn is_title_case(text: &str) -> bool {
    let long = words(text).filter(|word| word.chars().count() > 3);
    long.skip(1).all(is_capital)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_inside = |char: char| matches!(char, '-' | '\'' | '’');
    text.split(move |char: char| !char.is_alphanumeric() && !is_inside(char))
        .map(move |word| word.trim_matches(is_inside))
        .filter(|word| !word.is_empty())
}

/// The words of a text, each with the one before it.
fn with_word_before(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    std::iter::once(None).chain(words(text).map(Some)).zip(words(text))
}

/// The words behind a form of address: `Frau Stein`, `Dr. Green`.
fn addressed<'t>(text: &'t str, language: &'t Language) -> impl Iterator<Item = String> + 't {
    let follows = text.split_whitespace().zip(text.split_whitespace().skip(1));
    let bare = |word: &'t str| word.trim_matches(|char: char| !char.is_alphanumeric());
    follows.filter_map(move |(form, name)| {
        let (form, name) = (bare(form), bare(name));
        let is_form = language.is("forms-of-address", &fold(form));
        (is_form && is_capital(name)).then(|| name.to_owned())
    })
}

/// The words with a capital; `inside` sentences only, if the first word of each is not to count.
fn capitals(text: &str, inside: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut starts = true;
    for piece in text.split_whitespace() {
        let word = piece.trim_matches(|char: char| !char.is_alphanumeric());
        // Behind the mark of a list or a heading a sentence begins as well.
        if !word.is_empty() {
            if is_capital(word) && !(inside && starts) && word != "I" {
                found.extend(parts(word).filter(|part| is_capital(part)).map(ToOwned::to_owned));
            }
            starts = piece.ends_with(['.', '!', '?', ':', '…', '|', '"', '”', '»', '*', '_']);
        }
    }
    found
}
