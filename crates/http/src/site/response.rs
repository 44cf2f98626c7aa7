//! Answers to what visitors and hooks send to a site. Nobody keeps them, but for scripts.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_model::Result;
use pagesmith_operations::site::settings;
use pagesmith_render::{Rendered, Theme};
use serde_json::Value;

use crate::hosts::Site;
use crate::site::answer::ROBOTS;
use crate::site::draw::name_without_page;
use crate::state::AppState;
use crate::theme::theme_without_pictures;

/// An answer with this body, of no type.
pub(super) fn plain(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An answer with this text.
pub(super) fn typed(status: StatusCode, kind: &'static str, text: impl Into<Body>) -> Response<Body> {
    let mut response = plain(status, text.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// An answer as JSON.
pub(super) fn json_of(status: StatusCode, value: &Value) -> Response<Body> {
    typed(status, "application/json", value.to_string())
}

/// A script that pages load; browsers keep it for some minutes.
pub(super) fn script(text: &'static str) -> Response<Body> {
    let mut response = typed(StatusCode::OK, "text/javascript; charset=utf-8", text);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// An answer to what could not be taken now.
pub(super) fn unavailable() -> Response<Body> {
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, Body::empty());
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// A page of the site's look, drawn with the name of the site and its theme.
pub(super) async fn page(
    state: &AppState,
    site: &Site,
    status: StatusCode,
    draw: impl FnOnce(&str, &Theme) -> Rendered,
) -> Result<Response<Body>> {
    let id = site.tenant.tenant_id.clone();
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let (settings, fonts) = store.point_read(move |tx| settings::with_fonts(tx, &id)).await?;
    let theme = theme_without_pictures(&settings.brand, &fonts);
    let rendered = draw(name_without_page(&settings, &site.tenant), &theme);
    let html = state.answers.share(Some(&site.tenant.tenant_id)).hold(rendered.html.into_bytes())?;
    let mut response = typed(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    if let Ok(policy) = HeaderValue::try_from(rendered.content_security_policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}
