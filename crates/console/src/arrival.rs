//! What calls of the API take along from the request that they serve: where it came from, its id, and the last event that its browser had.

use axum::http::{Extensions, HeaderName, HeaderValue, Request};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// What a browser says that connects to a stream again: the id of the last event that it had.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Where a request came from, and its id.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    extensions: Extensions,
    request_id: Option<HeaderValue>,
    last_event: Option<HeaderValue>,
}

impl Arrival {
    /// Of a request with this id.
    pub fn of<B>(request: &Request<B>, request_id: &str) -> Arrival {
        Arrival {
            extensions: request.extensions().clone(),
            request_id: HeaderValue::from_str(request_id).ok(),
            last_event: request.headers().get(LAST_EVENT_ID).cloned(),
        }
    }

    /// Makes a request come from the same place, as a part of the same one in the log.
    pub(crate) fn pass_on<B>(&self, request: &mut Request<B>) {
        *request.extensions_mut() = self.extensions.clone();
        if let Some(id) = &self.request_id {
            request.headers_mut().insert(REQUEST_ID, id.clone());
        }
    }
    /// The id of the last event that the browser had of the stream that it connects to again.
    pub(crate) fn last_event(&self) -> Option<&HeaderValue> {
        self.last_event.as_ref()
    }
}
