//! `version_writings`: how versions were written, a row as soon as a model was asked or something went wrong.

use pagesmith_model::agent::{AgentKind, Used};
use pagesmith_model::{AudienceId, LeaseId, Result, TenantId, Timestamp, VersionId};

use crate::sql::Query;
use crate::tables::{agent, whole};
use crate::tx::Tx;
use crate::{sql, values};

/// How a version was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writing {
    /// The lease of the last try.
    pub lease: LeaseId,
    /// Who wrote then.
    pub kind: AgentKind,
    /// The model that was asked then.
    pub model: Option<String>,
    /// What all tries have used.
    pub used: Used,
    /// What went wrong in the last try.
    pub problem: Option<String>,
}

/// Notes a try and adds what it used to what the tries before it did; a query, to travel with others.
pub fn add(tenant: &TenantId, version_id: &VersionId, last: &Writing, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO version_writings (tenant_id, version_id, lease_id, kind, model, input_tokens, output_tokens,
                                       cost, problem, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (tenant_id, version_id) DO UPDATE SET
            lease_id = excluded.lease_id, kind = excluded.kind, model = excluded.model,
            input_tokens = version_writings.input_tokens + excluded.input_tokens,
            output_tokens = version_writings.output_tokens + excluded.output_tokens,
            cost = version_writings.cost + excluded.cost, problem = excluded.problem,
            updated_at = excluded.updated_at"
    )
    .with(values![
        tenant,
        version_id,
        &last.lease,
        &last.kind,
        &last.model,
        whole(last.used.input_tokens),
        whole(last.used.output_tokens),
        last.used.cost,
        &last.problem,
        now,
    ])
}

/// How a version was written, if there is anything to say.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<Writing>> {
    let select = sql!(
        "SELECT lease_id, kind, model, input_tokens, output_tokens, cost, problem FROM version_writings
         WHERE tenant_id = $1 AND version_id = $2"
    );
    let Some(row) = tx.maybe(select.with(values![tenant, version_id]))? else { return Ok(None) };
    Ok(Some(Writing {
        lease: row.get("lease_id")?,
        kind: row.get("kind")?,
        model: row.take("model")?,
        used: agent::usages::used(&row)?,
        problem: row.take("problem")?,
    }))
}

/// Forgets how the versions of an audience were written, as long as the versions are there; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM version_writings WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
