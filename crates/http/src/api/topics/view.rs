//! A topic as answers show it.

use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::topic::Topic;
use pagesmith_model::topic::entry::TopicEntry;
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
    "purpose": null,
    "sortOrder": 2,
    "isDefault": false,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "entries": [],
}))]
pub(crate) struct TopicView {
    /// Id of the topic.
    topic_id: TopicId,
    /// Title of the topic.
    title: String,
    /// What the topic is for, derived from its entries. Null while that is unknown.
    purpose: Option<String>,
    /// Place of the topic in the list.
    sort_order: SortOrder,
    /// Whether this is the default topic. A tenant has exactly one, and it cannot be deleted.
    is_default: bool,
    /// When the topic was created.
    created_at: Timestamp,
    /// When the topic was last changed.
    updated_at: Timestamp,
    /// Entries of the topic, in the order of their `sortOrder`.
    entries: Vec<TopicEntry>,
}

impl From<Topic> for TopicView {
    fn from(topic: Topic) -> TopicView {
        TopicView {
            topic_id: topic.topic_id,
            title: topic.title,
            // A topic has no entries yet, from which a purpose could be derived.
            purpose: None,
            sort_order: topic.sort_order,
            is_default: topic.is_default,
            created_at: topic.created_at,
            updated_at: topic.updated_at,
            entries: vec![],
        }
    }
}

impl CollectionItem for TopicView {
    const COLLECTION: &str = "A part of the list of topics.";
}
