//! The files of a site: what its pages show, and for an hour what somebody manages.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_model::file::File;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, FileId, Kind, Result};
use pagesmith_operations::files::addresses::{self, FileAddress};
use pagesmith_render::Notice;
use pagesmith_store::tables;

use crate::api::files::content::{self, ContentRequest};
use crate::site::answer::ROBOTS;
use crate::site::find::OrNotice;
use crate::state::AppState;

/// What is at a lasting address never changes.
const LASTING: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// What is behind a signature is for whoever has it.
const SIGNED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The answer below the folder of files; `None` for every other path.
pub(crate) async fn serve(
    state: &AppState,
    tenant: &Tenant,
    request: &Parts,
) -> OrNotice<Option<Response<Body>>> {
    let ctx = state.platform.context();
    let (file, caching) = match addresses::read_path(&ctx, &tenant.tenant_id, request.uri.path())? {
        None => return Ok(Ok(None)),
        Some(FileAddress::Forged) => return Ok(Err(Notice::NotFound)),
        Some(FileAddress::Expired) => return Ok(Err(Notice::LinkExpired)),
        Some(FileAddress::Signed(id)) => (find(state, tenant, id).await?, SIGNED),
        Some(FileAddress::Lasting(id, digest)) => {
            let found = find(state, tenant, id).await?;
            (found.filter(|file| addresses::digest_of(file) == digest), LASTING)
        }
    };
    let Some(file) = file else { return Ok(Err(Notice::NotFound)) };
    let wanted = ContentRequest::of(&request.method, &request.headers);
    let mut response = match content::open(state, &tenant.tenant_id, file, &wanted).await {
        Ok(content) => content.into_response(),
        Err(error) => no_such_range(&error)?.ok_or(error)?,
    };
    let headers = response.headers_mut();
    if caching == SIGNED {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    headers.insert(header::CACHE_CONTROL, caching);
    Ok(Ok(Some(response)))
}

async fn find(state: &AppState, tenant: &Tenant, id: FileId) -> Result<Option<File>> {
    let of = tenant.tenant_id.clone();
    let store = state.store.for_tenant(&tenant.tenant_id);
    store.point_read(move |tx| tables::files::find(tx, &of, &id)).await
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
