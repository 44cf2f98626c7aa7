//! Questions of visitors: where pages take them, and how many.

use crate::content::address;
use crate::page::action::Action;
use crate::{AudienceId, AudienceSessionId, PageId, Timestamp, UnansweredQuestionId};

/// The longest question, in characters.
pub const LONGEST: usize = 500;

/// What a tenant decides about questions on its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuestionSettings {
    /// Whether pages have the field, unless it is set for a page.
    pub is_shown: bool,
    /// How many questions a visitor may ask in a visit.
    pub per_visitor: i64,
    /// How many are answered on a page in a UTC day.
    pub per_page: i64,
    /// How many are answered on all pages in a UTC day.
    pub per_tenant: i64,
}

impl Default for QuestionSettings {
    fn default() -> QuestionSettings {
        QuestionSettings { is_shown: false, per_visitor: 20, per_page: 2_000, per_tenant: 10_000 }
    }
}

/// What is set for a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageQuestionSettings {
    /// Whether it has the field; nothing: as the site says.
    pub is_shown: Option<bool>,
    /// What is above the field.
    pub heading: Option<String>,
    /// The action that is offered where nothing is known; nothing: the one in the header, else the first.
    pub action_id: Option<String>,
}

impl PageQuestionSettings {
    /// The action that is offered, with its place: the one that is set, else the one in the header, else the first, as far as the page has it
    /// and it leads anywhere.
    pub fn offered<'a>(&self, actions: &'a [Action], header: Option<&str>) -> Option<(usize, &'a Action)> {
        let wanted = self.action_id.as_deref().or(header);
        let is_wanted = |(_, action): &(usize, &Action)| Some(action.id()) == wanted;
        let mut leading = actions.iter().enumerate().filter(|(_, action)| leads(action));
        leading.clone().find(is_wanted).or_else(|| leading.next())
    }
}

/// Whether an action can be a button that leads on from an answer: not what copies a text, and nothing without a title or an address.
fn leads(action: &Action) -> bool {
    let has_title = action.button_title().is_some_and(|title| !title.trim().is_empty());
    has_title && (matches!(action, Action::Form(_)) || action.url().is_some_and(address::is_linked))
}

/// A question that nothing was known of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnansweredQuestion {
    /// Its id.
    pub unanswered_question_id: UnansweredQuestionId,
    /// The page.
    pub page_id: PageId,
    /// The audience.
    pub audience_id: AudienceId,
    /// The visit.
    pub session_id: AudienceSessionId,
    /// What was asked and could not be answered.
    pub question: String,
    /// The code of its language.
    pub language: String,
    /// When.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_offered_is_an_action_that_the_page_has() {
        let action = |index: usize, id: &str| {
            let action = json!({ "actionId": id, "actionIndex": index, "actionType": "form", "purpose": "p",
                "buttonTitle": "B", "formId": "f" });
            serde_json::from_value::<Action>(action).unwrap()
        };
        let actions = [action(0, "first"), action(1, "second")];
        let offered = |named: Option<&str>, header| {
            let settings = PageQuestionSettings {
                action_id: named.map(str::to_owned),
                ..PageQuestionSettings::default()
            };
            settings.offered(&actions, header).map(|(at, action)| (at, action.id().to_owned()))
        };
        let second = Some((1, "second".to_owned()));
        assert_eq!(
            (offered(Some("second"), Some("first")), offered(None, Some("second"))),
            (second.clone(), second)
        );
        for (named, header) in
            [(None, None), (Some("gone"), None), (None, Some("gone")), (Some("gone"), Some("gone"))]
        {
            assert_eq!(offered(named, header), Some((0, "first".to_owned())), "{named:?} {header:?}");
        }
        assert_eq!(PageQuestionSettings::default().offered(&[], Some("first")), None);
    }
}
