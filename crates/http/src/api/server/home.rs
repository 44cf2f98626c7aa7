//! What is at the root of the API's host: a small page for whoever opens it in a browser, a small object for programs.
//!
//! Beside the progress of a version it is the only answer of the API that depends on `Accept`.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use pagesmith_endpoint::endpoint;
use pagesmith_model::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::server::{HTML, Server, Text};
use crate::description::{Operation, Schemas};
use crate::hosts;
use crate::reply::{AnswerContext, IntoAnswer, Reply};
use crate::state::Settings;

/// The root, in the form that the caller prefers.
pub(crate) struct Home {
    page: String,
    overview: Overview,
}

/// What this server is, and where to go on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Overview {
    name: &'static str,
    version: &'static str,
    console: String,
    api: String,
    documentation: String,
    openapi: String,
    health: String,
    ready: String,
}

impl Overview {
    fn of(settings: &Settings) -> Overview {
        let at = |path: &str| format!("{}{path}", settings.base_url);
        Overview {
            name: "Pagesmith",
            version: env!("CARGO_PKG_VERSION"),
            console: settings.console_home(),
            api: at("/v0"),
            documentation: at("/docs"),
            openapi: at("/openapi.json"),
            health: at("/healthz"),
            ready: at("/readyz"),
        }
    }
}

/// Shows what this server is: a page for browsers, an object for programs.
#[endpoint]
pub(crate) async fn home(Server(state): Server) -> Result<Home> {
    // The operator chose it, yet nothing gets into the page as it is.
    let site =
        escaped(&hosts::url(&state.settings, &format!("<tenant>.{}", state.settings.site_domain), "/"));
    let page = include_str!("../../static/home.html")
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{console}", &escaped(&state.settings.console_home()))
        .replace("{site}", &site);
    Ok(Home { page, overview: Overview::of(&state.settings) })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl IntoAnswer for Home {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let mut response = if prefers_html(context.headers) {
            Text::of(HTML, self.page).into_answer(context)?
        } else {
            Reply::<Overview>::of(&self.overview)?.into_answer(context)?
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
        Ok(response)
    }
}

/// Whether HTML is named, and liked no less than JSON.
fn prefers_html(request: &HeaderMap) -> bool {
    let lines = request.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let (mut html, mut json) = (0.0, 0.0);
    for range in lines.flat_map(|line| line.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let quality = quality.map_or(1.0, |quality| quality.parse().unwrap_or(0.0_f32));
        match name.as_str() {
            "text/html" | "application/xhtml+xml" => html = quality.max(html),
            "application/json" => json = quality.max(json),
            _ => {}
        }
    }
    html > 0.0 && html >= json
}

/// Returns the icon, for browsers that look for it without being told where it is.
#[endpoint]
pub(crate) async fn favicon(_: Server) -> Result<Text> {
    Ok(Text::of("image/svg+xml", include_str!("../../static/docs/icon.svg")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_for_whoever_names_it_and_likes_it_no_less() {
        let prefers = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_str(accept).unwrap());
            prefers_html(&headers)
        };
        for browser in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html",
            "TEXT/HTML;level=1; Q=0.1",
            "application/json;q=0.5, text/html;q=0.5",
        ] {
            assert!(prefers(browser), "{browser}");
        }
        for program in [
            "*/*",
            "",
            "application/json",
            "text/html;q=0",
            "text/html;q=x",
            "text/html;q=0.4,application/json;q=0.5",
        ] {
            assert!(!prefers(program), "{program}");
        }
        assert!(!prefers_html(&HeaderMap::new()));
    }
}
