//! What an audience changes of its page's actions.
//!
//! It holds whenever a page is written or drawn, so that a changed button needs no new version. An override replaces the field in every action
//! of the type that has it; an action of another type stays as it is.

use crate::page::action::Action;

/// The overrides; what is not given leaves the page's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionOverrides {
    /// Where links lead.
    pub url: Option<String>,
    /// The form that forms open.
    pub form_id: Option<String>,
    /// What visitors are told about the form.
    pub form_instructions: Option<String>,
}

impl ActionOverrides {
    /// The actions as this audience has them.
    pub fn apply(&self, mut actions: Vec<Action>) -> Vec<Action> {
        for action in &mut actions {
            match action {
                Action::OpenUrl(action) => replace(&mut action.url, self.url.as_ref()),
                Action::Form(action) => {
                    replace(&mut action.form_id, self.form_id.as_ref());
                    if self.form_instructions.is_some() {
                        action.form_instructions.clone_from(&self.form_instructions);
                    }
                }
                Action::CopyText(_) | Action::Other(_) => {}
            }
        }
        actions
    }
}

fn replace(field: &mut String, by: Option<&String>) {
    // An empty text cannot lead anywhere: it counts as none.
    if let Some(by) = by.filter(|by| !by.is_empty()) {
        field.clone_from(by);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_override_reaches_the_actions_of_its_type() {
        let actions = json!([
            { "actionId": "a", "actionIndex": 0, "purpose": "p", "buttonTitle": "b", "actionType": "open-url", "url": "https://a.example" },
            { "actionId": "b", "actionIndex": 1, "purpose": "p", "buttonTitle": "b", "actionType": "form", "formId": "f" },
            { "actionId": "c", "actionIndex": 2, "purpose": "p", "buttonTitle": "b", "actionType": "copy-text", "copyText": "x" },
        ]);
        let actions: Vec<Action> = serde_json::from_value(actions).unwrap();
        let overrides = ActionOverrides {
            url: Some("https://b.example".to_owned()),
            form_id: Some(String::new()),
            form_instructions: Some("Be brief".to_owned()),
        };
        let applied = serde_json::to_value(overrides.apply(actions.clone())).unwrap();
        assert_eq!(applied[0]["url"], "https://b.example");
        assert_eq!(
            (&applied[1]["formId"], &applied[1]["formInstructions"]),
            (&json!("f"), &json!("Be brief"))
        );
        assert_eq!(applied[2]["copyText"], "x");
        assert_eq!(ActionOverrides::default().apply(actions.clone()), actions);
    }
}
