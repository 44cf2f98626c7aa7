//! `message_runs`: the audiences whose messages wait to be carried out, a row each, so that there is one run at a time.
//!
//! A worker's lease is an id in the row; without it nothing that the worker has done is kept.

use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, LeaseId, PageId, RequestId, Result, RunId, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::leases::Leases;
use crate::tx::Tx;
use crate::{sql, values};

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The tenant.
    pub tenant: TenantId,
    /// The audience.
    pub audience_id: AudienceId,
    /// Its page.
    pub page_id: PageId,
    /// Its own id.
    pub run_id: RunId,
    /// How many messages it has carried out.
    pub processed: i64,
    /// How many workers were lost over it.
    pub tries: i64,
    /// What a model has said and done of the message at hand, if a model carries it out.
    pub so_far: Option<JsonText>,
    /// The request that began it.
    pub request_id: Option<RequestId>,
}

/// The columns of a run, which [`run`] reads.
macro_rules! run_columns {
    () => {
        $crate::sql::columns!("" => tenant_id, audience_id, page_id, run_id, processed, tries, so_far, request_id)
    };
}

fn run(row: &Row) -> Result<Run> {
    Ok(Run {
        tenant: row.take("tenant_id")?,
        audience_id: row.take("audience_id")?,
        page_id: row.take("page_id")?,
        run_id: row.take("run_id")?,
        processed: row.get("processed")?,
        tries: row.get("tries")?,
        so_far: row.take("so_far")?,
        request_id: row.take("request_id")?,
    })
}

/// Begins a run, unless there is one; a query, to travel with others. It reads whether there is one, so that on PostgreSQL it cannot meet
/// a worker that has seen no message and ends the run: one of the two runs again.
pub fn insert(of: &Run, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO message_runs (tenant_id, audience_id, page_id, run_id, processed, tries, due_at, request_id)
         SELECT $1, $2, $3, $4, 0, 0, $5, $6
         WHERE NOT EXISTS (SELECT r.audience_id FROM message_runs r WHERE r.tenant_id = $1 AND r.audience_id = $2)
         ON CONFLICT (tenant_id, audience_id) DO NOTHING"
    )
    .with(values![&of.tenant, &of.audience_id, &of.page_id, &of.run_id, now, &of.request_id])
}

/// The run of an audience.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, audience_id: &AudienceId) -> Result<Option<Run>> {
    let select =
        sql!("SELECT ", run_columns!(), " FROM message_runs WHERE tenant_id = $1 AND audience_id = $2");
    tx.maybe(select.with(values![tenant, audience_id]))?.map(|row| run(&row)).transpose()
}

/// Since when a tenant's first run that nobody has is due; nothing if none is, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM message_runs
         WHERE tenant_id = $1 AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// The runs of a tenant that have been due longest; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Run>> {
    let select = sql!(
        "SELECT ", run_columns!(), " FROM message_runs
         WHERE tenant_id = $1 AND lease_id IS NULL AND due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY due_at, audience_id LIMIT $3 {skip_locked}"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(run).collect()
}

/// Leases a run to a worker, or renews the lease; a query, to travel with others.
pub fn lease(of: &Run, lease: &LeaseId, until: Timestamp) -> Query {
    sql!("UPDATE message_runs SET lease_id = $3, leased_until = $4 WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![&of.tenant, &of.audience_id, lease, until])
}

/// Renews the lease of a worker that begins a message or has ended one; a query, to travel with others.
pub fn begin(of: &Run, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE message_runs SET lease_id = $3, leased_until = $4, so_far = NULL
         WHERE tenant_id = $1 AND audience_id = $2"
    )
    .with(values![&of.tenant, &of.audience_id, lease, until])
}

/// Notes what a model has said and done so far, and renews the lease; nothing is changed if the lease is not valid any more.
pub fn note(tx: &mut Tx<'_>, of: &Run, lease: &LeaseId, so_far: &JsonText, until: Timestamp) -> Result<bool> {
    let update = sql!(
        "UPDATE message_runs SET so_far = $4, leased_until = $5
         WHERE tenant_id = $1 AND audience_id = $2 AND lease_id = $3"
    );
    Ok(tx.run(update.with(values![&of.tenant, &of.audience_id, lease, so_far, until]))? > 0)
}

/// Whether the lease is still valid.
pub fn is_held(tx: &mut Tx<'_>, of: &Run, lease: &LeaseId) -> Result<bool> {
    let select = sql!(
        "SELECT audience_id FROM message_runs WHERE tenant_id = $1 AND audience_id = $2 AND lease_id = $3"
    );
    Ok(tx.maybe(select.with(values![&of.tenant, &of.audience_id, lease]))?.is_some())
}

/// Notes that a message has been carried out; a query, to travel with others.
pub fn count(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "UPDATE message_runs SET processed = processed + 1, tries = 0 WHERE tenant_id = $1 AND audience_id = $2"
    )
    .with(values![tenant, audience_id])
}

/// Takes a run from whoever has it and makes it due; a query, to travel with others.
pub fn release(tenant: &TenantId, audience_id: &AudienceId, due_at: Timestamp) -> Query {
    sql!(
        "UPDATE message_runs SET lease_id = NULL, leased_until = NULL, due_at = $3, so_far = NULL
         WHERE tenant_id = $1 AND audience_id = $2"
    )
    .with(values![tenant, audience_id, due_at])
}

/// Takes all runs of a tenant from whoever has them, with what was said and done so far; a query, to travel with others.
pub fn release_all(tenant: &TenantId) -> Query {
    sql!(
        "UPDATE message_runs SET lease_id = NULL, leased_until = NULL, so_far = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL"
    )
    .with(values![tenant])
}

/// Gives a lease up, if it is still valid; a query, to travel with others.
pub fn hand_back(of: &Run, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE message_runs SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND audience_id = $2 AND lease_id = $3"
    )
    .with(values![&of.tenant, &of.audience_id, lease])
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM message_runs
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE message_runs SET lease_id = NULL, leased_until = NULL, tries = tries + 1
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// Ends a run; a query, to travel with others.
pub fn remove(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM message_runs WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![tenant, audience_id])
}
