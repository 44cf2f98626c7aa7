//! Topics: created, changed, arranged and deleted. One of each tenant is the default; it is created with the tenant.

use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::topic::{DEFAULT_TITLE, NewTopic, Topic, TopicPatch};
use pagesmith_model::{Error, Result, TopicId};
use pagesmith_store::Tx;
use pagesmith_store::tables::{counters, topics};

use crate::context::TenantContext;
use crate::precondition::Precondition;

/// Creates a topic, after all others unless it says where.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewTopic) -> Result<Topic> {
    let sort_order = match new.sort_order {
        Some(sort_order) => sort_order,
        None => topics::last(tx, &ctx.tenant)?.map_or(SortOrder::default(), SortOrder::next),
    };
    insert(tx, ctx, &new.title, sort_order, false)
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

/// The topic.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, topic_id: &TopicId) -> Result<Topic> {
    topics::find(tx, &ctx.tenant, topic_id)?.ok_or_else(|| Error::not_found(TopicId::NOUN))
}

/// Changes the given fields.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    patch: &TopicPatch,
    precondition: &Precondition<Topic>,
) -> Result<Topic> {
    let before = find(tx, ctx, topic_id)?;
    precondition.check(&before)?;
    let mut topic = before.clone();
    if let Some(title) = &patch.title {
        topic.title.clone_from(title);
    }
    topic.sort_order = patch.sort_order.unwrap_or(topic.sort_order);
    if topic == before {
        return Ok(before);
    }
    topic.updated_at = ctx.now;
    tx.run(topics::update(&ctx.tenant, &topic))?;
    Ok(topic)
}

/// Deletes a topic; 409 for the default.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    precondition: &Precondition<Topic>,
) -> Result<()> {
    let topic = find(tx, ctx, topic_id)?;
    precondition.check(&topic)?;
    if topic.is_default {
        return Err(Error::conflict("The default topic cannot be deleted."));
    }
    let shard = tx.shard();
    tx.change(vec![
        topics::remove(&ctx.tenant, topic_id),
        counters::add(&ctx.tenant, counters::TOPICS, shard, -1),
    ])
}
