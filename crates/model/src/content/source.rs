//! Where what a page says comes from, if it is not its context.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A chunk of the tenant's knowledge that a page agent used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ContentSource")]
#[schemars(example = json!({
    "topicEntryId": "topicentry_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "chunkId": "chunk_5f2d6c0b9a4e4f11a3d7c8e9b0a1f2d3",
    "title": "Prices",
    "url": "https://example.com/prices",
    "blockIds": ["prices-1"],
}))]
pub struct Source {
    /// Id of the topic entry that says so.
    #[schemars(length(min = 1, max = 200))]
    pub topic_entry_id: String,
    /// Id of the chunk of the entry. It names what the entry said when the page was written.
    #[schemars(length(min = 1, max = 200))]
    pub chunk_id: String,
    /// Name of the page or file, else the title of the topic.
    #[schemars(length(max = 1000))]
    pub title: String,
    /// Address of the page that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 10000))]
    pub url: Option<String>,
    /// Ids of the blocks that use it.
    #[schemars(with = "Vec<crate::bounds::Bounded<1, 200>>", length(max = 200))]
    pub block_ids: Vec<String>,
}
