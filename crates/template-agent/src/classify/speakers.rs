//! Who speaks in a context, and to whom: one person or several, to visitors or to a colleague.

use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::words::Tokens;
use crate::{sentence, tidy};

/// Whether one person speaks in a context, by the words that are not quoted. In a letter it is whoever wrote it, unless nobody says `we`.
pub fn is_one_person(context: &str, language: Language) -> bool {
    let Some(lexicon) = language.lexicon else { return true };
    let first = context.trim_start().lines().next().unwrap_or_default();
    let is_letter = first.trim_end().ends_with(',')
        && lexicon.instructions.greetings.begins(&Tokens::of(tidy::head(first, LONGEST_GREETING))).is_some();
    let mut is_quoted = false;
    let (mut one, mut many) = (0_usize, 0_usize);
    for part in context.split(['"', '“', '”', '„', '«', '»']) {
        if !is_quoted {
            // In a question the visitor speaks: `Do I have to come twice?`
            for told in part.split_inclusive(['.', '!', '?', '\n']).filter(|told| !told.ends_with('?')) {
                for (hash, word) in Tokens::of(told).known() {
                    let is_i = lexicon.grammar.i.knows(hash, word);
                    one += usize::from(is_i);
                    many += usize::from(!is_i && lexicon.grammar.we.knows(hash, word));
                }
            }
        }
        is_quoted = !is_quoted;
    }
    one > many && one >= LEAST_OF_ONE && !(is_letter && many > 0)
}

/// Whether a page speaks to visitors as `Sie`, so that whoever is called `du` in it is a colleague.
pub fn is_polite(context: &str, lexicon: &Lexicon, is_fact: impl Fn(&str) -> bool) -> bool {
    let grammar = &lexicon.grammar;
    if grammar.polite.is_empty() || !grammar.familiar.in_text(&Tokens::of(context)) {
        return false;
    }
    let (mut polite, mut familiar) = (0_usize, 0_usize);
    let mut start = 0;
    for end in sentence::ends_of_plain(context) {
        let sentence = context[std::mem::replace(&mut start, end)..end].trim();
        let mut words = sentence.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let is_polite = words.any(|word| grammar.polite.iter().any(|known| known == word));
        let is_familiar = grammar.familiar.in_text(&Tokens::of(sentence)) || grammar.familiar.has(first);
        if (is_polite || is_familiar) && is_fact(sentence) {
            polite += usize::from(is_polite);
            familiar += usize::from(is_familiar);
        }
    }
    familiar > 0 && polite >= familiar * 2
}

/// The most bytes of the line that a letter begins with.
const LONGEST_GREETING: usize = 60;

/// The fewest words such as `I` and `my` of a page that one person speaks on.
const LEAST_OF_ONE: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_questions_the_visitor_says_i() {
        let speaks = |text: &str| is_one_person(text, Language::of_texts(&[text]));
        assert!(!speaks(
            "The pool is warm. Do I need a cap? Can I bring my son? May I leave? It lends towels."
        ));
        assert!(speaks("I teach in the pool. I bring caps. My lessons last an hour, and I lend towels."));
    }
}
