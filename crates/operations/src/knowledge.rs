//! What tenants know, as a whole: noted when it changes, and searched.

use pagesmith_knowledge_index::{Hit, KeptPostings, Wanted};
use pagesmith_model::{Result, TopicEntryId, TopicId};
use pagesmith_store::tables::knowledge::changes;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::{Query, Tx, Wakeup};

use crate::context::TenantContext;

/// Notes that an entry was created, changed or deleted; to travel with the change.
pub(crate) fn note(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
) -> [Query; 2] {
    tx.wake_after_commit(Wakeup::Knowledge);
    [changes::add(&ctx.tenant, topic_id, topic_entry_id), pending_work::add(&ctx.tenant, WorkKind::Knowledge)]
}

/// Notes that something of all entries of a topic has changed; to travel with the change.
pub(crate) fn note_all(tx: &mut Tx<'_>, ctx: &TenantContext, topic_id: &TopicId) -> [Query; 2] {
    tx.wake_after_commit(Wakeup::Knowledge);
    [changes::add_all(&ctx.tenant, topic_id), pending_work::add(&ctx.tenant, WorkKind::Knowledge)]
}

/// The chunks that say most about a query, the best first.
pub fn search(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    query: &str,
    limit: usize,
    kept: &KeptPostings,
) -> Result<Vec<Hit>> {
    let found = pagesmith_knowledge_index::search(tx, &ctx.tenant, Wanted::Query(query), limit, Some(kept))?;
    Ok(found.hits)
}
