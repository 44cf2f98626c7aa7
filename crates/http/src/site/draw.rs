//! A published page, drawn and made ready to be sent.

use axum::http::HeaderValue;
use bytes::Bytes;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result};
use pagesmith_operations::site::{Address, Parts};
use pagesmith_render::{Defaults, FrameAncestors, Head, PageView, Theme};

use crate::reply::etag;
use crate::site::cache::Finished;
use crate::site::host::{fallback_domain, url};
use crate::state::Settings;

/// Draws the page of these parts for its address.
pub(crate) fn draw(
    settings: &Settings,
    tenant: &Tenant,
    address: &Address,
    parts: Parts,
) -> Result<Finished> {
    let spot = parts.spot.clone();
    let page = parts.open()?;
    let here = url(settings, &fallback_domain(settings, &tenant.slug), &address.path());
    let defaults = Defaults {
        page_name: &page.name,
        site_name: &tenant.name,
        url: Some(&here),
        is_personal: page.is_personal,
    };
    let head =
        Head::resolve(page.metadata.as_ref(), page.metadata_override.as_ref(), &page.content, &defaults);
    let rendered = pagesmith_render::page(&PageView {
        content: &page.content,
        head: &head,
        actions: &page.actions,
        header_action_id: page.header_action_id.as_deref(),
        nav: &page.nav,
        footer: &page.footer,
        widgets: &page.widgets,
        scripts: &page.scripts,
        // As long as nobody can say otherwise, no script runs unasked.
        needs_consent: true,
        theme: &Theme::default(),
        site_name: &tenant.name,
        home_url: None,
        preview: None,
        frame_ancestors: &FrameAncestors::Nobody,
    });
    let value = |text: &str| HeaderValue::try_from(text).map_err(Error::internal);
    // Whatever is kept on the way is asked about at every visit, so that a change shows at once.
    let caching = if page.is_personal { "private, no-cache" } else { "public, max-age=0, must-revalidate" };
    Ok(Finished {
        spot,
        tag: value(&etag(rendered.html.as_bytes()))?,
        html: Bytes::from(rendered.html),
        policy: value(&rendered.content_security_policy)?,
        caching: HeaderValue::from_static(caching),
        robots: if head.is_indexable() { None } else { Some(HeaderValue::from_static("noindex")) },
    })
}
