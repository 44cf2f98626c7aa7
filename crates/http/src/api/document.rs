//! The API's description for clients, in the form that they prefer.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use pagesmith_endpoint::endpoint;
use pagesmith_model::{Error, Result};

use crate::api::system::Server;
use crate::description::{Operation, Schemas};
use crate::document::Form;
use crate::extract::{Extract, Findings, Incoming};
use crate::reply::{Asked, Comparison, IntoAnswer, names_tag};
use crate::site::coding::Coding;

/// How the caller wants the document to be coded.
pub(crate) struct Wanted(Coding);

impl Extract for Wanted {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn extract(request: &Incoming, _: &mut Findings) -> Option<Wanted> {
        Some(Wanted(Coding::wanted(&request.parts.headers)))
    }
}

/// Returns the OpenAPI document of this API.
#[endpoint]
pub(crate) async fn openapi(Server(state): Server, Wanted(coding): Wanted) -> Result<Form> {
    let document = state.document.get().map(Arc::clone);
    let document = document.ok_or_else(|| Error::internal("the document was not made at the start"))?;
    document.form(coding, &state.offload).await
}

impl IntoAnswer for Form {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn into_answer(self, asked: &Asked<'_>) -> Result<Response<Body>> {
        let Form { coding, bytes, tag } = self;
        let known = tag
            .to_str()
            .is_ok_and(|tag| names_tag(asked.headers, header::IF_NONE_MATCH.as_str(), tag, Comparison::Weak));
        let mut response = Response::new(if known { Body::empty() } else { Body::from(bytes) });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            describe_body(response.headers_mut(), coding);
        }
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        Ok(response)
    }
}

fn describe_body(headers: &mut HeaderMap, coding: Coding) {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(name) = coding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}
