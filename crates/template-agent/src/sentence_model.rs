//! How much a text looks like one for visitors: a linear model that was trained with segments of briefs ([`weights`]).
//!
//! What this is not: understanding. A remark that only its reader's knowledge shows to be one looks like a fact.

use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::tidy;
use crate::words::Tokens;

pub mod clauses;
pub mod features;
mod weights;

use clauses::{bare, divided, words};
use features::Segment;

/// What speaks for a sentence so much that no rule does against it.
const CERTAIN: f32 = 1.0;
/// The most words of a sentence that is told as a whole although a rule speaks against it.
const MOST_CERTAIN: usize = 40;
/// The fewest words of a sentence for the writer of which a part may be told.
const LEAST_DIVIDED: usize = 8;

/// The lexicon of a language that can be weighed.
pub fn weighed(language: Language) -> Option<&'static Lexicon> {
    language.lexicon.filter(|_| weights::LANGUAGES.contains(&language.tag))
}

/// How much what a text shows speaks for telling it.
pub fn score(plain: &str, goes_on: bool, lexicon: &Lexicon) -> f32 {
    weights::score(&Segment { plain, tokens: &Tokens::of(plain), goes_on }, lexicon)
}

/// Whether so much speaks for telling a sentence that no rule about its words does against it.
pub fn is_certain(plain: &str, language: Language) -> bool {
    words(plain) <= MOST_CERTAIN
        && weighed(language).is_some_and(|lexicon| score(plain, false, lexicon) > CERTAIN)
}

/// The parts of a long sentence of which a part is for the writer, with whether each looks like one for visitors.
pub fn parts(plain: &str, language: Language) -> Option<Vec<(bool, String)>> {
    let lexicon = weighed(language).filter(|_| words(plain) >= LEAST_DIVIDED)?;
    let runs = divided(plain, lexicon, |clause, goes_on| score(clause, goes_on, lexicon));
    let parts = runs.into_iter().map(|(is_told, run)| (is_told, tidy::capital(bare(run))));
    Some(parts.filter(|(_, part)| tidy::says_something(part)).collect())
}
