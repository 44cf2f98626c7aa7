//! What a certificate authority asks of a name (HTTP-01, RFC 8555, 8.3): answered by every server, in the clear and by TLS, whoever ordered.
//!
//! What this is not: the order. Only names with an order that runs have anything here, and only by its token.

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use pagesmith_operations::certificates;

use crate::error::Refusal;
use crate::hosts;
use crate::state::AppState;

/// Where an authority asks.
const PATH: &str = "/.well-known/acme-challenge/";

/// The name and the token that a request asks for, where certificates are ordered by themselves.
pub(crate) fn asked<B>(state: &AppState, request: &Request<B>) -> Option<(String, String)> {
    let token = request.uri().path().strip_prefix(PATH)?;
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || !state.settings.tls.as_ref()?.certificates.are_ordered() {
        return None;
    }
    let name = hosts::host_name(request.uri(), request.headers())?;
    Some((name.to_ascii_lowercase(), token.to_owned()))
}

/// The answer.
pub(crate) async fn answer(state: &AppState, name: String, token: String) -> Result<Response<Body>, Refusal> {
    let found = state.store.read(move |tx| certificates::challenge(tx, &name, &token)).await?;
    let (status, text) = match found {
        Some(text) => (StatusCode::OK, text),
        None => (StatusCode::NOT_FOUND, "Nothing is asked for here.\n".to_owned()),
    };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
