//! What the writer of a brief doubts in it: `I think the 99.99 % is dodgy, use it anyway??`
//!
//! What this is not: a judge of what is true. The words are in `doubts.toml` and are looked for whatever the language of the page is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasickKind;
use pagesmith_model::text;
use serde::Deserialize;

use super::phrases::Phrases;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    questions: BTreeMap<String, Vec<String>>,
    anywhere: BTreeMap<String, Vec<String>>,
}

/// The words, ready to be looked for.
#[derive(Default)]
struct Words {
    questions: Phrases,
    anywhere: Phrases,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    // A test rules out that the file cannot be read.
    let lists: Option<Lists> = toml::from_str(include_str!("doubts.toml")).ok();
    let Some(Lists { questions, anywhere }) = lists else { return Words::default() };
    let of = |lists: BTreeMap<String, Vec<String>>| {
        Phrases::of(lists.into_values().flatten(), Some(AhoCorasickKind::ContiguousNFA))
    };
    Words { questions: of(questions), anywhere: of(anywhere) }
});

/// Whether whoever wrote a sentence doubts what it says.
pub fn is_doubt(sentence: &str) -> bool {
    let folded = text::fold(sentence);
    let asks = folded.trim_end_matches(['"', '”', '»', ')', ' ', '!']).ends_with(['?', '？', '؟']);
    WORDS.anywhere.is_in(&folded) || asks && WORDS.questions.is_in(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read() {
        assert!(WORDS.questions.len() > 150 && WORDS.anywhere.len() > 150);
    }

    #[test]
    fn what_is_doubted_is_told_from_what_visitors_ask() {
        for doubt in [
            "I think the 99.99% figure is dodgy, use it anyway??",
            "Ich glaub die 4.000 stimmen nicht mehr, trotzdem drin lassen?",
            "On le garde, le chiffre de 98 % ?",
            "Creo que son 40, ¿lo ponemos?",
            "Acho que são 40, usamos mesmo assim?",
            "Il 98 % è da verificare.",
            "Klopt dat nog, die 98 %?",
            "Not sure that's right, somebody should check.",
        ] {
            assert!(is_doubt(doubt), "{doubt}");
        }
        for fact in [
            "Do I need to read music?",
            "Is it true that goats climb trees?",
            "Can I pay by card?",
            "Muss ich etwas mitbringen?",
            "¿Puedo pagar con tarjeta?",
            "We think bread needs a day.",
            "I believe in slow bread.",
            "We double-check every bolt.",
        ] {
            assert!(!is_doubt(fact), "{fact}");
        }
    }
}
