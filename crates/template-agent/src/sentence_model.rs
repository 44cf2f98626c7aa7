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

/// The model for the texts of one language.
#[derive(Clone, Copy)]
pub struct Model {
    /// What is known of the language, if anything is.
    pub lexicon: Option<&'static Lexicon>,
}

impl Model {
    /// The model, if it was trained with that language.
    pub fn of(language: Language) -> Option<Model> {
        weights::LANGUAGES.contains(&language.tag).then_some(Model { lexicon: language.lexicon })
    }

    /// How much what a text shows speaks for telling it.
    pub fn score(self, plain: &str, goes_on: bool) -> f32 {
        self.score_of(plain, &Tokens::of(plain), goes_on)
    }

    fn score_of(self, plain: &str, tokens: &Tokens, goes_on: bool) -> f32 {
        weights::score(&Segment { plain, tokens, goes_on, lexicon: self.lexicon })
    }
}

/// Whether so much speaks for telling a sentence with these words that no rule about its words does against it.
pub fn is_certain(plain: &str, tokens: &Tokens, language: Language) -> bool {
    words(plain) <= MOST_CERTAIN
        && Model::of(language).is_some_and(|model| model.score_of(plain, tokens, false) > CERTAIN)
}

/// The parts of a long sentence of which a part is for the writer, with whether each looks like one for visitors.
pub fn parts(plain: &str, language: Language) -> Option<Vec<(bool, String)>> {
    let model = Model::of(language).filter(|_| words(plain) >= LEAST_DIVIDED)?;
    let runs = divided(plain, model.lexicon, |clause, goes_on| model.score(clause, goes_on));
    let parts = runs.into_iter().map(|(is_told, run)| (is_told, tidy::capital(bare(run))));
    Some(parts.filter(|(_, part)| tidy::says_something(part)).collect())
}
