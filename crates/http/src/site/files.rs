//! The files of a site: what its pages show, and for an hour what somebody manages.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use futures_util::TryFutureExt;
use pagesmith_model::file::{File, FileName};
use pagesmith_model::picture::{self, Variant};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, FileId, Kind, PathId, Result, TenantId, Timestamp};
use pagesmith_operations::files::addresses::{self, FileAddress};
use pagesmith_render::Notice;
use pagesmith_store::Tx;
use pagesmith_store::tables::files::{self as tables, variants};

use crate::api::files::content::{self, ContentRequest};
use crate::in_flight::KeptBytes;
use crate::path_ids::PathIds;
use crate::site::answer::ROBOTS;
use crate::site::find::{OrNotice, now};
use crate::site_cache::file_cache::{self, FileInMemory};
use crate::state::AppState;

/// What is at a lasting address never changes.
const LASTING: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// What a drawing may do that was freed of what runs: show itself, with the pictures inside of it.
const DRAWING: HeaderValue =
    HeaderValue::from_static("default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox");
/// What is behind a signature is for whoever has it.
const SIGNED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The answer below the folder of files; `None` for every other path.
pub(crate) async fn serve(
    state: &AppState,
    tenant: &Tenant,
    request: &Parts,
) -> OrNotice<Option<Response<Body>>> {
    let ctx = state.platform.context();
    let address = addresses::read_path(&ctx, &tenant.tenant_id, request.uri.path())?;
    let is_variant = matches!(address, Some(FileAddress::Variant(..) | FileAddress::Avif(..)));
    let alone = |file: Option<File>| file.map(|file| (Arc::new(file), None));
    let (found, caching) = match address {
        None => return Ok(Ok(None)),
        Some(FileAddress::Forged) => return Ok(Err(Notice::NotFound)),
        Some(FileAddress::Expired) => return Ok(Err(Notice::LinkExpired)),
        Some(FileAddress::Signed(id)) => (alone(find(state, tenant, id).await?), SIGNED),
        Some(FileAddress::SignedPreview(id)) => (alone(find_small(state, tenant, id).await?), SIGNED),
        Some(FileAddress::Variant(id, width, digest)) => {
            let looking = find_variant(state, tenant, id, width, variants::of_file);
            let looking = looking.map_ok(|found| found.filter(|(variant, _)| variant.width == width));
            let looking = looking.map_ok(|found| with_digest(found, &digest));
            (with_kept_bytes(state, tenant, request, looking).await?, LASTING)
        }
        Some(FileAddress::Avif(id, width, digest)) => {
            let looking = find_variant(state, tenant, id, width, variants::avif_of_file);
            let looking = looking.map_ok(|found| with_digest(found, &digest));
            (with_kept_bytes(state, tenant, request, looking).await?, LASTING)
        }
        Some(FileAddress::Lasting(id, digest)) => {
            let is_right = |file: &File| addresses::digest_of(file) == digest;
            let looking = find(state, tenant, id).map_ok(|found| found.filter(is_right));
            (with_kept_bytes(state, tenant, request, looking).await?, LASTING)
        }
    };
    let Some((file, bytes)) = found else { return Ok(Err(Notice::NotFound)) };
    // Of a drawing, only the variant is freed of what runs.
    let is_clean_drawing = is_variant && file.content_type == "image/svg+xml";
    let wanted = ContentRequest::of(&request.method, &request.headers);
    let mut response = match content::open(state, &tenant.tenant_id, (&file, bytes), &wanted).await {
        Ok(content) => content.into_response(),
        Err(error) => no_such_range(&error)?.ok_or(error)?,
    };
    let headers = response.headers_mut();
    if is_clean_drawing {
        headers.insert(header::CONTENT_SECURITY_POLICY, DRAWING);
        headers.remove(header::CONTENT_DISPOSITION);
    }
    if caching == SIGNED {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    headers.insert(header::CACHE_CONTROL, caching);
    PathIds::found(&[(FileId::PARAMETER, file.file_id.as_str())]).note_on(&mut response);
    Ok(Ok(Some(response)))
}

/// The file at a lasting address, with its bytes if they are kept in memory. It is looked for only if what is kept is not fresh.
async fn with_kept_bytes(
    state: &AppState,
    tenant: &Tenant,
    request: &Parts,
    looking: impl Future<Output = Result<Option<File>>>,
) -> Result<Option<(Arc<File>, Option<Bytes>)>> {
    let key = (tenant.tenant_id.clone(), Box::from(request.uri.path()));
    let (now, share) = (now(state), || state.answers.share(Some(&tenant.tenant_id)));
    if let Some(kept) = state.shown_files.fresh(&key, now) {
        return Ok(Some((kept.file, Some(kept.bytes.hold(share)?))));
    }
    let file = looking.await?.map(Arc::new);
    let kept = state.shown_files.validate(&key, file.as_ref(), now).map(|kept| kept.bytes);
    let Some(file) = file else { return Ok(None) };
    let wants_all = request.method == Method::GET
        && ![header::RANGE, header::IF_NONE_MATCH].iter().any(|name| request.headers.contains_key(name));
    if kept.is_some() || !wants_all {
        return Ok(Some((file, kept.map(|kept| kept.hold(share)).transpose()?)));
    }
    let (of, content) = (&tenant.tenant_id, &file.content_id);
    let bytes = state.files.read_whole(of, content, file.size, file_cache::LARGEST).await?;
    let Some(bytes) = bytes else { return Ok(Some((file, None))) };
    let bytes = KeptBytes::from(Bytes::from(bytes));
    let value = FileInMemory { file: Arc::clone(&file), bytes: bytes.clone() };
    state.shown_files.insert(key, Arc::clone(&file), now, value);
    Ok(Some((file, Some(bytes.hold(share)?))))
}

async fn find(state: &AppState, tenant: &Tenant, id: FileId) -> Result<Option<File>> {
    let of = tenant.tenant_id.clone();
    let store = state.store.for_tenant(&tenant.tenant_id);
    store.point_read(move |tx| tables::find(tx, &of, &id)).await
}

/// Finds a variant of a file by a width, with the file's name.
type FindVariant = fn(&mut Tx<'_>, &TenantId, &FileId, u32) -> Result<Option<(String, Variant)>>;

/// The variant of a file that is found for a width, and the same as a file.
async fn find_variant(
    state: &AppState,
    tenant: &Tenant,
    id: FileId,
    width: u32,
    find: FindVariant,
) -> Result<Option<(Variant, File)>> {
    let of = tenant.tenant_id.clone();
    let store = state.store.for_tenant(&tenant.tenant_id);
    let asked = id.clone();
    let found = store.point_read(move |tx| find(tx, &of, &asked, width)).await?;
    Ok(found.map(|found| as_file(id, found)))
}

/// A variant of the file of this name, and the same as a file.
fn as_file(id: FileId, (name, variant): (String, Variant)) -> (Variant, File) {
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let ending = match variant.media_type.as_str() {
        picture::AVIF => "avif",
        "image/jpeg" => "jpg",
        "image/svg+xml" => "svg",
        _ => "webp",
    };
    let file = File {
        file_id: id,
        content_id: variant.content_id.clone(),
        name: FileName::of(&format!("{stem}.{ending}")),
        content_type: variant.media_type.clone(),
        size: variant.size,
        sha256: variant.sha256,
        created_at: Timestamp::from_micros(0),
    };
    (variant, file)
}

/// What was found, if its address is known to who asks.
fn with_digest(found: Option<(Variant, File)>, digest: &str) -> Option<File> {
    let found = found.filter(|(variant, _)| addresses::digest_of_variant(variant) == digest);
    found.map(|(_, file)| file)
}

/// A small form of a file: its narrowest variant, else the file itself.
async fn find_small(state: &AppState, tenant: &Tenant, id: FileId) -> Result<Option<File>> {
    match find_variant(state, tenant, id.clone(), 0, variants::of_file).await? {
        Some((_, small)) => Ok(Some(small)),
        None => find(state, tenant, id).await,
    }
}

/// The answer where a range has no byte of the file; `None` for every other error.
fn no_such_range(error: &Error) -> Result<Option<Response<Body>>> {
    let Kind::OutOfRange(length) = error.kind() else { return Ok(None) };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
    let length = HeaderValue::try_from(format!("bytes */{length}")).map_err(Error::internal)?;
    response.headers_mut().insert(header::CONTENT_RANGE, length);
    Ok(Some(response))
}
