//! `session_interactions`: what visitors answered, in the words that they saw.

use pagesmith_model::id::Uuid7;
use pagesmith_model::json::JsonText;
use pagesmith_model::visit::session::Interaction;
use pagesmith_model::{AudienceSessionId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// How many are read of a session.
const MOST: i64 = 1_000;

fn interaction(row: &Row) -> Result<Interaction> {
    let (options, chunks): (JsonText, JsonText) = (row.take("options")?, row.take("grounding_chunk_ids")?);
    Ok(Interaction {
        component_id: row.take("component_id")?,
        component_context: row.take("component_context")?,
        label: row.take("label")?,
        options: options.read()?,
        response_text: row.take("response_text")?,
        grounding_chunk_ids: chunks.read()?,
        at: row.take("created_at")?,
    })
}

/// Adds what was answered in a page view of a session, as the answer of that number.
pub fn insert(
    tenant: &TenantId,
    id: &AudienceSessionId,
    (view, number): (&[u8; 16], usize),
    interaction: &Interaction,
) -> Result<Query> {
    let insert = sql!(
        "INSERT INTO session_interactions
            (tenant_id, audience_session_id, view_id, number, component_id, component_context, label, options, response_text,
             grounding_chunk_ids, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (tenant_id, audience_session_id, view_id, number) DO NOTHING"
    );
    Ok(insert.with(values![
        tenant,
        id.to_bytes().as_slice(),
        view.as_slice(),
        i64::try_from(number).unwrap_or(i64::MAX),
        &interaction.component_id,
        &interaction.component_context,
        &interaction.label,
        &JsonText::of(&interaction.options)?,
        &interaction.response_text,
        &JsonText::of(&interaction.grounding_chunk_ids)?,
        interaction.at,
    ]))
}

/// What was answered in a session, in order.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, id: &AudienceSessionId) -> Result<Vec<Interaction>> {
    let select = sql!(
        "SELECT component_id, component_context, label, options, response_text, grounding_chunk_ids, created_at
         FROM session_interactions WHERE tenant_id = $1 AND audience_session_id = $2
         ORDER BY created_at, view_id, number LIMIT $3"
    );
    tx.all(select.with(values![tenant, id.to_bytes().as_slice(), MOST]))?.iter().map(interaction).collect()
}

/// Removes what was answered in a session.
pub fn remove_all(tenant: &TenantId, id: &AudienceSessionId) -> Query {
    sql!("DELETE FROM session_interactions WHERE tenant_id = $1 AND audience_session_id = $2")
        .with(values![tenant, id.to_bytes().as_slice()])
}

/// Removes what was answered in sessions that began before an instant.
pub fn remove_before(tenant: &TenantId, before: Timestamp) -> Query {
    let bound = Uuid7::first_of(before).as_u128().to_be_bytes();
    sql!("DELETE FROM session_interactions WHERE tenant_id = $1 AND audience_session_id < $2")
        .with(values![tenant, bound.as_slice()])
}
