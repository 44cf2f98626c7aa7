//! Page links: paths that show what is at another address, or send visitors on.
//!
//! What a link leads to is kept in memory ([`crate::site_cache::link_cache`]), so that visitors of a link wait for the database no more than those of a page.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, Uri, header};
use pagesmith_console::cookies;
use pagesmith_model::page_link::{self, LinkPath};
use pagesmith_model::visit::beacon;
use pagesmith_model::{Error, PageLinkId, PathId, Result, TenantId};
use pagesmith_operations::site::links::{self, Destination, LinkTargets};
use pagesmith_operations::visits::salts::{DaySalts, consented_visitor_of_link};
use pagesmith_render::Notice;

use crate::arrival;
use crate::hosts::Site;
use crate::path_ids::{AboutIds, PathIds, noted};
use crate::site::answer::{PageRequest, answer};
use crate::site::find::{OrNotice, find, now};
use crate::state::AppState;

/// The cookie in which a browser whose visitor has agreed keeps an id.
const VISITOR_COOKIE: &str = "page-visitor";

/// Who follows a link.
struct Visitor<'a> {
    tenant: &'a TenantId,
    address: Option<IpAddr>,
    headers: &'a HeaderMap,
}

impl<'a> Visitor<'a> {
    fn of(site: &'a Site, address: Option<IpAddr>, headers: &'a HeaderMap) -> Visitor<'a> {
        Visitor { tenant: &site.tenant.tenant_id, address, headers }
    }

    /// The visitor's target, if it can be told without the database.
    fn known_destination(&self, state: &AppState, targets: &LinkTargets) -> Result<Option<Destination>> {
        if let Some(only) = targets.only() {
            return Ok(Some(only.clone()));
        }
        let ctx = state.platform.context();
        let number = match (self.kept_id(), state.salts.kept(ctx.now)) {
            (Some(id), _) => consented_visitor_of_link(&ctx, (self.tenant, &targets.page_link_id), id)?,
            (None, Some(salts)) => self.number(&salts, targets)?,
            (None, None) => return Ok(None),
        };
        Ok(targets.choose(number).cloned())
    }

    async fn destination(&self, state: &AppState, targets: &LinkTargets) -> Result<Destination> {
        if let Some(known) = self.known_destination(state, targets)? {
            return Ok(known);
        }
        let salts = state.salts.of_today(&state.store, &state.platform.context()).await?;
        let chosen = targets.choose(self.number(&salts, targets)?);
        chosen.cloned().ok_or_else(|| Error::internal("a link without targets"))
    }

    /// The id that the visitor has agreed to keep.
    fn kept_id(&self) -> Option<[u8; 16]> {
        cookies::find(self.headers, VISITOR_COOKIE).as_deref().and_then(beacon::number)
    }

    fn number(&self, salts: &DaySalts, targets: &LinkTargets) -> Result<u64> {
        let address = self.address.map(|address| address.to_string()).unwrap_or_default();
        let agent = self.headers.get(header::USER_AGENT).map(HeaderValue::as_bytes).unwrap_or_default();
        let link = (self.tenant, &targets.page_link_id);
        salts.visitor_of_link(link, (&address, &String::from_utf8_lossy(agent)))
    }
}

/// What a link is kept under: its tenant, and what tells it from the tenant's others.
fn key_of(site: &Site, path: &LinkPath) -> (TenantId, Box<str>) {
    (site.tenant.tenant_id.clone(), page_link::key_on(site.domain_id(), path).into())
}

/// The answer of a link that is in memory with what it leads to, both known to be right.
pub(super) fn from_memory(
    state: &AppState,
    site: &Site,
    (uri, headers, client): (&Uri, &HeaderMap, Option<IpAddr>),
    wanted: PageRequest<'_>,
) -> Option<AboutIds> {
    let path = LinkPath::parse(uri.path()).ok()?;
    let key = key_of(site, &path);
    let now = now(state);
    let targets = state.links.fresh(&key, now)?;
    match Visitor::of(site, client, headers).known_destination(state, &targets).ok()?? {
        Destination::Elsewhere { url, keeps_query } => redirect(&targets, &url, uri, keeps_query).ok(),
        Destination::Site(address) => {
            let page = state.pages.fresh(&(key.0, address), now)?;
            page.form(wanted.coding)?;
            let (answered, about) = answer(state, &site.tenant.tenant_id, &page, wanted).ok()?;
            Some((restrict_caching(&targets, answered), about))
        }
    }
}

/// The answer of the link at a path, if there is one.
pub(super) async fn follow(
    state: &AppState,
    site: &Site,
    request: &Parts,
    wanted: PageRequest<'_>,
) -> OrNotice<Response<Body>> {
    let Ok(path) = LinkPath::parse(request.uri.path()) else { return Ok(Err(Notice::NotFound)) };
    let (tenant, key) = (&site.tenant, key_of(site, &path));
    let now = now(state);
    let targets = match state.links.fresh(&key, now) {
        Some(targets) => targets,
        None => {
            let (id, wanted) = key.clone();
            let store = state.store.for_tenant(&tenant.tenant_id);
            let found = store.point_read(move |tx| links::find(tx, &id, &wanted)).await?;
            let Some(targets) = found.map(Arc::new) else { return Ok(Err(Notice::NotFound)) };
            state.links.insert(key, &targets, now);
            targets
        }
    };
    let visitor = Visitor::of(site, arrival::client(&request.extensions), &request.headers);
    let address = match visitor.destination(state, &targets).await? {
        Destination::Elsewhere { url, keeps_query } => {
            return redirect(&targets, &url, &request.uri, keeps_query).map(noted).map(Ok);
        }
        Destination::Site(address) => address,
    };
    match find(state, tenant, address, wanted.coding).await? {
        Ok(page) => {
            let (answered, about) = answer(state, &tenant.tenant_id, &page, wanted)?;
            Ok(Ok(noted((restrict_caching(&targets, answered), about))))
        }
        Err(instead) => Ok(Err(instead)),
    }
}

/// If visitors get different pages, no cache that several of them share may keep one.
fn restrict_caching(targets: &LinkTargets, mut response: Response<Body>) -> Response<Body> {
    if targets.only().is_none()
        && let Some(caching) = response.headers_mut().get_mut(header::CACHE_CONTROL)
        && caching.as_bytes().starts_with(b"public")
    {
        *caching = HeaderValue::from_static("private, no-cache");
    }
    response
}

fn redirect(targets: &LinkTargets, url: &str, uri: &Uri, keeps_query: bool) -> Result<AboutIds> {
    let query = uri.query().filter(|_| keeps_query).unwrap_or_default();
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    let place = HeaderValue::try_from(page_link::with_query(url, query)).map_err(Error::internal)?;
    response.headers_mut().insert(header::LOCATION, place);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let about = PathIds::found(&[(PageLinkId::PARAMETER, targets.page_link_id.as_str())]);
    Ok((response, about))
}
