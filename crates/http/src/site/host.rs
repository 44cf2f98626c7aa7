//! Host names of sites, read and written.

use std::borrow::Cow;

use axum::http::{Request, header};

use crate::state::Settings;

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

/// The tenant slug that a request's host names; `None` if it is no site. The host of an absolute target counts before the header.
pub(crate) fn host_of<'a, B>(settings: &Settings, request: &'a Request<B>) -> Option<Cow<'a, str>> {
    let header = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = request.uri().host().or_else(header)?;
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.');
    let (labels, domain) = name.split_at_checked(name.len().checked_sub(settings.site_domain.len())?)?;
    // Any name below the domain is a site's, so that none of them is a second way to the API.
    let labels = labels.strip_suffix('.').filter(|_| domain.eq_ignore_ascii_case(&settings.site_domain))?;
    let is_lower = !labels.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(if is_lower { Cow::Borrowed(labels) } else { Cow::Owned(labels.to_ascii_lowercase()) })
}
