//! Where hooks call back that have answered 202: `POST /.pagesmith/e/<ticket>`, once, without a key.
//!
//! The last part of the address is a secret of one submission. What is sent there ends the enrichment, whatever it is: 204; 410 once it has
//! ended; 404 where nothing was ever asked.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use pagesmith_model::form::enrichment::{Answer, CALLBACK_PATH, LARGEST_ANSWER};
use pagesmith_operations::forms::enrichment::{self, CalledBack};
use tower::BoxError;

use crate::hosts::Site;
use crate::site::answer::wrong_method;
use crate::state::AppState;

/// The longest ticket that is looked at, in bytes.
const LONGEST_TICKET: usize = 200;

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
        return answer(StatusCode::NOT_FOUND, "");
    }
    let collected = Limited::new(body, LARGEST_ANSWER).collect();
    let Ok(collected) = tokio::time::timeout(state.settings.body_timeout, collected).await else {
        return answer(StatusCode::REQUEST_TIMEOUT, "");
    };
    let Ok(collected) = collected else {
        return answer(StatusCode::PAYLOAD_TOO_LARGE, "At most 256 KiB.\n");
    };
    let told = Answer::told(&collected.to_bytes());
    let ctx = state.platform.context().of(site.tenant.tenant_id.clone());
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let kept = store.write(move |tx| enrichment::call_back(tx, &ctx, &ticket, &told)).await;
    match kept {
        Ok(CalledBack::Kept) => answer(StatusCode::NO_CONTENT, ""),
        Ok(CalledBack::Over) => answer(StatusCode::GONE, "The enrichment has ended.\n"),
        Ok(CalledBack::Unknown) => answer(StatusCode::NOT_FOUND, ""),
        Err(error) => {
            tracing::warn!(%error, "a callback could not be taken");
            let mut response = answer(StatusCode::SERVICE_UNAVAILABLE, "");
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

fn answer(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if !text.is_empty() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    }
    response
}
