//! `visit_settings`: what tenants have chosen for the measurement of visits.

use pagesmith_model::visit::session::Session;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::visits::sessions;
use crate::tx::Tx;
use crate::{sql, values};

/// What a tenant has chosen; nothing where it has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VisitSettings {
    /// For how many days rows of sessions are kept.
    pub retention_days: Option<i64>,
    /// What a browser's wish not to be tracked is worth.
    pub privacy_signal: Option<String>,
    /// The tenant's own networks, separated by commas.
    pub own_networks: Option<String>,
    /// Since when rows of sessions are there; earlier ones were removed.
    pub rows_from: Option<Timestamp>,
}

fn settings(row: &Row) -> Result<VisitSettings> {
    Ok(VisitSettings {
        retention_days: row.take("retention_days")?,
        privacy_signal: row.take("privacy_signal")?,
        own_networks: row.take("own_networks")?,
        rows_from: row.take("rows_from")?,
    })
}

/// What a tenant has chosen.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<VisitSettings> {
    let row = tx.maybe(select(tenant))?;
    Ok(row.as_ref().map(settings).transpose()?.unwrap_or_default())
}

fn select(tenant: &TenantId) -> Query {
    sql!(
        "SELECT retention_days, privacy_signal, own_networks, rows_from FROM visit_settings WHERE tenant_id = $1"
    )
    .with(values![tenant])
}

/// What a tenant has chosen, and the open sessions of these visitors, in one round trip.
pub fn find_with_open_sessions(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    visitors: &[&[u8]],
) -> Result<(VisitSettings, Vec<Session>)> {
    if visitors.is_empty() {
        return Ok((find(tx, tenant)?, vec![]));
    }
    let mut answers = tx.batch(vec![select(tenant), sessions::with_visitors(tenant, visitors)])?.into_iter();
    let (chosen, open) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let chosen = chosen.first().map(settings).transpose()?.unwrap_or_default();
    Ok((chosen, open.iter().map(sessions::session).collect::<Result<_>>()?))
}

/// Replaces what a tenant has chosen.
pub fn save(tenant: &TenantId, settings: &VisitSettings) -> Query {
    sql!(
        "INSERT INTO visit_settings (tenant_id, retention_days, privacy_signal, own_networks, rows_from)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id) DO UPDATE SET retention_days = excluded.retention_days,
            privacy_signal = excluded.privacy_signal, own_networks = excluded.own_networks, rows_from = excluded.rows_from"
    )
    .with(values![
        tenant,
        settings.retention_days,
        &settings.privacy_signal,
        &settings.own_networks,
        settings.rows_from,
    ])
}
