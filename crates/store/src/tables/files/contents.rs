//! `file_contents`: the bytes that files of a tenant share, by their digests; how many files use each, and since when none does.

use std::collections::BTreeSet;

use pagesmith_model::{FileContentId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::{listed, whole};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// Bytes that are kept once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Names them in the storage of files.
    pub content_id: FileContentId,
    /// How many bytes.
    pub size: u64,
    /// How many files use them.
    pub file_count: u64,
}

fn content(row: &Row) -> Result<Content> {
    Ok(Content {
        content_id: row.take("file_content_id")?,
        size: row.take("size")?,
        file_count: row.take("file_count")?,
    })
}

/// Adds bytes that one file uses.
pub fn insert(tenant: &TenantId, id: &FileContentId, size: u64, sha256: &[u8; 32]) -> Query {
    sql!(
        "INSERT INTO file_contents (tenant_id, file_content_id, sha256, size, file_count, unused_since)
         VALUES ($1, $2, $3, $4, 1, NULL)"
    )
    .with(values![tenant, id, sha256.to_vec(), whole(size)])
}

/// The bytes with this digest.
pub fn of_digest(tx: &mut Tx<'_>, tenant: &TenantId, sha256: &[u8; 32]) -> Result<Option<Content>> {
    let select = sql!(
        "SELECT file_content_id, size, file_count FROM file_contents WHERE tenant_id = $1 AND sha256 = $2"
    );
    tx.maybe(select.with(values![tenant, sha256.to_vec()]))?.as_ref().map(content).transpose()
}

/// The bytes of this id.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &FileContentId) -> Result<Option<Content>> {
    let select = sql!(
        "SELECT file_content_id, size, file_count FROM file_contents
         WHERE tenant_id = $1 AND file_content_id = $2"
    );
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(content).transpose()
}

/// Counts the files that use the bytes; `unused_since` is there while none does.
pub fn count_files(
    tenant: &TenantId,
    id: &FileContentId,
    file_count: u64,
    unused_since: Option<Timestamp>,
) -> Query {
    sql!(
        "UPDATE file_contents SET file_count = $3, unused_since = $4
         WHERE tenant_id = $1 AND file_content_id = $2"
    )
    .with(values![tenant, id, whole(file_count), unused_since])
}

/// Some of the bytes that no file has used since an instant.
pub fn unused(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    before: Timestamp,
    most: i64,
) -> Result<Vec<FileContentId>> {
    let select = sql!(
        "SELECT file_content_id FROM file_contents
         WHERE tenant_id = $1 AND unused_since IS NOT NULL AND unused_since <= $2
         ORDER BY file_content_id LIMIT $3"
    );
    tx.all(select.with(values![tenant, before, most]))?.iter().map(|row| row.get("file_content_id")).collect()
}

/// Those of some ids that name bytes.
pub fn known(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    ids: &BTreeSet<FileContentId>,
) -> Result<BTreeSet<FileContentId>> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let select =
        sql!("SELECT file_content_id FROM file_contents WHERE tenant_id = $1 AND file_content_id IN (");
    let select = listed(select.with(values![tenant]), ids.iter().map(Value::from)).and(sql!(")"), vec![]);
    tx.all(select)?.iter().map(|row| row.get("file_content_id")).collect()
}

/// Forgets bytes.
pub fn remove(tenant: &TenantId, id: &FileContentId) -> Query {
    sql!("DELETE FROM file_contents WHERE tenant_id = $1 AND file_content_id = $2").with(values![tenant, id])
}
