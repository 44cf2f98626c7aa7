//! Summaries: the sentences of a text that say most, in their order.
//!
//! A sentence says much if its words are those that the text is about: words that occur often, but not in every sentence. Earlier sentences
//! count a little more. What this is not: writing; every sentence is in the text.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::Language;
use crate::text::terms;

/// How many sentences are looked at.
const LOOKED_AT: usize = 200;
/// How many sentences a summary has at most.
const SENTENCES: usize = 3;
/// How many characters a summary has at most.
const LONGEST: usize = 480;
/// The fewest words of a sentence that is taken.
const FEWEST_WORDS: u32 = 5;

/// The sentences that say most; nothing if none of them is one.
pub fn summary(text: &str) -> Option<String> {
    let language = Language::of(text);
    let body = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let sentences: Vec<&str> = body
        .flat_map(UnicodeSegmentation::unicode_sentences)
        .map(str::trim)
        .filter(|sentence| sentence.ends_with(['.', '!', '?', '。', '！', '？', '…']))
        .filter(|sentence| sentence.chars().count() <= LONGEST)
        .take(LOOKED_AT)
        .collect();
    let read: Vec<_> = sentences.iter().map(|sentence| terms::of_text(sentence, language)).collect();
    let mut occurs: HashMap<&str, u32> = HashMap::new();
    for term in read.iter().flat_map(|terms| terms.counts.keys()) {
        *occurs.entry(term).or_default() += 1;
    }
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (at, terms) in read.iter().enumerate().filter(|(_, terms)| terms.words >= FEWEST_WORDS) {
        let weight =
            |term: &String| said_by(occurs.get(term.as_str()).copied().unwrap_or_default(), read.len());
        let sum: f64 = terms.counts.keys().map(weight).sum();
        let place = 1.0 + 1.0 / f64::from(u32::try_from(at + 1).unwrap_or(u32::MAX));
        ranked.push((sum / f64::from(terms.words).sqrt() * place, at));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (mut chosen, mut length) = (Vec::new(), 0);
    for (_, at) in ranked {
        let more = sentences[at].chars().count() + 1;
        if chosen.len() < SENTENCES && length + more <= LONGEST + 1 {
            chosen.push(at);
            length += more;
        }
    }
    chosen.sort_unstable();
    let chosen: Vec<&str> = chosen.into_iter().map(|at| sentences[at]).collect();
    (!chosen.is_empty()).then(|| chosen.join(" "))
}

/// What a word says that occurs in so many of so many sentences; one that is in a single sentence says hardly what the text is about.
fn said_by(occurs: u32, sentences: usize) -> f64 {
    let (occurs, sentences) =
        (f64::from(occurs.max(1)), f64::from(u32::try_from(sentences).unwrap_or(u32::MAX)));
    (0.1 + occurs.ln()) * (1.0 + sentences / occurs).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_sentences_that_say_most_are_taken_in_their_order() {
        let text = "# Acme\n\nHello! Acme heats houses with heat pumps from Sweden. It rains today and nobody knows why.\n\
            Every heat pump of Acme comes with ten years of warranty. Yes. Our heat pumps heat houses down to minus 25 degrees. \
            Read on.";
        let summary = summary(text).unwrap();
        assert_eq!(
            summary,
            "Acme heats houses with heat pumps from Sweden. Every heat pump of Acme comes with ten years of warranty. \
             Our heat pumps heat houses down to minus 25 degrees."
        );
    }

    #[test]
    fn what_is_no_sentence_has_no_summary() {
        for text in ["", "Menu Home About", "a. b. c.", "# Only a heading.", &"x ".repeat(9_000)] {
            assert_eq!(summary(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn summaries_are_short_and_stand_in_the_text(text in "([a-zé価]{1,9}[ .!?\n]{1,2}){0,150}") {
            if let Some(summary) = summary(&text) {
                prop_assert!(summary.chars().count() <= LONGEST);
                prop_assert!(summary.split_whitespace().all(|word| text.contains(word)));
            }
        }
    }
}
