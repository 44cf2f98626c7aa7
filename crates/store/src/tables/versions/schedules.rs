//! `version_schedules`: when versions go live and stop, a row for each version of which something is still to be done.

use pagesmith_model::actor::Actor;
use pagesmith_model::version::schedule::Times;
use pagesmith_model::{AudienceId, PageId, RequestId, Result, TenantId, Timestamp, VersionId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The version.
    pub version_id: VersionId,
    /// Its audience.
    pub audience_id: AudienceId,
    /// Its page.
    pub page_id: PageId,
    /// What is still to be done.
    pub times: Times,
    /// Who asked for it.
    pub actor: Actor,
    /// The request that asked for it.
    pub request_id: Option<RequestId>,
    /// When it was first asked for.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The columns of a schedule, which [`schedule`] reads.
macro_rules! schedule_columns {
    () => {
        $crate::sql::columns!(
            "" => version_id, audience_id, page_id, publish_at, unpublish_at, actor, request_id, created_at, updated_at
        )
    };
}

fn schedule(row: &Row) -> Result<Schedule> {
    let actor: String = row.take("actor")?;
    Ok(Schedule {
        version_id: row.take("version_id")?,
        audience_id: row.take("audience_id")?,
        page_id: row.take("page_id")?,
        times: Times { publish_at: row.take("publish_at")?, unpublish_at: row.take("unpublish_at")? },
        actor: Actor::from_stored(&actor),
        request_id: row.take("request_id")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Keeps a schedule in the place of the one that the version may have; `due_at` is when it is looked at next. A query, to travel with others.
pub fn put(tenant: &TenantId, schedule: &Schedule, due_at: Timestamp) -> Query {
    sql!(
        "INSERT INTO version_schedules
            (tenant_id, version_id, audience_id, page_id, publish_at, unpublish_at, due_at, actor, request_id,
             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (tenant_id, version_id) DO UPDATE SET
            publish_at = excluded.publish_at, unpublish_at = excluded.unpublish_at, due_at = excluded.due_at,
            actor = excluded.actor, request_id = excluded.request_id, updated_at = excluded.updated_at"
    )
    .with(values![
        tenant,
        &schedule.version_id,
        &schedule.audience_id,
        &schedule.page_id,
        schedule.times.publish_at,
        schedule.times.unpublish_at,
        due_at,
        schedule.actor.to_stored(),
        &schedule.request_id,
        schedule.created_at,
        schedule.updated_at,
    ])
}

/// The schedule of a version.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<Option<Schedule>> {
    let select = sql!(
        "SELECT ",
        schedule_columns!(),
        " FROM version_schedules WHERE tenant_id = $1 AND version_id = $2"
    );
    tx.maybe(select.with(values![tenant, version_id]))?.map(|row| schedule(&row)).transpose()
}

/// The same if it is due; locked until the transaction ends.
pub fn find_due(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    version_id: &VersionId,
    now: Timestamp,
) -> Result<Option<Schedule>> {
    let select = sql!(
        "SELECT ",
        schedule_columns!(),
        " FROM version_schedules WHERE tenant_id = $1 AND version_id = $2 AND due_at <= $3 {for_update}"
    );
    tx.maybe(select.with(values![tenant, version_id, now]))?.map(|row| schedule(&row)).transpose()
}

/// Tenants for which something is due, behind `after` in the order of their ids.
pub fn due_tenants(tx: &mut Tx<'_>, now: Timestamp, after: &str, limit: i64) -> Result<Vec<TenantId>> {
    // across tenants: what is due is looked for everywhere
    let select = sql!(
        "SELECT DISTINCT tenant_id FROM version_schedules
         WHERE due_at <= $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT $3"
    );
    tx.all(select.with(values![now, after, limit]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// The versions of a tenant for which something has been due longest, each with the request that has set it; none if the tenant is suspended.
pub fn due(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<(VersionId, Option<RequestId>)>> {
    let select = sql!(
        "SELECT version_id, request_id FROM version_schedules WHERE tenant_id = $1 AND due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY due_at, version_id LIMIT $3"
    );
    let read = |row: &Row| Ok((row.take("version_id")?, row.take("request_id")?));
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(read).collect()
}

/// Has a schedule looked at again later; a query, to travel with others.
pub fn postpone(tenant: &TenantId, version_id: &VersionId, due_at: Timestamp) -> Query {
    sql!("UPDATE version_schedules SET due_at = $3 WHERE tenant_id = $1 AND version_id = $2")
        .with(values![tenant, version_id, due_at])
}

/// Forgets the schedule of a version; a query, to travel with others.
pub fn remove(tenant: &TenantId, version_id: &VersionId) -> Query {
    sql!("DELETE FROM version_schedules WHERE tenant_id = $1 AND version_id = $2")
        .with(values![tenant, version_id])
}

/// Forgets the schedules of the versions of an audience, as long as the versions are there; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM version_schedules WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
