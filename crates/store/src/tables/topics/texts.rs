//! `entry_texts`: what was read of pages and files.

use pagesmith_model::{Result, TenantId, TopicEntryId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The text of an entry, if something was read.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, topic_entry_id: &TopicEntryId) -> Result<Option<String>> {
    let select = sql!("SELECT text FROM entry_texts WHERE tenant_id = $1 AND topic_entry_id = $2");
    tx.maybe(select.with(values![tenant, topic_entry_id]))?.map(|row| row.take("text")).transpose()
}

/// Keeps the text of an entry, in place of the one before.
pub fn put(tenant: &TenantId, topic_entry_id: &TopicEntryId, text: &str) -> Query {
    sql!(
        "INSERT INTO entry_texts (tenant_id, topic_entry_id, text) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id, topic_entry_id) DO UPDATE SET text = excluded.text"
    )
    .with(values![tenant, topic_entry_id, text])
}

/// Forgets the text of an entry.
pub fn remove(tenant: &TenantId, topic_entry_id: &TopicEntryId) -> Query {
    sql!("DELETE FROM entry_texts WHERE tenant_id = $1 AND topic_entry_id = $2")
        .with(values![tenant, topic_entry_id])
}
