//! A topic entry as answers show it: what the caller gave, and what was found in a page for everything that the caller left open.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{EnrichmentStatus, Entry, EntryContent};
use crate::id::{TopicEntryId, TopicId};
use crate::sort_order::SortOrder;
use crate::time::Timestamp;

/// A piece of knowledge of a topic.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "topicEntryId": "topicentry_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "topicId": "topic_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "sortOrder": 0,
    "content": { "type": "text", "content": "The starter plan is free for teams of up to five." },
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub struct TopicEntry {
    /// Id of the entry.
    pub topic_entry_id: TopicEntryId,
    /// Id of its topic.
    pub topic_id: TopicId,
    /// Place of the entry in its topic.
    pub sort_order: SortOrder,
    /// What the entry says.
    pub content: ShownContent,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When the entry was last changed.
    pub updated_at: Timestamp,
}

/// What an entry says: a text, a file or a web page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum ShownContent {
    /// A text.
    Text(TextContent),
    /// An uploaded file.
    File(FileContent),
    /// A web page.
    Url(UrlContent),
}

macro_rules! content_type {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $text:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
        #[schemars(inline)]
        pub enum $name {
            $(#[$doc])*
            #[serde(rename = $text)]
            $variant,
        }
    };
}

content_type!(
    /// The type of a text.
    TextType, Text, "text"
);
content_type!(
    /// The type of a file.
    FileType, File, "file"
);
content_type!(
    /// The type of a web page.
    UrlType, Url, "url"
);

/// A text.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({ "type": "text", "content": "The starter plan is free for teams of up to five." }))]
pub struct TextContent {
    /// Type of the content.
    #[serde(rename = "type")]
    pub kind: TextType,
    /// The text.
    pub content: String,
}

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "type": "file",
    "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "aiSummary": "The price list of 2026.",
}))]
pub struct FileContent {
    /// Type of the content.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Id of the file.
    pub file_id: String,
    /// Summary of the file, once there is one.
    pub ai_summary: Option<String>,
}

/// A web page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(inline)]
pub struct UrlContent {
    /// Type of the content.
    #[serde(rename = "type")]
    pub kind: UrlType,
    /// Address of the page.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// Name of the page.
    pub name: Option<String>,
    /// Address of the page's icon.
    #[schemars(with = "Option<crate::page::Url>")]
    pub icon: Option<String>,
    /// Description that the page gives of itself.
    #[schemars(default)]
    pub meta_description: Option<String>,
    /// What the page is for.
    #[schemars(default)]
    pub purpose: Option<String>,
    /// Summary of the page, once there is one.
    pub ai_summary: Option<String>,
    /// Whether the page was read.
    #[schemars(default)]
    pub enrichment_status: EnrichmentStatus,
}

impl From<Entry> for TopicEntry {
    fn from(entry: Entry) -> TopicEntry {
        let Entry { found, status, .. } = entry;
        let content = match entry.content {
            EntryContent::Text(text) => {
                ShownContent::Text(TextContent { kind: TextType::Text, content: text.content })
            }
            EntryContent::File(file) => ShownContent::File(FileContent {
                kind: FileType::File,
                file_id: file.file_id,
                ai_summary: file.ai_summary.or(found.ai_summary),
            }),
            EntryContent::Url(page) => ShownContent::Url(UrlContent {
                kind: UrlType::Url,
                url: page.url,
                name: page.name.or(found.name),
                icon: page.icon.or(found.icon),
                meta_description: page.meta_description.or(found.meta_description),
                purpose: page.purpose,
                ai_summary: page.ai_summary.or(found.ai_summary),
                enrichment_status: status,
            }),
        };
        TopicEntry {
            topic_entry_id: entry.topic_entry_id,
            topic_id: entry.topic_id,
            sort_order: entry.sort_order,
            content,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}
