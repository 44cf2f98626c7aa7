//! The API's description as it is sent: made once, in every form that a client may want.
//!
//! It is open to everybody, so asking for it must cost next to nothing.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use bytes::Bytes;
use pagesmith_endpoint::endpoint;
use pagesmith_model::{Error, Result};

use crate::api::system::Server;
use crate::openapi::{Operation, Schemas};
use crate::reply::{Asked, Comparison, IntoAnswer, etag, names_tag};
use crate::site::coding::Coding;

/// The document in its forms, each with its tag.
pub(crate) struct Document(Vec<(Coding, Bytes, HeaderValue)>);

impl Document {
    /// The document for clients of `base_url`.
    fn make(base_url: &str) -> Result<Document> {
        let document = crate::openapi::document(base_url).to_string().into_bytes();
        let form = |coding: Coding| {
            let bytes = coding.encode(&document)?;
            let tag = HeaderValue::try_from(etag(&bytes)).map_err(Error::internal)?;
            Ok((coding, Bytes::from(bytes), tag))
        };
        [Coding::Identity, Coding::Gzip, Coding::Brotli]
            .into_iter()
            .map(form)
            .collect::<Result<_>>()
            .map(Document)
    }
}

/// The document for whoever asks.
pub(crate) struct SharedDocument(Arc<Document>);

/// Returns the OpenAPI document of this API.
#[endpoint]
pub(crate) async fn openapi(Server(state): Server) -> Result<SharedDocument> {
    let make = || async {
        let base_url = state.settings.base_url.clone();
        state.offload.run(None, move || Document::make(&base_url)).await?.map(Arc::new)
    };
    state.document.get_or_try_init(make).await.cloned().map(SharedDocument)
}

impl IntoAnswer for SharedDocument {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn into_answer(self, asked: &Asked<'_>) -> Result<Response<Body>> {
        let wanted = Coding::wanted(asked.headers);
        let form = self.0.0.iter().find(|(coding, ..)| *coding == wanted);
        let (coding, bytes, tag) = form.ok_or_else(|| Error::internal("a form that was not made"))?;
        let known = tag
            .to_str()
            .is_ok_and(|tag| names_tag(asked.headers, header::IF_NONE_MATCH.as_str(), tag, Comparison::Weak));
        let mut response = Response::new(if known { Body::empty() } else { Body::from(bytes.clone()) });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            if let Some(name) = coding.name() {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            }
        }
        Ok(response)
    }
}
