//! What becomes of a chapter when all that is under its heading was read.

use super::Classifier;
use crate::rich::Rich;
use crate::sentence::is_question;

impl Classifier<'_> {
    /// Leaves out what is under a heading over notes: less than they, and nothing that speaks of us or to the reader.
    pub(super) fn without_notes(&mut self, notes: usize) {
        let Some(chapter) = self.reading.material.chapters.last() else { return };
        let is_over_notes = chapter.title.is_some()
            && chapter.only_facts().is_some_and(|facts| {
                facts.len() < notes && !facts.iter().any(|fact| self.speaks(fact.text.plain()))
            });
        if is_over_notes && let Some(chapter) = self.reading.material.chapters.pop() {
            self.note(chapter.title.as_deref().unwrap_or_default());
        }
    }

    /// `## Is it safe?` with a short text is a question with its answer.
    pub(super) fn questions_of_heading(&mut self) {
        let Some(chapter) = self.reading.material.chapters.last() else { return };
        let Some(title) = chapter.title.clone().filter(|title| is_question(title)) else { return };
        let Some(facts) = chapter.only_facts().filter(|_| !chapter.pieces.is_empty()) else { return };
        let answer: Vec<Rich> = facts.into_iter().map(|fact| fact.text.clone()).collect();
        self.reading.material.chapters.pop();
        self.answer(&title, &answer);
    }
}
