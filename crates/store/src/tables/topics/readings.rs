//! `entry_readings`: the pages and files of entries, what is known of their last readings, and when each is read next.
//!
//! A worker's lease is an id in the row; without it nothing that the worker reports counts.

use pagesmith_model::json::JsonText;
use pagesmith_model::{LeaseId, RequestId, Result, TenantId, Timestamp, TopicEntryId, TopicId};

use crate::row::Row;
use crate::sql::Query;
use crate::tables;
use crate::tables::leases::Leases;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// A page that waits to be read, or is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The tenant.
    pub tenant: TenantId,
    /// The topic.
    pub topic_id: TopicId,
    /// The entry.
    pub topic_entry_id: TopicEntryId,
    /// The host of its address; empty for a file.
    pub host: String,
    /// How often it was tried since it was due.
    pub tries: i64,
    /// The tag of what was read last.
    pub etag: Option<String>,
    /// When that was last modified, as its server said.
    pub last_modified: Option<String>,
    /// What became of the last readings.
    pub log: JsonText,
    /// The request that caused the reading; none if its time had come.
    pub request_id: Option<RequestId>,
}

/// The columns of a page, which [`waiting`] reads.
macro_rules! waiting_columns {
    () => {
        $crate::sql::columns!("" => tenant_id, topic_id, topic_entry_id, host, tries, etag, last_modified, log, request_id)
    };
}

fn waiting(row: &Row) -> Result<Waiting> {
    Ok(Waiting {
        tenant: row.take("tenant_id")?,
        topic_id: row.take("topic_id")?,
        topic_entry_id: row.take("topic_entry_id")?,
        host: row.take("host")?,
        tries: row.get("tries")?,
        etag: row.take("etag")?,
        last_modified: row.take("last_modified")?,
        log: row.take("log")?,
        request_id: row.take("request_id")?,
    })
}

/// Adds a page that is read for the first time at `due_at`, if at all; in place of what was known of another address of the entry.
pub fn put(
    tenant: &TenantId,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    host: &str,
    due_at: Option<Timestamp>,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO entry_readings (tenant_id, topic_entry_id, topic_id, host, due_at, tries, log, request_id)
         VALUES ($1, $2, $3, $4, $5, 0, '[]', $6)
         ON CONFLICT (tenant_id, topic_entry_id) DO UPDATE SET host = excluded.host, due_at = excluded.due_at,
            again_at = NULL, lease_id = NULL, leased_until = NULL, tries = 0, etag = NULL, last_modified = NULL,
            request_id = excluded.request_id"
    )
    .with(values![tenant, topic_entry_id, topic_id, host, due_at.map(Timestamp::as_micros), request_id])
}

/// Makes a page due, whoever reads it now.
pub fn hasten(
    tenant: &TenantId,
    topic_entry_id: &TopicEntryId,
    due_at: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "UPDATE entry_readings SET due_at = $3, again_at = NULL, lease_id = NULL, leased_until = NULL, tries = 0,
            request_id = $4
         WHERE tenant_id = $1 AND topic_entry_id = $2"
    )
    .with(values![tenant, topic_entry_id, due_at, request_id])
}

/// What became of the last readings of a page, if it is one.
pub fn log(tx: &mut Tx<'_>, tenant: &TenantId, topic_entry_id: &TopicEntryId) -> Result<Option<JsonText>> {
    let select = sql!("SELECT log FROM entry_readings WHERE tenant_id = $1 AND topic_entry_id = $2");
    tx.maybe(select.with(values![tenant, topic_entry_id]))?.map(|row| row.take("log")).transpose()
}

/// Since when a tenant's first page that nobody reads is due; nothing if none is, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM entry_readings
         WHERE tenant_id = $1 AND due_at IS NOT NULL AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// The pages of a tenant that have been due longest and are not of these hosts, unless the tenant is suspended; locked until the
/// transaction ends.
pub fn due(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    now: Timestamp,
    but: &[String],
    limit: i64,
) -> Result<Vec<Waiting>> {
    let mut select = sql!(
        "SELECT ",
        waiting_columns!(),
        " FROM entry_readings
         WHERE tenant_id = $1 AND due_at IS NOT NULL AND lease_id IS NULL AND due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    )
    .with(values![tenant, now]);
    if !but.is_empty() {
        select = tables::listed(
            select.and(sql!("AND host NOT IN ("), vec![]),
            but.iter().map(|host| Value::from(host.as_str())),
        )
        .and(sql!(")"), vec![]);
    }
    let ordered = sql!("ORDER BY due_at, topic_entry_id LIMIT $1 {skip_locked}");
    tx.all(select.and(ordered, values![limit]))?.iter().map(waiting).collect()
}

/// Leases a page to a worker.
pub fn lease(tenant: &TenantId, topic_entry_id: &TopicEntryId, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE entry_readings SET lease_id = $3, leased_until = $4, tries = tries + 1
         WHERE tenant_id = $1 AND topic_entry_id = $2"
    )
    .with(values![tenant, topic_entry_id, lease, until])
}

/// Whether the lease is still valid.
pub fn is_held(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    topic_entry_id: &TopicEntryId,
    lease: &LeaseId,
) -> Result<bool> {
    let select = sql!(
        "SELECT topic_entry_id FROM entry_readings WHERE tenant_id = $1 AND topic_entry_id = $2 AND lease_id = $3"
    );
    Ok(tx.maybe(select.with(values![tenant, topic_entry_id, lease]))?.is_some())
}

/// What is known after a reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct After {
    /// When it is tried once more, if it is.
    pub due_at: Option<Timestamp>,
    /// When it is read again by itself.
    pub again_at: Option<Timestamp>,
    /// The tag of what was read.
    pub etag: Option<String>,
    /// When that was last modified.
    pub last_modified: Option<String>,
}

/// Ends a lease.
pub fn end(tenant: &TenantId, topic_entry_id: &TopicEntryId, after: &After, log: &JsonText) -> Query {
    sql!(
        "UPDATE entry_readings SET lease_id = NULL, leased_until = NULL, due_at = $3, again_at = $4, etag = $5,
            last_modified = $6, log = $7, tries = CASE WHEN CAST($3 AS BIGINT) IS NULL THEN 0 ELSE tries END
         WHERE tenant_id = $1 AND topic_entry_id = $2"
    )
    .with(values![
        tenant,
        topic_entry_id,
        after.due_at.map(Timestamp::as_micros),
        after.again_at.map(Timestamp::as_micros),
        &after.etag,
        &after.last_modified,
        log,
    ])
}

/// Gives a lease up; the try does not count.
pub fn hand_back(tenant: &TenantId, topic_entry_id: &TopicEntryId, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE entry_readings SET lease_id = NULL, leased_until = NULL, tries = tries - 1
         WHERE tenant_id = $1 AND topic_entry_id = $2 AND lease_id = $3"
    )
    .with(values![tenant, topic_entry_id, lease])
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM entry_readings
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE entry_readings SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// Tenants with pages that are to be read again by themselves.
pub fn tenants_due_again(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<TenantId>> {
    // across tenants: pages of all tenants are read again
    let select = sql!(
        "SELECT DISTINCT tenant_id FROM entry_readings
         WHERE again_at IS NOT NULL AND again_at <= $1 ORDER BY tenant_id LIMIT $2"
    );
    tx.all(select.with(values![now, limit]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// Pages of a tenant that are to be read again by themselves.
pub fn due_again(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<TopicEntryId>> {
    let select = sql!(
        "SELECT topic_entry_id FROM entry_readings
         WHERE tenant_id = $1 AND again_at IS NOT NULL AND again_at <= $2 ORDER BY again_at LIMIT $3"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(|row| row.take("topic_entry_id")).collect()
}

/// Makes a page due that is to be read again by itself.
pub fn begin_again(tenant: &TenantId, topic_entry_id: &TopicEntryId, now: Timestamp) -> Query {
    sql!(
        "UPDATE entry_readings SET due_at = $3, again_at = NULL
         WHERE tenant_id = $1 AND topic_entry_id = $2 AND again_at <= $3"
    )
    .with(values![tenant, topic_entry_id, now])
}

/// Forgets a page.
pub fn remove(tenant: &TenantId, topic_entry_id: &TopicEntryId) -> Query {
    sql!("DELETE FROM entry_readings WHERE tenant_id = $1 AND topic_entry_id = $2")
        .with(values![tenant, topic_entry_id])
}
