//! `visit_settings`: what tenants have chosen for the measurement of visits.

use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
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
    let select = sql!(
        "SELECT retention_days, privacy_signal, own_networks, rows_from FROM visit_settings WHERE tenant_id = $1"
    );
    let row = tx.maybe(select.with(values![tenant]))?;
    Ok(row.as_ref().map(settings).transpose()?.unwrap_or_default())
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
