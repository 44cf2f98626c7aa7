//! The documentation of the API: the OpenAPI document for programs, and the page at `/docs` for people.
//!
//! The page is HTML with the guides of `docs/` in it, a style sheet and a few modules of JavaScript, which read
//! the OpenAPI document. Nothing comes from another host.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use pagesmith_endpoint::endpoint;
use pagesmith_model::{Error, Result};
use serde_json::Value;

use crate::api::server::guides;
use crate::api::server::{HTML, POLICY, Server, Step};
use crate::coding::Coding;
use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::reply::{AnswerContext, Comparison, IntoAnswer, names_tag};
use crate::static_text::{Form, StaticText};

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The files that the page needs, by their names below `/docs`.
static FILES: LazyLock<Vec<(&str, StaticText)>> = LazyLock::new(|| {
    macro_rules! file {
        ($name:literal, $media_type:expr) => {
            ($name, StaticText::new($media_type, include_str!(concat!("../../static/docs/", $name))))
        };
    }
    vec![
        file!("docs.css", CSS),
        file!("icon.svg", "image/svg+xml"),
        file!("docs.js", JAVASCRIPT),
        file!("description.js", JAVASCRIPT),
        file!("elements.js", JAVASCRIPT),
        file!("guides.js", JAVASCRIPT),
        file!("navigation.js", JAVASCRIPT),
        file!("operation.js", JAVASCRIPT),
        file!("overview.js", JAVASCRIPT),
        file!("samples.js", JAVASCRIPT),
        file!("schema.js", JAVASCRIPT),
        file!("workbench.js", JAVASCRIPT),
    ]
});

static PAGE: LazyLock<StaticText> = LazyLock::new(|| {
    let page = include_str!("../../static/docs/page.html").replace("{guides}", &guides::html());
    StaticText::new(HTML, page)
});

/// The coding that the caller prefers.
pub(crate) struct AcceptedCoding(Coding);

impl Extract for AcceptedCoding {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn extract(request: &Incoming, _: &mut Findings) -> Option<AcceptedCoding> {
        Some(AcceptedCoding(Coding::wanted(&request.parts.headers)))
    }
}

/// The OpenAPI document as `cargo x gen` writes it. To make it takes a tenth of a second and 30 MiB, which no server spends: a test
/// compares it with what the handlers say.
const DOCUMENT: &str = include_str!("../../../../../api/openapi.json");
/// The line of it that says where the server is.
const ADDRESS: &str = "\"url\": \"http://127.0.0.1:8080\"";

/// Returns the OpenAPI document of this API.
#[endpoint]
pub(crate) async fn openapi(Server(state): Server, AcceptedCoding(coding): AcceptedCoding) -> Result<Form> {
    let make = || async {
        let base_url = state.settings.base_url.clone();
        let text = state.offload.run(None, move || document_at(&base_url)).await?;
        Ok::<_, Error>(StaticText::new("application/json", text))
    };
    state.document.get_or_try_init(make).await?.form(coding, &state.offload).await
}

/// The document for clients of an address, without its indentation.
fn document_at(base_url: &str) -> String {
    let mut text = String::with_capacity(DOCUMENT.len());
    for line in DOCUMENT.lines().map(str::trim_start) {
        if line == ADDRESS {
            text.push_str("\"url\": ");
            text.push_str(&Value::from(base_url).to_string());
        } else {
            text.push_str(line);
        }
    }
    text
}

/// Shows the documentation of the API to a person.
#[endpoint]
pub(crate) async fn docs(Server(state): Server, AcceptedCoding(coding): AcceptedCoding) -> Result<Form> {
    PAGE.form(coding, &state.offload).await
}

/// Returns a file that the documentation page needs.
#[endpoint]
pub(crate) async fn docs_asset(
    Server(state): Server,
    Step(wanted): Step,
    AcceptedCoding(coding): AcceptedCoding,
) -> Result<Form> {
    let file = FILES.iter().find(|(name, _)| *name == wanted);
    let (_, text) = file.ok_or_else(|| Error::not_found("file"))?;
    text.form(coding, &state.offload).await
}

impl IntoAnswer for Form {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let Form { media_type, coding, bytes, tag } = self;
        let known = tag
            .to_str()
            .is_ok_and(|tag| names_tag(context.headers, &header::IF_NONE_MATCH, tag, Comparison::Weak));
        let mut response = Response::new(if known { Body::empty() } else { Body::from(bytes) });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            describe_body(response.headers_mut(), media_type, coding);
        }
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        Ok(response)
    }
}

fn describe_body(headers: &mut HeaderMap, media_type: &'static str, coding: Coding) {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    if media_type == HTML {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    if let Some(name) = coding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}
