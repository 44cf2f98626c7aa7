//! What a worker hears of a model that edits, until it notes it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pagesmith_agent::Usage;
use pagesmith_agent::llm::editing::EditWatch;
use pagesmith_editor::Edit;
use tokio::sync::Notify;

/// The notes of one attempt.
#[derive(Debug, Default)]
pub(super) struct Notes {
    state: Mutex<State>,
    edited: Notify,
}

#[derive(Debug, Default)]
struct State {
    said: String,
    edits: Vec<Edit>,
    used: Usage,
}

impl Notes {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more operation is finished.
    pub(super) async fn edited(&self) {
        self.edited.notified().await;
    }

    /// What has been said and done.
    pub(super) fn present(&self) -> (String, Vec<Edit>) {
        let state = self.state();
        (state.said.clone(), state.edits.clone())
    }

    /// What has been used.
    pub(super) fn used(&self) -> Usage {
        self.state().used
    }
}

impl EditWatch for Notes {
    fn said(&self, text: &str) {
        text.clone_into(&mut self.state().said);
    }

    fn edited(&self, edit: &Edit) {
        self.state().edits.push(edit.clone());
        self.edited.notify_one();
    }

    fn used(&self, usage: Usage) {
        self.state().used = usage;
    }
}
