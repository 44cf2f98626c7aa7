//! An answer while a model writes it: line by line, and only the sentences that a passage supports.
//!
//! Nothing that the model says is shown unless [`Support`] finds a passage that says the same, and what names that passage is kept with the
//! sentence. What is broken off within a line is dropped. Invariant: every sentence of a draft has one source, which is among the passages that the
//! model was given.

use std::collections::HashSet;

use pagesmith_ask::{Support, written};

use super::material::{Answered, Material, Quoted, VisitorAnswer, Writer};

/// The most sentences of an answer.
const MOST_SENTENCES: usize = 6;
/// The most bytes of what a model says that are looked at.
const MOST_HEARD: usize = 16_000;

/// An answer that is being written.
pub struct Draft<'m> {
    material: &'m Material,
    /// The numbers of the passages that the model was given, in their order.
    given: Vec<usize>,
    support: Support,
    quotes: Vec<Quoted>,
    shown: HashSet<String>,
    /// The beginning of a line.
    line: String,
    heard: usize,
}

impl<'m> Draft<'m> {
    /// An empty draft of the answer; nothing if there is nothing that a model could be given.
    pub fn of(material: &'m Material, answered: &Answered) -> Option<Draft<'m>> {
        let given = material.givable(answered);
        if given.is_empty() {
            return None;
        }
        let support = material.support(&given);
        let (quotes, shown) = (Vec::new(), HashSet::new());
        Some(Draft { material, given, support, quotes, shown, line: String::new(), heard: 0 })
    }

    /// Whether nothing is shown so far.
    pub fn is_empty(&self) -> bool {
        self.quotes.is_empty()
    }

    /// Takes more of what the model says; the sentences that are shown because of it.
    pub fn hear(&mut self, more: &str) -> Vec<String> {
        let mut shown = Vec::new();
        for char in more.chars() {
            self.heard += char.len_utf8();
            if self.heard > MOST_HEARD {
                break;
            }
            if char == '\n' {
                shown.extend(self.end_line());
            } else {
                self.line.push(char);
            }
        }
        shown
    }

    /// Takes the last line, which counts only if the model has come to its end; the sentences that are shown because of it.
    pub fn end(&mut self, is_whole: bool) -> Vec<String> {
        if is_whole && self.heard <= MOST_HEARD {
            return self.end_line();
        }
        self.line.clear();
        Vec::new()
    }

    fn end_line(&mut self) -> Vec<String> {
        let written::Line { sentences, named } = written::line(&std::mem::take(&mut self.line));
        let mut shown = Vec::new();
        for sentence in sentences {
            if self.shown.len() == MOST_SENTENCES || self.shown.contains(&sentence) {
                continue;
            }
            let Ok(passage) = self.support.check(&sentence, &named) else { continue };
            let Some(passage) = self.given.get(passage) else { continue };
            let source = self.material.source(*passage);
            match self.quotes.last_mut().filter(|last| last.source == source) {
                Some(last) => last.sentences.push(sentence.clone()),
                None => self.quotes.push(Quoted { sentences: vec![sentence.clone()], source }),
            }
            self.shown.insert(sentence.clone());
            shown.push(sentence);
        }
        shown
    }

    /// The answer, where `otherwise` is the one without a model. Where nothing is left, nothing is known.
    pub fn answer(self, question: &str, otherwise: &VisitorAnswer) -> VisitorAnswer {
        let missed =
            if self.quotes.is_empty() { vec![question.to_owned()] } else { otherwise.missed.clone() };
        VisitorAnswer { quotes: self.quotes, missed, language: otherwise.language, writer: Writer::Model }
    }
}
