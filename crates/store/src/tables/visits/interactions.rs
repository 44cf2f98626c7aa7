//! `session_interactions`: what visitors answered, in the words that they saw, and what else they did, step by step.
//!
//! Answers are numbered from 0 on, and what else is noted of a page view has a number below 0, so that answers are told from it.

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

/// What is noted of a page view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// That it is another one in its session.
    View,
    /// That an action was used, by its place among those of the page view.
    Action(usize),
    /// An answer, by its place among those of the page view.
    Answer(usize),
}

impl Noted {
    /// Before everything else that a report tells.
    const VIEW: i64 = i64::MIN;

    fn number(self) -> i64 {
        let place = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        match self {
            Noted::View => Noted::VIEW,
            Noted::Action(at) => (Noted::VIEW + 1).saturating_add(place(at)),
            Noted::Answer(at) => place(at),
        }
    }

    fn read(number: i64) -> Noted {
        let place = |at: i64| usize::try_from(at).unwrap_or_default();
        match number {
            Noted::VIEW => Noted::View,
            0.. => Noted::Answer(place(number)),
            _ => Noted::Action(place(number - (Noted::VIEW + 1))),
        }
    }
}

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

/// Adds what was answered or done in a page view of a session; what is noted already stays as it was.
pub fn insert(
    tenant: &TenantId,
    id: &AudienceSessionId,
    (view, noted): (&[u8; 16], Noted),
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
        noted.number(),
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
         FROM session_interactions WHERE tenant_id = $1 AND audience_session_id = $2 AND number >= 0
         ORDER BY created_at, view_id, number LIMIT $3"
    );
    tx.all(select.with(values![tenant, id.to_bytes().as_slice(), MOST]))?.iter().map(interaction).collect()
}

/// The same with what else was noted.
pub fn steps(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &AudienceSessionId,
) -> Result<Vec<(Noted, Interaction)>> {
    let select = sql!(
        "SELECT number, component_id, component_context, label, options, response_text, grounding_chunk_ids, created_at
         FROM session_interactions WHERE tenant_id = $1 AND audience_session_id = $2
         ORDER BY created_at, view_id, number LIMIT $3"
    );
    let rows = tx.all(select.with(values![tenant, id.to_bytes().as_slice(), MOST]))?;
    rows.iter().map(|row| Ok((Noted::read(row.take("number")?), interaction(row)?))).collect()
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
