//! `picture_variants`: the forms of pictures that pages show, by the content of the original and their width; and `avif_variants`, the same ones
//! as AVIF, where they were made.

use pagesmith_model::picture::Variant;
use pagesmith_model::{Error, FileContentId, FileId, Result, TenantId};

use super::pictures::pixels;
use crate::row::Row;
use crate::sql::Query;
use crate::tables::{listed, whole};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// The columns of a variant, which [`variant`] reads.
macro_rules! variant_columns {
    () => {
        $crate::sql::columns!("v." => width, height, variant_content_id, media_type, size, sha256)
    };
}

fn variant(row: &Row) -> Result<Variant> {
    let sha256: Vec<u8> = row.take("sha256")?;
    Ok(Variant {
        width: pixels(row, "width")?,
        height: pixels(row, "height")?,
        content_id: row.take("variant_content_id")?,
        media_type: row.take("media_type")?,
        size: row.get("size")?,
        sha256: sha256.try_into().map_err(|_| Error::internal("a variant with a broken digest"))?,
    })
}

/// Adds a variant of a content.
pub fn insert(tenant: &TenantId, of: &FileContentId, variant: &Variant) -> Query {
    let insert = match variant.is_avif() {
        true => sql!(
            "INSERT INTO avif_variants
                (tenant_id, file_content_id, width, height, variant_content_id, media_type, size, sha256)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
        false => sql!(
            "INSERT INTO picture_variants
                (tenant_id, file_content_id, width, height, variant_content_id, media_type, size, sha256)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
    };
    insert.with(values![
        tenant,
        of,
        i64::from(variant.width),
        i64::from(variant.height),
        &variant.content_id,
        &variant.media_type,
        whole(variant.size),
        variant.sha256.to_vec(),
    ])
}

/// The variants of some contents, with those as AVIF, each behind its content, from the narrowest.
pub fn of_contents(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    ids: &[FileContentId],
) -> Result<Vec<(FileContentId, Variant)>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT v.file_content_id, ",
        variant_columns!(),
        " FROM picture_variants v WHERE v.tenant_id = $1 AND v.file_content_id IN ("
    );
    let select = listed(select.with(values![tenant]), ids.iter().map(Value::from));
    let others = sql!(
        ") UNION ALL SELECT v.file_content_id, ",
        variant_columns!(),
        " FROM avif_variants v WHERE v.tenant_id = $1 AND v.file_content_id IN ("
    );
    let select = listed(select.and(others, values![tenant]), ids.iter().map(Value::from));
    let select = select.and(sql!(") ORDER BY file_content_id, width"), vec![]);
    let read = |row: &Row| Ok((row.take("file_content_id")?, variant(row)?));
    tx.all(select)?.iter().map(read).collect()
}

/// The narrowest variant of a file that is at least so wide, with the name of the file.
pub fn of_file(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    file_id: &FileId,
    width: u32,
) -> Result<Option<(String, Variant)>> {
    let select = sql!(
        "SELECT f.name, ",
        variant_columns!(),
        " FROM files f
          JOIN picture_variants v ON v.tenant_id = $1 AND v.file_content_id = f.file_content_id AND v.width >= $3
          WHERE f.tenant_id = $1 AND f.file_id = $2 ORDER BY v.width LIMIT 1"
    );
    named(tx, select.with(values![tenant, file_id, i64::from(width)]))
}

/// The variant of a file as AVIF that is so wide, with the name of the file.
pub fn avif_of_file(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    file_id: &FileId,
    width: u32,
) -> Result<Option<(String, Variant)>> {
    let select = sql!(
        "SELECT f.name, ",
        variant_columns!(),
        " FROM files f
          JOIN avif_variants v ON v.tenant_id = $1 AND v.file_content_id = f.file_content_id AND v.width = $3
          WHERE f.tenant_id = $1 AND f.file_id = $2"
    );
    named(tx, select.with(values![tenant, file_id, i64::from(width)]))
}

fn named(tx: &mut Tx<'_>, select: Query) -> Result<Option<(String, Variant)>> {
    tx.maybe(select)?.map(|row| Ok((row.take("name")?, variant(&row)?))).transpose()
}

/// Some contents that have variants as AVIF and are no file's any more.
pub fn avifs_without_file(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<FileContentId>> {
    let select = sql!(
        "SELECT DISTINCT v.file_content_id FROM avif_variants v
         WHERE v.tenant_id = $1
           AND NOT EXISTS (SELECT f.file_id FROM files f
                           WHERE f.tenant_id = $1 AND f.file_content_id = v.file_content_id)
         ORDER BY v.file_content_id LIMIT $2"
    );
    tx.all(select.with(values![tenant, limit]))?.iter().map(|row| row.get("file_content_id")).collect()
}

/// Forgets the variants of a content.
pub fn remove(tenant: &TenantId, of: &FileContentId) -> [Query; 2] {
    [
        sql!("DELETE FROM picture_variants WHERE tenant_id = $1 AND file_content_id = $2")
            .with(values![tenant, of]),
        sql!("DELETE FROM avif_variants WHERE tenant_id = $1 AND file_content_id = $2")
            .with(values![tenant, of]),
    ]
}
