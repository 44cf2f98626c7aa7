//! `conversations`: the conversation of an audience, a row as soon as somebody has said something.

use pagesmith_model::message::Conversation;
use pagesmith_model::{AudienceId, Result, TenantId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The conversation of an audience.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, audience_id: &AudienceId) -> Result<Option<Conversation>> {
    let select = sql!(
        "SELECT conversation_id, last_number, published_message_id, created_at, updated_at FROM conversations
         WHERE tenant_id = $1 AND audience_id = $2"
    );
    let found = tx.maybe(select.with(values![tenant, audience_id]))?;
    found
        .map(|row| {
            Ok(Conversation {
                conversation_id: row.take("conversation_id")?,
                last_number: row.take("last_number")?,
                published_message_id: row.take("published_message_id")?,
                created_at: row.take("created_at")?,
                updated_at: row.take("updated_at")?,
            })
        })
        .transpose()
}

/// Keeps a conversation, new or changed; a query, to travel with others.
pub fn put(tenant: &TenantId, audience_id: &AudienceId, conversation: &Conversation) -> Query {
    sql!(
        "INSERT INTO conversations
            (tenant_id, audience_id, conversation_id, last_number, published_message_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (tenant_id, audience_id) DO UPDATE SET last_number = excluded.last_number,
            published_message_id = excluded.published_message_id, updated_at = excluded.updated_at"
    )
    .with(values![
        tenant,
        audience_id,
        &conversation.conversation_id,
        conversation.last_number,
        &conversation.published_message_id,
        conversation.created_at,
        conversation.updated_at,
    ])
}

/// Removes a conversation for good; a query, to travel with others.
pub fn remove(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM conversations WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![tenant, audience_id])
}
