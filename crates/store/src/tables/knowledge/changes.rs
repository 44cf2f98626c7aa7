//! `knowledge_changes`: entries that have changed since they were indexed. Whoever changes an entry adds it, in the same transaction.

use pagesmith_model::{Result, TenantId, TopicEntryId, TopicId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Notes that an entry has changed. It reads whether that is noted already, so that on PostgreSQL it cannot meet the indexer, which has
/// read the entry before and forgets the note: one of the two runs again.
pub fn add(tenant: &TenantId, topic_id: &TopicId, topic_entry_id: &TopicEntryId) -> Query {
    sql!(
        "INSERT INTO knowledge_changes (tenant_id, topic_entry_id, topic_id) SELECT $1, $2, $3
         WHERE NOT EXISTS (SELECT c.topic_entry_id FROM knowledge_changes c
                           WHERE c.tenant_id = $1 AND c.topic_entry_id = $2)
         ON CONFLICT (tenant_id, topic_entry_id) DO NOTHING"
    )
    .with(values![tenant, topic_entry_id, topic_id])
}

/// Notes that all entries of a topic have changed, in the same way.
pub fn add_all(tenant: &TenantId, topic_id: &TopicId) -> Query {
    sql!(
        "INSERT INTO knowledge_changes (tenant_id, topic_entry_id, topic_id)
         SELECT e.tenant_id, e.topic_entry_id, e.topic_id FROM topic_entries e
         WHERE e.tenant_id = $1 AND e.topic_id = $2
           AND NOT EXISTS (SELECT c.topic_entry_id FROM knowledge_changes c
                           WHERE c.tenant_id = $1 AND c.topic_entry_id = e.topic_entry_id)
         ON CONFLICT (tenant_id, topic_entry_id) DO NOTHING"
    )
    .with(values![tenant, topic_id])
}

/// Up to `limit` of a tenant's changed entries.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<(TopicId, TopicEntryId)>> {
    let select = sql!(
        "SELECT topic_id, topic_entry_id FROM knowledge_changes WHERE tenant_id = $1
         ORDER BY topic_entry_id LIMIT $2"
    );
    let read = |row: &Row| Ok((row.take("topic_id")?, row.take("topic_entry_id")?));
    tx.all(select.with(values![tenant, limit]))?.iter().map(read).collect()
}

/// Forgets a change that is indexed.
pub fn remove(tenant: &TenantId, topic_entry_id: &TopicEntryId) -> Query {
    sql!("DELETE FROM knowledge_changes WHERE tenant_id = $1 AND topic_entry_id = $2")
        .with(values![tenant, topic_entry_id])
}
