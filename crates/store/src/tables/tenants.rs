//! `tenants`: the owners of everything else.

use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

fn tenant(row: &Row) -> Result<Tenant> {
    Ok(Tenant {
        tenant_id: row.get("tenant_id")?,
        name: row.get("name")?,
        slug: row.get("slug")?,
        default_region: row.get("default_region")?,
        created_at: row.get("created_at")?,
        suspended_at: row.get("suspended_at")?,
        resumed_at: row.get("resumed_at")?,
    })
}

/// Adds a tenant; its slug must be free (`tenants_slug_key`).
pub fn insert(tenant: &Tenant) -> Query {
    sql!(
        "INSERT INTO tenants (tenant_id, name, slug, default_region, created_at, suspended_at)
         VALUES ($1, $2, $3, $4, $5, $6)"
    )
    .with(values![
        &tenant.tenant_id,
        &tenant.name,
        &tenant.slug,
        &tenant.default_region,
        tenant.created_at,
        tenant.suspended_at,
    ])
}

/// The tenant with that id or slug.
pub fn find(tx: &mut Tx<'_>, id_or_slug: &str) -> Result<Option<Tenant>> {
    let select = sql!(
        "SELECT tenant_id, name, slug, default_region, created_at, suspended_at, resumed_at FROM tenants
         WHERE tenant_id = $1 OR slug = $1"
    );
    tx.maybe(select.with(values![id_or_slug]))?.as_ref().map(tenant).transpose()
}

/// All tenants, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Tenant>> {
    let select = sql!(
        "SELECT tenant_id, name, slug, default_region, created_at, suspended_at, resumed_at FROM tenants ORDER BY tenant_id"
    );
    tx.all(select.with(vec![]))?.iter().map(tenant).collect()
}

/// The ids of up to `limit` tenants behind one, in their order.
pub fn ids_after(tx: &mut Tx<'_>, after: &str, limit: i64) -> Result<Vec<TenantId>> {
    let select = sql!("SELECT tenant_id FROM tenants WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2");
    tx.all(select.with(values![after, limit]))?.iter().map(|row| row.get("tenant_id")).collect()
}

/// Writes a tenant's name and region.
pub fn update(tenant: &Tenant) -> Query {
    sql!("UPDATE tenants SET name = $2, default_region = $3 WHERE tenant_id = $1").with(values![
        &tenant.tenant_id,
        &tenant.name,
        &tenant.default_region
    ])
}

/// Suspends a tenant.
pub fn suspend(tenant: &TenantId, now: Timestamp) -> Query {
    sql!("UPDATE tenants SET suspended_at = $2 WHERE tenant_id = $1").with(values![tenant, now])
}

/// Ends a suspension.
pub fn resume(tenant: &TenantId, now: Timestamp) -> Query {
    sql!("UPDATE tenants SET suspended_at = NULL, resumed_at = $2 WHERE tenant_id = $1")
        .with(values![tenant, now])
}
