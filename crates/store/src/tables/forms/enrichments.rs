//! `enrichments`: the submissions that wait for what a hook knows of them, a row each until that has ended.
//!
//! A worker's lease is an id in the row; without it nothing that the worker reports counts.

use pagesmith_model::{LeaseId, RequestId, Result, SubmissionId, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tables::leases::Leases;
use crate::tx::Tx;
use crate::{sql, values};

/// A submission that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The tenant.
    pub tenant: TenantId,
    /// The submission.
    pub submission_id: SubmissionId,
    /// How often the hook was called, or a worker lost over it.
    pub tries: i64,
    /// Whether the hook has said that it calls back.
    pub awaits_callback: bool,
    /// The request that caused it.
    pub request_id: Option<RequestId>,
}

fn waiting(row: &Row) -> Result<Waiting> {
    Ok(Waiting {
        tenant: row.take("tenant_id")?,
        submission_id: row.take("submission_id")?,
        tries: row.get("tries")?,
        awaits_callback: row.get("awaits_callback")?,
        request_id: row.take("request_id")?,
    })
}

/// Adds a submission that is due; a query, to travel with others.
pub fn insert(
    tenant: &TenantId,
    submission_id: &SubmissionId,
    due_at: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO enrichments (tenant_id, submission_id, due_at, tries, awaits_callback, request_id)
         VALUES ($1, $2, $3, 0, $4, $5) ON CONFLICT (tenant_id, submission_id) DO NOTHING"
    )
    .with(values![tenant, submission_id, due_at, false, request_id])
}

/// Since when a tenant's first submission that no worker has is due; nothing if none is, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM enrichments
         WHERE tenant_id = $1 AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// How many submissions of a tenant workers have.
pub fn leased(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    let select =
        sql!("SELECT COUNT(*) AS total FROM enrichments WHERE tenant_id = $1 AND lease_id IS NOT NULL");
    counters::total(&tx.all(select.with(values![tenant]))?)
}

/// The submissions of a tenant that have been due longest, unless the tenant is suspended; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Waiting>> {
    let select = sql!(
        "SELECT tenant_id, submission_id, tries, awaits_callback, request_id FROM enrichments
         WHERE tenant_id = $1 AND lease_id IS NULL AND due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY due_at, submission_id LIMIT $3 {skip_locked}"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(waiting).collect()
}

/// Leases a submission to a worker; a query, to travel with others.
pub fn lease(of: &Waiting, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE enrichments SET lease_id = $3, leased_until = $4, tries = tries + 1
         WHERE tenant_id = $1 AND submission_id = $2"
    )
    .with(values![&of.tenant, &of.submission_id, lease, until])
}

/// Whether a submission waits; with a lease, whether that is still valid.
pub fn is_waiting(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    submission_id: &SubmissionId,
    lease: Option<&LeaseId>,
) -> Result<bool> {
    let mut select =
        sql!("SELECT submission_id FROM enrichments WHERE tenant_id = $1 AND submission_id = $2")
            .with(values![tenant, submission_id]);
    if let Some(lease) = lease {
        select = select.and(sql!("AND lease_id = $1"), values![lease]);
    }
    Ok(tx.maybe(select)?.is_some())
}

/// Ends a lease; the submission is due again at an instant, at which the hook is called or is known not to have called back.
pub fn postpone(of: &Waiting, due_at: Timestamp, awaits_callback: bool) -> Query {
    sql!(
        "UPDATE enrichments SET lease_id = NULL, leased_until = NULL, due_at = $3, awaits_callback = $4
         WHERE tenant_id = $1 AND submission_id = $2"
    )
    .with(values![&of.tenant, &of.submission_id, due_at, awaits_callback])
}

/// Gives a lease up; the try does not count.
pub fn hand_back(of: &Waiting, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE enrichments SET lease_id = NULL, leased_until = NULL, tries = tries - 1
         WHERE tenant_id = $1 AND submission_id = $2 AND lease_id = $3"
    )
    .with(values![&of.tenant, &of.submission_id, lease])
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM enrichments
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE enrichments SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// Ends the wait of a submission; a query, to travel with others.
pub fn remove(tenant: &TenantId, submission_id: &SubmissionId) -> Query {
    sql!("DELETE FROM enrichments WHERE tenant_id = $1 AND submission_id = $2")
        .with(values![tenant, submission_id])
}
