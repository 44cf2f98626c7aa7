//! `keys` and `key_tenants`: who may call, and for whom.

use pagesmith_model::key::Key;
use pagesmith_model::{Error, KeyId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A key with the digest of its text.
#[derive(Debug, Clone)]
pub struct StoredKey {
    /// The key; its tenants in order.
    pub key: Key,
    /// SHA-256 of its text.
    pub digest: [u8; 32],
}

/// The columns of a key, which [`stored_key`] reads.
macro_rules! key_columns {
    () => {
        "k.key_id, k.digest, k.name, k.scope, k.rate_limit, k.created_at, k.expires_at, k.last_used_at, k.revoked_at, t.tenant_id"
    };
}

/// Adds a key and what it is bound to.
pub fn insert(tx: &mut Tx<'_>, key: &Key, digest: &[u8; 32]) -> Result<()> {
    let insert = sql!(
        "INSERT INTO keys
            (key_id, digest, name, scope, rate_limit, created_at, expires_at, last_used_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    );
    tx.run(insert.with(values![
        &key.key_id,
        digest,
        &key.name,
        key.scope.as_str(),
        key.rate_limit.map(i64::from),
        key.created_at,
        key.expires_at,
        key.last_used_at,
        key.revoked_at,
    ]))?;
    for tenant in &key.tenants {
        let bind = sql!("INSERT INTO key_tenants (key_id, tenant_id) VALUES ($1, $2)");
        tx.run(bind.with(values![&key.key_id, tenant]))?;
    }
    Ok(())
}

/// All keys, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<StoredKey>> {
    // across tenants: servers keep all keys in memory, operators list them
    let select = sql!(
        "SELECT ",
        key_columns!(),
        " FROM keys k JOIN key_tenants t ON t.key_id = k.key_id
         ORDER BY k.key_id, t.tenant_id"
    );
    let mut keys: Vec<StoredKey> = Vec::new();
    for row in tx.all(select.with(vec![]))? {
        let stored = stored_key(&row)?;
        match keys.last_mut() {
            Some(last) if last.key.key_id == stored.key.key_id => last.key.tenants.extend(stored.key.tenants),
            _ => keys.push(stored),
        }
    }
    Ok(keys)
}

/// The keys that are bound to this tenant alone, newest first, behind one of them; and how many there are in all.
pub fn of_tenant(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&KeyId>,
    extent: Extent,
) -> Result<(ListPart<Key>, u64)> {
    // across tenants: a key that others have as well is an operator's
    let select = sql!(
        "SELECT ",
        key_columns!(),
        " FROM key_tenants t JOIN keys k ON k.key_id = t.key_id
         WHERE t.tenant_id = $1
           AND t.key_id NOT IN (SELECT o.key_id FROM key_tenants o WHERE o.tenant_id <> $1)"
    );
    let mut select = select.with(values![tenant]);
    if let Some(after) = after {
        select = select.and(sql!("AND t.key_id < $1"), values![after]);
    }
    select = select.and(sql!("ORDER BY t.key_id DESC LIMIT $1"), values![extent.rows()]);
    // across tenants: a key that others have as well is an operator's
    let count = sql!(
        "SELECT COUNT(*) AS total FROM key_tenants t
         WHERE t.tenant_id = $1
           AND t.key_id NOT IN (SELECT o.key_id FROM key_tenants o WHERE o.tenant_id <> $1)"
    );
    let mut answers = tx.batch(vec![select.within(extent.bytes), count.with(values![tenant])])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    let key = |row: &Row| stored_key(row).map(|stored| stored.key);
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, key)?, total))
}

/// The key of this id, if it is bound to this tenant alone.
pub fn find_of_tenant(tx: &mut Tx<'_>, tenant: &TenantId, key_id: &KeyId) -> Result<Option<Key>> {
    // across tenants: a key that others have as well is an operator's
    let select = sql!(
        "SELECT ",
        key_columns!(),
        " FROM key_tenants t JOIN keys k ON k.key_id = t.key_id
         WHERE t.tenant_id = $1 AND t.key_id = $2
           AND NOT EXISTS (SELECT o.key_id FROM key_tenants o WHERE o.key_id = $2 AND o.tenant_id <> $1)"
    );
    let found = tx.maybe(select.with(values![tenant, key_id]))?;
    found.map(|row| stored_key(&row).map(|stored| stored.key)).transpose()
}

/// How many keys of this tenant still open something, those that other tenants have as well among them.
pub fn count_live(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<i64> {
    let select = sql!(
        "SELECT COUNT(*) AS live FROM key_tenants t JOIN keys k ON k.key_id = t.key_id
         WHERE t.tenant_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)"
    );
    tx.one(select.with(values![tenant, now]))?.get("live")
}

/// The key of a row of [`list`], with the one tenant that the row names.
fn stored_key(row: &Row) -> Result<StoredKey> {
    let defect = |what: &str| Error::internal(format!("a key with a broken {what}"));
    let digest: Vec<u8> = row.get("digest")?;
    let scope: String = row.get("scope")?;
    let rate_limit: Option<i64> = row.get("rate_limit")?;
    let tenant: TenantId = row.get("tenant_id")?;
    Ok(StoredKey {
        key: Key {
            key_id: row.get("key_id")?,
            name: row.get("name")?,
            scope: scope.parse().map_err(|_| defect("scope"))?,
            tenants: vec![tenant],
            rate_limit: rate_limit.map(u32::try_from).transpose().map_err(|_| defect("rate limit"))?,
            created_at: row.get("created_at")?,
            expires_at: row.get("expires_at")?,
            last_used_at: row.get("last_used_at")?,
            revoked_at: row.get("revoked_at")?,
        },
        digest: digest.try_into().map_err(|_| defect("digest"))?,
    })
}

/// Ends a key at an instant.
pub fn set_expiry(key: &KeyId, at: Timestamp) -> Query {
    sql!("UPDATE keys SET expires_at = $2 WHERE key_id = $1").with(values![key, at])
}

/// Revokes a key.
pub fn set_revoked(key: &KeyId, at: Timestamp) -> Query {
    sql!("UPDATE keys SET revoked_at = $2 WHERE key_id = $1").with(values![key, at])
}

/// Notes when a key was last seen; never goes back.
pub fn set_last_used(key: &KeyId, at: Timestamp) -> Query {
    sql!(
        "UPDATE keys SET last_used_at = $2
         WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at < $2)"
    )
    .with(values![key, at])
}
