//! `messages`: what owners and the editor have said about an audience's page, numbered from 1.

use pagesmith_model::actor::Actor;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{Message, MessageState, Role};
use pagesmith_model::{AudienceId, Error, MessageId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

pub mod conversations;
pub mod draft_heads;
pub mod runs;

/// The columns of a message, which [`message`] reads; its snapshot is read alone.
macro_rules! message_columns {
    () => {
        concat!(
            $crate::sql::columns!(
                "" => number, message_id, role, actor, content, client_message_id, selection, state, version_id, changes, reasons, usage,
                created_at
            ),
            ", snapshot IS NOT NULL AS has_snapshot"
        )
    };
}

fn message(row: &Row) -> Result<Message> {
    let (role, state): (String, String) = (row.take("role")?, row.take("state")?);
    Ok(Message {
        number: row.take("number")?,
        message_id: row.take("message_id")?,
        role: Role::parse(&role).ok_or_else(|| Error::internal("a message of nobody"))?,
        actor: row.take::<Option<String>>("actor")?.map(|text| Actor::from_stored(&text)),
        content: row.take("content")?,
        client_message_id: row.take("client_message_id")?,
        selection: row.take("selection")?,
        state: MessageState::parse(&state).ok_or_else(|| Error::internal("a message of an unknown state"))?,
        version_id: row.take("version_id")?,
        changes: row.take("changes")?,
        reasons: row.take("reasons")?,
        usage: row.take("usage")?,
        has_snapshot: row.get("has_snapshot")?,
        created_at: row.take("created_at")?,
    })
}

/// Adds a message, with a snapshot of the page if there is one; a query, to travel with others.
pub fn insert(
    tenant: &TenantId,
    audience_id: &AudienceId,
    message: &Message,
    snapshot: Option<&JsonText>,
) -> Query {
    sql!(
        "INSERT INTO messages
            (tenant_id, audience_id, number, message_id, role, content, client_message_id, selection, state, version_id,
             changes, snapshot, created_at, actor, reasons)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    )
    .with(values![
        tenant,
        audience_id,
        message.number,
        &message.message_id,
        message.role.as_str(),
        &message.content,
        &message.client_message_id,
        &message.selection,
        message.state.as_str(),
        &message.version_id,
        &message.changes,
        snapshot,
        message.created_at,
        message.actor.as_ref().map(Actor::to_stored),
        &message.reasons,
    ])
}

/// The newest messages of an audience, newest first.
pub fn newest(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    extent: Extent,
) -> Result<ListPart<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 ORDER BY number DESC LIMIT $3"
    );
    let rows = tx.all(select.with(values![tenant, audience_id, extent.rows()]).within(extent.bytes))?;
    ListPart::read(&rows, extent, message)
}

/// A message of an audience.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    message_id: &MessageId,
) -> Result<Option<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND message_id = $3"
    );
    tx.maybe(select.with(values![tenant, audience_id, message_id]))?.map(|row| message(&row)).transpose()
}

/// The message that the caller has named so.
pub fn find_named(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    name: &str,
) -> Result<Option<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND client_message_id = $3"
    );
    tx.maybe(select.with(values![tenant, audience_id, name]))?.map(|row| message(&row)).transpose()
}

/// The message that has waited longest.
pub fn next_waiting(tx: &mut Tx<'_>, tenant: &TenantId, audience_id: &AudienceId) -> Result<Option<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND state = 'waiting' ORDER BY number LIMIT 1"
    );
    tx.maybe(select.with(values![tenant, audience_id]))?.map(|row| message(&row)).transpose()
}

/// How many messages wait.
pub fn count_waiting(tx: &mut Tx<'_>, tenant: &TenantId, audience_id: &AudienceId) -> Result<i64> {
    let select = sql!(
        "SELECT COUNT(*) AS total FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND state = 'waiting'"
    );
    tx.one(select.with(values![tenant, audience_id]))?.get("total")
}

/// The newest messages that have changed something, newest first.
pub fn with_changes(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    extent: Extent,
) -> Result<Vec<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND changes IS NOT NULL
         ORDER BY number DESC LIMIT $3"
    );
    let rows = tx.all(select.with(values![tenant, audience_id, extent.rows()]).within(extent.bytes))?;
    Ok(ListPart::read(&rows, extent, message)?.items)
}

/// The page as it was after a message.
pub fn snapshot(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    number: i64,
) -> Result<Option<JsonText>> {
    let select =
        sql!("SELECT snapshot FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND number = $3");
    tx.maybe(select.with(values![tenant, audience_id, number]))?.map_or(Ok(None), |row| row.take("snapshot"))
}

/// The newest message whose snapshot is of a version.
pub fn last_of_version(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    version_id: &str,
) -> Result<Option<MessageId>> {
    let select = sql!(
        "SELECT message_id FROM messages
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3 AND snapshot IS NOT NULL
         ORDER BY number DESC LIMIT 1"
    );
    tx.maybe(select.with(values![tenant, audience_id, version_id]))?
        .map(|row| row.take("message_id"))
        .transpose()
}

/// Says what has become of a message; a query, to travel with others.
pub fn set_state(tenant: &TenantId, audience_id: &AudienceId, number: i64, state: MessageState) -> Query {
    sql!("UPDATE messages SET state = $4 WHERE tenant_id = $1 AND audience_id = $2 AND number = $3")
        .with(values![tenant, audience_id, number, state.as_str()])
}

/// Ends all messages that wait; a query, to travel with others.
pub fn interrupt_waiting(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "UPDATE messages SET state = 'interrupted' WHERE tenant_id = $1 AND audience_id = $2 AND state = 'waiting'"
    )
    .with(values![tenant, audience_id])
}

/// The newest messages before one, newest first.
pub fn before(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    number: i64,
    extent: Extent,
) -> Result<Vec<Message>> {
    let select = sql!(
        "SELECT ",
        message_columns!(),
        " FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4"
    );
    let rows =
        tx.all(select.with(values![tenant, audience_id, number, extent.rows()]).within(extent.bytes))?;
    Ok(ListPart::read(&rows, extent, message)?.items)
}

/// What carrying a message out has used of models, if one was asked.
pub fn usage(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    number: i64,
) -> Result<Option<JsonText>> {
    let select = sql!("SELECT usage FROM messages WHERE tenant_id = $1 AND audience_id = $2 AND number = $3");
    tx.maybe(select.with(values![tenant, audience_id, number]))?.map_or(Ok(None), |row| row.take("usage"))
}

/// Keeps what carrying a message out has used of models; a query, to travel with others.
pub fn set_usage(tenant: &TenantId, audience_id: &AudienceId, number: i64, usage: &JsonText) -> Query {
    sql!("UPDATE messages SET usage = $4 WHERE tenant_id = $1 AND audience_id = $2 AND number = $3")
        .with(values![tenant, audience_id, number, usage])
}

/// Replaces the changes of a message; a query, to travel with others.
pub fn set_changes(tenant: &TenantId, audience_id: &AudienceId, number: i64, changes: &JsonText) -> Query {
    sql!("UPDATE messages SET changes = $4 WHERE tenant_id = $1 AND audience_id = $2 AND number = $3")
        .with(values![tenant, audience_id, number, changes])
}

/// Forgets the snapshots of old messages; a query, to travel with others.
pub fn drop_snapshots(tenant: &TenantId, audience_id: &AudienceId, up_to: i64) -> Query {
    sql!(
        "UPDATE messages SET snapshot = NULL
         WHERE tenant_id = $1 AND audience_id = $2 AND number <= $3 AND snapshot IS NOT NULL"
    )
    .with(values![tenant, audience_id, up_to])
}

/// Removes the messages of an audience for good; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM messages WHERE tenant_id = $1 AND audience_id = $2").with(values![tenant, audience_id])
}
