//! `asset_descriptions`: the assets that wait for a model to say what their pictures show, a row each until that has ended.
//!
//! A worker's lease is an id in the row; without it nothing that the worker reports counts.

use pagesmith_model::{AssetId, LeaseId, RequestId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::leases::Leases;
use crate::tx::Tx;
use crate::{sql, values};

/// An asset that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The tenant.
    pub tenant: TenantId,
    /// The asset.
    pub asset_id: AssetId,
    /// How often it was tried, or a worker lost over it.
    pub tries: i64,
    /// The request that caused it.
    pub request_id: Option<RequestId>,
}

/// Adds an asset that is due; a query, to travel with the one that adds the asset.
pub fn insert(tenant: &TenantId, id: &AssetId, due_at: Timestamp, request_id: Option<&RequestId>) -> Query {
    sql!(
        "INSERT INTO asset_descriptions (tenant_id, asset_id, due_at, tries, request_id) VALUES ($1, $2, $3, 0, $4)
         ON CONFLICT (tenant_id, asset_id) DO NOTHING"
    )
    .with(values![tenant, id, due_at, request_id])
}

/// Since when a tenant's first asset that no worker has is due; nothing if none is, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM asset_descriptions
         WHERE tenant_id = $1 AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM asset_descriptions
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE asset_descriptions SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// The assets of a tenant that have been due longest, unless the tenant is suspended; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Waiting>> {
    let select = sql!(
        "SELECT d.tenant_id, d.asset_id, d.tries, d.request_id FROM asset_descriptions d
         WHERE d.tenant_id = $1 AND d.lease_id IS NULL AND d.due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY d.due_at, d.asset_id LIMIT $3 {skip_locked}"
    );
    let read = |row: &Row| {
        Ok(Waiting {
            tenant: row.take("tenant_id")?,
            asset_id: row.take("asset_id")?,
            tries: row.get("tries")?,
            request_id: row.take("request_id")?,
        })
    };
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(read).collect()
}

/// Leases an asset to a worker.
pub fn lease(tenant: &TenantId, id: &AssetId, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE asset_descriptions SET lease_id = $3, leased_until = $4, tries = tries + 1
         WHERE tenant_id = $1 AND asset_id = $2"
    )
    .with(values![tenant, id, lease, until])
}

/// Whether the lease is still valid.
pub fn is_held(tx: &mut Tx<'_>, tenant: &TenantId, id: &AssetId, lease: &LeaseId) -> Result<bool> {
    let select = sql!(
        "SELECT asset_id FROM asset_descriptions WHERE tenant_id = $1 AND asset_id = $2 AND lease_id = $3"
    );
    Ok(tx.maybe(select.with(values![tenant, id, lease]))?.is_some())
}

/// Gives a lease up; the try does not count.
pub fn hand_back(tenant: &TenantId, id: &AssetId, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE asset_descriptions SET lease_id = NULL, leased_until = NULL, tries = tries - 1
         WHERE tenant_id = $1 AND asset_id = $2 AND lease_id = $3"
    )
    .with(values![tenant, id, lease])
}

/// Ends a lease for a time, after which the asset is tried again.
pub fn postpone(tenant: &TenantId, id: &AssetId, due_at: Timestamp) -> Query {
    sql!(
        "UPDATE asset_descriptions SET lease_id = NULL, leased_until = NULL, due_at = $3
         WHERE tenant_id = $1 AND asset_id = $2"
    )
    .with(values![tenant, id, due_at])
}

/// Forgets that an asset waits.
pub fn remove(tenant: &TenantId, id: &AssetId) -> Query {
    sql!("DELETE FROM asset_descriptions WHERE tenant_id = $1 AND asset_id = $2").with(values![tenant, id])
}
