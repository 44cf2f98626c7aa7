//! The actions of a page: what a visitor can do with a button.
//!
//! Sent without an index and perhaps without an id, kept and answered with both. `actionType` is an open set: the
//! three known types are checked strictly, any other keeps the fields that the specification lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{SomeText, Text, Title};
use crate::error::{Issue, IssueCode, Result};
use crate::id::ActionId;
use crate::json::tagged_union;

/// A button that opens an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenUrlActionInput {
    /// Its id, unique in the page; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// What it is for; the page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// What the visitor reads.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// `open-url`.
    #[schemars(extend("const" = "open-url"))]
    pub action_type: String,
    /// The address.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
}

/// A button that opens a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormActionInput {
    /// Its id, unique in the page; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// What it is for; the page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// What the visitor reads.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// `form`.
    #[schemars(extend("const" = "form"))]
    pub action_type: String,
    /// The form.
    #[schemars(with = "SomeText")]
    pub form_id: String,
    /// What the visitor is told about the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub form_instructions: Option<String>,
}

/// A button that copies a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyTextActionInput {
    /// Its id, unique in the page; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// What it is for; the page agent reads it.
    #[schemars(with = "Text")]
    pub purpose: String,
    /// What the visitor reads.
    #[schemars(with = "Title")]
    pub button_title: String,
    /// `copy-text`.
    #[schemars(extend("const" = "copy-text"))]
    pub action_type: String,
    /// The text.
    #[schemars(with = "Text")]
    pub copy_text: String,
}

/// An action of a type that this service does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OtherActionInput {
    /// Its id, unique in the page; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub action_id: Option<String>,
    /// What it is for; the page agent reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub purpose: Option<String>,
    /// What the visitor reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Title")]
    pub button_title: Option<String>,
    /// The type, as sent.
    #[schemars(with = "SomeText")]
    pub action_type: String,
    /// An address, as sent.
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

macro_rules! kept {
    ($(#[$meta:meta])* $name:ident, $text:literal, { $($rest:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            /// Its id, unique in the page.
            #[schemars(length(min = 1))]
            pub action_id: String,
            /// Its place in the page's actions, from 0.
            #[schemars(with = "f64")]
            pub action_index: usize,
            /// What it is for.
            pub purpose: String,
            /// What the visitor reads.
            pub button_title: String,
            #[doc = concat!("`", $text, "`.")]
            #[schemars(extend("const" = $text))]
            pub action_type: String,
            $($rest)*
        }
    };
}

kept! {
    /// A button that opens an address.
    OpenUrlAction, "open-url", {
        /// The address.
        #[schemars(with = "crate::page::Url")]
        pub url: String,
    }
}
kept! {
    /// A button that opens a form.
    FormAction, "form", {
        /// The form.
        #[schemars(length(min = 1))]
        pub form_id: String,
        /// What the visitor is told about the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "String")]
        pub form_instructions: Option<String>,
    }
}
kept! {
    /// A button that copies a text.
    CopyTextAction, "copy-text", {
        /// The text.
        pub copy_text: String,
    }
}

/// An action of a type that this service does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OtherAction {
    /// Its id, unique in the page.
    #[schemars(length(min = 1))]
    pub action_id: String,
    /// Its place in the page's actions, from 0.
    #[schemars(with = "f64")]
    pub action_index: usize,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub purpose: Option<String>,
    /// What the visitor reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub button_title: Option<String>,
    /// The type, as sent.
    #[schemars(length(min = 1))]
    pub action_type: String,
    /// An address, as sent.
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
