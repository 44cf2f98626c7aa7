//! `files`: what tenants have uploaded; and `file_contents`, the bytes that files share.

use pagesmith_model::file::{File, FileName};
use pagesmith_model::{Error, FileContentId, FileId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::{counters, listed, whole};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod contents;
pub mod pictures;
pub mod variants;

/// The columns of a file, which [`file`] reads.
macro_rules! file_columns {
    () => {
        "file_id, file_content_id, name, content_type, size, sha256, created_at"
    };
}

fn file(row: &Row) -> Result<File> {
    let (name, sha256): (String, Vec<u8>) = (row.take("name")?, row.take("sha256")?);
    Ok(File {
        file_id: row.take("file_id")?,
        content_id: row.take("file_content_id")?,
        name: FileName::of(&name),
        content_type: row.take("content_type")?,
        size: row.take("size")?,
        sha256: sha256.try_into().map_err(|_| Error::internal("a file with a broken digest"))?,
        created_at: row.take("created_at")?,
    })
}

/// Adds a file.
pub fn insert(tenant: &TenantId, file: &File) -> Query {
    sql!(
        "INSERT INTO files (tenant_id, file_id, file_content_id, name, content_type, size, sha256, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    .with(values![
        tenant,
        &file.file_id,
        &file.content_id,
        file.name.as_str(),
        &file.content_type,
        whole(file.size),
        file.sha256.to_vec(),
        file.created_at,
    ])
}

/// The file.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &FileId) -> Result<Option<File>> {
    let select = sql!("SELECT ", file_columns!(), " FROM files WHERE tenant_id = $1 AND file_id = $2");
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(file).transpose()
}

/// Those of these files that there are; there must be some.
pub fn find_many(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[FileId]) -> Result<Vec<File>> {
    let select = sql!("SELECT ", file_columns!(), " FROM files WHERE tenant_id = $1 AND file_id IN (");
    let select = listed(select.with(values![tenant]), ids.iter().map(Value::from));
    tx.all(select.and(sql!(")"), vec![]))?.iter().map(file).collect()
}

/// The files, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&FileId>,
    extent: Extent,
) -> Result<(ListPart<File>, u64)> {
    let mut select =
        sql!("SELECT ", file_columns!(), " FROM files WHERE tenant_id = $1").with(values![tenant]);
    if let Some(id) = after {
        select = select.and(sql!("AND file_id < $1"), values![id]);
    }
    select = select.and(sql!("ORDER BY file_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers =
        tx.batch(vec![select.within(extent.bytes), counters::count(tenant, counters::FILES)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, file)?, total))
}

/// How many files a tenant has, and how many bytes they take, those of equal files once.
pub fn usage(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<(u64, u64)> {
    let mut answers = tx.batch(vec![
        counters::count(tenant, counters::FILES),
        counters::count(tenant, counters::FILE_BYTES),
    ])?;
    let bytes = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((counters::total(&answers.pop().unwrap_or_default())?, bytes))
}

/// Whether any file but this one has these bytes.
pub fn is_shared(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    content_id: &FileContentId,
    but: Option<&FileId>,
) -> Result<bool> {
    let select = sql!(
        "SELECT file_id FROM files WHERE tenant_id = $1 AND file_content_id = $2 AND file_id <> $3 LIMIT 1"
    );
    let but = but.map_or("", FileId::as_str);
    Ok(tx.maybe(select.with(values![tenant, content_id, but]))?.is_some())
}

/// Removes a file.
pub fn remove(tenant: &TenantId, id: &FileId) -> Query {
    sql!("DELETE FROM files WHERE tenant_id = $1 AND file_id = $2").with(values![tenant, id])
}
