//! Messages: what owners say about an audience's page, what the editor answers, and what was changed.
//!
//! A change of one of the four fields that the contract knows is a [`FieldChange`]; what becomes of a change is its [`ChangeStatus`].

pub mod edit;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::actor::Actor;
use crate::bounds::Bounded;
use crate::id::{ConversationId, MessageId, VersionId};
use crate::json::JsonText;
use crate::time::Timestamp;

/// What an owner has selected on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "blockId": "features",
    "elementId": "features-title",
    "elementType": "heading",
    "blockTitle": "What it does",
    "content": "What it does",
    "jsonPath": "/title",
}))]
pub struct SelectedElement {
    /// Id of the block. Other blocks stay as they are.
    #[schemars(length(max = 200))]
    pub block_id: String,
    /// Id of the element within the block, as the caller names it. `jsonPath`, `selectedText` or `content` say where it is.
    #[schemars(length(max = 200))]
    pub element_id: String,
    /// Kind of the element, as the caller names it.
    #[schemars(length(max = 100))]
    pub element_type: String,
    /// Title of the block.
    #[schemars(with = "Option<Bounded<0, 1000>>")]
    pub block_title: Option<String>,
    /// Content of the element.
    #[schemars(with = "Option<Bounded<0, 1000>>")]
    pub content: Option<String>,
    /// Text that is selected within the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Bounded<0, 1000>>")]
    pub selected_text: Option<String>,
    /// Place of the component on the page, from 0. `blockId` says which it is, wherever it stands by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub component_index: Option<u64>,
    /// Place of the element within the block, as a JSON pointer such as `/cards/0/title`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Bounded<0, 500>>")]
    pub json_path: Option<String>,
}

/// A message that is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateMessageRequest")]
#[schemars(example = json!({ "message": "Make the headline shorter.", "clientMessageId": "m-1" }))]
pub struct NewMessage {
    /// What should be different, in the owner's words.
    #[schemars(length(min = 1, max = 50000))]
    pub message: String,
    /// The caller's own name of the message. The same name again is answered as the first time and sends nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Bounded<1, 100>")]
    pub client_message_id: Option<String>,
    /// What is selected on the page: nothing else is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SelectedElement")]
    pub selected_element: Option<SelectedElement>,
}

/// The interruption of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateInterruptRequest")]
#[schemars(example = json!({ "partialText": "I have made the headline" }))]
pub struct Interruption {
    /// What of the answer was shown so far. It is kept as the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Bounded<0, 100_000>")]
    pub partial_text: Option<String>,
}

/// Who has said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Role {
    /// The owner.
    User,
    /// The editor.
    Assistant,
}

impl Role {
    /// As it is stored and answered.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }

    /// The role with this text.
    pub fn parse(text: &str) -> Option<Role> {
        [Role::User, Role::Assistant].into_iter().find(|role| role.as_str() == text)
    }
}

/// Where a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageState {
    /// It waits for its turn.
    Waiting,
    /// It has been answered, or is an answer.
    Done,
    /// It was interrupted before it was answered.
    Interrupted,
}

impl MessageState {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageState::Waiting => "waiting",
            MessageState::Done => "done",
            MessageState::Interrupted => "interrupted",
        }
    }

    /// The state with this text.
    pub fn parse(text: &str) -> Option<MessageState> {
        let all = [MessageState::Waiting, MessageState::Done, MessageState::Interrupted];
        all.into_iter().find(|state| state.as_str() == text)
    }
}

/// A conversation about an audience's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub conversation_id: ConversationId,
    /// The number of its newest message.
    pub last_number: i64,
    /// The last message whose snapshot went live.
    pub published_message_id: Option<MessageId>,
    /// When the first message was sent.
    pub created_at: Timestamp,
    /// When something was last said or published.
    pub updated_at: Timestamp,
}

/// A message that was sent or answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its place in the conversation, from 1.
    pub number: i64,
    /// Its id.
    pub message_id: MessageId,
    /// Whose side of the conversation it is on.
    pub role: Role,
    /// Who made it; unknown of messages from before this was noted.
    pub actor: Option<Actor>,
    /// Text of the message.
    pub content: String,
    /// The caller's own name of it.
    pub client_message_id: Option<String>,
    /// What was selected.
    pub selection: Option<JsonText>,
    /// Where it is.
    pub state: MessageState,
    /// The version that it is about.
    pub version_id: Option<VersionId>,
    /// What was changed.
    pub changes: Option<JsonText>,
    /// Why fields were changed: a [`Reasons`].
    pub reasons: Option<JsonText>,
    /// What carrying it out has used of models: a [`MessageUsage`].
    pub usage: Option<JsonText>,
    /// Whether the page as it was afterwards is kept.
    pub has_snapshot: bool,
    /// When it was said.
    pub created_at: Timestamp,
}

/// The reasons of changes of fields, by the ids of the changes. Changes of blocks hold theirs.
pub type Reasons = BTreeMap<String, String>;

/// What carrying a message out has used of models, all attempts together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessageUsage {
    /// The last attempt that counts.
    pub attempt: String,
    /// What was asked then: `openai` or `anthropic`.
    pub asked: String,
    /// Name of the model.
    pub model: String,
    /// Tokens that models read.
    pub input_tokens: u64,
    /// Tokens that they wrote.
    pub output_tokens: u64,
    /// Cost, in millionths of the operator's currency.
    pub cost_micros: u64,
}

/// A field that a conversation can change beside the blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Field {
    /// Notes about the audience.
    SupplementaryContext,
    /// Title for browsers and search engines.
    MetaTitle,
    /// Description for search engines.
    MetaDescription,
    /// Keywords, joined by commas.
    MetaKeywords,
}

/// What has become of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ChangeStatus {
    /// It is in the draft.
    Applied,
    /// It was taken back.
    Reverted,
    /// It has gone live.
    Saved,
}

/// A change of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "MessageChange")]
#[schemars(example = json!({
    "changeId": "change_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "field": "metaTitle",
    "previousValue": null,
    "newValue": "Forecasts for finance teams",
    "status": "applied",
}))]
pub struct FieldChange {
    /// Id of the change.
    pub change_id: String,
    /// Field that was changed.
    pub field: Field,
    /// Previous value. Null if the audience had none.
    pub previous_value: Option<String>,
    /// What it is.
    pub new_value: Option<String>,
    /// State of the change: `applied` to the draft, `reverted`, or `saved` when the draft went live.
    pub status: ChangeStatus,
}
