//! Topics: created, changed, arranged and deleted. One of each tenant is the default; it is created with the tenant.
//!
//! A deleted topic is gone at once, and its entries with it: whoever reads an entry finds its topic first. The rows of the entries are
//! removed afterwards, a few at a time.

use pagesmith_knowledge_index::{KeptPostings, topics_with_all};
use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::text::Query as Words;
use pagesmith_model::topic::entry::Entry;
use pagesmith_model::topic::{DEFAULT_TITLE, NewTopic, Topic, TopicPatch, TopicWithEntries};
use pagesmith_model::{Error, Result, TopicEntryId, TopicId};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::tables::topics::{Match, removals};
use pagesmith_store::tables::{counters, pending_work, topics};
use pagesmith_store::{Extent, ListPart, Tx, Wakeup};

use crate::context::TenantContext;
use crate::knowledge;
use crate::precondition::Precondition;

pub mod entries;
pub mod readings;
pub mod summaries;

/// A part of a list, of which each item has the first entries of its topic.
pub type Embedded<T> = ListPart<(T, Vec<Entry>)>;

/// How much of its entries a topic embeds.
const EMBEDDED: Extent = Extent { items: 100, bytes: 1024 * 1024 };
/// How many topics' entries are read at once.
const TOPICS_AT_ONCE: usize = 8;

/// Creates a topic, after all others unless it says where.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewTopic) -> Result<TopicWithEntries> {
    let sort_order = match new.sort_order {
        Some(sort_order) => sort_order,
        None => topics::last(tx, &ctx.tenant)?.map_or(SortOrder::default(), SortOrder::next),
    };
    let topic = insert(tx, ctx, &new.title, sort_order, false)?;
    Ok(TopicWithEntries { topic, entries: vec![] })
}

/// Creates the topic that a new tenant has from the start.
pub(crate) fn create_default(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Topic> {
    insert(tx, ctx, DEFAULT_TITLE, SortOrder::default(), true)
}

fn insert(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    title: &str,
    sort_order: SortOrder,
    is_default: bool,
) -> Result<Topic> {
    let topic = Topic {
        topic_id: TopicId::mint(ctx.uuid()?),
        title: title.to_owned(),
        sort_order,
        is_default,
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    let shard = tx.shard();
    tx.change(vec![
        topics::insert(&ctx.tenant, &topic),
        counters::add(&ctx.tenant, counters::TOPICS, shard, 1),
    ])?;
    Ok(topic)
}

/// The topic with its first entries.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, topic_id: &TopicId) -> Result<TopicWithEntries> {
    let topic = find_alone(tx, ctx, topic_id)?;
    let mut found = topics::entries::first(tx, &ctx.tenant, &[topic_id], EMBEDDED)?;
    Ok(TopicWithEntries { topic, entries: found.pop().map(|part| part.items).unwrap_or_default() })
}

/// The topic without a look at its entries.
fn find_alone(tx: &mut Tx<'_>, ctx: &TenantContext, topic_id: &TopicId) -> Result<Topic> {
    topics::find(tx, &ctx.tenant, topic_id)?.ok_or_else(|| Error::not_found(TopicId::NOUN))
}

/// An entry of a topic.
fn find_entry(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    topic_entry_id: &TopicEntryId,
) -> Result<Entry> {
    find_alone(tx, ctx, topic_id)?;
    let found = topics::entries::find(tx, &ctx.tenant, topic_id, topic_entry_id)?;
    found.ok_or_else(|| Error::not_found(TopicEntryId::NOUN))
}

/// The topics in their order, after a position, each with its first entries; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    after: Option<&(SortOrder, TopicId)>,
    extent: Extent,
) -> Result<(Embedded<Topic>, u64)> {
    let (part, total) = topics::list(tx, &ctx.tenant, after, extent)?;
    Ok((embed(tx, ctx, part, extent, |topic| topic)?, total))
}

/// The topics of which every word occurs in the title or at the beginning of an entry, or of which one passage has all words, each with its
/// first entries; see [`topics::search`] and [`topics_with_all`].
pub fn search(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (words, kept): (&Words, &KeptPostings),
    (after, extent): (Option<&(i64, TopicId)>, Extent),
) -> Result<(Embedded<Match>, u64)> {
    let also = if words.is_blank() { vec![] } else { topics_with_all(tx, &ctx.tenant, &words.phrase, kept)? };
    let (part, total) = topics::search(tx, &ctx.tenant, words, &also, (after, extent))?;
    Ok((embed(tx, ctx, part, extent, |(_, topic)| topic)?, total))
}

/// Adds their first entries to topics, for as many of them as the extent holds.
fn embed<T>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    part: ListPart<T>,
    extent: Extent,
    topic_of: impl Fn(&T) -> &Topic,
) -> Result<Embedded<T>> {
    let mut read = Vec::new();
    let mut bytes = part.bytes;
    for some in part.items.chunks(TOPICS_AT_ONCE) {
        let ids: Vec<&TopicId> = some.iter().map(|item| &topic_of(item).topic_id).collect();
        let entries = topics::entries::first(tx, &ctx.tenant, &ids, EMBEDDED)?;
        bytes += entries.iter().map(|entries| entries.bytes).sum::<usize>();
        read.extend(entries);
        if bytes > extent.bytes {
            break;
        }
    }
    let is_cut = read.len() < part.items.len();
    let own = part.bytes / part.items.len().max(1);
    let items = part.items.into_iter().zip(read);
    let items = items.map(|(item, entries)| (own + entries.bytes, (item, entries.items)));
    let embedded = ListPart::of(items, extent);
    Ok(ListPart { more: embedded.more || is_cut || part.more, ..embedded })
}

/// Changes the given fields.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    patch: &TopicPatch,
    precondition: &Precondition<TopicWithEntries>,
) -> Result<TopicWithEntries> {
    let before = find(tx, ctx, topic_id)?;
    precondition.check(&before)?;
    let mut topic = before.topic.clone();
    if let Some(title) = &patch.title {
        topic.title.clone_from(title);
    }
    topic.sort_order = patch.sort_order.unwrap_or(topic.sort_order);
    if topic == before.topic {
        return Ok(before);
    }
    topic.updated_at = ctx.now;
    let mut changes = vec![topics::update(&ctx.tenant, &topic)];
    if topic.title != before.topic.title {
        changes.extend(knowledge::note_all(tx, ctx, topic_id));
    }
    tx.change(changes)?;
    Ok(TopicWithEntries { topic, entries: before.entries })
}

/// Deletes a topic; 409 for the default.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    precondition: &Precondition<TopicWithEntries>,
) -> Result<()> {
    let found = find(tx, ctx, topic_id)?;
    precondition.check(&found)?;
    if found.topic.is_default {
        return Err(Error::conflict("The default topic cannot be deleted."));
    }
    let shard = tx.shard();
    let mut changes =
        vec![topics::remove(&ctx.tenant, topic_id), counters::add(&ctx.tenant, counters::TOPICS, shard, -1)];
    let entries = topics::entries::count(tx, &ctx.tenant, topic_id)?;
    if entries > 0 {
        let entries = i64::try_from(entries).map_err(Error::internal)?;
        changes.push(counters::add(&ctx.tenant, counters::TOPIC_ENTRIES, shard, -entries));
        changes.push(removals::insert(&ctx.tenant, topic_id));
        changes.push(pending_work::add(&ctx.tenant, WorkKind::Knowledge));
        tx.wake_after_commit(Wakeup::Knowledge);
    }
    tx.change(changes)
}

/// How many entries of a deleted topic are removed in one transaction.
const REMOVED_AT_ONCE: i64 = 16;

/// Removes some of what a tenant's deleted topics leave; whether there was any.
pub fn clear_away(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let Some(topic_id) = removals::first(tx, &ctx.tenant)? else { return Ok(false) };
    let some = topics::entries::some(tx, &ctx.tenant, &topic_id, REMOVED_AT_ONCE)?;
    if some.is_empty() {
        tx.run(removals::remove(&ctx.tenant, &topic_id))?;
    }
    for topic_entry_id in some {
        let mut changes = entries::removed(ctx, &topic_id, &topic_entry_id);
        changes.extend(knowledge::note(tx, ctx, (&topic_id, &topic_entry_id)));
        tx.change(changes)?;
    }
    Ok(true)
}
