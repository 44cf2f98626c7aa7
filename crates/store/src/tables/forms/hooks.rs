//! `enrichment_hooks`: who is asked what is known of the senders of submissions, one hook for each tenant.

use pagesmith_model::form::enrichment::Hook;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

fn hook(row: &Row) -> Result<Hook> {
    let (older_seed, older_until): (Option<Vec<u8>>, Option<Timestamp>) =
        (row.take("older_seed")?, row.get("older_until")?);
    Ok(Hook {
        url: row.take("url")?,
        active: row.get("active")?,
        seed: row.take("seed")?,
        older: older_seed.zip(older_until),
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// The hook of a tenant.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Hook>> {
    let select = sql!(
        "SELECT url, active, seed, older_seed, older_until, created_at, updated_at
         FROM enrichment_hooks WHERE tenant_id = $1"
    );
    tx.maybe(select.with(values![tenant]))?.as_ref().map(hook).transpose()
}

/// Adds the hook of a tenant, or replaces it.
pub fn save(tenant: &TenantId, hook: &Hook) -> Query {
    let (older_seed, older_until) =
        hook.older.as_ref().map_or((None, None), |(seed, until)| (Some(seed.as_slice()), Some(*until)));
    sql!(
        "INSERT INTO enrichment_hooks
            (tenant_id, url, active, seed, older_seed, older_until, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, active = excluded.active, seed = excluded.seed,
            older_seed = excluded.older_seed, older_until = excluded.older_until, updated_at = excluded.updated_at"
    )
    .with(values![
        tenant,
        hook.url.as_str(),
        hook.active,
        hook.seed.as_slice(),
        older_seed,
        older_until.map(Timestamp::as_micros),
        hook.created_at,
        hook.updated_at,
    ])
}

/// Removes the hook of a tenant.
pub fn remove(tenant: &TenantId) -> Query {
    sql!("DELETE FROM enrichment_hooks WHERE tenant_id = $1").with(values![tenant])
}

/// The tenants whose hooks have secrets.
pub fn tenants_with_secrets(tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
    // across tenants: the server's key makes everyone's secrets
    let select = sql!("SELECT tenant_id FROM enrichment_hooks WHERE LENGTH(seed) > 0 ORDER BY tenant_id");
    tx.all(select.with(vec![]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// Deactivates a tenant's hook and takes its secret, whose key is lost.
pub fn give_up(tenant: &TenantId, now: Timestamp) -> Query {
    sql!(
        "UPDATE enrichment_hooks SET active = $3, seed = $4, older_seed = NULL, older_until = NULL, updated_at = $2
         WHERE tenant_id = $1"
    )
    .with(values![tenant, now, false, &[][..]])
}
