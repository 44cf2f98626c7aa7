//! What a worker hears of its agent's progress, until it next looks up, and of the checks of what was written, until the try ends.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pagesmith_agent::{Answer, Author, Rule, Step, Usage, Watch};
use pagesmith_model::content::Content;
use pagesmith_model::json::JsonText;
use pagesmith_store::tables::versions::generations::ProgressNote;

/// The notes of one try.
#[derive(Debug, Default)]
pub(super) struct Notes(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    step: Option<Step>,
    content: Option<Content>,
    used: Usage,
    found: Vec<CheckFindings>,
    is_new: bool,
}

/// What the check of a document found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckFindings {
    /// Who wrote the document.
    pub(super) author: Author,
    /// Which answer it is of.
    pub(super) answer: Answer,
    /// The rules that it breaks, one for each finding.
    pub(super) rules: Vec<Rule>,
}

impl Notes {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has come since this was last asked; `keep` makes of a document what is kept of it.
    pub(super) fn take(&self, keep: impl FnOnce(&Content) -> Option<JsonText>) -> Option<ProgressNote> {
        let (content, note) = {
            let mut state = self.state();
            if !std::mem::take(&mut state.is_new) {
                return None;
            }
            (state.content.take(), present(&state))
        };
        Some(ProgressNote { so_far: content.as_ref().and_then(keep), ..note })
    }

    /// Where the agent is, without what it has written.
    pub(super) fn present(&self) -> ProgressNote {
        present(&self.state())
    }

    /// What checks found since this was last asked.
    pub(super) fn take_found(&self) -> Vec<CheckFindings> {
        std::mem::take(&mut self.state().found)
    }

    /// What has been used.
    pub(super) fn used(&self) -> Usage {
        self.state().used
    }
}

fn present(state: &State) -> ProgressNote {
    let blocks = match state.step {
        Some(Step::Writing { blocks }) => u64::try_from(blocks).unwrap_or_default(),
        _ => 0,
    };
    ProgressNote { step: state.step.map(Step::as_str), blocks, so_far: None }
}

impl Watch for Notes {
    fn step(&self, step: Step) {
        let mut state = self.state();
        state.is_new |= state.step != Some(step);
        state.step = Some(step);
    }

    fn so_far(&self, content: &Content) {
        let mut state = self.state();
        state.content = Some(content.clone());
        state.is_new = true;
    }

    fn used(&self, usage: Usage) {
        self.state().used = usage;
    }

    fn found(&self, author: Author, answer: Answer, rules: &[Rule]) {
        self.state().found.push(CheckFindings { author, answer, rules: rules.to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_taken() {
        let notes = Notes::default();
        assert_eq!(notes.take(|_| None), None);
        notes.step(Step::Writing { blocks: 3 });
        let written = ProgressNote { step: Some("writing"), blocks: 3, so_far: None };
        assert_eq!(notes.take(|_| None), Some(written.clone()));
        notes.step(Step::Writing { blocks: 3 });
        assert_eq!(notes.take(|_| None), None);
        assert_eq!(notes.present(), written);
        notes.so_far(&Content::of(pagesmith_model::content::ContentHead::default(), vec![]));
        let taken = notes.take(|content| JsonText::of(content).ok()).unwrap();
        assert!(taken.so_far.is_some());
    }
}
