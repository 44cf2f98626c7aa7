//! From an error to an answer: the only place that knows both kinds and statuses.
//!
//! The body is the specification's Error object. What the log should know beyond it is logged here, once.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_model::{Error, Field, Issue, IssueCode, Kind, RequestId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::head::{Fault, MAX_HEAD, MAX_HEADERS};
use crate::in_flight::Share;

/// How many characters of its detail a shortened error keeps.
const SHORT_DETAIL: usize = 500;

/// The closed list of error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(inline)]
pub enum Code {
    /// No valid credentials were sent.
    Unauthorized,
    /// The caller is known and may not do this.
    Forbidden,
    /// It does not exist, or not for this caller or under this parent.
    NotFound,
    /// The path, the query string, a header or the body breaks a rule.
    ValidationError,
    /// The request does not fit the present state of things.
    Conflict,
    /// The caller sent more requests than its window allows.
    RateLimited,
    /// Something unexpected went wrong.
    Internal,
    /// Not possible right now; the same request may succeed soon.
    ServiceUnavailable,
}

/// Every code with its status and what to do about it, for the pages under `/errors/`.
pub const CODES: &[(Code, u16, &str, &str)] = &[
    (
        Code::Unauthorized,
        401,
        "unauthorized",
        "Send a valid API key in the header x-api-key. A revoked or expired key is not valid.",
    ),
    (
        Code::Forbidden,
        403,
        "forbidden",
        "The key is valid, but its scope lacks this operation, its tenant is suspended, or it is bound to several tenants.",
    ),
    (
        Code::NotFound,
        404,
        "not_found",
        "There is no such path or resource, it belongs to another parent than the path names, or to another tenant.",
    ),
    (
        Code::ValidationError,
        400,
        "validation_error",
        "The request breaks a rule. The array details lists every broken rule with the part of the request, the path to the field, a code and a message.",
    ),
    (
        Code::Conflict,
        409,
        "conflict",
        "The request does not fit the present state, another request used the same Idempotency-Key, or If-Match names another state (412).",
    ),
    (
        Code::RateLimited,
        429,
        "rate_limited",
        "Wait for the seconds that Retry-After and details.retryAfter name. The header RateLimit tells how much is left of the window.",
    ),
    (
        Code::Internal,
        500,
        "internal",
        "Something unexpected went wrong. The requestId finds the reason in the server's log.",
    ),
    (
        Code::ServiceUnavailable,
        503,
        "service_unavailable",
        "The server or its database cannot do this right now. Repeat the request after the seconds that Retry-After names, with the same Idempotency-Key if it has one.",
    ),
];

impl Code {
    /// The code in lower case, as it is in the error's address.
    pub fn slug(self) -> &'static str {
        CODES.iter().find(|(code, ..)| *code == self).map_or("internal", |(_, _, slug, _)| slug)
    }
}

/// An error: the body of every answer that is not a success.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Error", example = json!({
    "code": "VALIDATION_ERROR",
    "detail": "name: is required.",
    "details": [{
        "field": "body",
        "issues": [{ "code": "required", "message": "name: is required.", "path": ["name"] }],
    }],
    "requestId": "req_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "status": 400,
    "title": "Bad Request",
    "type": "https://pages.example.com/errors/validation_error",
}))]
pub struct ErrorBody {
    /// What went wrong, for programs: one of a closed list of codes.
    pub code: Code,
    /// What went wrong, for people.
    pub detail: String,
    /// Details that depend on the code: the broken rules of the request, the numbers of a limit, or the state that is in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Details")]
    pub details: Option<Value>,
    /// Id of the request, by which the server's log knows it.
    #[schemars(with = "String", regex(pattern = "^req_"))]
    pub request_id: String,
    /// HTTP status.
    #[schemars(with = "f64")]
    pub status: u16,
    /// HTTP reason phrase.
    pub title: &'static str,
    /// Address of a page that explains the code.
    #[serde(rename = "type")]
    pub kind: String,
}

impl ErrorBody {
    /// The same without its details and with the beginning of its sentence, for which there is always room.
    fn shortened(self) -> ErrorBody {
        let start: String = self.detail.chars().take(SHORT_DETAIL).collect();
        let detail = format!("{start}… The rest is left out: too many large answers are waiting to be read.");
        ErrorBody { detail, details: None, ..self }
    }
}

/// The schema of `details`: an array of objects, or an object.
struct Details;

impl JsonSchema for Details {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Details".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let object = json!({ "type": "object", "additionalProperties": true });
        schemars::json_schema!({ "oneOf": [{ "type": "array", "items": object }, object] })
    }
}

/// A refusal that only HTTP knows, or an error from below.
#[derive(Debug)]
pub enum Refusal {
    /// An error from below.
    Error(Error),
    /// The path does not take the method; the methods it takes.
    MethodNotAllowed(String),
    /// The body is larger than [`crate::state::MAX_BODY`].
    TooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The body is compressed.
    ContentCoding,
    /// The request's head is larger than `MAX_HEAD`, or has more headers than `MAX_HEADERS`.
    HeadTooLarge,
    /// The request's first line is larger than `MAX_HEAD`.
    TargetTooLong,
    /// The request's head did not arrive in time.
    HeadTimedOut,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Error(error)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        let (code, path, message): (_, &[&str], _) = match fault {
            Fault::TooLarge => return Refusal::HeadTooLarge,
            Fault::TargetTooLong => return Refusal::TargetTooLong,
            Fault::TimedOut => return Refusal::HeadTimedOut,
            Fault::Host(message) => (IssueCode::InvalidValue, &["host"], message),
            Fault::Malformed(message) => (IssueCode::InvalidValue, &[], message),
        };
        let path = path.iter().map(ToString::to_string).collect();
        let issue = Issue { field: Field::Headers, code, message: message.to_owned(), path };
        Error::invalid(vec![issue]).into()
    }
}

struct Shape {
    status: StatusCode,
    code: Code,
    detail: String,
    details: Option<Value>,
    retry_after: Option<u32>,
}

impl Refusal {
    /// The answer, for the request `id` at the server `base_url`. It is shortened where the share has no room for more.
    pub(crate) fn into_response(self, id: &RequestId, base_url: &str, share: &Share) -> Response<Body> {
        let allow = if let Refusal::MethodNotAllowed(allow) = &self { Some(allow.clone()) } else { None };
        let is_coded = matches!(self, Refusal::ContentCoding);
        let length = self.length();
        let shape = self.shape(id);
        let body = ErrorBody {
            code: shape.code,
            detail: shape.detail,
            details: shape.details,
            request_id: id.to_string(),
            status: shape.status.as_u16(),
            title: shape.status.canonical_reason().unwrap_or("Error"),
            kind: format!("{base_url}/errors/{}", shape.code.slug()),
        };
        let text = |body: &ErrorBody| serde_json::to_vec(body).unwrap_or_default();
        let bytes = share.hold(text(&body)).unwrap_or_else(|_| text(&body.shortened()).into());
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = shape.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = shape.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = allow.and_then(|allow| HeaderValue::try_from(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        if is_coded {
            // RFC 9110, section 15.5.16: what would be taken.
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        if let Some(length) =
            length.and_then(|length| HeaderValue::try_from(format!("bytes */{length}")).ok())
        {
            headers.insert(header::CONTENT_RANGE, length);
        }
        response
    }

    /// How many bytes there are, where others were asked for.
    fn length(&self) -> Option<u64> {
        let Refusal::Error(error) = self else { return None };
        if let Kind::OutOfRange(length) = error.kind() { Some(*length) } else { None }
    }

    fn shape(self, id: &RequestId) -> Shape {
        let plain = |status, code, detail: &str| Shape {
            status,
            code,
            detail: detail.to_owned(),
            details: None,
            retry_after: None,
        };
        let validation = Code::ValidationError;
        match self {
            Refusal::Error(error) => from_error(&error, id),
            Refusal::MethodNotAllowed(_) => {
                plain(StatusCode::METHOD_NOT_ALLOWED, validation, "This path does not take this method.")
            }
            Refusal::TooLarge => {
                plain(StatusCode::PAYLOAD_TOO_LARGE, validation, "The body is larger than 1 MiB.")
            }
            Refusal::UnsupportedMediaType => plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                validation,
                "The body must be JSON, sent with Content-Type: application/json.",
            ),
            Refusal::ContentCoding => plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                validation,
                "The body must not be compressed: Content-Encoding can only be identity.",
            ),
            Refusal::HeadTooLarge => plain(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                validation,
                &format!(
                    "The request's head is larger than {MAX_HEAD} bytes or has more than {MAX_HEADERS} headers."
                ),
            ),
            Refusal::TargetTooLong => plain(
                StatusCode::URI_TOO_LONG,
                validation,
                &format!("The request's first line is longer than {MAX_HEAD} bytes."),
            ),
            Refusal::HeadTimedOut => {
                plain(StatusCode::REQUEST_TIMEOUT, validation, "The request's head did not arrive in time.")
            }
        }
    }
}

fn from_error(error: &Error, id: &RequestId) -> Shape {
    let (status, code) = match error.kind() {
        Kind::Invalid(_) => (StatusCode::BAD_REQUEST, Code::ValidationError),
        Kind::Unauthorized => (StatusCode::UNAUTHORIZED, Code::Unauthorized),
        Kind::Forbidden => (StatusCode::FORBIDDEN, Code::Forbidden),
        Kind::NotFound => (StatusCode::NOT_FOUND, Code::NotFound),
        Kind::Conflict(_) | Kind::StillRunning(_) => (StatusCode::CONFLICT, Code::Conflict),
        Kind::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, Code::Conflict),
        Kind::Limited { .. } => (StatusCode::TOO_MANY_REQUESTS, Code::RateLimited),
        Kind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, Code::ValidationError),
        Kind::OutOfRange(_) => (StatusCode::RANGE_NOT_SATISFIABLE, Code::ValidationError),
        Kind::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, Code::ServiceUnavailable),
        Kind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, Code::Internal),
    };
    match error.kind() {
        Kind::Internal => tracing::error!(request_id = id.as_str(), %error, "a request failed"),
        Kind::Unavailable(_) => tracing::warn!(request_id = id.as_str(), %error, "a request was put off"),
        _ => {}
    }
    let (details, retry_after) = match error.kind() {
        Kind::Invalid(issues) => (Some(issue_details(issues)), None),
        Kind::Conflict(details) => (details.clone(), None),
        Kind::StillRunning(seconds) | Kind::Unavailable(seconds) => (None, Some(*seconds)),
        Kind::Limited { limit, resets_at, retry_after } => {
            let details = json!({
                "limit": limit, "remaining": 0, "resetTime": resets_at.as_millis(), "retryAfter": retry_after,
            });
            (Some(details), Some(*retry_after))
        }
        _ => (None, None),
    };
    Shape { status, code, detail: error.detail().to_owned(), details, retry_after }
}

/// One entry a part of the request, with its issues in the order they were found.
fn issue_details(issues: &[Issue]) -> Value {
    let parts = [Field::Path, Field::Query, Field::Headers, Field::Body];
    let entries = parts.into_iter().filter_map(|field| {
        let issues: Vec<Value> = issues
            .iter()
            .filter(|issue| issue.field == field)
            .map(|issue| json!({ "code": issue.code.as_str(), "message": issue.message, "path": issue.path }))
            .collect();
        if issues.is_empty() { None } else { Some(json!({ "field": field, "issues": issues })) }
    });
    entries.collect()
}

/// What a request is answered that did not end in time.
pub(crate) fn took_too_long() -> Error {
    Error::unavailable("The request took too long; whether it had an effect is not known.")
}
