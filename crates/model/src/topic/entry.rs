//! Topic entries: single pieces of what a tenant knows. A text, a file of the tenant, or a web page that is read.
//!
//! What the caller gives and what is found by reading are kept apart, so that reading never overwrites what the caller gave.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{self, KnowledgeText, Text};
use crate::example::example;
use crate::id::{TopicEntryId, TopicId};
use crate::json::tagged_union;
use crate::sort_order::SortOrder;
use crate::time::Timestamp;

pub mod reading;
pub mod shown;

/// The most entries of a tenant, in all of its topics.
pub const MOST_ENTRIES: u64 = 10_000;

/// How many characters of an entry a search of topics looks through.
const SEARCHED: usize = 1_000;

/// A text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "text", "content": "The starter plan is free for teams of up to five." }))]
pub struct TextContentInput {
    /// Type of the content: `text`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "text"))]
    pub kind: String,
    /// The text. Markdown headings divide it.
    #[schemars(with = "KnowledgeText")]
    pub content: String,
}

/// A file of the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "type": "file", "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta", "aiSummary": null }))]
pub struct FileContentInput {
    /// Type of the content: `file`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "file"))]
    pub kind: String,
    /// Id of the file.
    #[schemars(with = "Text")]
    pub file_id: String,
    /// Summary of the file. Null: it is taken from the file's text.
    #[schemars(schema_with = "nullable_text")]
    pub ai_summary: Option<String>,
}

/// A web page, which is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "url", "url": "https://example.com/prices", "name": null, "icon": null, "aiSummary": null,
}))]
pub struct UrlContentInput {
    /// Type of the content: `url`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "url"))]
    pub kind: String,
    /// Address of the page.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// Name of the page. Null: the page's title.
    #[schemars(schema_with = "nullable_text")]
    pub name: Option<String>,
    /// Address of the page's icon. Null: the one that the page names.
    #[schemars(schema_with = "nullable_address")]
    pub icon: Option<String>,
    /// Description of the page. Null: the one that the page gives of itself.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub meta_description: Option<String>,
    /// What the page is for.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub purpose: Option<String>,
    /// Summary of the page. Null: it is taken from the page's text.
    #[schemars(schema_with = "nullable_text")]
    pub ai_summary: Option<String>,
    /// Whether the page was read. A page that was read elsewhere, `success` or `failed`, is read only on demand.
    #[serde(default)]
    pub enrichment_status: EnrichmentStatus,
}

/// A text that must be given and may be null.
fn nullable_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"], "maxLength": bounds::USUAL })
}

/// An absolute address that must be given and may be null.
fn nullable_address(generator: &mut SchemaGenerator) -> Schema {
    let address = generator.subschema_for::<crate::page::Url>();
    json_schema!({ "anyOf": [address, { "type": "null" }] })
}

tagged_union! {
    /// What an entry says, as the caller gave it.
    EntryContent by "type" {
        "text" => Text(TextContentInput),
        "file" => File(FileContentInput),
        "url" => Url(UrlContentInput),
    }
}

/// Whether a web page or file was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum EnrichmentStatus {
    /// Not yet.
    #[default]
    Pending,
    /// It was.
    Success,
    /// It could not be.
    Failed,
}

impl EnrichmentStatus {
    /// Its name in requests, answers and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            EnrichmentStatus::Pending => "pending",
            EnrichmentStatus::Success => "success",
            EnrichmentStatus::Failed => "failed",
        }
    }

    /// The status of this name.
    pub fn parse(name: &str) -> Option<EnrichmentStatus> {
        let all = [EnrichmentStatus::Pending, EnrichmentStatus::Success, EnrichmentStatus::Failed];
        all.into_iter().find(|status| status.as_str() == name)
    }
}

/// What reading found; each counts where the caller gave nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtractedFields {
    /// Title of the page or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the file was called when it was uploaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// Address of the page's icon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// Description that the page gives of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta_description: Option<String>,
    /// The sentences of the text that say most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_summary: Option<String>,
}

/// An entry to be created.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateTopicEntryRequest")]
#[schemars(example = json!({ "content": example::<TextContentInput>() }))]
pub struct NewEntry {
    /// What the entry says.
    pub content: EntryContent,
    /// Place of the entry in its topic. Left out, the entry is placed after all others.
    #[serde(default)]
    #[schemars(with = "SortOrder")]
    pub sort_order: Option<SortOrder>,
}

/// Changes of an entry.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateTopicEntryRequest")]
#[schemars(example = json!({ "sortOrder": 3 }))]
pub struct EntryPatch {
    /// What the entry says; it replaces all that the entry said.
    #[serde(default)]
    #[schemars(with = "EntryContent")]
    pub content: Option<EntryContent>,
    /// Place of the entry in its topic.
    #[serde(default)]
    #[schemars(with = "SortOrder")]
    pub sort_order: Option<SortOrder>,
}

/// An entry as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its id.
    pub topic_entry_id: TopicEntryId,
    /// Its topic.
    pub topic_id: TopicId,
    /// Its place in the topic.
    pub sort_order: SortOrder,
    /// What the caller gave.
    pub content: EntryContent,
    /// What reading found.
    pub found: ExtractedFields,
    /// Whether the page or file was read.
    pub status: EnrichmentStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl EntryContent {
    /// The id of the file that it is, as the caller gave it.
    pub fn file_id(&self) -> Option<&str> {
        match self {
            EntryContent::File(file) => Some(&file.file_id),
            EntryContent::Text(_) | EntryContent::Url(_) => None,
        }
    }
}

impl Entry {
    /// What is to be read: the address of a page or the id of a file.
    pub fn source(&self) -> Option<&str> {
        match &self.content {
            EntryContent::Url(page) => Some(&page.url),
            EntryContent::File(file) => Some(&file.file_id),
            EntryContent::Text(_) => None,
        }
    }

    /// What the page or file is called.
    pub fn name(&self) -> Option<&str> {
        match &self.content {
            EntryContent::Url(page) => page.name.as_deref().or(self.found.name.as_deref()),
            EntryContent::File(_) => self.found.name.as_deref().or(self.found.file_name.as_deref()),
            EntryContent::Text(_) => None,
        }
    }

    /// What it is about in short: descriptions and summaries.
    pub fn summaries(&self) -> impl Iterator<Item = &str> {
        let (given, found) = match &self.content {
            EntryContent::Url(page) => (
                [page.meta_description.as_deref(), page.purpose.as_deref(), page.ai_summary.as_deref()],
                [self.found.meta_description.as_deref(), None, self.found.ai_summary.as_deref()],
            ),
            EntryContent::File(file) => {
                ([None, None, file.ai_summary.as_deref()], [None, None, self.found.ai_summary.as_deref()])
            }
            EntryContent::Text(_) => ([None; 3], [None; 3]),
        };
        given.into_iter().zip(found).filter_map(|(given, found)| given.or(found))
    }

    /// The beginning of what the entry says, for searches of topics.
    pub fn searched_text(&self) -> String {
        let mut text = String::new();
        let own = match &self.content {
            EntryContent::Text(text) => Some(text.content.as_str()),
            EntryContent::Url(page) => Some(page.url.as_str()),
            // Whoever uploaded a file knows it by that name, whatever its title is.
            EntryContent::File(_) => self.found.file_name.as_deref().filter(|name| self.name() != Some(name)),
        };
        for part in self.name().into_iter().chain(own).chain(self.summaries()) {
            let left = SEARCHED.saturating_sub(text.chars().count());
            text.extend(part.chars().take(left).chain([' ']));
        }
        text
    }

    /// The first words of what the entry says.
    fn first_words(&self) -> Option<String> {
        let text = match &self.content {
            EntryContent::Text(text) => Some(text.content.as_str()),
            EntryContent::Url(_) | EntryContent::File(_) => self.name().or_else(|| self.summaries().next()),
        };
        text.map(opening).filter(|words| !words.is_empty())
    }
}

/// The first words of a text, without the signs of Markdown; up to the end of its first sentence.
fn opening(text: &str) -> String {
    const MOST_WORDS: usize = 14;
    let line = text.lines().map(|line| line.trim_matches(is_sign)).find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    // A text without spaces is cut as well.
    let line: &str = line.char_indices().nth(MOST_CHARACTERS).map_or(line, |(end, _)| &line[..end]);
    let mut words: Vec<&str> = line.split_whitespace().take(MOST_WORDS + 1).collect();
    if let Some(end) = words.iter().position(|word| word.ends_with(['.', '!', '?', '。'])) {
        words.truncate(end + 1);
    }
    let is_cut = words.len() > MOST_WORDS;
    words.truncate(MOST_WORDS);
    let joined = words.join(" ");
    let joined = joined.trim_end_matches(['.', ',', ';', ':', '。']);
    if is_cut { format!("{joined} …") } else { joined.to_owned() }
}

fn is_sign(char: char) -> bool {
    char.is_whitespace() || matches!(char, '#' | '*' | '>' | '-' | '_' | '`' | '=')
}

/// The most characters of a purpose.
const MOST_CHARACTERS: usize = 200;

/// What a topic is for: the first words of its first entries.
pub fn purpose(entries: &[Entry]) -> Option<String> {
    let mut purpose = String::new();
    let mut length = 0;
    for words in entries.iter().filter_map(Entry::first_words) {
        let more = words.chars().count() + if length == 0 { 0 } else { 2 };
        if length + more > MOST_CHARACTERS {
            if length > 0 {
                break;
            }
            return Some(words.chars().take(MOST_CHARACTERS).collect());
        }
        if length > 0 {
            purpose.push_str("; ");
        }
        purpose.push_str(&words);
        length += more;
    }
    (!purpose.is_empty()).then_some(purpose)
}
