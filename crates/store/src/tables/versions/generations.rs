//! `generations`: the versions that wait to be written or are being written, a row each.
//!
//! Whoever changes the status of such a version changes this row first, so that workers and callers wait for each other here and never in a
//! circle. A worker's lease is an id in the row; without it nothing that the worker reports counts.

use std::time::Duration;

use pagesmith_model::json::JsonText;
use pagesmith_model::version::Version;
use pagesmith_model::{AudienceId, LeaseId, PageId, RequestId, Result, TenantId, Timestamp, VersionId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A version in the queue, leased or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedVersion {
    /// The tenant.
    pub tenant: TenantId,
    /// The version.
    pub version_id: VersionId,
    /// Its audience.
    pub audience_id: AudienceId,
    /// The audience's page.
    pub page_id: PageId,
    /// The request that queued it, if one did.
    pub request_id: Option<RequestId>,
}

/// The progress of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What the worker does, if one has started.
    pub step: Option<String>,
    /// How many blocks are finished.
    pub blocks: u64,
    /// When the worker last reported it.
    pub updated_at: Timestamp,
}

/// The columns of a version in the queue, which [`queued`] reads.
macro_rules! queued_columns {
    () => {
        $crate::sql::columns!("" => tenant_id, version_id, audience_id, page_id, request_id)
    };
}

fn queued(row: &Row) -> Result<QueuedVersion> {
    Ok(QueuedVersion {
        tenant: row.get("tenant_id")?,
        version_id: row.get("version_id")?,
        audience_id: row.get("audience_id")?,
        page_id: row.get("page_id")?,
        request_id: row.get("request_id")?,
    })
}

/// Puts a version into the queue; a query, to travel with others.
pub fn insert(tenant: &TenantId, version: &Version, now: Timestamp, request_id: Option<&RequestId>) -> Query {
    sql!(
        "INSERT INTO generations
            (tenant_id, version_id, audience_id, page_id, due_at, blocks, updated_at, request_id)
         VALUES ($1, $2, $3, $4, $5, $6, $5, $7)"
    )
    .with(values![
        tenant,
        &version.version_id,
        &version.audience_id,
        &version.page_id,
        now,
        0,
        request_id
    ])
}

/// Since when a tenant's first version in the queue is due; nothing if none waits, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM generations
         WHERE tenant_id = $1 AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// The versions of a tenant that have been due longest, unless the tenant is suspended; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<QueuedVersion>> {
    let select = sql!(
        "SELECT ", queued_columns!(), " FROM generations
         WHERE tenant_id = $1 AND lease_id IS NULL AND due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY due_at, version_id LIMIT $3 {skip_locked}"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(queued).collect()
}

/// How many versions are due, counted up to `most`, and since when the first of those counted is; without those of suspended tenants.
pub fn depth(tx: &mut Tx<'_>, now: Timestamp, most: i64) -> Result<(u64, Option<Timestamp>)> {
    // across tenants: the queue is everyone's
    let select = sql!(
        "SELECT COUNT(*) AS total, MIN(due_at) AS due_at FROM (
            SELECT due_at FROM generations
            WHERE lease_id IS NULL AND due_at <= $1
              AND tenant_id NOT IN (SELECT tenant_id FROM tenants WHERE suspended_at IS NOT NULL)
            LIMIT $2) due"
    );
    let row = tx.one(select.with(values![now, most]))?;
    Ok((row.get("total")?, row.get("due_at")?))
}

/// The versions whose leases have expired.
pub fn expired(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<QueuedVersion>> {
    // across tenants: leases of all tenants expire
    let select = sql!(
        "SELECT ",
        queued_columns!(),
        " FROM generations
         WHERE lease_id IS NOT NULL AND leased_until <= $1
         ORDER BY leased_until, version_id LIMIT $2"
    );
    tx.all(select.with(values![now, limit]))?.iter().map(queued).collect()
}

/// The leased versions of a tenant.
pub fn leased(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<QueuedVersion>> {
    let select = sql!(
        "SELECT ",
        queued_columns!(),
        " FROM generations
         WHERE tenant_id = $1 AND lease_id IS NOT NULL ORDER BY version_id"
    );
    tx.all(select.with(values![tenant]))?.iter().map(queued).collect()
}

/// Leases a version to a worker; a query, to travel with others.
pub fn lease(
    tenant: &TenantId,
    version_id: &VersionId,
    lease: &LeaseId,
    (now, until): (Timestamp, Timestamp),
) -> Query {
    sql!(
        "UPDATE generations SET lease_id = $3, leased_until = $4, step = NULL, blocks = 0, updated_at = $5
         WHERE tenant_id = $1 AND version_id = $2"
    )
    .with(values![tenant, version_id, lease, until, now])
}

/// What a worker reports of its progress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgressNote {
    /// What it does.
    pub step: Option<&'static str>,
    /// How many blocks are finished.
    pub blocks: u64,
    /// What is written so far, if that has changed.
    pub so_far: Option<JsonText>,
}

/// Renews a lease and records the progress; changes no row if the lease is not valid any more.
pub fn renew(
    tenant: &TenantId,
    version_id: &VersionId,
    lease: &LeaseId,
    note: &ProgressNote,
    (now, lasts): (Timestamp, Duration),
) -> Query {
    let blocks = i64::try_from(note.blocks).unwrap_or(i64::MAX);
    let values = values![tenant, version_id, lease, now.plus(lasts), note.step, blocks, &note.so_far, now];
    sql!(
        "UPDATE generations SET leased_until = $4, step = $5, blocks = $6, so_far = COALESCE($7, so_far),
                updated_at = $8
         WHERE tenant_id = $1 AND version_id = $2 AND lease_id = $3"
    )
    .with(values)
}

/// Whether the lease is still valid.
pub fn is_held(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId, lease: &LeaseId) -> Result<bool> {
    let select =
        sql!("SELECT version_id FROM generations WHERE tenant_id = $1 AND version_id = $2 AND lease_id = $3");
    Ok(tx.maybe(select.with(values![tenant, version_id, lease]))?.is_some())
}

/// Whether the version is leased and the lease has expired.
pub fn is_expired(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    version_id: &VersionId,
    now: Timestamp,
) -> Result<bool> {
    let select = sql!(
        "SELECT version_id FROM generations
         WHERE tenant_id = $1 AND version_id = $2 AND lease_id IS NOT NULL AND leased_until <= $3"
    );
    Ok(tx.maybe(select.with(values![tenant, version_id, now]))?.is_some())
}

/// Ends the lease, whoever has it, and makes the version due at `due_at`.
pub fn release(tenant: &TenantId, version_id: &VersionId, due_at: Timestamp) -> Query {
    sql!(
        "UPDATE generations SET lease_id = NULL, leased_until = NULL, due_at = $3
         WHERE tenant_id = $1 AND version_id = $2"
    )
    .with(values![tenant, version_id, due_at])
}

/// Removes a version from the queue and returns what was written so far, if anything.
pub fn remove(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<JsonText>> {
    let delete = sql!("DELETE FROM generations WHERE tenant_id = $1 AND version_id = $2 RETURNING so_far");
    let removed = tx.maybe(delete.with(values![tenant, version_id]))?;
    removed.map_or(Ok(None), |row| row.take("so_far"))
}

/// The progress of a version, while it is in the queue.
pub fn progress(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<Progress>> {
    let select =
        sql!("SELECT step, blocks, updated_at FROM generations WHERE tenant_id = $1 AND version_id = $2");
    let Some(row) = tx.maybe(select.with(values![tenant, version_id]))? else { return Ok(None) };
    Ok(Some(Progress {
        step: row.get("step")?,
        blocks: row.get("blocks")?,
        updated_at: row.get("updated_at")?,
    }))
}

/// What is written so far of a version, as last reported.
pub fn so_far(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<JsonText>> {
    let select = sql!("SELECT so_far FROM generations WHERE tenant_id = $1 AND version_id = $2");
    let found = tx.maybe(select.with(values![tenant, version_id]))?;
    found.map_or(Ok(None), |row| row.take("so_far"))
}

/// Removes the versions of an audience from the queue; to run before the versions themselves are removed. A query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM generations WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions
            WHERE tenant_id = $1 AND audience_id = $2 AND status IN ('queued', 'processing'))"
    )
    .with(values![tenant, audience_id])
}
