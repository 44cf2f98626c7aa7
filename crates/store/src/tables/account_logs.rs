//! `account_logs`: what happened to accounts, entry by entry, deleted entries included.

use pagesmith_model::log::{AccountLog, NewAccountLog};
use pagesmith_model::{AccountId, AccountLogId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::log_tallies::{self, Owner};
use crate::tables::person_logs::entry;
use crate::tx::Tx;
use crate::{sql, values};

/// The entry in a row.
pub fn log(row: &Row) -> Result<AccountLog> {
    Ok(AccountLog {
        account_id: row.take("account_id")?,
        account_log_id: row.take("account_log_id")?,
        entry: entry(row)?,
    })
}

/// Adds an entry, unless there is one of its idempotency key; then false.
pub fn insert(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    log: (&AccountId, &AccountLogId),
    new: &NewAccountLog,
    digest: Option<&[u8; 32]>,
    now: Timestamp,
) -> Result<bool> {
    let insert = sql!(
        "INSERT INTO account_logs
            (tenant_id, account_id, account_log_id, source, type, payload, idempotency_key, request_digest,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING"
    );
    let inserted = tx.run(insert.with(values![
        tenant,
        log.0,
        log.1,
        new.source.as_str(),
        new.kind.as_str(),
        &new.payload,
        &new.idempotency_key,
        digest.map(<[u8; 32]>::as_slice),
        now
    ]))?;
    Ok(inserted > 0)
}

/// The entry of an idempotency key, whosever it is, and the digest of what was sent.
pub fn by_key(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    key: &str,
) -> Result<Option<(AccountLog, Option<Vec<u8>>)>> {
    let select = sql!(
        "SELECT account_id, account_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at, request_digest
         FROM account_logs WHERE tenant_id = $1 AND idempotency_key = $2"
    );
    let Some(row) = tx.maybe(select.with(values![tenant, key]))? else { return Ok(None) };
    let digest = row.take("request_digest")?;
    Ok(Some((log(&row)?, digest)))
}

/// The entry, deleted or not.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    account_id: &AccountId,
    account_log_id: &AccountLogId,
) -> Result<Option<AccountLog>> {
    let select = sql!(
        "SELECT account_id, account_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at
         FROM account_logs WHERE tenant_id = $1 AND account_id = $2 AND account_log_id = $3"
    );
    tx.maybe(select.with(values![tenant, account_id, account_log_id]))?.as_ref().map(log).transpose()
}

/// An account's entries, newest first, after a position; a query, to travel with others, whose rows are read by [`log`].
pub fn page(
    tenant: &TenantId,
    account_id: &AccountId,
    include_deleted: bool,
    after: Option<&str>,
    extent: Extent,
) -> Query {
    let mut select = sql!(
        "SELECT account_id, account_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at
         FROM account_logs WHERE tenant_id = $1 AND account_id = $2"
    )
    .with(values![tenant, account_id]);
    if !include_deleted {
        // across tenants: the statement that this continues names the tenant
        select = select.and(sql!("AND deleted_at IS NULL"), values![]);
    }
    if let Some(after) = after {
        select = select.and(sql!("AND account_log_id < $1"), values![after]);
    }
    select.and(sql!("ORDER BY account_log_id DESC LIMIT $1"), values![extent.rows()]).within(extent.bytes)
}

/// An account's entries, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    account_id: &AccountId,
    include_deleted: bool,
    after: Option<&str>,
    extent: Extent,
) -> Result<(ListPart<AccountLog>, log_tallies::Total)> {
    let select = page(tenant, account_id, include_deleted, after, extent);
    let mut answers = tx.batch(vec![select, log_tallies::count(tenant, &Owner::Account(account_id))])?;
    let total = log_tallies::total(&answers.pop().unwrap_or_default(), include_deleted)?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, log)?, total))
}

/// Replaces what can change of an entry: its payload and whether it is deleted.
pub fn update(tx: &mut Tx<'_>, tenant: &TenantId, log: &AccountLog) -> Result<()> {
    let update = sql!(
        "UPDATE account_logs SET payload = $4, updated_at = $5, deleted_at = $6
         WHERE tenant_id = $1 AND account_id = $2 AND account_log_id = $3"
    );
    let entry = &log.entry;
    tx.run(update.with(values![
        tenant,
        &log.account_id,
        &log.account_log_id,
        &entry.payload,
        entry.updated_at,
        entry.deleted_at
    ]))?;
    Ok(())
}
