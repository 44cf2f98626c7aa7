//! Questions of visitors, answered with sentences of what a tenant knows.
//!
//! A question is read ([`question`]) into the words that carry its meaning. Passages, chunks of knowledge and parts of the page, are read
//! into sentences ([`passage`]), which are kept in [`memory`]. [`answer()`] finds the sentences that say most of what is asked, weighed by how rare its words are, and
//! quotes them; where too little of a question is covered it says that it does not know.
//!
//! Sentences that a model has written are read ([`written`]) and held against the passages ([`support`]).
//!
//! Pure and deterministic: no model, no database, no clock. What this is not: the search for passages among all that a tenant knows, which is
//! the index's ([`Question::words`] is what to look for). Invariants: every sentence of an answer is in one of its passages, letter by
//! letter; a question is compared and never carried out.

pub mod answer;
mod covering;
mod lexicon;
pub mod memory;
pub mod passage;
pub mod question;
mod spelling;
pub mod support;
pub mod written;

pub use answer::{Answer, DocumentFrequencies, Quote, answer};
pub use memory::ReadPassages;
pub use passage::{Passage, Text};
pub use question::Question;
pub use support::Support;
