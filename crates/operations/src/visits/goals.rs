//! What a page is for, and what its blocks ask: read when a visitor has used an action or given an answer.

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
    /// Id and title of each, in the order of the page.
    actions: Vec<(String, String)>,
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
        let named = |action: &Action| {
            let title = action.button_title().filter(|title| !title.is_empty()).unwrap_or(action.id());
            (action.id().to_owned(), title.to_owned())
        };
        Ok(Goals { actions: actions.iter().map(named).collect(), goal })
    }

    /// Whether one of these is an action of the page, and whether one is what the page is for.
    pub fn reached(&self, used: &[String]) -> (bool, bool) {
        let known = |id: &&String| self.actions.iter().any(|(known, _)| known == *id);
        let is_goal = |id: &String| self.goal.as_ref() == Some(id);
        (used.iter().any(|id| known(&id)), used.iter().filter(known).any(is_goal))
    }

    /// The actions of the page among these, each with its place among them. A page view's list only grows, so that the place stays.
    pub fn used(&self, used: &[String], at: Timestamp) -> Vec<(usize, Interaction)> {
        let known = |(place, id): (usize, &String)| {
            let (id, title) = self.actions.iter().find(|(known, _)| known == id)?;
            Some((place, done(id, title, at)))
        };
        used.iter().enumerate().filter_map(known).collect()
    }
}

/// Something that a visitor did, which answers nothing.
pub(super) fn done(id: &str, label: &str, at: Timestamp) -> Interaction {
    Interaction {
        component_id: id.to_owned(),
        component_context: None,
        label: label.to_owned(),
        options: vec![],
        response_text: String::new(),
        grounding_chunk_ids: vec![],
        at,
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
