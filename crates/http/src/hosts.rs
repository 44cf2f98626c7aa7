//! Host names: where a request's host leads, and the names under which a tenant's site is found.
//!
//! This is the only place that maps one to the other. Every name below the site domain belongs to sites, so that
//! none of them is a second way to the API; every other host is the API. A tenant's fallback name is
//! `<slug>.<site domain>`. Names are looked up in memory, in the snapshot of [`KeyRing`].

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::{Request, header};
use pagesmith_model::tenant::Tenant;
use pagesmith_operations::access::KeyRing;

use crate::state::Settings;

/// Where a host leads.
#[derive(Debug)]
pub(crate) enum Target {
    /// To the API.
    Api,
    /// To the site of a tenant that is not suspended.
    Site(Arc<Tenant>),
    /// To no site, although the name is one of a site.
    Unknown,
}

impl Target {
    /// Where the host of a request leads. The host of an absolute request target takes precedence over the header.
    pub fn of<B>(settings: &Settings, keys: &KeyRing, request: &Request<B>) -> Target {
        let header = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let host = request.uri().host().or_else(header);
        let Some(slug) = host.and_then(|host| fallback_slug(&settings.site_domain, host)) else {
            return Target::Api;
        };
        let tenant = keys.tenant_by_slug(&slug).filter(|tenant| tenant.suspended_at.is_none());
        tenant.map_or(Target::Unknown, Target::Site)
    }
}

/// The text before the site domain, in lower case; `None` if the host is not below the site domain.
fn fallback_slug<'a>(site_domain: &str, host: &'a str) -> Option<Cow<'a, str>> {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.');
    let (labels, domain) = name.split_at_checked(name.len().checked_sub(site_domain.len())?)?;
    let labels = labels.strip_suffix('.').filter(|_| domain.eq_ignore_ascii_case(site_domain))?;
    let is_lower = !labels.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(if is_lower { Cow::Borrowed(labels) } else { Cow::Owned(labels.to_ascii_lowercase()) })
}

/// The domain of a tenant's site if the tenant has no domain of its own.
pub(crate) fn fallback_domain(settings: &Settings, tenant_slug: &str) -> String {
    format!("{tenant_slug}.{}", settings.site_domain)
}

/// The URL of a path on a site's domain.
pub(crate) fn url(settings: &Settings, domain: &str, path: &str) -> String {
    let scheme = settings.base_url.split("://").next().unwrap_or("http");
    let port = settings.site_port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{domain}{port}{path}")
}

/// The URL of a path on a tenant's site.
pub fn site_address(settings: &Settings, tenant_slug: &str, path: &str) -> String {
    url(settings, &fallback_domain(settings, tenant_slug), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_below_the_site_domain_is_a_site() {
        let slug = |host: &str| fallback_slug("pages.example", host).map(Cow::into_owned);
        for (host, expected) in [
            ("acme.pages.example", Some("acme")),
            ("acme.pages.example:8080", Some("acme")),
            ("acme.pages.example.", Some("acme")),
            ("ACME.Pages.Example", Some("acme")),
            ("a.b.pages.example", Some("a.b")),
            (".pages.example", Some("")),
            ("pages.example", None),
            ("pages.example:8080", None),
            ("acmepages.example", None),
            ("acme.example", None),
            ("[::1]:8080", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(slug(host).as_deref(), expected, "{host}");
        }
    }

    #[test]
    fn a_site_has_the_scheme_of_the_api_and_a_port_where_it_needs_one() {
        let settings = Settings { site_port: Some(8080), ..Settings::usual("https://api.example") };
        assert_eq!(site_address(&settings, "acme", "/spring"), "https://acme.localhost:8080/spring");
        let settings = Settings { site_port: None, ..settings };
        assert_eq!(site_address(&settings, "acme", ""), "https://acme.localhost");
    }
}
