//! What of a page fits its reader: words that the notes about them and the context have in common.
//!
//! What this is not: a search. It orders what is shown anyway, and leaves out what an operator did not want mentioned.

use std::collections::HashSet;

use crate::tidy;

/// The most words that are kept of what is known about a reader.
const MOST_WORDS: usize = 600;

/// The shortest beginning that two forms of a word share.
const STEM: usize = 6;

/// What is looked for, and what is not wanted.
#[derive(Debug, Clone, Default)]
pub struct Interest {
    wanted: HashSet<String>,
    unwanted: Vec<Vec<String>>,
}

impl Interest {
    /// Adds what is known about the reader, or what an operator wants stressed.
    pub fn add(&mut self, text: &str) {
        for word in stems(text) {
            if self.wanted.len() < MOST_WORDS {
                self.wanted.insert(word);
            }
        }
    }

    /// Adds something that is not to be mentioned; each of several things by itself.
    pub fn refuse(&mut self, text: &str) {
        let folded = tidy::folded(text);
        for thing in
            folded.split([',', '/']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "))
        {
            let words: Vec<String> = stems(thing).collect();
            if !words.is_empty() && self.unwanted.len() < 20 {
                self.unwanted.push(words);
            }
        }
    }

    /// How well a text fits, for putting it before others: one word in common is chance.
    pub fn rank(&self, text: &str) -> usize {
        Some(self.of(text)).filter(|found| *found >= 2).unwrap_or(0)
    }

    /// How many words a text has in common with what is looked for.
    pub fn of(&self, text: &str) -> usize {
        if self.wanted.is_empty() {
            return 0;
        }
        let found: HashSet<String> = stems(text).filter(|word| self.wanted.contains(word)).collect();
        found.len()
    }

    /// Whether a text mentions what is not wanted.
    pub fn refuses(&self, text: &str) -> bool {
        if self.unwanted.is_empty() {
            return false;
        }
        let words: HashSet<String> = stems(text).collect();
        self.unwanted.iter().any(|thing| thing.iter().all(|word| words.contains(word)))
    }
}

/// Words that say nothing about a subject.
const EMPTY: &[&str] = &[
    "and",
    "the",
    "for",
    "you",
    "our",
    "are",
    "how",
    "was",
    "has",
    "had",
    "not",
    "but",
    "can",
    "all",
    "any",
    "who",
    "its",
    "new",
    "get",
    "one",
    "out",
    "see",
    "two",
    "use",
    "day",
    "now",
    "und",
    "der",
    "die",
    "das",
    "mit",
    "für",
    "ist",
    "wir",
    "sie",
    "ein",
    "von",
    "des",
    "les",
    "est",
    "una",
    "los",
    "las",
    "per",
    "con",
    "het",
    "een",
    "van",
    "about",
    "after",
    "again",
    "also",
    "because",
    "been",
    "before",
    "being",
    "could",
    "does",
    "doing",
    "down",
    "each",
    "from",
    "have",
    "having",
    "help",
    "here",
    "into",
    "just",
    "like",
    "made",
    "make",
    "mention",
    "more",
    "most",
    "much",
    "need",
    "needs",
    "next",
    "only",
    "other",
    "over",
    "page",
    "same",
    "shall",
    "should",
    "some",
    "such",
    "team",
    "teams",
    "than",
    "that",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "through",
    "under",
    "very",
    "want",
    "wants",
    "well",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "will",
    "with",
    "work",
    "would",
    "year",
    "years",
    "your",
    "yours",
    "please",
    "write",
    "auch",
    "aber",
    "eine",
    "einen",
    "einer",
    "haben",
    "sind",
    "nicht",
    "oder",
    "über",
    "wird",
    "werden",
    "unsere",
    "avec",
    "pour",
    "dans",
    "nous",
    "vous",
    "para",
    "como",
    "more",
    "company",
    "customers",
    "asked",
    "talked",
    "discussed",
];

/// The beginnings of the words that say something; of scripts without spaces, every pair of signs.
fn stems(text: &str) -> impl Iterator<Item = String> {
    let folded = tidy::folded(tidy::head(text, 16 * 1024));
    let words: Vec<String> = folded
        .split(|char: char| !char.is_alphanumeric())
        .flat_map(|word| {
            let wide = word
                .chars()
                .next()
                .is_some_and(|char| matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'));
            if wide {
                let signs: Vec<char> = word.chars().collect();
                signs.windows(2).map(|pair| pair.iter().collect()).collect()
            } else if tidy::length(word) < 3 || EMPTY.contains(&word) {
                Vec::new()
            } else {
                vec![stem(word)]
            }
        })
        .collect();
    words.into_iter()
}

fn stem(word: &str) -> String {
    let short: String = word.chars().take(STEM).collect();
    match short.strip_suffix('s') {
        Some(singular) if tidy::length(singular) >= 3 => singular.to_owned(),
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_found_in_other_forms() {
        let mut interest = Interest::default();
        interest.add("They are migrating to NetSuite and worry about security.");
        assert_eq!(interest.of("Works with NetSuite"), 1);
        assert_eq!(interest.of("Secure migration to NetSuite"), 2);
        assert_eq!(interest.of("Bread and butter"), 0);
        interest.add("東京の物流");
        assert!(interest.of("物流センター") > 0);
    }

    #[test]
    fn what_is_not_wanted_is_known() {
        let mut interest = Interest::default();
        interest.refuse("pricing or the Rivalco lawsuit");
        assert!(interest.refuses("Our pricing is simple"));
        assert!(interest.refuses("The lawsuit of Rivalco"));
        assert!(!interest.refuses("Rivalco is a company"));
    }
}
