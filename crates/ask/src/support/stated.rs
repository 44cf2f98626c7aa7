//! What a text states, as far as it can be told without understanding: its numbers, names and addresses. For summaries, whose words may be others.

use std::collections::HashSet;

use pagesmith_knowledge_index::text::Language;
use pagesmith_knowledge_index::text::terms;

use super::parts::{addresses, is_plain, name_words, numbers};

/// What a text states.
#[derive(Debug, Clone)]
pub struct Stated {
    language: Language,
    terms: HashSet<String>,
    numbers: HashSet<String>,
    lowercase: String,
}

impl Stated {
    /// What this text states.
    pub fn of(text: &str) -> Stated {
        let language = Language::of(text);
        Stated {
            language,
            terms: terms::reduced_to(&terms::words(text), language).into_iter().collect(),
            numbers: numbers(text).into_iter().collect(),
            lowercase: text.to_lowercase(),
        }
    }

    /// Whether a sentence is plain text without a number, a name or an address that the text does not have.
    pub fn allows(&self, sentence: &str) -> bool {
        let names = name_words(sentence, false).into_iter().flat_map(terms::words).collect::<Vec<String>>();
        let names = terms::reduced_to(&names, self.language);
        is_plain(sentence)
            && numbers(sentence).iter().all(|number| self.numbers.contains(number))
            && addresses(sentence).iter().all(|address| self.lowercase.contains(&address.to_lowercase()))
            && names.iter().all(|name| self.terms.contains(name) || name.chars().count() == 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_text_does_not_state_is_not_allowed() {
        let stated = Stated::of(
            "Acme heats houses in Linz with heat pumps. A pump costs 12,000 euros. See acme.example.",
        );
        for sentence in [
            "The company sells heat pumps in Linz.",
            "Prices begin at 12000 euros.",
            "More is at acme.example.",
        ] {
            assert!(stated.allows(sentence), "{sentence}");
        }
        for sentence in [
            "The company sells heat pumps in Graz.",
            "Prices begin at 9,000 euros.",
            "More is at evil.example.",
            "It sells <b>pumps</b>.",
            "It sells\u{202e} pumps.",
        ] {
            assert!(!stated.allows(sentence), "{sentence}");
        }
    }

    proptest! {
        #[test]
        fn every_plain_text_states_itself(text in "[a-zA-Z0-9 .,:@/-]{0,120}") {
            prop_assert!(Stated::of(&text).allows(&text));
        }
    }
}
