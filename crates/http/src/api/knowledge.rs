//! Searching what the tenant knows.

use std::sync::Arc;

use pagesmith_endpoint::endpoint;
use pagesmith_knowledge_index::Hit;
use pagesmith_model::bounds::Text;
use pagesmith_model::example::example;
use pagesmith_model::{Result, TopicEntryId, TopicId};
use pagesmith_operations::knowledge;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::extract::{Body, Call};
use crate::reply::Reply;

/// How many chunks an answer has if the caller does not say.
const DEFAULT_LIMIT: usize = 10;

/// What is searched for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SearchKnowledgeRequest")]
#[schemars(example = json!({ "query": "free plan for small teams", "limit": 5 }))]
pub(crate) struct KnowledgeQuery {
    /// What to search for; the first 16 words count.
    #[schemars(with = "Text")]
    query: String,
    /// How many chunks the answer has at most: 1 to 100, and 10 if left out.
    #[serde(default)]
    #[schemars(schema_with = "limit_schema")]
    limit: Option<usize>,
}

fn limit_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": 1, "maximum": 100 })
}

/// Where a chunk comes from.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KnowledgeSource", deny_unknown_fields)]
#[schemars(example = json!({ "type": "url", "name": "Prices", "url": "https://example.com/prices" }))]
pub(crate) struct SourceView {
    /// Type of the entry: `text`, `file` or `url`.
    #[serde(rename = "type")]
    kind: String,
    /// Name of the page or file. Null if it has none.
    name: Option<String>,
    /// Address of the page. Null if the entry is none.
    url: Option<String>,
}

/// A chunk that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "KnowledgeChunk", deny_unknown_fields)]
#[schemars(example = json!({
    "chunkId": "chunk_5f2d6c0b9a4e4f11a3d7c8e9b0a1f2d3",
    "score": 7.42,
    "text": "The starter plan is free for teams of up to five.",
    "heading": "Plans",
    "topicId": "topic_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "topicTitle": "Pricing",
    "topicEntryId": "topicentry_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "source": example::<SourceView>(),
}))]
pub(crate) struct ChunkView {
    /// Id of the chunk. It stays the same as long as the chunk says the same.
    chunk_id: String,
    /// Relevance of the chunk. Only scores of the same response can be compared.
    score: f32,
    /// Text of the chunk.
    text: String,
    /// Heading above the chunk. Null if there is none.
    heading: Option<String>,
    /// Id of the topic.
    topic_id: TopicId,
    /// Title of the topic.
    topic_title: String,
    /// Id of the entry.
    topic_entry_id: TopicEntryId,
    /// Where the chunk comes from.
    source: SourceView,
}

impl From<Hit> for ChunkView {
    fn from(Hit { found, score, .. }: Hit) -> ChunkView {
        let chunk = found.chunk;
        ChunkView {
            chunk_id: chunk.chunk_id,
            score,
            text: chunk.text,
            heading: chunk.heading,
            topic_id: found.topic_id,
            topic_title: found.topic_title,
            topic_entry_id: found.topic_entry_id,
            source: SourceView { kind: chunk.source_type, name: chunk.source_name, url: chunk.source_url },
        }
    }
}

/// The chunks that were found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KnowledgeChunks", deny_unknown_fields)]
#[schemars(example = json!({ "items": [example::<ChunkView>()] }))]
pub(crate) struct FoundChunks {
    /// Chunks, best first.
    items: Vec<ChunkView>,
}

/// Searches what the entries of all topics say, best match first.
///
/// A chunk matches if it has one of the words. It ranks higher the more of the words it has, the rarer they are and the more
/// often they occur in it. Changes become searchable within moments. The search changes nothing, so an `Idempotency-Key` has no
/// effect.
#[endpoint]
pub(crate) async fn search_knowledge(
    call: Call,
    Body(asked): Body<KnowledgeQuery>,
) -> Result<Reply<FoundChunks>> {
    let limit = asked.limit.unwrap_or(DEFAULT_LIMIT);
    let kept = Arc::clone(&call.state.passages);
    let found = call.search(move |tx, ctx| knowledge::search(tx, ctx, &asked.query, limit, &kept.postings));
    let hits = found.await?;
    Reply::of(&FoundChunks { items: hits.into_iter().map(ChunkView::from).collect() })
}
