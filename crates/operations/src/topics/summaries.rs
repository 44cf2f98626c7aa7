//! Summaries that models write of pages and files: which model, and what of a summary is kept.
//!
//! What this is not: the asking, which is the worker's. A summary is what was found, so that it never replaces what the caller gave; where nothing
//! of it is left, the sentences of the text that say most are the summary, as without a model.

use pagesmith_ask::passage;
use pagesmith_ask::support::Stated;

/// The most sentences of a summary, and the most characters.
const MOST_SENTENCES: usize = 3;
const MOST_CHARACTERS: usize = 600;

/// What is kept of a summary: the sentences that have no number, name or address that the text does not have.
pub fn checked(said: &str, text: &str) -> Option<String> {
    let stated = Stated::of(text);
    passage::beginning(said, |sentence| stated.allows(sentence), MOST_SENTENCES, MOST_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sentences_that_invent_nothing_are_kept() {
        let text = "Acme repairs bikes in Leeds. A repair takes two days and costs 40 pounds.";
        let said = "**Repairs** of bikes in Leeds for 40 pounds. They take 3 days. Ask Globex at Globex Street. See https://evil.example.";
        assert_eq!(checked(said, text).as_deref(), Some("Repairs of bikes in Leeds for 40 pounds."));
        assert_eq!(checked("<script>alert(1)</script>", text), None);
        assert_eq!(checked("", text), None);
        assert!(checked(&"It repairs bikes. ".repeat(90), text).unwrap().chars().count() <= MOST_CHARACTERS);
    }
}
