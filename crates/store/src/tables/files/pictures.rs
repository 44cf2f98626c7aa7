//! `pictures`: the contents of files that are pictures, what is known of each, and which ones wait for their variants.
//!
//! A worker's lease is an id in the row; without it nothing that the worker reports counts.

use pagesmith_model::picture::{self, Picture};
use pagesmith_model::{Error, FileContentId, LeaseId, RequestId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::leases::Leases;
use crate::tables::listed;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// A picture that waits for its variants, or whose variants are being made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The tenant.
    pub tenant: TenantId,
    /// Its bytes.
    pub content_id: FileContentId,
    /// Their media type.
    pub media_type: String,
    /// How many there are.
    pub size: u64,
    /// How often it was tried.
    pub tries: i64,
    /// The request that caused it.
    pub request_id: Option<RequestId>,
}

/// Adds a picture that waits for its variants, unless it is known.
pub fn queue(
    tenant: &TenantId,
    id: &FileContentId,
    media_type: &str,
    due_at: Timestamp,
    request_id: Option<&RequestId>,
) -> Query {
    sql!(
        "INSERT INTO pictures (tenant_id, file_content_id, media_type, due_at, tries, request_id)
         VALUES ($1, $2, $3, $4, 0, $5)
         ON CONFLICT (tenant_id, file_content_id) DO NOTHING"
    )
    .with(values![tenant, id, media_type, due_at, request_id])
}

/// Contents of a tenant's files of these media types that nobody has queued, with the type.
pub fn unqueued(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    media_types: &[&str],
    limit: i64,
) -> Result<Vec<(FileContentId, String)>> {
    let select = sql!(
        "SELECT f.file_content_id, MIN(f.content_type) AS content_type FROM files f
         WHERE f.tenant_id = $1
           AND NOT EXISTS (SELECT p.file_content_id FROM pictures p
                           WHERE p.tenant_id = $1 AND p.file_content_id = f.file_content_id)
           AND f.content_type IN ("
    );
    let select =
        listed(select.with(values![tenant]), media_types.iter().map(|media_type| Value::from(*media_type)));
    let select = select.and(sql!(") GROUP BY f.file_content_id LIMIT $1"), values![limit]);
    let read = |row: &Row| Ok((row.take("file_content_id")?, row.take("content_type")?));
    tx.all(select)?.iter().map(read).collect()
}

/// Since when a tenant's first picture waits that nobody works on; nothing if none does, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM pictures
         WHERE tenant_id = $1 AND due_at IS NOT NULL AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM pictures
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE pictures SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// The pictures of a tenant that have been due longest, unless the tenant is suspended; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Waiting>> {
    let select = sql!(
        "SELECT p.tenant_id, p.file_content_id, p.media_type, p.tries, p.request_id, c.size
         FROM pictures p JOIN file_contents c ON c.tenant_id = $1 AND c.file_content_id = p.file_content_id
         WHERE p.tenant_id = $1 AND p.due_at IS NOT NULL AND p.lease_id IS NULL AND p.due_at <= $2
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)
         ORDER BY p.due_at, p.file_content_id LIMIT $3 {skip_locked}"
    );
    let read = |row: &Row| {
        Ok(Waiting {
            tenant: row.take("tenant_id")?,
            content_id: row.take("file_content_id")?,
            media_type: row.take("media_type")?,
            tries: row.get("tries")?,
            size: row.get("size")?,
            request_id: row.take("request_id")?,
        })
    };
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(read).collect()
}

/// Leases a picture to a worker.
pub fn lease(tenant: &TenantId, id: &FileContentId, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE pictures SET lease_id = $3, leased_until = $4, tries = tries + 1
         WHERE tenant_id = $1 AND file_content_id = $2"
    )
    .with(values![tenant, id, lease, until])
}

/// Whether the lease is still valid.
pub fn is_held(tx: &mut Tx<'_>, tenant: &TenantId, id: &FileContentId, lease: &LeaseId) -> Result<bool> {
    let select = sql!(
        "SELECT file_content_id FROM pictures WHERE tenant_id = $1 AND file_content_id = $2 AND lease_id = $3"
    );
    Ok(tx.maybe(select.with(values![tenant, id, lease]))?.is_some())
}

/// Gives a lease up; the try does not count.
pub fn hand_back(tenant: &TenantId, id: &FileContentId, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE pictures SET lease_id = NULL, leased_until = NULL, tries = tries - 1
         WHERE tenant_id = $1 AND file_content_id = $2 AND lease_id = $3"
    )
    .with(values![tenant, id, lease])
}

/// Ends a lease without variants: with the reason, and when it is tried once more, if it is.
pub fn fail(tenant: &TenantId, id: &FileContentId, problem: &str, due_at: Option<Timestamp>) -> Query {
    sql!(
        "UPDATE pictures SET lease_id = NULL, leased_until = NULL, due_at = $3, problem = $4
         WHERE tenant_id = $1 AND file_content_id = $2"
    )
    .with(values![tenant, id, due_at.map(Timestamp::as_micros), problem])
}

/// Ends a lease with what is known now.
pub fn finish(tenant: &TenantId, id: &FileContentId, known: &Picture) -> Query {
    sql!(
        "UPDATE pictures SET lease_id = NULL, leased_until = NULL, due_at = NULL, problem = NULL, width = $3,
            height = $4, is_animated = $5, colour = $6, placeholder = $7
         WHERE tenant_id = $1 AND file_content_id = $2"
    )
    .with(values![
        tenant,
        id,
        i64::from(known.width),
        i64::from(known.height),
        known.is_animated,
        known.colour.map(picture::number_of),
        known.placeholder.clone(),
    ])
}

/// What is known of those of these contents whose variants are made, without the variants.
pub fn known(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    ids: &[FileContentId],
) -> Result<Vec<(FileContentId, Picture)>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT file_content_id, width, height, is_animated, colour, placeholder FROM pictures
         WHERE tenant_id = $1 AND width IS NOT NULL AND file_content_id IN ("
    );
    let select = listed(select.with(values![tenant]), ids.iter().map(Value::from)).and(sql!(")"), vec![]);
    let read = |row: &Row| {
        let colour: Option<i64> = row.get("colour")?;
        Ok((
            row.take("file_content_id")?,
            Picture {
                width: pixels(row, "width")?,
                height: pixels(row, "height")?,
                is_animated: row.get("is_animated")?,
                colour: colour.map(picture::colour_of),
                placeholder: row.take("placeholder")?,
                variants: vec![],
                avifs: vec![],
            },
        ))
    };
    tx.all(select)?.iter().map(read).collect()
}

/// A length in pixels.
pub(super) fn pixels(row: &Row, name: &str) -> Result<u32> {
    u32::try_from(row.get::<i64>(name)?).map_err(Error::internal)
}

/// Why a picture has no variants, if they were tried in vain.
pub fn problem(tx: &mut Tx<'_>, tenant: &TenantId, id: &FileContentId) -> Result<Option<String>> {
    let select = sql!("SELECT problem FROM pictures WHERE tenant_id = $1 AND file_content_id = $2");
    tx.maybe(select.with(values![tenant, id]))?.map_or(Ok(None), |row| row.take("problem"))
}

/// Some pictures whose content no file has any more.
pub fn without_file(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<FileContentId>> {
    let select = sql!(
        "SELECT p.file_content_id FROM pictures p
         WHERE p.tenant_id = $1
           AND NOT EXISTS (SELECT f.file_id FROM files f
                           WHERE f.tenant_id = $1 AND f.file_content_id = p.file_content_id)
         ORDER BY p.file_content_id LIMIT $2"
    );
    tx.all(select.with(values![tenant, limit]))?.iter().map(|row| row.get("file_content_id")).collect()
}

/// Forgets a picture.
pub fn remove(tenant: &TenantId, id: &FileContentId) -> Query {
    sql!("DELETE FROM pictures WHERE tenant_id = $1 AND file_content_id = $2").with(values![tenant, id])
}
