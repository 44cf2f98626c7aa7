//! `idempotency_records`: the first answer to a request that may come again.

use std::borrow::Cow;

use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What makes two requests one: the same header on the same operation of the same tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey {
    /// Whose request.
    pub tenant: TenantId,
    /// The header's value.
    pub idempotency_key: String,
    /// The HTTP method.
    pub method: Cow<'static, str>,
    /// The path as it was asked for.
    pub path: String,
}

/// A kept answer.
#[derive(Debug, Clone)]
pub struct Record {
    /// SHA-256 of the request's canonical body.
    pub request_digest: [u8; 32],
    /// The answer's status.
    pub status: u16,
    /// The answer's body, sealed.
    pub body: Vec<u8>,
    /// From when on it is forgotten.
    pub expires_at: Timestamp,
}

/// The kept answer, unless it has expired.
pub fn find(tx: &mut Tx<'_>, key: &RecordKey, now: Timestamp) -> Result<Option<Record>> {
    let select = sql!(
        "SELECT request_digest, status, body, expires_at FROM idempotency_records
         WHERE tenant_id = $1 AND idempotency_key = $2 AND method = $3 AND path = $4 AND expires_at > $5"
    );
    let values = values![&key.tenant, &key.idempotency_key, key.method.as_ref(), &key.path, now];
    let Some(row) = tx.maybe(select.with(values))? else { return Ok(None) };
    let digest: Vec<u8> = row.get("request_digest")?;
    let status: i64 = row.get("status")?;
    let broken = |_| pagesmith_model::Error::internal("a broken idempotency record");
    Ok(Some(Record {
        request_digest: digest.try_into().map_err(|_| broken(()))?,
        status: u16::try_from(status).map_err(|_| broken(()))?,
        body: row.get("body")?,
        expires_at: row.get("expires_at")?,
    }))
}

/// Keeps an answer in the place of an expired one; false if another transaction has kept one meanwhile.
pub fn insert(key: &RecordKey, record: &Record, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO idempotency_records
            (tenant_id, idempotency_key, method, path, request_digest, status, body, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (tenant_id, idempotency_key, method, path) DO UPDATE SET
            request_digest = excluded.request_digest, status = excluded.status,
            body = excluded.body, expires_at = excluded.expires_at
         WHERE idempotency_records.expires_at <= $9"
    )
    .with(values![
        &key.tenant,
        &key.idempotency_key,
        key.method.as_ref(),
        &key.path,
        &record.request_digest,
        i64::from(record.status),
        record.body.as_slice(),
        record.expires_at,
        now,
    ])
}

/// Kept answers of all tenants with their sealed bodies, in the order of their keys, behind one of them.
pub fn list_sealed(
    tx: &mut Tx<'_>,
    after: Option<&RecordKey>,
    limit: i64,
) -> Result<Vec<(RecordKey, Vec<u8>)>> {
    // across tenants: the server's key seals everyone's
    let select = sql!(
        "SELECT tenant_id, idempotency_key, method, path, body FROM idempotency_records
         WHERE (tenant_id, idempotency_key, method, path) > ($1, $2, $3, $4)
         ORDER BY tenant_id, idempotency_key, method, path LIMIT $5"
    );
    let (tenant, name, method, path) = after.map_or(("", "", "", ""), |after| {
        (after.tenant.as_str(), &after.idempotency_key, after.method.as_ref(), &after.path)
    });
    let rows = tx.all(select.with(values![tenant, name, method, path, limit]))?;
    rows.iter().map(|row| Ok((record_key(row)?, row.take("body")?))).collect()
}

/// Replaces the sealed body of a kept answer.
pub fn update_body(key: &RecordKey, body: &[u8]) -> Query {
    sql!(
        "UPDATE idempotency_records SET body = $5
         WHERE tenant_id = $1 AND idempotency_key = $2 AND method = $3 AND path = $4"
    )
    .with(values![&key.tenant, &key.idempotency_key, key.method.as_ref(), &key.path, body])
}

/// Forgets a tenant's answers about persons, accounts and audiences, which may show a person.
pub fn remove_about_persons(tenant: &TenantId) -> Query {
    sql!(
        "DELETE FROM idempotency_records
         WHERE tenant_id = $1 AND ({strpos}(path, '/v0/person') = 1 OR {strpos}(path, '/v0/account') = 1
            OR {strpos}(path, '/audiences') > 0)"
    )
    .with(values![tenant])
}

/// The keys of up to `limit` expired answers, those that expired first.
pub fn expired(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<RecordKey>> {
    // across tenants: a sweep for all of them
    let select = sql!(
        "SELECT tenant_id, idempotency_key, method, path FROM idempotency_records
         WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2"
    );
    let rows = tx.all(select.with(values![now, limit]))?;
    rows.iter().map(record_key).collect()
}

/// The keys of up to `limit` expired answers of a tenant.
pub fn expired_of(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<RecordKey>> {
    let select = sql!(
        "SELECT tenant_id, idempotency_key, method, path FROM idempotency_records
         WHERE tenant_id = $1 AND expires_at <= $2 LIMIT $3"
    );
    let rows = tx.all(select.with(values![tenant, now, limit]))?;
    rows.iter().map(record_key).collect()
}

fn record_key(row: &Row) -> Result<RecordKey> {
    Ok(RecordKey {
        tenant: row.take("tenant_id")?,
        idempotency_key: row.take("idempotency_key")?,
        method: Cow::Owned(row.take("method")?),
        path: row.take("path")?,
    })
}

/// Forgets an answer if it has expired.
pub fn remove_expired(key: &RecordKey, now: Timestamp) -> Query {
    sql!(
        "DELETE FROM idempotency_records
         WHERE tenant_id = $1 AND idempotency_key = $2 AND method = $3 AND path = $4 AND expires_at <= $5"
    )
    .with(values![&key.tenant, &key.idempotency_key, key.method.as_ref(), &key.path, now])
}
