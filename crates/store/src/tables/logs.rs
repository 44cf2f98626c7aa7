//! `person_logs` and `account_logs`: what happened to persons and accounts, deleted entries included.
//!
//! The tables differ in their names and their ids. [`LogTable`] holds the texts that differ, side by side in `owners`;
//! the statements here are made of them.

pub mod accounts;
mod owners;
pub mod persons;
pub mod tallies;

use pagesmith_model::log::{Entry, Log, LogOwner, NewEntry};
use pagesmith_model::{Result, TenantId, Timestamp};

pub use self::owners::LogTable;
use self::tallies::Total;
use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of an entry that both tables have; they follow [`LogTable::IDS`].
const ENTRY: Sql =
    sql!("l.source, l.type, l.payload, l.idempotency_key, l.created_at, l.updated_at, l.deleted_at");

/// The entry in a row with all its columns.
pub fn log<O: LogTable>(row: &Row) -> Result<Log<O>> {
    Ok(Log {
        owner_id: row.take("owner_id")?,
        log_id: row.take("log_id")?,
        entry: Entry {
            source: row.take("source")?,
            kind: row.take("type")?,
            payload: row.take("payload")?,
            idempotency_key: row.take("idempotency_key")?,
            created_at: row.take("created_at")?,
            updated_at: row.take("updated_at")?,
            deleted_at: row.take("deleted_at")?,
        },
    })
}

/// An entry to be written.
#[derive(Debug)]
pub struct Writing<'a, O: LogOwner> {
    /// Its id.
    pub log_id: &'a O::LogId,
    /// What was sent.
    pub entry: NewEntry<'a>,
    /// The digest of what was sent, if it has an idempotency key.
    pub digest: Option<&'a [u8; 32]>,
    /// When.
    pub now: Timestamp,
}

/// An entry that was written with an idempotency key, and the digest of what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentLog<O: LogOwner> {
    /// The entry.
    pub log: Log<O>,
    /// The digest.
    pub digest: Option<Vec<u8>>,
}

/// The entry of an idempotency key, whoever owns it; its row is read by [`sent`].
pub fn by_key<O: LogTable>(tenant: &TenantId, key: &str) -> Query {
    O::IDS.with(values![]).and(ENTRY, values![]).and(O::OF_KEY, values![tenant, key])
}

/// The entry in a row of [`by_key`].
pub fn sent<O: LogTable>(row: &Row) -> Result<SentLog<O>> {
    Ok(SentLog { digest: row.take("request_digest")?, log: log(row)? })
}

/// All entries of an owner.
fn of_owner<O: LogTable>(tenant: &TenantId, owner_id: &O) -> Query {
    O::IDS.with(values![]).and(ENTRY, values![]).and(O::OF_OWNER, values![tenant, owner_id.value()])
}

/// The entry, deleted or not.
pub fn find<O: LogTable>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    owner_id: &O,
    log_id: &O::LogId,
) -> Result<Option<Log<O>>> {
    let select = of_owner(tenant, owner_id).and(O::THIS, values![O::log_value(log_id)]);
    tx.maybe(select)?.as_ref().map(log).transpose()
}

/// The newest entries of a query for entries `l`, after a position.
fn newest_first<O: LogTable>(
    mut select: Query,
    include_deleted: bool,
    after: Option<&O::LogId>,
    extent: Extent,
) -> Query {
    if !include_deleted {
        select = select.and(sql!("AND l.deleted_at IS NULL"), values![]);
    }
    if let Some(after) = after {
        select = select.and(O::BEFORE, values![O::log_value(after)]);
    }
    select.and(O::NEWEST_FIRST, values![extent.rows()]).within(extent.bytes)
}

/// An owner's entries, newest first, after a position; their rows are read by [`log`].
pub fn page<O: LogTable>(
    tenant: &TenantId,
    owner_id: &O,
    include_deleted: bool,
    after: Option<&O::LogId>,
    extent: Extent,
) -> Query {
    newest_first::<O>(of_owner(tenant, owner_id), include_deleted, after, extent)
}

/// An owner's entries, newest first, after a position; and how many there are in all.
pub fn list<O: LogTable>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    owner_id: &O,
    include_deleted: bool,
    after: Option<&O::LogId>,
    extent: Extent,
) -> Result<(ListPart<Log<O>>, Total)> {
    let select = page(tenant, owner_id, include_deleted, after, extent);
    let mut answers = tx.batch(vec![select, tallies::count(tenant, &owner_id.tallied())])?;
    let total = tallies::total(&answers.pop().unwrap_or_default(), include_deleted)?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, log)?, total))
}

/// The newest entries of an owner that are not deleted.
pub fn newest<O: LogTable>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    owner_id: &O,
    extent: Extent,
) -> Result<Vec<Log<O>>> {
    let rows = tx.all(page(tenant, owner_id, false, None, extent))?;
    Ok(ListPart::read(&rows, extent, log)?.items)
}

/// Replaces what can change of an entry: its payload and whether it is deleted.
pub fn update<O: LogTable>(tenant: &TenantId, log: &Log<O>) -> Query {
    let entry = &log.entry;
    O::UPDATE.with(values![
        tenant,
        log.owner_id.value(),
        O::log_value(&log.log_id),
        &entry.payload,
        entry.updated_at,
        entry.deleted_at
    ])
}
