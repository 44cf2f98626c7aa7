//! The operations on files.

use pagesmith_endpoint::endpoint;
use pagesmith_model::file::File;
use pagesmith_model::{FileId, Result};
use pagesmith_operations::files;
use pagesmith_store::tables;

use crate::api::files::content::{ContentRequest, FileContent};
use crate::api::files::view::FileView;
use crate::collection::Collection;
use crate::extract::{Call, IdempotencyKey, IfMatch, Paging, Path, Upload};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod content;
mod receive;
pub(crate) mod view;

/// Lists the files of the tenant, newest first.
///
/// Deleted files are not listed, and each upload is a file of its own, also one of the same bytes.
#[endpoint]
pub(crate) async fn list_files(call: Call, paging: Paging) -> Result<Reply<Collection<FileView>>> {
    let list = paging.keyset::<FileId>(&call, "files", &[])?;
    let found = list
        .read(&call, move |tx, ctx, after, extent| tables::files::list(tx, &ctx.tenant, after, extent))
        .await?;
    list.answer(&call, found, |file: &File| file.file_id.clone(), FileView::from).await
}

/// Uploads a file.
///
/// The body is the file itself, whatever its `Content-Type`, or a form (`multipart/form-data`) whose field `file` is the file. `contentType` of the
/// answer is what the bytes are, not what was declared. The name is cleaned: only the last part of a path is kept, without characters that cannot
/// be seen. The same bytes in several files of a tenant are kept once and count once.
///
/// A file that is larger than the server allows fails with 413. One for which the tenant has no room fails with 409;
/// `details.reason` is `file_quota` or `file_count`. An upload of which nothing arrives for 15 seconds ends with 400. With an
/// `Idempotency-Key`, a repeated request is the same one if name and bytes are the same.
#[endpoint]
pub(crate) async fn upload_file(
    call: Call,
    key: IdempotencyKey,
    upload: Upload,
) -> Result<Reply<FileView, 201>> {
    receive::receive(&call, key, upload).await
}

/// Returns a file.
///
/// The metadata was determined when the file was uploaded. Its bytes are at `/v0/files/{file_id}/content`.
#[endpoint]
pub(crate) async fn get_file(call: Call, Path(id): Path<FileId>) -> Result<Single<FileView>> {
    let file = call.point_read(move |tx, ctx| files::find(tx, ctx, &id)).await?;
    Ok(Single(FileView::from(file)))
}

/// Returns the bytes of a file.
///
/// Types that a browser shows without running anything, such as pictures and PDF, are sent to be shown in place; all others as a download. The `ETag` is the
/// SHA-256 of the bytes. One range of bytes is answered with 206, several with the whole file, and one behind the end with 416.
#[endpoint]
pub(crate) async fn get_file_content(
    call: Call,
    Path(id): Path<FileId>,
    request: ContentRequest,
) -> Result<FileContent> {
    let file = call.point_read(move |tx, ctx| files::find(tx, ctx, &id)).await?;
    content::open(&call.state, &call.ctx.tenant, (&file, None), &request).await
}

/// Deletes a file.
///
/// A file that something uses is not deleted: that fails with 409, and `details` lists what uses it. The bytes are removed a day later, unless another file has the same ones. A deleted file cannot be restored.
/// Metadata of pages does not count as use: it keeps the id, and the address of the picture is left out.
#[endpoint]
pub(crate) async fn delete_file(
    call: Call,
    Path(id): Path<FileId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &id, files::find, FileView::from).await?;
    call.change(move |tx, ctx| files::delete(tx, ctx, &id, &precondition).map(|()| DONE)).await
}
