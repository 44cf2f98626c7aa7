//! A conversation as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, FieldChange, MessageState, MessageUsage, Reasons, Role};
use pagesmith_model::{AudienceId, ConversationId, MessageId, PageId, RunId, Timestamp, VersionId};
use pagesmith_operations::messages::by_hand::Edited;
use pagesmith_operations::messages::{
    Accepted, ActiveRun, BlockChange, ConversationWithMessages, MessageWithChanges, StoredChange,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::api::messages::Included;

/// Confirms that a message was accepted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MessageAccepted", deny_unknown_fields)]
#[schemars(example = json!({
    "accepted": true,
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "clientMessageId": "m-1",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
}))]
pub(crate) struct AcceptedView {
    /// Always true.
    #[schemars(extend("const" = true))]
    accepted: bool,
    /// Id of the audience.
    audience_id: AudienceId,
    /// The caller's name of the message, or the one that it was given.
    client_message_id: String,
    /// Id of the draft at the time the message was accepted. The progress of messages tells the version that was changed.
    version_id: VersionId,
}

impl AcceptedView {
    pub(crate) fn of(accepted: Accepted, audience_id: AudienceId) -> AcceptedView {
        let Accepted { client_message_id, version_id } = accepted;
        AcceptedView { accepted: true, audience_id, client_message_id, version_id }
    }
}

/// A run that processes messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ActiveRun", deny_unknown_fields)]
#[schemars(example = json!({ "messagesProcessed": 1, "runToken": "run_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub(crate) struct ActiveRunView {
    /// Number of messages that the run has processed.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    messages_processed: i64,
    /// Token of the run. Another run has another token.
    run_token: RunId,
}

impl From<ActiveRun> for ActiveRunView {
    fn from(run: ActiveRun) -> ActiveRunView {
        ActiveRunView { messages_processed: run.processed, run_token: run.run_id }
    }
}

/// Confirms that a snapshot was restored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SnapshotRestored", deny_unknown_fields)]
#[schemars(example = json!({ "success": true, "messageId": "message_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub(crate) struct RestoredView {
    /// Always true.
    pub(crate) success: bool,
    /// Id of the message whose snapshot was restored.
    pub(crate) message_id: MessageId,
}

/// A conversation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline, deny_unknown_fields)]
pub(crate) struct ConversationHead {
    /// Id of the conversation.
    conversation_id: ConversationId,
    /// Id of the audience.
    audience_id: AudienceId,
    /// Id of the last message whose snapshot went live.
    published_message_id: Option<MessageId>,
    /// When the first message was sent.
    created_at: Timestamp,
    /// When something was last said, taken back or published.
    updated_at: Timestamp,
}

/// A change of a block, as an operation of the editor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MessageBlockChange", deny_unknown_fields)]
#[schemars(example = json!({
    "changeId": "change_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "operation": { "operation": "set", "blockId": "top", "path": "/title", "from": "A long title", "to": "A title" },
    "reason": "Make the headline shorter",
    "status": "applied",
}))]
pub(crate) struct BlockChangeView {
    /// Id of the change.
    change_id: String,
    /// What was done: `set`, `insert`, `remove` or `move`, with the block and its previous value.
    operation: Value,
    /// The request that asked for it.
    reason: String,
    /// State of the change: `applied` to the draft, `reverted`, or `saved` when the draft went live.
    status: ChangeStatus,
}

impl BlockChangeView {
    fn of(change: &BlockChange) -> BlockChangeView {
        BlockChangeView {
            change_id: change.change_id.clone(),
            operation: serde_json::to_value(&change.operation).unwrap_or_default(),
            reason: change.reason.clone(),
            status: change.status,
        }
    }
}

/// An edit of a draft by hand.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DraftEdited", deny_unknown_fields)]
#[schemars(example = json!({
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "messageId": "message_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "changes": [],
    "blockChanges": [example::<BlockChangeView>()],
}))]
pub(crate) struct EditedView {
    /// Id of the draft.
    version_id: VersionId,
    /// Id of the message that records the edit.
    message_id: MessageId,
    /// Fields that were changed.
    changes: Vec<FieldChange>,
    /// What was changed in blocks. An inserted block has the id that it was given.
    block_changes: Vec<BlockChangeView>,
}

impl EditedView {
    pub(crate) fn of(edited: Edited) -> EditedView {
        EditedView {
            version_id: edited.version_id,
            message_id: edited.message.message_id,
            changes: edited.changes.iter().filter_map(StoredChange::field).cloned().collect(),
            block_changes: edited
                .changes
                .iter()
                .filter_map(StoredChange::block)
                .map(BlockChangeView::of)
                .collect(),
        }
    }
}

/// A message.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline, deny_unknown_fields)]
pub(crate) struct MessageView {
    /// Id of the message.
    message_id: MessageId,
    /// Author of the message: the `user` or the `assistant`.
    role: Role,
    /// Text of the message.
    content: String,
    /// When it was said, in milliseconds since 1970 (UTC).
    #[schemars(with = "f64")]
    timestamp: i64,
    /// Whether the draft as it was after the message can be restored.
    has_snapshot: bool,
    /// Fields that the message changed.
    changes: Option<Vec<FieldChange>>,
    /// Whether the message was interrupted.
    is_interrupted: bool,
    /// What the message changed in blocks. Only with `include=blockChanges`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<BlockChangeView>")]
    block_changes: Option<Vec<BlockChangeView>>,
    /// Reasons of the changes to fields, by the id of the change. Only with `include=blockChanges`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Reasons")]
    field_reasons: Option<Reasons>,
    /// Who made the message: a key, a user, the `server` or an `operator`. Null if that is not known. Only with `include=actor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    actor: Option<Option<String>>,
    /// Model usage of the message. Null if no model was called. Only with `include=usage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<MessageUsageView>")]
    usage: Option<Option<MessageUsageView>>,
}

/// Model usage of a message, over all attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MessageUsage", deny_unknown_fields)]
#[schemars(example = json!({
    "asked": "openai",
    "model": "gpt-5-mini",
    "inputTokens": 3120,
    "outputTokens": 180,
    "costMicros": 1140,
}))]
pub(crate) struct MessageUsageView {
    /// API that was called last: `openai` or `anthropic`.
    asked: String,
    /// Name of the model.
    model: String,
    /// Tokens that the model read.
    input_tokens: u64,
    /// Tokens that the model wrote.
    output_tokens: u64,
    /// Cost, in millionths of the operator's currency.
    cost_micros: u64,
}

impl MessageUsageView {
    fn of(usage: &JsonText) -> Option<MessageUsageView> {
        let usage: MessageUsage = serde_json::from_str(usage.as_str()).ok()?;
        Some(MessageUsageView {
            asked: usage.asked,
            model: usage.model,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost_micros: usage.cost_micros,
        })
    }
}

impl MessageView {
    fn of(told: &MessageWithChanges, included: Included) -> MessageView {
        let fields: Vec<FieldChange> =
            told.changes.iter().filter_map(|change| change.field().cloned()).collect();
        let blocks =
            || told.changes.iter().filter_map(|change| change.block().map(BlockChangeView::of)).collect();
        let message = &told.message;
        let reasons = || {
            let stored = message.reasons.as_ref();
            stored.and_then(|text| serde_json::from_str(text.as_str()).ok()).unwrap_or_default()
        };
        MessageView {
            message_id: message.message_id.clone(),
            role: message.role,
            content: message.content.clone(),
            timestamp: message.created_at.as_micros() / 1_000,
            has_snapshot: message.has_snapshot,
            changes: Some(fields).filter(|fields| !fields.is_empty()),
            is_interrupted: message.state == MessageState::Interrupted,
            block_changes: included.block_changes.then(blocks),
            field_reasons: included.block_changes.then(reasons),
            actor: included.actor.then(|| message.actor.as_ref().map(|actor| actor.shown().to_owned())),
            usage: included.usage.then(|| message.usage.as_ref().and_then(MessageUsageView::of)),
        }
    }
}

/// The fields that a conversation can change, as they will be when the draft goes live.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline, deny_unknown_fields)]
pub(crate) struct ContextView {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Id of its page.
    page_id: PageId,
    /// What the page agent knows about this particular audience.
    current_supplementary_context: Option<String>,
    /// Title that the audience sets.
    current_meta_title: Option<String>,
    /// Description that the audience sets.
    current_meta_description: Option<String>,
    /// Keywords that the audience sets, joined by commas.
    current_meta_keywords: Option<String>,
    /// Context of the page.
    page_context: String,
}

/// A conversation about an audience's page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceConversation", deny_unknown_fields)]
#[schemars(example = json!({
    "conversation": null,
    "messages": [],
    "context": {
        "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "currentSupplementaryContext": "Heads of finance in companies of 50 to 500 people.",
        "currentMetaTitle": null,
        "currentMetaDescription": null,
        "currentMetaKeywords": null,
        "pageContext": "Forecasts for finance teams.",
    },
    "pendingChanges": [],
}))]
pub(crate) struct ConversationView {
    /// The conversation. Null if there is no message yet.
    conversation: Option<ConversationHead>,
    /// The newest messages, oldest first.
    messages: Vec<MessageView>,
    /// The fields that a conversation can change, as they will be when the draft goes live.
    context: ContextView,
    /// Changes of fields that are not live yet.
    pending_changes: Vec<FieldChange>,
}

impl ConversationView {
    pub(crate) fn of(shown: ConversationWithMessages, included: Included) -> ConversationView {
        let ConversationWithMessages { conversation, messages, audience, page_context, fields, pending } =
            shown;
        let audience_id = audience.audience_id.clone();
        ConversationView {
            conversation: conversation.map(|conversation| ConversationHead {
                conversation_id: conversation.conversation_id,
                audience_id: audience_id.clone(),
                published_message_id: conversation.published_message_id,
                created_at: conversation.created_at,
                updated_at: conversation.updated_at,
            }),
            messages: messages.iter().map(|told| MessageView::of(told, included)).collect(),
            context: ContextView {
                audience_id,
                page_id: audience.page_id,
                current_supplementary_context: fields.context,
                current_meta_title: fields.title,
                current_meta_description: fields.description,
                current_meta_keywords: fields.keywords,
                page_context,
            },
            pending_changes: pending,
        }
    }
}
