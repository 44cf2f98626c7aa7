//! `topic_removals`: deleted topics whose entries are still to be removed.

use pagesmith_model::{Result, TenantId, TopicId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Notes a topic that was deleted.
pub fn insert(tenant: &TenantId, topic_id: &TopicId) -> Query {
    sql!("INSERT INTO topic_removals (tenant_id, topic_id) VALUES ($1, $2)").with(values![tenant, topic_id])
}

/// A topic of a tenant that was deleted, if there is one.
pub fn first(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<TopicId>> {
    let select = sql!("SELECT topic_id FROM topic_removals WHERE tenant_id = $1 ORDER BY topic_id LIMIT 1");
    tx.maybe(select.with(values![tenant]))?.map(|row| row.take("topic_id")).transpose()
}

/// Forgets a topic that has no entries left.
pub fn remove(tenant: &TenantId, topic_id: &TopicId) -> Query {
    sql!("DELETE FROM topic_removals WHERE tenant_id = $1 AND topic_id = $2").with(values![tenant, topic_id])
}
