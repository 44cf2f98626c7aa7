//! Whether what is behind a comma can stand without what is before it.
//!
//! What this is not: grammar. A list, or a second verb of the same subject, must not be torn apart, so only a clause that begins with a
//! subject of its own, or with a word that joins clauses, is taken for one. In doubt a sentence stays whole.

use crate::lexicon::Lexicon;
use crate::words::Tokens;

/// A clause without the word that joins it to the one before.
pub fn without_joint(clause: &str) -> &str {
    ["and ", "und ", "et ", "y ", "e ", "en "]
        .iter()
        .find_map(|joint| clause.strip_prefix(joint))
        .unwrap_or(clause)
}

/// Whether a text is a clause with a subject: `and the report shows it`, `you pay for nine`.
pub fn stands_alone(text: &str, lexicon: &Lexicon) -> bool {
    let tokens = Tokens::of(text);
    let grammar = &lexicon.grammar;
    let at = usize::from(grammar.openers.at(&tokens, 0).is_some_and(|found| found.end == 1));
    let first = tokens.word(at).split('\'').next().unwrap_or_default();
    // `the rolls and the cakes` is a list.
    let is_list =
        (at + 1..at + 5).any(|at| grammar.openers.at(&tokens, at).is_some_and(|found| found.end == at + 1));
    grammar.we.has(first)
        || grammar.you.has(first)
        || (grammar.articles.has(first) || grammar.third.has(first)) && !is_list
}

/// Whether a text can follow another one as a clause of its own: it stands alone, or says why, when or without what.
pub fn follows(text: &str, lexicon: &Lexicon) -> bool {
    const WITHOUT: [&str; 16] = [
        "no", "without", "never", "not", "ohne", "kein", "keine", "nie", "sans", "jamais", "sin", "nunca",
        "sem", "senza", "mai", "zonder",
    ];
    let tokens = Tokens::of(text);
    let grammar = &lexicon.grammar;
    let is_joint = grammar.openers.at(&tokens, 0).is_some();
    stands_alone(text, lexicon)
        || WITHOUT.contains(&tokens.word(0))
        || (!is_joint && grammar.leans.begins(&tokens).is_some())
}

/// Whether a sentence begins like one that is not understood without what is before it.
pub fn leans(sentence: &str, lexicon: &Lexicon) -> bool {
    let tokens = Tokens::of(sentence);
    let first = tokens.word(0).split('\'').next().unwrap_or_default();
    lexicon.grammar.leans.begins(&tokens).is_some()
        || lexicon.grammar.third.has(first) && !lexicon.grammar.articles.has(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    #[test]
    fn lists_and_second_verbs_are_no_clauses() {
        let english = lexicon::of("en").unwrap();
        for text in ["you pay for nine", "and the report shows it", "because nobody calls", "no setup fee"] {
            assert!(follows(text, english), "{text}");
        }
        for text in [
            "transports and cleaning",
            "is craned in on one day",
            "and sits behind the building",
            "the rolls and the cakes",
        ] {
            assert!(!follows(text, english), "{text}");
        }
        assert!(!stands_alone("because nobody calls", english));
    }
}
