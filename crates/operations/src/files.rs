//! Files: rows in the database whose bytes are in the storage of files.
//!
//! The bytes are durable before there is a row that names them, and removed after the last one is gone. Each upload stores its bytes
//! under an id of their own. If the tenant has the same bytes already, the file takes those, and the new ones are
//! surplus. So bytes that are removed are never those of an upload that runs at the same time: either its transaction finds them
//! in use, or it brings its own.

pub mod addresses;
pub(crate) mod logos;
pub(crate) mod of_submissions;
pub mod pictures;
pub mod shown;
pub mod sweep;
mod uses;
pub mod variants;

use pagesmith_model::file::{File, FileName, MOST_FILES};
use pagesmith_model::{Error, FileContentId, FileId, Kind, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::counters;
use pagesmith_store::tables::files as table;
use pagesmith_store::tables::files::contents;
use pagesmith_store::tables::site;
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;

/// Bytes that are stored and durable, and what they are.
#[derive(Debug, Clone)]
pub struct StoredBytes {
    /// Names them.
    pub content_id: FileContentId,
    /// What the client calls them.
    pub name: FileName,
    /// Their media type.
    pub content_type: String,
    /// How many there are.
    pub size: u64,
    /// Their SHA-256.
    pub sha256: [u8; 32],
}

/// Makes a file of stored bytes, of which a tenant may have `quota` in all.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, stored: &StoredBytes, quota: u64) -> Result<File> {
    let (files, bytes) = table::usage(tx, &ctx.tenant)?;
    let known = contents::of_digest(tx, &ctx.tenant, &stored.sha256)?;
    // Bytes that a file has already cost nothing.
    let added = if known.as_ref().is_some_and(|content| content.file_count > 0) { 0 } else { stored.size };
    check_room(files, bytes, added, quota)?;
    let content_id = known.as_ref().map_or(&stored.content_id, |content| &content.content_id).clone();
    let file = File {
        file_id: FileId::mint(ctx.uuid()?),
        content_id: content_id.clone(),
        name: stored.name.clone(),
        content_type: stored.content_type.clone(),
        size: stored.size,
        sha256: stored.sha256,
        created_at: ctx.now,
    };
    let (shard, variants) = (tx.shard(), variants::queue(tx, ctx, &file));
    let mut changes = vec![
        match known {
            Some(content) => contents::count_files(&ctx.tenant, &content_id, content.file_count + 1, None),
            None => contents::insert(&ctx.tenant, &content_id, stored.size, &stored.sha256),
        },
        table::insert(&ctx.tenant, &file),
        counters::add(&ctx.tenant, counters::FILES, shard, 1),
        counters::add(&ctx.tenant, counters::FILE_BYTES, shard, signed(added)),
    ];
    changes.extend(variants);
    tx.change(changes)?;
    Ok(file)
}

/// Refuses an upload that would be refused whatever its bytes are, before any of them is read.
pub fn check_usage(tx: &mut Tx<'_>, ctx: &TenantContext, quota: u64) -> Result<()> {
    let (files, bytes) = table::usage(tx, &ctx.tenant)?;
    if bytes >= quota { check_room(files, bytes, 1, quota) } else { check_room(files, bytes, 0, quota) }
}

fn check_room(files: u64, bytes: u64, added: u64, quota: u64) -> Result<()> {
    if files >= MOST_FILES {
        let details = json!({ "reason": "file_count", "limit": MOST_FILES });
        let detail = format!("A tenant may have at most {MOST_FILES} files. Delete some that are not used.");
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    if bytes.saturating_add(added) > quota {
        let details = json!({ "reason": "file_quota", "limit": quota, "used": bytes });
        let detail = format!(
            "The files of a tenant may take {quota} bytes, and {bytes} are used. Delete files that are not used."
        );
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    Ok(())
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// The file.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &FileId) -> Result<File> {
    table::find(tx, &ctx.tenant, id)?.ok_or_else(|| Error::not_found(FileId::NOUN))
}

/// Deletes a file that nothing uses. Bytes that no other file uses are removed later, see [`sweep`].
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &FileId,
    precondition: &Precondition<File>,
) -> Result<()> {
    let file = find(tx, ctx, id)?;
    precondition.check(&file)?;
    uses::require_none(tx, ctx, id)?;
    let content = contents::find(tx, &ctx.tenant, &file.content_id)?
        .ok_or_else(|| Error::internal("a file without a content"))?;
    let file_count = content.file_count.saturating_sub(1);
    let (unused_since, own) = if file_count == 0 { (Some(ctx.now), content.size) } else { (None, 0) };
    let (forgetting, of_variants) = if table::is_shared(tx, &ctx.tenant, &file.content_id, Some(id))? {
        (vec![], 0)
    } else {
        variants::forget(tx, &ctx.tenant, &file.content_id, ctx.now)?
    };
    let shard = tx.shard();
    let mut changes = vec![
        table::remove(&ctx.tenant, id),
        contents::count_files(&ctx.tenant, &content.content_id, file_count, unused_since),
        counters::add(&ctx.tenant, counters::FILES, shard, -1),
        // Once: a change must not touch a row twice.
        counters::add(&ctx.tenant, counters::FILE_BYTES, shard, -signed(own + of_variants)),
        // Pages may show it by their metadata, see [`pictures`].
        site::touch(&ctx.tenant, ctx.now),
    ];
    changes.extend(forgetting);
    tx.change(changes)
}

/// Whether stored bytes are those of a file; others are surplus.
pub fn is_used(tx: &mut Tx<'_>, ctx: &TenantContext, id: &FileContentId) -> Result<bool> {
    Ok(contents::find(tx, &ctx.tenant, id)?.is_some())
}
