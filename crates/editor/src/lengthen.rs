//! Longer texts: sentences that the page does not have yet, put behind what is there.

use std::collections::HashSet;

use crate::document::{Document, Material};
use crate::thing::texts;
use crate::token::{fold, words};

/// The most sentences that are added at once.
const MOST: usize = 2;

/// Sentences of the material that are not on the page and have to do with a text, the closest first; any for a text that is
/// about the subject in general.
pub(crate) fn unused(
    document: &Document,
    material: &Material,
    about: &str,
    is_general: bool,
    most_chars: usize,
) -> Vec<String> {
    let shown: String = document
        .content
        .blocks
        .iter()
        .flat_map(texts)
        .map(|(_, text)| plain(&text))
        .collect::<Vec<_>>()
        .join("\n");
    let of_text = meaning(about);
    let mut scored: Vec<(usize, &String)> = material
        .facts
        .iter()
        .filter(|fact| !shown.contains(&plain(fact)) && fact.chars().count() <= most_chars)
        .map(|fact| (meaning(fact).intersection(&of_text).count(), fact))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    if scored.is_empty() && is_general {
        // Every sentence is about the page's subject.
        let fits = |fact: &&String| !shown.contains(&plain(fact)) && fact.chars().count() <= most_chars;
        scored.extend(material.facts.iter().filter(fits).map(|fact| (0, fact)).take(1));
    }
    let mut left = most_chars;
    let mut chosen = Vec::new();
    for (_, fact) in scored.into_iter().take(MOST) {
        let length = fact.chars().count() + 1;
        if length <= left {
            left -= length;
            chosen.push(fact.clone());
        }
    }
    chosen
}

fn plain(text: &str) -> String {
    fold(text).split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// The words of a text that mean something, by their first letters.
fn meaning(text: &str) -> HashSet<String> {
    let long = words(text).into_iter().filter(|word| word.chars().count() >= 4);
    long.map(|word| word.chars().take(6).collect()).collect()
}
