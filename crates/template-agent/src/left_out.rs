//! What a brief says for visitors and its page does not: whoever wrote the brief has to know.
//!
//! What this is not: a judge of what should be told. Orders that were obeyed, and notes about the audience, are left out on purpose.

use std::collections::HashSet;

use pagesmith_model::content::Content;

use crate::language::Language;
use crate::outline;
use crate::rich::Rich;
use crate::stance::{self, Stance, greeting};
use crate::tidy;
use crate::words::{Tokens, is_unspaced};

/// The fewest letters of a word that shows what a sentence says.
const LEAST_LETTERS: usize = 4;
/// Of so many such words one may be missing on the page.
const ONE_IN: usize = 3;

/// A context, and what of it is for the writer.
pub struct Said<'a> {
    /// The context.
    pub context: &'a str,
    /// What it says to the writer.
    pub orders: &'a [String],
    /// What it says about the audience.
    pub notes: &'a [String],
    /// What is named already.
    pub named: &'a [String],
}

/// The sentences of a context that are neither on the page nor for the writer.
pub fn of(said: &Said<'_>, content: &Content, language: Language) -> Vec<String> {
    let Ok(page) = serde_json::to_string(&content.blocks) else { return Vec::new() };
    let (page, name) = (tidy::folded(&page), content.head.site_name.as_deref().unwrap_or_default());
    let name = tidy::folded(name);
    let shown: Tokens = Tokens::of(&page);
    let shown: HashSet<&str> = shown.iter().collect();
    let for_writer: HashSet<&str> = said.orders.iter().chain(said.named).map(String::as_str).collect();
    let is_within = |sentence: &str| {
        for_writer.contains(sentence)
            || said
                .named
                .iter()
                .chain(said.orders)
                .any(|named| sentence.contains(named.trim_end_matches(['.', '!', '?'])))
            || said.notes.iter().any(|note| note == sentence && !tells(note, language))
    };
    // A heading only orders what is below it.
    let sections = outline::read(said.context);
    let titles: HashSet<&str> =
        sections.iter().filter_map(|section| section.title.as_ref()).map(Rich::plain).collect();
    let mut left = outline::sentences(said.context);
    left.retain(|sentence| {
        sentence.contains(char::is_whitespace)
            && !titles.contains(sentence.as_str())
            && stance::of(sentence) == Stance::Copy
            && !greeting::is_greeting(sentence)
            && !is_within(sentence)
            && !is_shown(sentence, &shown, &name, language)
    });
    left
}

/// Whether a note tells something of whoever speaks: a number, what somebody said, or `we`.
fn tells(note: &str, language: Language) -> bool {
    note.contains(|char: char| char.is_ascii_digit() || matches!(char, '"' | '“' | '„' | '«'))
        || language.lexicon.is_some_and(|lexicon| lexicon.grammar.we.in_text(&Tokens::of(note)))
}

/// Whether the words of a sentence that say something are on the page.
fn is_shown(sentence: &str, shown: &HashSet<&str>, name: &str, language: Language) -> bool {
    if sentence.contains(is_unspaced) {
        return true;
    }
    let tokens = Tokens::of(sentence);
    let is_empty = |word: &str| language.lexicon.is_some_and(|lexicon| lexicon.kinds.empty.has(word));
    let says = |word: &&str| {
        word.contains(|char: char| char.is_ascii_digit())
            || tidy::length(word) >= LEAST_LETTERS && !is_empty(word)
    };
    let (mut all, mut missing, mut numbers) = (0, 0, 0);
    for word in tokens.iter().filter(says) {
        all += 1;
        if !shown.contains(word) && !name.contains(word) {
            missing += 1;
            numbers += usize::from(word.contains(|char: char| char.is_ascii_digit()));
        }
    }
    numbers == 0 && missing * ONE_IN <= all
}
