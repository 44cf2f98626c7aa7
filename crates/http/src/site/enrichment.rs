//! Where hooks call back that have answered 202: `POST /.pagesmith/e/<ticket>`, once, without a key.
//!
//! The last part of the address is a secret of one submission. What is sent there ends the enrichment, whatever it is: 204; 410 once it has
//! ended; 404 where nothing was ever asked.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{Method, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use pagesmith_model::form::enrichment::{CALLBACK_PATH, LARGEST_ANSWER, parse_answer};
use pagesmith_operations::forms::enrichment::{self, CalledBack};
use tower::BoxError;

use crate::hosts::Site;
use crate::site::answer::wrong_method;
use crate::site::response::{plain, typed, unavailable};
use crate::state::AppState;

/// The longest ticket that is looked at, in bytes.
const LONGEST_TICKET: usize = 200;
const TEXT: &str = "text/plain; charset=utf-8";

/// Whether a path is one of these.
pub(crate) fn is_here(path: &str) -> bool {
    path.starts_with(CALLBACK_PATH)
}

/// The answer to a hook.
pub(crate) async fn serve<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    if head.method != Method::POST {
        return wrong_method("POST");
    }
    let ticket = head.uri.path().strip_prefix(CALLBACK_PATH).unwrap_or_default().to_owned();
    if ticket.len() > LONGEST_TICKET {
        return plain(StatusCode::NOT_FOUND, Body::empty());
    }
    let collected = Limited::new(body, LARGEST_ANSWER).collect();
    let Ok(collected) = tokio::time::timeout(state.settings.body_timeout, collected).await else {
        return plain(StatusCode::REQUEST_TIMEOUT, Body::empty());
    };
    let Ok(collected) = collected else {
        return typed(StatusCode::PAYLOAD_TOO_LARGE, TEXT, "At most 256 KiB.\n");
    };
    let told = parse_answer(&collected.to_bytes());
    let ctx = site.context(state);
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let kept = store.write(move |tx| enrichment::call_back(tx, &ctx, &ticket, &told)).await;
    match kept {
        Ok(CalledBack::Kept) => plain(StatusCode::NO_CONTENT, Body::empty()),
        Ok(CalledBack::Over) => typed(StatusCode::GONE, TEXT, "The enrichment has ended.\n"),
        Ok(CalledBack::Unknown) => plain(StatusCode::NOT_FOUND, Body::empty()),
        Err(error) => {
            tracing::warn!(%error, "a callback could not be taken");
            unavailable()
        }
    }
}
