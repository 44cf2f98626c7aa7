//! Topics: what a tenant knows, arranged by subject.
//!
//! A tenant always has one default topic, which is created with it and cannot be deleted.

pub mod entry;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::bounds::Name;
use crate::id::TopicId;
use crate::sort_order::SortOrder;
use crate::time::Timestamp;
use crate::topic::entry::Entry;

/// The title of the topic that every tenant has from the start.
pub const DEFAULT_TITLE: &str = "General";

/// A topic to be created.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateTopicRequest")]
#[schemars(example = json!({ "title": "Pricing", "sortOrder": 2 }))]
pub struct NewTopic {
    /// Title of the topic.
    #[schemars(with = "Name")]
    pub title: String,
    /// Place of the topic in the list. Left out, the topic is placed after all others.
    #[serde(default)]
    #[schemars(with = "SortOrder")]
    pub sort_order: Option<SortOrder>,
}

/// Changes of a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateTopicRequest")]
#[schemars(example = json!({ "title": "Prices and discounts" }))]
pub struct TopicPatch {
    /// Title of the topic.
    #[serde(default)]
    #[schemars(with = "Name")]
    pub title: Option<String>,
    /// Place of the topic in the list.
    #[serde(default)]
    #[schemars(with = "SortOrder")]
    pub sort_order: Option<SortOrder>,
}

/// A topic as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its id.
    pub topic_id: TopicId,
    /// Its title.
    pub title: String,
    /// Its place among the tenant's topics.
    pub sort_order: SortOrder,
    /// Whether it is the one that its tenant always has.
    pub is_default: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A topic with as many of its first entries as answers embed.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicWithEntries {
    /// The topic.
    pub topic: Topic,
    /// Its first entries.
    pub entries: Vec<Entry>,
}
