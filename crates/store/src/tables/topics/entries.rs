//! `topic_entries`: what tenants know, piece by piece; and `topic_entry_names`, the beginning of each piece for searches of topics.

use pagesmith_model::json::JsonText;
use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::text;
use pagesmith_model::topic::entry::{EnrichmentStatus, Entry};
use pagesmith_model::{Error, FileId, Result, TenantId, TopicEntryId, TopicId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of an entry, which [`entry`] reads.
macro_rules! entry_columns {
    () => {
        $crate::sql::columns!("" => topic_id, topic_entry_id, sort_order, status, created_at, updated_at, found, content)
    };
}

fn entry(row: &Row) -> Result<Entry> {
    let sort_order = SortOrder::of_number(row.take("sort_order")?);
    let status = EnrichmentStatus::parse(&row.take::<String>("status")?);
    let broken = || Error::internal("an entry with a broken order or status");
    let (found, content): (JsonText, JsonText) = (row.take("found")?, row.take("content")?);
    Ok(Entry {
        topic_entry_id: row.take("topic_entry_id")?,
        topic_id: row.take("topic_id")?,
        sort_order: sort_order.ok_or_else(broken)?,
        content: content.read()?,
        found: found.read()?,
        status: status.ok_or_else(broken)?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Adds an entry.
pub fn insert(tenant: &TenantId, entry: &Entry) -> Result<Vec<Query>> {
    let own = sql!(
        "INSERT INTO topic_entries
            (tenant_id, topic_id, topic_entry_id, sort_order, status, created_at, updated_at, file_id, found,
             content)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )
    .with(values![
        tenant,
        &entry.topic_id,
        &entry.topic_entry_id,
        entry.sort_order.number(),
        entry.status.as_str(),
        entry.created_at,
        entry.updated_at,
        entry.content.file_id(),
        &JsonText::of(&entry.found)?,
        &JsonText::of(&entry.content)?,
    ]);
    let name = sql!(
        "INSERT INTO topic_entry_names (tenant_id, topic_id, topic_entry_id, folded) VALUES ($1, $2, $3, $4)"
    );
    let folded = text::fold(&entry.searched_text());
    Ok(vec![own, name.with(values![tenant, &entry.topic_id, &entry.topic_entry_id, folded])])
}

/// Replaces what may change of an entry.
pub fn update(tenant: &TenantId, entry: &Entry) -> Result<Vec<Query>> {
    let own = sql!(
        "UPDATE topic_entries SET sort_order = $4, status = $5, updated_at = $6, file_id = $7, found = $8,
                content = $9
         WHERE tenant_id = $1 AND topic_id = $2 AND topic_entry_id = $3"
    )
    .with(values![
        tenant,
        &entry.topic_id,
        &entry.topic_entry_id,
        entry.sort_order.number(),
        entry.status.as_str(),
        entry.updated_at,
        entry.content.file_id(),
        &JsonText::of(&entry.found)?,
        &JsonText::of(&entry.content)?,
    ]);
    let name = sql!(
        "UPDATE topic_entry_names SET folded = $4
         WHERE tenant_id = $1 AND topic_id = $2 AND topic_entry_id = $3"
    );
    let folded = text::fold(&entry.searched_text());
    Ok(vec![own, name.with(values![tenant, &entry.topic_id, &entry.topic_entry_id, folded])])
}

/// The entry of a topic.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    topic_id: &TopicId,
    topic_entry_id: &TopicEntryId,
) -> Result<Option<Entry>> {
    let select = sql!(
        "SELECT ",
        entry_columns!(),
        " FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2 AND topic_entry_id = $3"
    );
    tx.maybe(select.with(values![tenant, topic_id, topic_entry_id]))?.as_ref().map(entry).transpose()
}

/// Some of the entries that a file is the content of.
pub fn of_file(tx: &mut Tx<'_>, tenant: &TenantId, file_id: &FileId, most: i64) -> Result<Vec<TopicEntryId>> {
    let select = sql!(
        "SELECT topic_entry_id FROM topic_entries WHERE tenant_id = $1 AND file_id = $2
         ORDER BY topic_entry_id LIMIT $3"
    );
    tx.all(select.with(values![tenant, file_id, most]))?.iter().map(|row| row.get("topic_entry_id")).collect()
}

/// Some of the entries of files of which no reading is known.
pub fn of_unqueued_files(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    most: i64,
) -> Result<Vec<(TopicId, TopicEntryId)>> {
    let select = sql!(
        "SELECT e.topic_id, e.topic_entry_id FROM topic_entries e
         WHERE e.tenant_id = $1 AND e.file_id IS NOT NULL
           AND NOT EXISTS (SELECT r.tenant_id FROM entry_readings r
                           WHERE r.tenant_id = $1 AND r.topic_entry_id = e.topic_entry_id)
         ORDER BY e.topic_entry_id LIMIT $2"
    );
    let read = |row: &Row| Ok((row.take("topic_id")?, row.take("topic_entry_id")?));
    tx.all(select.with(values![tenant, most]))?.iter().map(read).collect()
}

/// The sort order of a topic's last entry.
pub fn last(tx: &mut Tx<'_>, tenant: &TenantId, topic_id: &TopicId) -> Result<Option<SortOrder>> {
    let select = sql!(
        "SELECT sort_order FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2
         ORDER BY sort_order DESC LIMIT 1"
    );
    let last = tx.maybe(select.with(values![tenant, topic_id]))?;
    Ok(last.map(|row| row.get("sort_order")).transpose()?.and_then(SortOrder::of_number))
}

/// How many entries a topic has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId, topic_id: &TopicId) -> Result<u64> {
    counters::total(&tx.all(counted(tenant, topic_id))?)
}

fn counted(tenant: &TenantId, topic_id: &TopicId) -> Query {
    sql!("SELECT COUNT(*) AS total FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2")
        .with(values![tenant, topic_id])
}

/// The entries of a topic in their order, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    topic_id: &TopicId,
    after: Option<&(SortOrder, TopicEntryId)>,
    extent: Extent,
) -> Result<(ListPart<Entry>, u64)> {
    let mut select =
        sql!("SELECT ", entry_columns!(), " FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2")
            .with(values![tenant, topic_id]);
    if let Some((sort_order, topic_entry_id)) = after {
        let beyond = sql!("AND (sort_order, topic_entry_id) > ($1, $2)");
        select = select.and(beyond, values![sort_order.number(), topic_entry_id]);
    }
    select = select.and(sql!("ORDER BY sort_order, topic_entry_id LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![select.within(extent.bytes), counted(tenant, topic_id)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, entry)?, total))
}

/// The first entries of several topics, in the order of the topics.
pub fn first(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    topics: &[&TopicId],
    extent: Extent,
) -> Result<Vec<ListPart<Entry>>> {
    let of_topic = |topic_id: &&TopicId| {
        let select = sql!(
            "SELECT ",
            entry_columns!(),
            " FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2
             ORDER BY sort_order, topic_entry_id LIMIT $3"
        );
        select.with(values![tenant, *topic_id, extent.rows()]).within(extent.bytes)
    };
    let answers = tx.batch(topics.iter().map(of_topic).collect())?;
    answers.iter().map(|rows| ListPart::read(rows, extent, entry)).collect()
}

/// Up to `limit` entries of a topic, whichever.
pub fn some(tx: &mut Tx<'_>, tenant: &TenantId, topic_id: &TopicId, limit: i64) -> Result<Vec<TopicEntryId>> {
    let select = sql!(
        "SELECT topic_entry_id FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2
         ORDER BY topic_entry_id LIMIT $3"
    );
    let rows = tx.all(select.with(values![tenant, topic_id, limit]))?;
    rows.iter().map(|row| row.take("topic_entry_id")).collect()
}

/// Removes an entry.
pub fn remove(tenant: &TenantId, topic_id: &TopicId, topic_entry_id: &TopicEntryId) -> Vec<Query> {
    let values = || values![tenant, topic_id, topic_entry_id];
    vec![
        sql!("DELETE FROM topic_entries WHERE tenant_id = $1 AND topic_id = $2 AND topic_entry_id = $3")
            .with(values()),
        sql!("DELETE FROM topic_entry_names WHERE tenant_id = $1 AND topic_id = $2 AND topic_entry_id = $3")
            .with(values()),
    ]
}
