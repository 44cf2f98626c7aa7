//! What of a text asks, and what only tells or says on what condition is asked: `Ours was my grandmother's, will that be dearer?` asks for a
//! price, and not for a grandmother.

use pagesmith_knowledge_index::text::terms;

use crate::lexicon::Lexicon;

/// The most parts that are told apart.
const MOST: usize = 12;
/// Words that join two questions.
const JOINTS: [&str; 4] = ["and", "und", "et", "y"];

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clause<'a> {
    pub text: &'a str,
    /// Whether its sentence ends with a question mark.
    pub is_asked: bool,
    /// Whether it asks; others tell something, or on what condition is asked.
    pub asks: bool,
}

/// A word with where it begins.
struct Placed {
    at: usize,
    term: String,
    /// Whether a comma or the like is behind it.
    is_last: bool,
}

/// The parts of a text: its sentences, and within them what begins to ask anew, conditions, and what is told behind a question.
pub(super) fn of<'a>(text: &'a str, lexicon: &Lexicon) -> Vec<Clause<'a>> {
    let sentences = text.split_inclusive(['?', '!', '.', ';', '\n']);
    let mut clauses: Vec<Clause<'_>> =
        sentences.flat_map(|sentence| of_sentence(sentence, lexicon)).collect();
    clauses.retain(|clause| clause.text.chars().any(char::is_alphanumeric));
    clauses.truncate(MOST);
    clauses
}

fn of_sentence<'a>(sentence: &'a str, lexicon: &Lexicon) -> Vec<Clause<'a>> {
    let is_asked = sentence.ends_with('?');
    let mut clauses = Vec::new();
    let mut words: Vec<Placed> = Vec::new();
    let (mut start, mut is_told) = (0, false);
    let mut end = |start: usize, end: usize, words: &[Placed], is_told: bool, goes_on: bool| {
        // What an `and` joins to a question asks as well.
        let asks = !is_told && (begins_to_ask(words, lexicon) || is_asked && goes_on);
        let text = sentence[start..end].trim().trim_end_matches([',', ':', '-', '–', ' ']);
        clauses.push(Clause { text, is_asked, asks });
    };
    for word in placed(sentence) {
        let joint = words.last().filter(|last| JOINTS.contains(&last.term.as_str())).map(|last| last.at);
        let is_behind = words.last().is_some_and(|last| last.is_last);
        let asks_anew = (joint.is_some() || is_behind) && lexicon.asks.contains(&word.term);
        let tells =
            lexicon.conditions.contains(&word.term) || is_behind && lexicon.tells.contains(&word.term);
        if !words.is_empty() && (asks_anew || tells && begins_to_ask(&words, lexicon)) {
            end(
                start,
                joint.filter(|_| asks_anew).unwrap_or(word.at),
                &words,
                is_told,
                asks_anew && joint.is_some(),
            );
            (start, is_told) = (word.at, !asks_anew);
            words.clear();
        } else if words.is_empty() {
            is_told |= lexicon.conditions.contains(&word.term);
        }
        words.push(word);
    }
    end(start, sentence.len(), &words, is_told, true);
    clauses
}

/// Whether some words begin with one that asks, behind those that open a sentence.
fn begins_to_ask(words: &[Placed], lexicon: &Lexicon) -> bool {
    let first = words.iter().find(|word| !lexicon.openings.contains(&word.term));
    first.is_some_and(|word| lexicon.asks.contains(&word.term))
}

/// The words of a sentence, each by its first part.
fn placed(sentence: &str) -> impl Iterator<Item = Placed> {
    let words =
        sentence.split_whitespace().map(move |word| (word.as_ptr().addr() - sentence.as_ptr().addr(), word));
    let mut is_behind = false;
    let placed = words.map(|(at, word)| Placed {
        at,
        term: terms::words(word).into_iter().next().unwrap_or_default(),
        is_last: word.ends_with([',', ':', '-', '–']),
    });
    let mut placed: Vec<Placed> = placed.collect();
    // A dash between spaces is no word.
    for at in (0..placed.len()).rev() {
        if placed[at].term.is_empty() {
            is_behind |= placed[at].is_last;
        } else {
            placed[at].is_last |= std::mem::take(&mut is_behind);
        }
    }
    placed.into_iter().filter(|word| !word.term.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexicon;

    fn asked(text: &str, code: &str) -> (Vec<String>, Vec<String>) {
        let clauses = of(text, lexicon::of_words(&terms::words(text), code));
        let (asked, told): (Vec<Clause<'_>>, Vec<Clause<'_>>) =
            clauses.into_iter().partition(|clause| clause.asks);
        let texts =
            |clauses: Vec<Clause<'_>>| clauses.into_iter().map(|clause| clause.text.to_owned()).collect();
        (texts(asked), texts(told))
    }

    #[test]
    fn what_asks_is_told_apart_from_what_tells() {
        for (code, text, asks, tells) in [
            (
                "en",
                "Ours was my grandmother's and nobody has touched it for a decade, will that be dearer?",
                &["will that be dearer?"][..],
                &["Ours was my grandmother's and nobody has touched it for a decade"][..],
            ),
            ("en", "I have a peanut allergy. is that ok", &["is that ok"], &["I have a peanut allergy."]),
            (
                "en",
                "Can you lend us boots, we come from the city",
                &["Can you lend us boots"],
                &["we come from the city"],
            ),
            ("de", "Mein Sohn ist 12 - darf er mit?", &["darf er mit?"], &["Mein Sohn ist 12"]),
            (
                "de",
                "Krieg ich Geld zurück wenn ich krank bin?",
                &["Krieg ich Geld zurück"],
                &["wenn ich krank bin?"],
            ),
            (
                "fr",
                "Si on tombe malade, pouvez-vous nous aider ?",
                &["pouvez-vous nous aider ?"],
                &["Si on tombe malade"],
            ),
            (
                "en",
                "The course is open and do you have rooms?",
                &["The course is open", "do you have rooms?"],
                &[],
            ),
            ("en", "Boots for us, in small sizes?", &["Boots for us, in small sizes?"], &[]),
        ] {
            let of = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
            assert_eq!(asked(text, code), (of(asks), of(tells)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_word_of_a_text_is_lost(text in "[a-z,.? –]{0,80}") {
            let words = |text: &str| terms::words(text).into_iter().filter(|word| !JOINTS.contains(&word.as_str())).collect::<Vec<_>>();
            let parts: Vec<String> = of(&text, lexicon::of_words(&[], "en")).iter().flat_map(|clause| words(clause.text)).collect();
            prop_assert!(parts.len() == words(&text).len() || of(&text, lexicon::of_words(&[], "en")).len() == MOST);
        }

        #[test]
        fn any_text_has_parts(text in "\\PC{0,80}") {
            of(&text, lexicon::of_words(&[], "fr"));
        }
    }
}
