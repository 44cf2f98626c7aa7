//! The operations on entries of topics.

use pagesmith_endpoint::endpoint;
use pagesmith_model::example::example;
use pagesmith_model::topic::entry::reading::Reading;
use pagesmith_model::topic::entry::shown::TopicEntry;
use pagesmith_model::topic::entry::{EnrichmentStatus, Entry, EntryPatch, NewEntry};
use pagesmith_model::{Result, TopicEntryId, TopicId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::topics::{entries, readings};
use pagesmith_store::Tx;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::body::EmptyObject;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path};
use crate::reply::{DONE, Reply, Single, Success};

impl CollectionItem for TopicEntry {
    const COLLECTION: &str = "A part of the list of a topic's entries.";
}

/// What became of the last attempts to read an entry's page or file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TopicEntryLog", deny_unknown_fields)]
#[schemars(example = json!({ "enrichmentStatus": "failed", "items": [example::<Reading>()] }))]
pub(crate) struct EntryLog {
    /// Whether the page or file was read. Texts are `success` from the start.
    enrichment_status: EnrichmentStatus,
    /// Attempts, newest first; the last 20.
    items: Vec<Reading>,
}

/// Lists the entries of a topic in the order of `sortOrder`.
///
/// Entries with the same `sortOrder` are listed in the order in which they were created.
#[endpoint]
pub(crate) async fn list_topic_entries(
    call: Call,
    Path(topic_id): Path<TopicId>,
    paging: Paging,
) -> Result<Reply<Collection<TopicEntry>>> {
    let list = paging.keyset(&call, "topics/entries", &[("topic", topic_id.as_str())])?;
    let found =
        list.read(&call, move |tx, ctx, after, extent| entries::list(tx, ctx, &topic_id, after, extent));
    let position = |entry: &Entry| (entry.sort_order, entry.topic_entry_id.clone());
    list.answer(&call, found.await?, position, TopicEntry::from).await
}

/// Creates an entry of a topic.
///
/// Without `sortOrder` the entry is placed after all others of its topic. A web page or file is read within seconds: until then
/// `enrichmentStatus` is `pending`, then `success` or `failed`; that of a file is in the entry's log. What is found fills the fields that
/// were given as null. PDF, DOCX, PPTX, HTML, Markdown, plain text and CSV are read, up to 64 MiB and 200,000 characters. The id of a file
/// that the tenant does not have fails with 400. A tenant can have 10,000 entries; one more fails with 409.
#[endpoint]
pub(crate) async fn create_topic_entry(
    call: Call,
    Path(topic_id): Path<TopicId>,
    key: IdempotencyKey,
    Body(new): Body<NewEntry>,
) -> Result<Reply<TopicEntry, 201>> {
    call.change_once(key, move |tx, ctx| entries::create(tx, ctx, &topic_id, &new).map(TopicEntry::from))
        .await
}

/// Returns an entry of a topic.
///
/// For a web page or file, fields that the caller left out are filled with what was found there.
#[endpoint]
pub(crate) async fn get_topic_entry(
    call: Call,
    Path(topic_id): Path<TopicId>,
    Path(topic_entry_id): Path<TopicEntryId>,
) -> Result<Single<TopicEntry>> {
    let entry = call.point_read(move |tx, ctx| entries::find(tx, ctx, &topic_id, &topic_entry_id)).await?;
    Ok(Single(TopicEntry::from(entry)))
}

/// What `If-Match` demands of an entry.
async fn precondition(
    call: &Call,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    if_match: &IfMatch,
) -> Result<Precondition<Entry>> {
    let (topic_id, topic_entry_id) = (topic_id.clone(), topic_entry_id.clone());
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| entries::find(tx, ctx, &topic_id, &topic_entry_id);
    if_match.precondition(call, read, |entry| Ok(TopicEntry::from(entry))).await
}

/// Changes the given fields of an entry.
///
/// `content` replaces all that the entry said. A web page with another address or another file is read anew; with the same one, what was
/// read of it stays. Fields that are left out keep their value.
#[endpoint]
pub(crate) async fn update_topic_entry(
    call: Call,
    Path(topic_id): Path<TopicId>,
    Path(topic_entry_id): Path<TopicEntryId>,
    if_match: IfMatch,
    Body(patch): Body<EntryPatch>,
) -> Result<Reply<TopicEntry>> {
    let precondition = precondition(&call, (&topic_id, &topic_entry_id), &if_match).await?;
    call.change(move |tx, ctx| {
        entries::update(tx, ctx, (&topic_id, &topic_entry_id), &patch, &precondition).map(TopicEntry::from)
    })
    .await
}

/// Deletes an entry of a topic.
///
/// A deleted entry cannot be restored.
#[endpoint]
pub(crate) async fn delete_topic_entry(
    call: Call,
    Path(topic_id): Path<TopicId>,
    Path(topic_entry_id): Path<TopicEntryId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = precondition(&call, (&topic_id, &topic_entry_id), &if_match).await?;
    call.change(move |tx, ctx| {
        entries::delete(tx, ctx, (&topic_id, &topic_entry_id), &precondition).map(|()| DONE)
    })
    .await
}

/// Returns whether the page or file of an entry was read, and the results of the last attempts.
///
/// An attempt that may succeed later is repeated once after a few seconds. The list is empty for texts.
#[endpoint]
pub(crate) async fn get_topic_entry_log(
    call: Call,
    Path(topic_id): Path<TopicId>,
    Path(topic_entry_id): Path<TopicEntryId>,
) -> Result<Reply<EntryLog>> {
    let log = call.read(move |tx, ctx| readings::log(tx, ctx, &topic_id, &topic_entry_id)).await?;
    let (enrichment_status, items) = log;
    Reply::of(&EntryLog { enrichment_status, items })
}

/// Reads the page or file of an entry again.
///
/// Pages are read again by themselves after 30 days. Until the page or file was read, `enrichmentStatus` is `pending`. A text fails with
/// 409.
#[endpoint]
pub(crate) async fn refresh_topic_entry(
    call: Call,
    Path(topic_id): Path<TopicId>,
    Path(topic_entry_id): Path<TopicEntryId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<TopicEntry>> {
    call.change_once(key, move |tx, ctx| {
        readings::refresh(tx, ctx, &topic_id, &topic_entry_id).map(TopicEntry::from)
    })
    .await
}
