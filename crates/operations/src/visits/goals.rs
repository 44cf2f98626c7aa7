//! What a page is for, and what its blocks ask: read when a visitor has used an action or given an answer.

use std::collections::HashSet;

use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::page::Page;
use pagesmith_model::page::action::Action;
use pagesmith_model::visit::beacon::Choice;
use pagesmith_model::visit::session::Interaction;
use pagesmith_model::{Result, Timestamp};

/// The actions of a page, as far as sessions are counted by them.
#[derive(Debug, Clone, Default)]
pub(super) struct Goals {
    actions: HashSet<String>,
    /// The action whose use is what the page is for; none where it has a form, which must be accepted for that.
    goal: Option<String>,
}

impl Goals {
    /// Those of a page.
    pub fn of(page: &Page) -> Result<Goals> {
        let actions: Vec<Action> = page.actions.read()?;
        let has_form = actions.iter().any(|action| matches!(action, Action::Form(_)));
        let first = || actions.first().map(|action| action.id().to_owned());
        let goal = if has_form { None } else { page.header_action_id.clone().or_else(first) };
        Ok(Goals { actions: actions.iter().map(|action| action.id().to_owned()).collect(), goal })
    }

    /// Whether one of these is an action of the page, and whether one is what the page is for.
    pub fn reached(&self, used: &[String]) -> (bool, bool) {
        let known = |id: &&String| self.actions.contains(id.as_str());
        let is_goal = |id: &String| self.goal.as_ref() == Some(id);
        (used.iter().any(|id| known(&id)), used.iter().filter(known).any(is_goal))
    }
}

/// What a visitor chose, in the words of the page; nothing if the page does not ask that.
pub(super) fn answer(content: &Content, (block, choice): Choice, at: Timestamp) -> Option<Interaction> {
    let Component::Threads(threads) = content.blocks.get(block)? else { return None };
    let chosen = threads.choices.get(choice)?;
    Some(Interaction {
        component_id: threads.block_id.clone().unwrap_or_else(|| format!("block-{block}")),
        component_context: Some("threads".to_owned()),
        label: threads.question.clone(),
        options: threads.choices.iter().map(|choice| choice.label.clone()).collect(),
        response_text: chosen.label.clone(),
        grounding_chunk_ids: vec![],
        at,
    })
}
