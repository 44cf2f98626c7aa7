//! What a shorter text must keep: numbers, names and links.

use std::collections::HashSet;

use crate::document::Document;
use crate::language::Language;
use crate::thing::texts;
use crate::token::fold;

/// The words of a page that are names.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// The names on a page: words with a capital within sentences, what stands on logos, who is quoted, and the site's name.
    pub(crate) fn of(document: &Document, language: &Language) -> Names {
        let mut found = HashSet::new();
        for block in &document.content.blocks {
            for (path, text) in texts(block) {
                let is_name =
                    ["/author", "/names/", "/altText", "/role"].iter().any(|part| path.contains(part));
                if is_name {
                    found.extend(capitals(&text, false));
                } else if language.tag != "de" && is_prose(&text) {
                    found.extend(capitals(&text, true));
                }
            }
        }
        let site = document.content.head.site_name.as_deref().unwrap_or_default();
        found.extend(capitals(site, false));
        Names(found)
    }

    /// Whether a piece of a text must stay.
    pub(crate) fn keep(&self, piece: &str, language: &Language) -> bool {
        let has_link = ["http", "www.", "](", "@", "<", "`", "tel:"].iter().any(|sign| piece.contains(sign));
        has_link
            || piece.chars().any(char::is_numeric)
            || words(piece)
                .any(|word| self.0.contains(word) || is_sign(word) || language.is("numbers", &fold(word)))
    }
}

/// Whether a word is written as only names are: with capitals inside.
fn is_sign(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next();
    chars.any(char::is_uppercase)
}

/// Whether a text is of sentences, not a heading.
fn is_prose(text: &str) -> bool {
    let all: Vec<&str> = words(text).collect();
    let capital = |word: &&&str| word.chars().next().is_some_and(char::is_uppercase);
    all.len() > 3 && all.iter().filter(capital).count() * 2 < all.len()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric() && char != '-').filter(|word| !word.is_empty())
}

/// The words with a capital; `inside` sentences only, if the first word of each is not to count.
fn capitals(text: &str, inside: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut starts = true;
    for piece in text.split_whitespace() {
        let word = piece.trim_matches(|char: char| !char.is_alphanumeric());
        // Behind the mark of a list or a heading a sentence begins as well.
        if !word.is_empty() {
            if word.chars().next().is_some_and(char::is_uppercase) && !(inside && starts) && word != "I" {
                found.push(word.to_owned());
            }
            starts = piece.ends_with(['.', '!', '?', ':', '…', '|', '"', '”', '»', '*', '_']);
        }
    }
    found
}
