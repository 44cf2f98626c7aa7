//! The words of the field for questions.

use super::{Spoken, Words};

/// What is said around questions and answers.
#[derive(Debug)]
pub(crate) struct AskWords {
    /// The language that they are in.
    pub tag: &'static str,
    pub heading: &'static str,
    pub label: &'static str,
    pub ask: &'static str,
    pub note: &'static str,
    pub answer: &'static str,
    pub source: &'static str,
    pub written: &'static str,
    pub unknown: &'static str,
    pub missed: &'static str,
    pub used_up: &'static str,
    pub nothing_asked: &'static str,
    pub not_taken: &'static str,
    pub another: &'static str,
}

impl AskWords {
    /// The words for a language.
    pub fn of(language: &str) -> &'static AskWords {
        Spoken::on(language).ask
    }

    /// What stands between a name and what is said of it.
    pub fn colon(&self) -> &'static str {
        Words::of(self.tag).0.colon
    }
}
