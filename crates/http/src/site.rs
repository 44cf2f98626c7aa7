//! What visitors open: pages, on host names of their own.
//!
//! The `Host` header decides which site ([`crate::hosts`]). A page is drawn
//! ([`draw`]) when it is first asked for and then kept in memory ([`cache`]); whether that still is the page the database is asked once a
//! second, and after everything that this process commits ([`serve`]), so that a change shows at once where it was made and within the
//! second on every other server. It travels compressed ([`coding`]), whole or in part ([`answer`]).

mod answer;
mod ask;
mod draw;
mod enrichment;
mod files;
mod find;
mod form_body;
mod forms;
mod links;
mod measure;
mod response;
mod serve;
mod sitemap;
mod well_known;

pub(crate) use serve::{from_memory, serve};

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{Request, Response};
use tower::BoxError;

use crate::hosts::Site;
use crate::state::AppState;

/// How long a form with files may take.
const LONGEST_FORM: Duration = Duration::from_mins(10);

/// Whether something is sent with this request to a site, and not only read there.
pub(crate) fn takes<B>(request: &Request<B>) -> bool {
    let path = request.uri().path();
    path == measure::PATH
        || forms::is_here(path)
        || enrichment::is_here(path)
        || ask::is_here(path)
        || ask::is_form(request.method(), request.headers())
}

/// How long an answer to this may take: a form with files takes as long as they take to arrive.
pub(crate) fn time_limit(state: &AppState, head: &Parts) -> Duration {
    let usual = state.settings.request_timeout;
    if forms::is_here(head.uri.path()) && form_body::has_files(head) {
        usual.max(LONGEST_FORM)
    } else {
        usual
    }
}

/// The answer to a request that [`takes`] something.
pub(crate) async fn take<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    if head.uri.path() == measure::PATH {
        measure::serve(state, site, head, body).await
    } else if enrichment::is_here(head.uri.path()) {
        enrichment::serve(state, site, head, body).await
    } else if forms::is_here(head.uri.path()) {
        forms::serve(state, site, head, body).await
    } else {
        ask::serve(state, site, head, body).await
    }
}
