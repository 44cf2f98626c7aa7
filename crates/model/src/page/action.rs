//! The actions of a page: what a visitor can do with a button.
//!
//! Sent without an index and perhaps without an id, kept and answered with both. `actionType` is an open set: the
//! three known types are checked strictly, any other keeps the fields that the specification lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::{SomeText, Text, Title};
use crate::error::Result;
use crate::example::example;
use crate::id::ActionId;
use crate::issue::{Issue, IssueCode};
use crate::json::tagged_union;

/// A button that opens an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "actionId": "book-demo",
    "actionType": "open-url",
    "purpose": "Book a demo",
    "buttonTitle": "Book a demo",
    "url": "https://example.com/demo",
}))]
pub struct OpenUrlActionInput {
    /// Id of the action, unique within the page. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// Purpose of the action. The page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// Text of the button.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// Type of the action: `open-url`.
    #[schemars(extend("const" = "open-url"))]
    pub action_type: String,
    /// Address that the button opens.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
}

/// A button that opens a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "actionId": "contact",
    "actionType": "form",
    "purpose": "Get in touch",
    "buttonTitle": "Contact us",
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "formInstructions": "We answer within a day.",
}))]
pub struct FormActionInput {
    /// Id of the action, unique within the page. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// Purpose of the action. The page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// Text of the button.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// Type of the action: `form`.
    #[schemars(extend("const" = "form"))]
    pub action_type: String,
    /// Id of the form that the button opens.
    #[schemars(with = "SomeText")]
    pub form_id: String,
    /// Text that visitors read above the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub form_instructions: Option<String>,
}

/// A button that copies a text to the visitor's clipboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "actionId": "discount",
    "actionType": "copy-text",
    "purpose": "Use the spring discount",
    "buttonTitle": "Copy the code",
    "copyText": "SPRING26",
}))]
pub struct CopyTextActionInput {
    /// Id of the action, unique within the page. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// Purpose of the action. The page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// Text of the button.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// Type of the action: `copy-text`.
    #[schemars(extend("const" = "copy-text"))]
    pub action_type: String,
    /// Text that is copied.
    #[schemars(with = "Text")]
    pub copy_text: String,
}

/// An action of another type. It is stored and returned as sent, and shown as a link if it has a `url`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "actionId": "call-us",
    "actionType": "phone",
    "purpose": "Talk to sales",
    "buttonTitle": "Call us",
    "url": "tel:+14155550123",
}))]
pub struct OtherActionInput {
    /// Id of the action, unique within the page. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// Purpose of the action. The page agent reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub purpose: Option<String>,
    /// Text of the button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Title")]
    pub button_title: Option<String>,
    /// Type of the action: any text that is not one of the known types.
    #[schemars(with = "SomeText")]
    pub action_type: String,
    /// Address that the button opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub url: Option<String>,
}

tagged_union! {
    /// An action as it is sent.
    ActionInput by "actionType" {
        "open-url" => OpenUrl(OpenUrlActionInput),
        "form" => Form(FormActionInput),
        "copy-text" => CopyText(CopyTextActionInput),
        _ => Other(OtherActionInput),
    }
}

/// An action's example as answers show it.
fn kept_example<T: JsonSchema>() -> Value {
    let mut action = example::<T>();
    action["actionIndex"] = json!(0);
    action
}

macro_rules! kept {
    ($(#[$meta:meta])* $name:ident from $input:ident, $text:literal, { $($rest:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(example = kept_example::<$input>())]
        pub struct $name {
            /// Id of the action, unique within the page.
            #[schemars(length(min = 1))]
            pub action_id: String,
            /// Position among the actions of the page, from 0.
            #[schemars(with = "f64")]
            pub action_index: usize,
            /// Purpose of the action. The page agent reads it.
            pub purpose: String,
            /// Text of the button.
            pub button_title: String,
            #[doc = concat!("Type of the action: `", $text, "`.")]
            #[schemars(extend("const" = $text))]
            pub action_type: String,
            $($rest)*
        }
    };
}

kept! {
    /// A button that opens an address.
    OpenUrlAction from OpenUrlActionInput, "open-url", {
        /// Address that the button opens.
        #[schemars(with = "crate::page::Url")]
        pub url: String,
    }
}
kept! {
    /// A button that opens a form.
    FormAction from FormActionInput, "form", {
        /// Id of the form that the button opens.
        #[schemars(length(min = 1))]
        pub form_id: String,
        /// Text that visitors read above the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "String")]
        pub form_instructions: Option<String>,
    }
}
kept! {
    /// A button that copies a text to the visitor's clipboard.
    CopyTextAction from CopyTextActionInput, "copy-text", {
        /// Text that is copied.
        pub copy_text: String,
    }
}

/// An action of another type, as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = kept_example::<OtherActionInput>())]
pub struct OtherAction {
    /// Id of the action, unique within the page.
    #[schemars(length(min = 1))]
    pub action_id: String,
    /// Position among the actions of the page, from 0.
    #[schemars(with = "f64")]
    pub action_index: usize,
    /// Purpose of the action. The page agent reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub purpose: Option<String>,
    /// Text of the button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub button_title: Option<String>,
    /// Type of the action.
    #[schemars(length(min = 1))]
    pub action_type: String,
    /// Address that the button opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub url: Option<String>,
}

tagged_union! {
    /// An action of a page.
    Action by "actionType" {
        "open-url" => OpenUrl(OpenUrlAction),
        "form" => Form(FormAction),
        "copy-text" => CopyText(CopyTextAction),
        _ => Other(OtherAction),
    }
}

impl Action {
    /// The id, unique in the page.
    pub fn id(&self) -> &str {
        match self {
            Action::OpenUrl(action) => &action.action_id,
            Action::Form(action) => &action.action_id,
            Action::CopyText(action) => &action.action_id,
            Action::Other(action) => &action.action_id,
        }
    }

    /// The text of the button, if there is one.
    pub fn button_title(&self) -> Option<&str> {
        match self {
            Action::OpenUrl(action) => Some(&action.button_title),
            Action::Form(action) => Some(&action.button_title),
            Action::CopyText(action) => Some(&action.button_title),
            Action::Other(action) => action.button_title.as_deref(),
        }
    }

    /// Where the action leads, if it leads anywhere.
    pub fn url(&self) -> Option<&str> {
        match self {
            Action::OpenUrl(action) => Some(&action.url),
            Action::Other(action) => action.url.as_deref(),
            Action::Form(_) | Action::CopyText(_) => None,
        }
    }

    /// What the action is for, if that is said.
    pub fn purpose(&self) -> Option<&str> {
        match self {
            Action::OpenUrl(action) => Some(&action.purpose),
            Action::Form(action) => Some(&action.purpose),
            Action::CopyText(action) => Some(&action.purpose),
            Action::Other(action) => action.purpose.as_deref(),
        }
    }
}

impl ActionInput {
    fn given_id(&self) -> Option<&str> {
        match self {
            ActionInput::OpenUrl(action) => action.action_id.as_deref(),
            ActionInput::Form(action) => action.action_id.as_deref(),
            ActionInput::CopyText(action) => action.action_id.as_deref(),
            ActionInput::Other(action) => action.action_id.as_deref(),
        }
    }

    /// The action as it is kept, at `index`, with an id from `mint` if it came without one.
    pub fn keep(&self, index: usize, mint: &mut dyn FnMut() -> Result<ActionId>) -> Result<Action> {
        let action_id = match self.given_id() {
            Some(id) => id.to_owned(),
            None => mint()?.into_string(),
        };
        Ok(match self.clone() {
            ActionInput::OpenUrl(action) => Action::OpenUrl(OpenUrlAction {
                action_id,
                action_index: index,
                purpose: action.purpose,
                button_title: action.button_title,
                action_type: action.action_type,
                url: action.url,
            }),
            ActionInput::Form(action) => Action::Form(FormAction {
                action_id,
                action_index: index,
                purpose: action.purpose,
                button_title: action.button_title,
                action_type: action.action_type,
                form_id: action.form_id,
                form_instructions: action.form_instructions,
            }),
            ActionInput::CopyText(action) => Action::CopyText(CopyTextAction {
                action_id,
                action_index: index,
                purpose: action.purpose,
                button_title: action.button_title,
                action_type: action.action_type,
                copy_text: action.copy_text,
            }),
            ActionInput::Other(action) => Action::Other(OtherAction {
                action_id,
                action_index: index,
                purpose: action.purpose,
                button_title: action.button_title,
                action_type: action.action_type,
                url: action.url,
            }),
        })
    }
}

/// An issue for every action whose given id stood before it already.
pub fn duplicate_ids(actions: &[ActionInput]) -> Vec<Issue> {
    let mut seen = std::collections::HashSet::new();
    let mut issues = Vec::new();
    for (index, action) in actions.iter().enumerate() {
        if let Some(id) = action.given_id()
            && !seen.insert(id)
        {
            let index = index.to_string();
            let message = format!("actions.{index}.actionId: '{id}' stands in this page already.");
            issues.push(Issue::body(IssueCode::DuplicateValue, &["actions", &index, "actionId"], message));
        }
    }
    issues
}
