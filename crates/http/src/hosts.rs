//! Host names: where a request's host leads, and the names under which a tenant's site is found.
//!
//! This is the only place that maps one to the other. Every name below the site domain belongs to sites, so that
//! none of them is a second way to the API, and so does every domain that a tenant holds; the console may have a host or a listener of
//! its own; every other host is the API. A tenant's fallback name is `<slug>.<site domain>`. Names are looked up in memory, in
//! [`KeyRing`] and [`DomainMap`].

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::{HeaderMap, Request, Uri, header};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{RequestId, TenantDomainId};
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::tenant_domains::check::Installation;
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_store::tables::tenant_domains::held::HeldDomain;

use crate::arrival::Arrival;
use crate::state::{Settings, Shared};

/// Where a host leads.
#[derive(Debug)]
pub(crate) enum Target {
    /// To the API.
    Api,
    /// To the console and nothing else.
    Console,
    /// To the site of a tenant that is not suspended.
    Site(Site),
    /// To no site, although the name is one of a site.
    Unknown,
}

/// A tenant's site, under one of its names.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Whose it is.
    pub tenant: Arc<Tenant>,
    /// The tenant's own domain, if that is the name.
    domain: Option<Arc<HeldDomain>>,
    /// The request for it, if that may change anything.
    pub request_id: Option<RequestId>,
}

impl Site {
    /// A context of the tenant, for what the request causes.
    pub fn context(&self, state: &Shared) -> TenantContext {
        state.platform.context().caused_by(self.request_id.clone()).of(self.tenant.tenant_id.clone())
    }

    /// The tenant's own domain, if the site is asked for under one.
    pub fn domain_id(&self) -> Option<&TenantDomainId> {
        self.domain.as_ref().map(|domain| &domain.tenant_domain_id)
    }
}

impl Target {
    /// Where the host of a request leads.
    pub fn of<B>(state: &Shared, request: &Request<B>, arrival: Arrival) -> Target {
        if arrival.is_for_console {
            return Target::Console;
        }
        host_name(request.uri(), request.headers()).map_or(Target::Api, |name| {
            Target::of_name(&state.dns_checker.installation, &state.keys, &state.domains, name)
        })
    }

    fn of_name(installation: &Installation, keys: &KeyRing, domains: &DomainMap, name: &str) -> Target {
        let (tenant, domain) = if let Some(slug) = fallback_slug(&installation.site_domain, name) {
            (keys.tenant_by_slug(&slug), None)
        } else {
            let is =
                |host: &Option<String>| host.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(name));
            if is(&installation.console_host) {
                return Target::Console;
            }
            if is(&installation.api_host) {
                return Target::Api;
            }
            let Some(held) = domains.find(&lower_case(name)) else { return Target::Api };
            (keys.tenant(&held.tenant), Some(held))
        };
        let tenant = tenant.filter(|tenant| tenant.suspended_at.is_none());
        tenant.map_or(Target::Unknown, |tenant| Target::Site(Site { tenant, domain, request_id: None }))
    }
}

/// The name of the host that a request asks for, without a port. The host of an absolute request target takes precedence over the header.
pub(crate) fn host_name<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let header = || headers.get(header::HOST).and_then(|host| host.to_str().ok());
    uri.host().or_else(header).map(without_port)
}

fn without_port(host: &str) -> &str {
    host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.')
}

/// The text before the site domain, in lower case; `None` if the name is not below the site domain.
fn fallback_slug<'a>(site_domain: &str, name: &'a str) -> Option<Cow<'a, str>> {
    let (labels, domain) = name.split_at_checked(name.len().checked_sub(site_domain.len())?)?;
    let labels = labels.strip_suffix('.').filter(|_| domain.eq_ignore_ascii_case(site_domain))?;
    Some(lower_case(labels))
}

fn lower_case(name: &str) -> Cow<'_, str> {
    let is_lower = !name.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_ascii_lowercase()) }
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

/// The URL of a path on the fallback domain of a tenant's site.
pub fn site_address(settings: &Settings, tenant_slug: &str, path: &str) -> String {
    url(settings, &fallback_domain(settings, tenant_slug), path)
}

/// The URL of a path that search engines are told: on the tenant's default domain, else on the fallback domain.
pub(crate) fn canonical_address(
    settings: &Settings,
    tenant_slug: &str,
    default_domain: Option<&str>,
    path: &str,
) -> String {
    match default_domain {
        Some(domain) => url(settings, domain, path),
        None => site_address(settings, tenant_slug, path),
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::TenantId;
    use pagesmith_store::Store;

    use super::*;

    #[test]
    fn every_name_below_the_site_domain_is_a_site() {
        let slug = |host: &str| fallback_slug("pages.example", host).map(Cow::into_owned);
        for (host, expected) in [
            ("acme.pages.example", Some("acme")),
            ("ACME.Pages.Example", Some("acme")),
            ("a.b.pages.example", Some("a.b")),
            (".pages.example", Some("")),
            ("pages.example", None),
            ("acmepages.example", None),
            ("acme.example", None),
            ("[::1]", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(slug(host).as_deref(), expected, "{host}");
        }
    }

    #[tokio::test]
    async fn a_name_leads_to_one_place_however_it_is_written() {
        let file = tempfile::tempdir().unwrap();
        let store = Store::open_inline(&file.path().join("test.db")).unwrap();
        let (keys, domains) = (KeyRing::new(store.clone()), DomainMap::new(store));
        let held = |domain: &str| HeldDomain {
            domain: domain.to_owned(),
            tenant: TenantId::parse("tenant_00000000000000000000000000").unwrap(),
            tenant_domain_id: TenantDomainId::parse("domain_00000000000000000000000000").unwrap(),
        };
        domains.keep(1, vec![held("go.acme.example"), held("api.example"), held("team.example")]);
        let installation = Installation {
            api_host: Some("api.example".to_owned()),
            console_host: Some("team.example".to_owned()),
            other_hosts: vec![],
            site_domain: "pages.example".to_owned(),
            addresses: vec![],
        };
        for host in ["team.example", "TEAM.example.:8080"] {
            let target = Target::of_name(&installation, &keys, &domains, without_port(host));
            assert!(matches!(target, Target::Console), "{host}");
        }
        for (host, is_api) in [
            ("acme.pages.example:8080", false),
            ("acme.pages.example.", false),
            ("pages.example:8080", true),
            ("go.acme.example", false),
            ("GO.acme.Example.:443", false),
            ("a.go.acme.example", true),
            ("acme.example", true),
            ("API.example:8080", true),
            ("[::1]:8080", true),
            ("", true),
        ] {
            let target = Target::of_name(&installation, &keys, &domains, without_port(host));
            // No tenant is in memory, so that no site is there.
            assert_eq!(matches!(target, Target::Api), is_api, "{host}");
            assert_eq!(matches!(target, Target::Unknown), !is_api, "{host}");
        }
    }

    #[test]
    fn the_name_of_a_host_has_no_port_and_an_absolute_target_takes_precedence() {
        let mut headers = HeaderMap::new();
        let name = |target: &str, headers: &HeaderMap| {
            host_name(&target.parse().unwrap(), headers).map(str::to_owned)
        };
        assert_eq!(name("/", &headers), None);
        headers.insert(header::HOST, "go.Acme.example.:8080".parse().unwrap());
        assert_eq!(name("/", &headers).as_deref(), Some("go.Acme.example"));
        assert_eq!(name("http://other.example:81/", &headers).as_deref(), Some("other.example"));
    }

    #[test]
    fn a_site_has_the_scheme_of_the_api_and_a_port_where_it_needs_one() {
        let settings = Settings { site_port: Some(8080), ..Settings::usual("https://api.example") };
        assert_eq!(site_address(&settings, "acme", "/spring"), "https://acme.localhost:8080/spring");
        let settings = Settings { site_port: None, ..settings };
        assert_eq!(site_address(&settings, "acme", ""), "https://acme.localhost");
    }
}
