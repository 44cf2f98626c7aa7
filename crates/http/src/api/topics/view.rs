//! A topic as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::topic::TopicWithEntries;
use pagesmith_model::topic::entry::purpose;
use pagesmith_model::topic::entry::shown::TopicEntry;
use pagesmith_model::{Timestamp, TopicId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;

/// A topic: what the tenant knows about one subject.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Topic", deny_unknown_fields)]
#[schemars(example = json!({
    "topicId": "topic_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "title": "Pricing",
    "purpose": "The starter plan is free for teams of up to five",
    "sortOrder": 2,
    "isDefault": false,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "entries": [example::<TopicEntry>()],
}))]
pub(crate) struct TopicView {
    /// Id of the topic.
    topic_id: TopicId,
    /// Title of the topic.
    title: String,
    /// What the topic is for: the first words of its first entries. Null without entries.
    purpose: Option<String>,
    /// Place of the topic in the list.
    sort_order: SortOrder,
    /// Whether this is the default topic. A tenant has exactly one, and it cannot be deleted.
    is_default: bool,
    /// When the topic was created.
    created_at: Timestamp,
    /// When the topic was last changed.
    updated_at: Timestamp,
    /// First entries of the topic, in the order of their `sortOrder`: up to 100 of them, and up to 1 MB.
    entries: Vec<TopicEntry>,
}

impl From<TopicWithEntries> for TopicView {
    fn from(TopicWithEntries { topic, entries }: TopicWithEntries) -> TopicView {
        TopicView {
            topic_id: topic.topic_id,
            title: topic.title,
            purpose: purpose(&entries),
            sort_order: topic.sort_order,
            is_default: topic.is_default,
            created_at: topic.created_at,
            updated_at: topic.updated_at,
            entries: entries.into_iter().map(TopicEntry::from).collect(),
        }
    }
}

impl CollectionItem for TopicView {
    const COLLECTION: &str = "A part of the list of topics.";
}
