//! The answers of a tenant's site: pages, and notices where there is none to show.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result};
use pagesmith_operations::site::{self, Address, Sight};
use pagesmith_render::{Language, Notice, Theme};

use crate::reply::{Comparison, names_tag};
use crate::site::cache::Finished;
use crate::site::draw::draw;
use crate::state::AppState;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// The answer of the site of the tenant of that slug.
pub(crate) async fn serve(state: &AppState, tenant_slug: &str, request: &Parts) -> Response<Body> {
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return wrong_method();
    }
    let tenant = state.keys.tenant_by_slug(tenant_slug).filter(|tenant| tenant.suspended_at.is_none());
    let Some(tenant) = tenant else { return notice(Notice::NotFound, "") };
    let Some(address) = Address::parse(request.uri.path()) else {
        return notice(Notice::NotFound, &tenant.name);
    };
    match find(state, &tenant, address).await {
        Ok(Ok(page)) => answer(&page, &request.headers),
        Ok(Err(instead)) => notice(instead, &tenant.name),
        Err(error) => {
            tracing::warn!(%error, "a site could not be served");
            let mut response = notice(Notice::Unavailable, &tenant.name);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

/// The page at an address, or what is said instead.
async fn find(
    state: &AppState,
    tenant: &Arc<Tenant>,
    address: Address,
) -> Result<Result<Arc<Finished>, Notice>> {
    let key = (tenant.tenant_id.clone(), address);
    let (tenant_id, address) = key.clone();
    let sight = state.store.glance(move |tx| site::look(tx, &tenant_id, &address)).await?;
    let spot = if let Sight::Published(spot) = &sight { Some(spot) } else { None };
    let kept = state.pages.find(&key, spot);
    if spot.is_none() {
        return Ok(Err(instead_of(&sight)));
    }
    if let Some(page) = kept {
        return Ok(Ok(page));
    }
    let (tenant_id, address) = key.clone();
    let parts = match state.store.read(move |tx| site::read(tx, &tenant_id, &address)).await? {
        Ok(parts) => parts,
        Err(sight) => return Ok(Err(instead_of(&sight))),
    };
    let (shared, tenant, address) = (Arc::clone(state), Arc::clone(tenant), key.1.clone());
    // A large page takes long enough to hold others up.
    let drawing = tokio::task::spawn_blocking(move || draw(&shared.settings, &tenant, &address, *parts));
    let page = Arc::new(drawing.await.map_err(Error::internal)??);
    state.pages.keep(key, Arc::clone(&page));
    Ok(Ok(page))
}

fn instead_of(sight: &Sight) -> Notice {
    match sight {
        Sight::Nothing => Notice::NotFound,
        Sight::Gone => Notice::Gone,
        Sight::NotPublished | Sight::Published(_) => Notice::NotPublished,
    }
}

/// The page, or that the visitor has it already.
fn answer(page: &Finished, request: &HeaderMap) -> Response<Body> {
    let tag = page.tag.to_str().unwrap_or_default();
    let is_known = names_tag(request, header::IF_NONE_MATCH.as_str(), tag, Comparison::Weak);
    let mut response = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        html(page.html.clone())
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, page.tag.clone());
    headers.insert(header::CACHE_CONTROL, page.caching.clone());
    headers.insert(header::CONTENT_SECURITY_POLICY, page.policy.clone());
    if let Some(robots) = &page.robots {
        headers.insert(ROBOTS, robots.clone());
    }
    response
}

fn html(body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.reserve(12);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    response
}

/// A page that says one thing.
fn notice(notice: Notice, site_name: &str) -> Response<Body> {
    let rendered = pagesmith_render::notice(notice, site_name, &Theme::default(), &Language::of(None));
    let mut response = html(rendered.html);
    *response.status_mut() = match notice {
        Notice::NotFound | Notice::NotPublished => StatusCode::NOT_FOUND,
        Notice::Gone => StatusCode::GONE,
        Notice::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    if let Ok(policy) = HeaderValue::try_from(rendered.content_security_policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A site is only looked at.
fn wrong_method() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
