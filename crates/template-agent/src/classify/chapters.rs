//! What becomes of a chapter when all that stands under its heading was read.

use super::{Classifier, points};
use crate::material::Piece;
use crate::rich::Rich;

impl Classifier<'_> {
    /// Leaves out what stands under a heading over notes: less than they, and nothing that speaks of us or to the reader.
    pub(super) fn without_notes(&mut self, notes: usize) {
        let Some(chapter) = self.reading.material.chapters.last() else { return };
        let facts: Vec<&str> = chapter
            .pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Facts(facts) => facts.as_slice(),
                _ => &[],
            })
            .map(|fact| fact.text.plain())
            .collect();
        let is_text = chapter.pieces.iter().all(|piece| matches!(piece, Piece::Facts(_)));
        let is_over_notes = chapter.title.is_some()
            && is_text
            && facts.len() < notes
            && !facts.iter().any(|fact| self.speaks(fact));
        if is_over_notes && let Some(chapter) = self.reading.material.chapters.pop() {
            self.note(chapter.title.as_deref().unwrap_or_default());
        }
    }

    /// `## Is it safe?` with a short text is a question with its answer.
    pub(super) fn questions_of_heading(&mut self) {
        let chapters = &mut self.reading.material.chapters;
        let Some(chapter) = chapters.last() else { return };
        let is_question = chapter.title.as_deref().is_some_and(points::is_question);
        let is_text =
            !chapter.pieces.is_empty() && chapter.pieces.iter().all(|piece| matches!(piece, Piece::Facts(_)));
        if is_question && is_text {
            let chapter = chapters.pop().unwrap_or_default();
            let answer: Vec<Rich> = chapter
                .pieces
                .into_iter()
                .flat_map(|piece| match piece {
                    Piece::Facts(facts) => facts,
                    _ => Vec::new(),
                })
                .map(|fact| fact.text)
                .collect();
            self.answer(&chapter.title.unwrap_or_default(), &answer);
        }
    }
}
