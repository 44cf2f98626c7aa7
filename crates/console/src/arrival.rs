//! What calls of the API take along from the request that they serve: where it came from, and its id.

use axum::http::{Extensions, HeaderName, HeaderValue, Request};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Where a request came from, and its id.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    extensions: Extensions,
    request_id: Option<HeaderValue>,
}

impl Arrival {
    /// Of a request with this id.
    pub fn of<B>(request: &Request<B>, request_id: &str) -> Arrival {
        Arrival {
            extensions: request.extensions().clone(),
            request_id: HeaderValue::from_str(request_id).ok(),
        }
    }

    /// Makes a request come from the same place, as a part of the same one in the log.
    pub(crate) fn pass_on<B>(&self, request: &mut Request<B>) {
        *request.extensions_mut() = self.extensions.clone();
        if let Some(id) = &self.request_id {
            request.headers_mut().insert(REQUEST_ID, id.clone());
        }
    }
}
