//! `topics`: the topics of all tenants, with their folded titles for searches.

use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::text::Query as Words;
use pagesmith_model::topic::Topic;
use pagesmith_model::{Error, Result, TenantId, TopicId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tables::ranked_search::{self, Fields, RankedSearch};
use crate::tx::Tx;
use crate::{sql, values};

pub mod entries;
pub mod readings;
pub mod removals;
pub mod texts;

/// The columns of a topic, each behind an alias such as `t.`, which [`topic`] reads.
macro_rules! topic_columns {
    ($alias:literal) => {
        $crate::sql::columns!($alias => topic_id, title, sort_order, is_default, created_at, updated_at)
    };
}

fn topic(row: &Row) -> Result<Topic> {
    let sort_order = SortOrder::of_number(row.take("sort_order")?);
    Ok(Topic {
        topic_id: row.take("topic_id")?,
        title: row.take("title")?,
        sort_order: sort_order.ok_or_else(|| Error::internal("a topic with a broken sort order"))?,
        is_default: row.take("is_default")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Adds a topic.
pub fn insert(tenant: &TenantId, topic: &Topic) -> Query {
    let (folded, word_form) = ranked_search::folded(&topic.title);
    sql!(
        "INSERT INTO topics
            (tenant_id, topic_id, title, folded, word_form, sort_order, is_default, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    )
    .with(values![
        tenant,
        &topic.topic_id,
        &topic.title,
        folded,
        word_form,
        topic.sort_order.number(),
        topic.is_default,
        topic.created_at,
        topic.updated_at,
    ])
}

/// The topic.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, topic_id: &TopicId) -> Result<Option<Topic>> {
    let select = sql!("SELECT ", topic_columns!(""), " FROM topics WHERE tenant_id = $1 AND topic_id = $2");
    tx.maybe(select.with(values![tenant, topic_id]))?.as_ref().map(topic).transpose()
}

/// The sort order of a tenant's last topic.
pub fn last(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<SortOrder>> {
    let select = sql!("SELECT sort_order FROM topics WHERE tenant_id = $1 ORDER BY sort_order DESC LIMIT 1");
    let last = tx.maybe(select.with(values![tenant]))?.map(|row| row.get("sort_order")).transpose()?;
    Ok(last.and_then(SortOrder::of_number))
}

/// The topics in their order, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&(SortOrder, TopicId)>,
    extent: Extent,
) -> Result<(ListPart<Topic>, u64)> {
    let select = sql!("SELECT ", topic_columns!(""), " FROM topics WHERE tenant_id = $1");
    let mut select = select.with(values![tenant]);
    if let Some((sort_order, topic_id)) = after {
        let beyond = sql!("AND (sort_order, topic_id) > ($1, $2)");
        select = select.and(beyond, values![sort_order.number(), topic_id]);
    }
    select = select.and(sql!("ORDER BY sort_order, topic_id LIMIT $1"), values![extent.rows()]);
    let mut answers =
        tx.batch(vec![select.within(extent.bytes), counters::count(tenant, counters::TOPICS)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, topic)?, total))
}

/// A topic that matches, behind how well it does: 0 is best.
pub type Match = (i64, Topic);

/// The title; a word may also occur in an entry.
const TITLE_AND_ENTRIES: Fields = Fields {
    holds: sql!(
        "AND ({strpos}(n.folded, $1) > 0 OR EXISTS (
            SELECT e.topic_id FROM topic_entry_names e
            WHERE e.tenant_id = $2 AND e.topic_id = n.topic_id AND {strpos}(e.folded, $1) > 0))"
    ),
    ..ranked_search::NAME
};

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: sql!("SELECT ", topic_columns!("t.")),
    ids: sql!("n.topic_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: TITLE_AND_ENTRIES,
    names: sql!("FROM topics n WHERE n.tenant_id = $1"),
    joins: sql!(") m JOIN topics t ON t.tenant_id = $1 AND t.topic_id = m.item_id WHERE m.tenant_id = $1"),
    narrowing: None,
    read: |row| Ok((row.get("rank")?, topic(row)?)),
};

/// The topics of which every word occurs in the title or at the beginning of an entry, and those of `also`, best first and newest first within
/// a rank, after a rank and a topic; and how many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    also: &[TopicId],
    (after, extent): (Option<&(i64, TopicId)>, Extent),
) -> Result<(ListPart<Match>, u64)> {
    SEARCH.run_also(tx, tenant, words, after, extent, (sql!("n.topic_id IN ("), also))
}

/// Replaces what may change of a topic.
pub fn update(tenant: &TenantId, topic: &Topic) -> Query {
    let (folded, word_form) = ranked_search::folded(&topic.title);
    sql!(
        "UPDATE topics SET title = $3, folded = $4, word_form = $5, sort_order = $6, updated_at = $7
         WHERE tenant_id = $1 AND topic_id = $2"
    )
    .with(values![
        tenant,
        &topic.topic_id,
        &topic.title,
        folded,
        word_form,
        topic.sort_order.number(),
        topic.updated_at,
    ])
}

/// Removes a topic.
pub fn remove(tenant: &TenantId, topic_id: &TopicId) -> Query {
    sql!("DELETE FROM topics WHERE tenant_id = $1 AND topic_id = $2").with(values![tenant, topic_id])
}
