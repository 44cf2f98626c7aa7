//! Answers that are successes.
//!
//! [`Reply`] is JSON with a fixed status; [`Single`] is one resource with its `ETag`, a digest of the very bytes, so that it
//! is the same for every key. `Success` is the body of answers that only confirm a change.

use std::marker::PhantomData;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use pagesmith_model::{Error, Result};
use pagesmith_operations::idempotency::Answer;
use schemars::JsonSchema;
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::description::{Operation, Schemas};
use crate::in_flight::Share;
use crate::listing::ListBody;

/// The header of an answer that was given before.
const REPLAYED: &str = "idempotent-replayed";

/// What an answer depends on beside its content.
pub struct AnswerContext<'a> {
    /// The headers of the request.
    pub headers: &'a HeaderMap,
    /// What the answer may take of this process's memory until it is sent.
    pub(crate) share: Share,
}

/// What a handler answers.
pub trait IntoAnswer {
    /// Adds its statuses and schemas to the operation's description.
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
    /// The response.
    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>>;
}

/// JSON of `T` with the status `STATUS`.
pub struct Reply<T, const STATUS: u16 = 200> {
    body: Json,
    replayed: bool,
    shape: PhantomData<fn() -> T>,
}

/// An answer as JSON.
enum Json {
    Whole(Vec<u8>),
    InParts(ListBody),
}

impl<T: Serialize, const STATUS: u16> Reply<T, STATUS> {
    /// The JSON of `value`.
    pub fn of(value: &T) -> Result<Self> {
        Ok(Reply { body: Json::Whole(json(value)?), replayed: false, shape: PhantomData })
    }

    /// A collection that was written item by item.
    pub(crate) fn in_parts(parts: ListBody) -> Self {
        Reply { body: Json::InParts(parts), replayed: false, shape: PhantomData }
    }

    /// An answer that was made inside a transaction, or kept by an earlier one.
    pub(crate) fn from_answer(answer: Answer) -> Self {
        Reply { body: Json::Whole(answer.body), replayed: answer.replayed, shape: PhantomData }
    }
}

/// The JSON of an answer.
pub(crate) fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    // Most answers fit, so that none of them is copied while it grows.
    let mut body = Vec::with_capacity(4096);
    serde_json::to_writer(&mut body, value).map_err(Error::internal)?;
    Ok(body)
}

impl<T: Serialize + JsonSchema, const STATUS: u16> IntoAnswer for Reply<T, STATUS> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        operation.success::<T>(schemas, STATUS);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let status = StatusCode::from_u16(STATUS).map_err(Error::internal)?;
        let body = match self.body {
            Json::Whole(body) => Body::from(context.share.hold(body)?),
            Json::InParts(parts) => Body::new(parts),
        };
        Ok(answered(status, body, self.replayed))
    }
}

fn answered(status: StatusCode, body: Body, replayed: bool) -> Response<Body> {
    let mut response = json_response(status, body);
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// Confirms a change.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "success": true }))]
pub(crate) struct Success {
    /// Always true.
    success: bool,
}

/// The body of every answer that only confirms a change.
pub(crate) const DONE: Success = Success { success: true };

/// JSON of `T`: 201 if it was made for this request, 200 if it was there.
pub struct Upsert<T> {
    answer: Answer,
    shape: PhantomData<fn() -> T>,
}

impl<T> Upsert<T> {
    pub(crate) fn from_answer(answer: Answer) -> Self {
        Upsert { answer, shape: PhantomData }
    }
}

impl<T: Serialize + JsonSchema> IntoAnswer for Upsert<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        operation.success::<T>(schemas, 200);
        operation.success::<T>(schemas, 201);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let status = StatusCode::from_u16(self.answer.status).map_err(Error::internal)?;
        let body = Body::from(context.share.hold(self.answer.body)?);
        Ok(answered(status, body, self.answer.replayed))
    }
}

/// One resource, with an `ETag`; 304 if the caller has it already.
pub struct Single<T>(pub T);

impl<T: Serialize + JsonSchema> IntoAnswer for Single<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        operation.success::<T>(schemas, 200);
        operation.has_tag(200);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let body = json(&self.0)?;
        let tag = etag(&body);
        Tagged { body, tag, shape: PhantomData::<fn() -> T> }.into_answer(context)
    }
}

/// The same where the tag is not that of all that is answered: some of it is different in every answer.
pub struct Tagged<T> {
    body: Vec<u8>,
    tag: String,
    shape: PhantomData<fn() -> T>,
}

impl<T: Serialize> Tagged<T> {
    /// The JSON of `value`, with the tag of what lasts of it.
    pub fn of(value: &T, lasting: &T) -> Result<Self> {
        Ok(Tagged { body: json(value)?, tag: etag(&json(lasting)?), shape: PhantomData })
    }
}

impl<T: Serialize + JsonSchema> IntoAnswer for Tagged<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Single::<T>::describe(operation, schemas);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let Tagged { body, tag, .. } = self;
        let tag = HeaderValue::try_from(tag).map_err(Error::internal)?;
        tagged(context, tag, || context.share.hold(body))
    }
}

/// The answer with a tag, and with its body unless the caller has it already.
pub(crate) fn tagged(
    context: &AnswerContext<'_>,
    tag: HeaderValue,
    body: impl FnOnce() -> Result<Bytes>,
) -> Result<Response<Body>> {
    let text = tag.to_str().map_err(Error::internal)?;
    let known = names_tag(context.headers, &header::IF_NONE_MATCH, text, Comparison::Weak);
    let mut response = if known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        json_response(StatusCode::OK, Body::from(body()?))
    };
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

fn json_response(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    // Room for what the pipeline adds.
    response.headers_mut().reserve(12);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The strong tag of a body. Nobody gains by two bodies of one tag, so the digest need not be a cryptographic one.
pub(crate) fn etag(body: &[u8]) -> String {
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(XxHash3_128::oneshot(body).to_be_bytes()))
}

/// How tags are compared: `If-Match` needs strong ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Strong,
    Weak,
}

/// Whether one of the tags in the header is `tag`, or it is `*`.
pub(crate) fn names_tag(headers: &HeaderMap, name: &HeaderName, tag: &str, comparison: Comparison) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|candidate| {
            let candidate = candidate.trim();
            let weak = candidate.strip_prefix("W/").filter(|_| comparison == Comparison::Weak);
            candidate == "*" || weak.unwrap_or(candidate) == tag
        })
}
