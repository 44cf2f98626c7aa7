//! Responses and their headers: what successes carry, and the answers that are alike in every operation.
//!
//! Answers other than successes are written once, as components of the document, and operations refer to them.

use pagesmith_model::example::example;
use serde_json::{Map, Value, json};

use crate::error::ErrorBody;

/// An `ETag`, as documentation shows it.
pub(crate) const TAG_EXAMPLE: &str = "\"Zq8x1vN3bT0kq2mW5yLr9g\"";

/// A header of responses: its name, its JSON type, an example, and what it says.
type Header = (&'static str, &'static str, &'static str, &'static str);

const HEADERS: [Header; 6] = [
    (
        "x-request-id",
        "string",
        "req_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "Id of the request, as in the server's log. A client can send its own in the same header: `req_` and up to \
         64 letters or digits.",
    ),
    (
        "RateLimit-Policy",
        "string",
        "\"default\";q=60000;w=60",
        "Rate limit of the key: `q` requests within `w` seconds.",
    ),
    (
        "RateLimit",
        "string",
        "\"default\";r=59999;t=60",
        "Remaining rate limit: `r` requests for the next `t` seconds.",
    ),
    ("Retry-After", "integer", "5", "Number of seconds after which the request may be repeated."),
    (
        "ETag",
        "string",
        TAG_EXAMPLE,
        "Tag of the state of the resource, for `If-None-Match` and `If-Match`. It is the same for every key.",
    ),
    (
        "Idempotent-Replayed",
        "string",
        "true",
        "`true` if this is the answer that an earlier request with the same `Idempotency-Key` got. Left out otherwise.",
    ),
];

/// Headers of every response to a caller with a valid key.
const USUAL: [&str; 3] = ["x-request-id", "RateLimit-Policy", "RateLimit"];

/// An answer other than a success: its status, the component's name, and when it is given.
struct Other {
    status: u16,
    name: &'static str,
    description: &'static str,
}

const OTHERS: [Other; 13] = [
    Other { status: 304, name: "NotModified", description: "The caller has the present state already." },
    Other {
        status: 400,
        name: "BadRequest",
        description: "The path, the query string, a header or the body breaks a rule. `details` lists every broken rule.",
    },
    Other { status: 401, name: "Unauthorized", description: "The request carries no valid API key." },
    Other {
        status: 403,
        name: "Forbidden",
        description: "The scope of the key lacks this operation, the tenant is suspended, or the key belongs to several tenants.",
    },
    Other {
        status: 404,
        name: "NotFound",
        description: "The resource does not exist, belongs to another parent than the path says, or to another tenant.",
    },
    Other {
        status: 409,
        name: "Conflict",
        description: "The request does not fit the present state: the operation's description says when. Or another request was \
                      sent with the same `Idempotency-Key`, or the same one is still running (then with `Retry-After`).",
    },
    Other {
        status: 412,
        name: "PreconditionFailed",
        description: "The resource is in another state than the one that `If-Match` names.",
    },
    Other {
        status: 413,
        name: "PayloadTooLarge",
        description: "The body is larger than the operation takes: 1 MiB, or the server's limit for files.",
    },
    Other {
        status: 415,
        name: "UnsupportedMediaType",
        description: "The body is not declared as `application/json`, or is compressed.",
    },
    Other {
        status: 416,
        name: "RangeNotSatisfiable",
        description: "The requested range is beyond the end of the resource.",
    },
    Other {
        status: 429,
        name: "TooManyRequests",
        description: "The caller has used up a limit. `details` has the numbers.",
    },
    Other {
        status: 500,
        name: "InternalServerError",
        description: "An unexpected error occurred. The server's log has the reason under `requestId`.",
    },
    Other {
        status: 503,
        name: "ServiceUnavailable",
        description: "The server or its database cannot do this now, or does not know whether it was done. Repeat the request, \
                      with the same `Idempotency-Key` if it changes something.",
    },
];

/// The success with that status and that content.
pub(crate) fn success(status: u16, content: &Value) -> Value {
    let description = if status == 201 { "The resource was created." } else { "The request succeeded." };
    json!({
        "description": description, "headers": headers(&USUAL), "content": { "application/json": content },
    })
}

/// Points to the component for a status.
pub(crate) fn reference(status: u16) -> Value {
    let name = OTHERS.iter().find(|other| other.status == status).map_or("InternalServerError", |it| it.name);
    json!({ "$ref": format!("#/components/responses/{name}") })
}

/// Points to the component for a header.
pub(crate) fn header_reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

fn headers(names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), header_reference(name))).collect::<Map<_, _>>().into()
}

/// The components for all headers.
pub(crate) fn header_components() -> Map<String, Value> {
    let component = |(name, kind, example, description): &Header| {
        let example =
            if *kind == "integer" { example.parse::<u32>().ok().into() } else { Value::from(*example) };
        let header = json!({ "description": description, "schema": { "type": kind }, "example": example });
        ((*name).to_owned(), header)
    };
    HEADERS.iter().map(component).collect()
}

/// The components for all answers other than successes.
pub(crate) fn components() -> Map<String, Value> {
    OTHERS.iter().map(|other| (other.name.to_owned(), component(other))).collect()
}

fn component(other: &Other) -> Value {
    let usual = if other.status == 401 { &USUAL[..1] } else { &USUAL[..] };
    let more: &[&str] = match other.status {
        304 => &["ETag"],
        409 | 429 | 503 => &["Retry-After"],
        _ => &[],
    };
    let mut component =
        json!({ "description": other.description, "headers": headers(&[usual, more].concat()) });
    if other.status != 304 {
        let schema = json!({ "$ref": "#/components/schemas/Error" });
        let content = json!({ "schema": schema, "example": error_example(other.status) });
        component["content"] = json!({ "application/json": content });
    }
    component
}

/// The example of an error with that status.
fn error_example(status: u16) -> Value {
    let (code, title, detail) = match status {
        401 => ("UNAUTHORIZED", "Unauthorized", "Send one API key in the header x-api-key."),
        403 => ("FORBIDDEN", "Forbidden", "The API key may only read."),
        404 => ("NOT_FOUND", "Not Found", "No such page."),
        409 => ("CONFLICT", "Conflict", "The page is archived."),
        412 => (
            "CONFLICT",
            "Precondition Failed",
            "The resource has changed since the state that If-Match names.",
        ),
        413 => ("VALIDATION_ERROR", "Payload Too Large", "The body is larger than 1 MiB."),
        415 => (
            "VALIDATION_ERROR",
            "Unsupported Media Type",
            "The body must be JSON, sent with Content-Type: application/json.",
        ),
        416 => ("VALIDATION_ERROR", "Range Not Satisfiable", "The file has no byte of that range."),
        429 => ("RATE_LIMITED", "Too Many Requests", "The rate limit of 60000 a window is used up."),
        500 => ("INTERNAL", "Internal Server Error", "An unexpected error occurred."),
        503 => ("SERVICE_UNAVAILABLE", "Service Unavailable", "The database cannot be reached."),
        _ => return example::<ErrorBody>(),
    };
    let mut error = json!({
        "code": code, "status": status, "title": title, "detail": detail,
        "requestId": "req_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "type": format!("https://pages.example.com/errors/{}", code.to_ascii_lowercase()),
    });
    match status {
        409 => error["details"] = json!({ "status": "archived" }),
        429 => {
            error["details"] = json!({ "limit": 60000, "remaining": 0, "resetTime": 1_774_000_260_000_u64, "retryAfter": 5 });
        }
        _ => {}
    }
    error
}
