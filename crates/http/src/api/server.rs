//! What operators and integrators ask about the server itself.

use axum::body::Body as ResponseBody;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_endpoint::endpoint;
use pagesmith_model::{Error, IssueCode, Result};

use crate::description::{Operation, Schemas};
use crate::error::CODES;
use crate::extract::{Extract, Findings, Incoming};
use crate::reply::{AnswerContext, IntoAnswer};
use crate::state::AppState;

pub(crate) mod documentation;
mod guides;
pub(crate) mod home;

/// The media type of the server's own pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// The content security policy of these pages: they need nothing but what this server has.
pub(crate) const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A text of any media type.
pub(crate) struct Text {
    status: StatusCode,
    media_type: &'static str,
    body: String,
}

impl Text {
    pub(crate) fn of(media_type: &'static str, body: impl Into<String>) -> Text {
        Text { status: StatusCode::OK, media_type, body: body.into() }
    }
}

impl IntoAnswer for Text {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn into_answer(self, _: &AnswerContext<'_>) -> Result<Response<ResponseBody>> {
        let mut response = Response::new(ResponseBody::from(self.body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        if self.media_type == HTML {
            let policy = HeaderValue::from_static(POLICY);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        Ok(response)
    }
}

/// The server, for handlers that need no caller.
pub(crate) struct Server(pub(crate) AppState);

impl Extract for Server {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn extract(request: &Incoming, _: &mut Findings) -> Option<Server> {
        Some(Server(request.state.clone()))
    }
}

/// The last step of the path.
pub(crate) struct Step(pub(crate) String);

impl Extract for Step {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn extract(request: &Incoming, _: &mut Findings) -> Option<Step> {
        Some(Step(request.path.last().map(|(_, value)| value.clone()).unwrap_or_default()))
    }
}

/// Answers 200 as long as the process runs.
#[endpoint]
pub(crate) async fn healthz(_: Server) -> Result<Text> {
    Ok(Text::of("text/plain; charset=utf-8", "ok\n"))
}

/// Answers 200 if the database answers and its schema is current.
#[endpoint]
pub(crate) async fn readyz(Server(state): Server) -> Result<Text> {
    state.readiness.check(&state.store, state.platform.clock()).await?;
    Ok(Text::of("text/plain; charset=utf-8", "ok\n"))
}

/// Returns the metrics in the OpenMetrics format.
#[endpoint]
pub(crate) async fn metrics(Server(state): Server) -> Result<Text> {
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(Text::of(media_type, state.metrics.text()?))
}

/// Explains an error code.
#[endpoint]
pub(crate) async fn error_code(Step(code): Step) -> Result<Text> {
    let (_, status, slug, meaning) =
        CODES.iter().find(|(_, _, slug, _)| *slug == code).ok_or_else(|| Error::not_found("error code"))?;
    let name = slug.to_ascii_uppercase();
    let issues: String = if *slug == "validation_error" {
        let rows = IssueCode::ALL
            .iter()
            .map(|issue| format!("<dt><code>{}</code></dt><dd>{}</dd>", issue.as_str(), issue.meaning()));
        format!("<h2>Issue codes</h2><dl>{}</dl>", rows.collect::<String>())
    } else {
        String::new()
    };
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{name}</title>\
         <link rel=\"icon\" type=\"image/svg+xml\" href=\"/docs/icon.svg\">\
         <link rel=\"stylesheet\" href=\"/docs/docs.css\"></head>\
         <body class=\"plain\"><main><h1>{name}</h1><p>HTTP status {status}.</p><p>{meaning}</p>{issues}\
         <p><a href=\"/docs\">The API's documentation</a></p></main></body></html>\n"
    );
    Ok(Text::of(HTML, body))
}
