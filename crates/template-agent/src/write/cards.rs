//! Sentences as cards.

use crate::blocks;
use crate::clause;
use crate::count;
use crate::kind::Kind;
use crate::lexicon::Lexicon;
use crate::material::Fact;
use crate::rich::Rich;
use crate::tidy;

/// The most words of a card's title that is a whole sentence.
const CARD_TITLE: usize = 14;

/// A sentence without a kind of its own.
pub(super) fn plain_fact(text: &str) -> Fact {
    Fact { text: Rich::of(text), kind: Kind::Feature, is_stressed: false, paragraph: 0 }
}

/// A title and a text as one sentence.
pub(super) fn joined(title: &str, text: &str) -> String {
    if text.is_empty() { title.to_owned() } else { format!("{title}: {text}") }
}

/// A fact as a card: its sentence as the title if it is short, else divided at a mark.
pub(super) fn titled(fact: &Fact, lexicon: Option<&Lexicon>) -> Option<(String, String)> {
    let text = fact.text.plain().trim();
    if fact.text.markdown().contains("](") || text.ends_with([':', '?', '？', '؟']) {
        return None;
    }
    let whole = text.strip_suffix(['.', '。']).filter(|bare| !bare.ends_with('.')).unwrap_or(text);
    if count::words(whole) <= CARD_TITLE && tidy::length(whole) <= 140 {
        return Some((tidy::capital(whole), String::new()));
    }
    let mut best = None;
    for mark in [": ", " – ", " — ", "; ", ", "] {
        for (at, _) in whole.match_indices(mark) {
            let (one, other) = (&whole[..at], &text[at + mark.len()..]);
            let fits = (4..=10).contains(&count::words(one))
                && count::words(other) >= 3
                && count::words(other) <= blocks::MOST_PROSE;
            // Brackets and quotation marks are not torn apart, and neither is a list.
            let is_whole = one.matches(['(', '"', '“', '„']).count() == one.matches([')', '”']).count();
            let is_clause = mark != ", "
                || !one.contains(", ") && lexicon.is_some_and(|lexicon| clause::follows(other, lexicon));
            if fits && is_whole && is_clause && best.is_none() {
                best = Some((tidy::capital(one.trim()), tidy::capital(clause::without_joint(other.trim()))));
            }
        }
    }
    best
}
