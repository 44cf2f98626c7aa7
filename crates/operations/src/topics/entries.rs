//! Entries of topics: created, changed, arranged and deleted.

use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::topic::entry::{
    EnrichmentStatus, Entry, EntryContent, EntryPatch, ExtractedFields, MOST_ENTRIES, NewEntry,
};
use pagesmith_model::{Error, FileId, Issue, Kind, Result, TopicEntryId, TopicId};
use pagesmith_store::tables::topics::{entries, readings as reading_rows, texts};
use pagesmith_store::tables::{counters, files};
use pagesmith_store::{Extent, ListPart, Query, Tx};
use serde_json::json;

use crate::context::TenantContext;
use crate::knowledge;
use crate::precondition::Precondition;
use crate::topics::{find_alone, find_entry, readings};

/// Creates an entry, after all others of its topic unless it says where.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, topic_id: &TopicId, new: &NewEntry) -> Result<Entry> {
    find_alone(tx, ctx, topic_id)?;
    let found = known(tx, ctx, &new.content)?;
    if counters::total(&tx.all(counters::count(&ctx.tenant, counters::TOPIC_ENTRIES))?)? >= MOST_ENTRIES {
        let detail = format!("A tenant may have at most {MOST_ENTRIES} topic entries.");
        return Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_ENTRIES }))), detail));
    }
    let sort_order = match new.sort_order {
        Some(sort_order) => sort_order,
        None => entries::last(tx, &ctx.tenant, topic_id)?.map_or(SortOrder::default(), SortOrder::next),
    };
    let entry = Entry {
        topic_entry_id: TopicEntryId::mint(ctx.uuid()?),
        topic_id: topic_id.clone(),
        sort_order,
        status: first_status(&new.content),
        content: new.content.clone(),
        found,
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    let mut changes = entries::insert(&ctx.tenant, &entry)?;
    changes.push(counters::add(&ctx.tenant, counters::TOPIC_ENTRIES, tx.shard(), 1));
    changes.extend(knowledge::note(tx, ctx, (topic_id, &entry.topic_entry_id)));
    changes.extend(readings::queue(tx, ctx, &entry));
    tx.change(changes)?;
    Ok(entry)
}

/// The status that an entry begins with.
fn first_status(content: &EntryContent) -> EnrichmentStatus {
    match content {
        EntryContent::Url(page) => page.enrichment_status,
        EntryContent::File(_) => EnrichmentStatus::Pending,
        EntryContent::Text(_) => EnrichmentStatus::Success,
    }
}

/// What is known of a content before it is read: the name of a file, which must be the tenant's.
fn known(tx: &mut Tx<'_>, ctx: &TenantContext, content: &EntryContent) -> Result<ExtractedFields> {
    let Some(id) = content.file_id() else { return Ok(ExtractedFields::default()) };
    let file = FileId::parse(id).map_or(Ok(None), |id| files::find(tx, &ctx.tenant, &id))?;
    let Some(file) = file else {
        let path = ["content", "fileId"];
        return Err(Error::invalid(vec![Issue::unknown_reference(&path, FileId::NOUN, id)]));
    };
    Ok(ExtractedFields { file_name: Some(file.name.as_str().to_owned()), ..ExtractedFields::default() })
}

/// The entry of a topic.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    topic_entry_id: &TopicEntryId,
) -> Result<Entry> {
    find_entry(tx, ctx, topic_id, topic_entry_id)
}

/// The entries of a topic in their order, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    after: Option<&(SortOrder, TopicEntryId)>,
    extent: Extent,
) -> Result<(ListPart<Entry>, u64)> {
    find_alone(tx, ctx, topic_id)?;
    entries::list(tx, &ctx.tenant, topic_id, after, extent)
}

/// Changes the given fields. What was read of a page or file stays as long as the entry names it.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    patch: &EntryPatch,
    precondition: &Precondition<Entry>,
) -> Result<Entry> {
    let before = find(tx, ctx, topic_id, topic_entry_id)?;
    precondition.check(&before)?;
    let mut entry = before.clone();
    if let Some(content) = &patch.content {
        let found = known(tx, ctx, content)?;
        entry.content.clone_from(content);
        if entry.source() != before.source() {
            entry.found = found;
            entry.status = first_status(content);
        }
    }
    entry.sort_order = patch.sort_order.unwrap_or(entry.sort_order);
    if entry == before {
        return Ok(before);
    }
    entry.updated_at = ctx.now;
    let mut changes = entries::update(&ctx.tenant, &entry)?;
    if entry.content != before.content {
        changes.extend(knowledge::note(tx, ctx, (topic_id, &entry.topic_entry_id)));
    }
    if entry.source() != before.source() {
        changes.push(texts::remove(&ctx.tenant, topic_entry_id));
        let queued = readings::queue(tx, ctx, &entry);
        if queued.is_empty() {
            changes.push(reading_rows::remove(&ctx.tenant, topic_entry_id));
        }
        changes.extend(queued);
    }
    tx.change(changes)?;
    Ok(entry)
}

/// Deletes an entry.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    precondition: &Precondition<Entry>,
) -> Result<()> {
    let entry = find(tx, ctx, topic_id, topic_entry_id)?;
    precondition.check(&entry)?;
    let mut changes = removed(ctx, topic_id, topic_entry_id);
    changes.extend(knowledge::note(tx, ctx, (topic_id, topic_entry_id)));
    changes.push(counters::add(&ctx.tenant, counters::TOPIC_ENTRIES, tx.shard(), -1));
    tx.change(changes)
}

/// Removes the rows of an entry but those of its chunks, which are removed when the change is indexed.
pub(crate) fn removed(ctx: &TenantContext, topic_id: &TopicId, topic_entry_id: &TopicEntryId) -> Vec<Query> {
    let mut changes = entries::remove(&ctx.tenant, topic_id, topic_entry_id);
    changes.push(reading_rows::remove(&ctx.tenant, topic_entry_id));
    changes.push(texts::remove(&ctx.tenant, topic_entry_id));
    changes
}
