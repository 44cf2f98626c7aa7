//! What visitors open: pages, on host names of their own.
//!
//! The `Host` header decides: `<tenant slug>.<site domain>` is a tenant's site, every other host is the API. Nothing can be
//! published yet, so a site tells of each page that it is not published (404) or gone (410).

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_store::tables::pages;

use crate::state::{AppState, Settings};

/// The domain on which a tenant's pages are found if it has none of its own.
pub(crate) fn fallback_domain(settings: &Settings, tenant_slug: &str) -> String {
    format!("{tenant_slug}.{}", settings.site_domain)
}

/// The address of a path on a domain.
pub(crate) fn url(settings: &Settings, domain: &str, path: &str) -> String {
    let scheme = settings.base_url.split("://").next().unwrap_or("http");
    let port = settings.site_port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{domain}{port}{path}")
}

/// The tenant slug that a request's host names; `None` if it is no site.
pub(crate) fn host_of(settings: &Settings, request: &Request) -> Option<String> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri().host())?;
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.');
    let (labels, domain) = name.split_at_checked(name.len().checked_sub(settings.site_domain.len())?)?;
    // Any name below the domain is a site's, so that none of them is a second way to the API.
    let labels = labels.strip_suffix('.').filter(|_| domain.eq_ignore_ascii_case(&settings.site_domain))?;
    Some(labels.to_ascii_lowercase())
}

/// The answer of a tenant's site.
pub(crate) async fn serve(state: &AppState, tenant_slug: &str, path: &str) -> Response<Body> {
    let tenant = state.keys.tenant_by_slug(tenant_slug).filter(|tenant| tenant.suspended_at.is_none());
    let Some(tenant) = tenant else { return notice(StatusCode::NOT_FOUND, NOT_HERE) };
    let slug = path.trim_matches('/').to_owned();
    let found = state.store.glance(move |tx| pages::find_by_slug(tx, &tenant.tenant_id, &slug)).await;
    match found {
        Ok(None) => notice(StatusCode::NOT_FOUND, NOT_HERE),
        Ok(Some(page)) if page.archived_at.is_some() => notice(StatusCode::GONE, GONE),
        Ok(Some(_)) => notice(StatusCode::NOT_FOUND, NOT_PUBLISHED),
        Err(error) => {
            tracing::warn!(%error, "a site could not be served");
            let mut response = notice(StatusCode::SERVICE_UNAVAILABLE, LATER);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

const NOT_HERE: (&str, &str) = ("Page not found", "There is no page at this address.");
const NOT_PUBLISHED: (&str, &str) = ("Not published yet", "This page is being prepared. Please come back later.");
const GONE: (&str, &str) = ("No longer available", "This page has been taken down.");
const LATER: (&str, &str) = ("Back in a moment", "This page cannot be shown right now. Please try again.");

/// A page that says one thing.
fn notice(status: StatusCode, (title, text): (&str, &str)) -> Response<Body> {
    let body = include_str!("static/notice.html").replace("{title}", title).replace("{text}", text);
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
