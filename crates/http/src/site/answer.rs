//! A page as an answer: whole, a part of it, or that the visitor has it already.
//!
//! Conditions are taken before ranges, as RFC 9110 orders them (section 13.2.2). One range is served, of the page as it is; several at once are
//! answered with the whole page, which the RFC allows.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;
use pagesmith_model::{Error, Result, TenantId};

use crate::byte_range::ByteRange;
use crate::coding::Coding;
use crate::path_ids::AboutIds;
use crate::reply::{Comparison, names_tag};
use crate::site_cache::Finished;
use crate::state::AppState;

pub(crate) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// How a request wants a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageRequest<'a> {
    method: &'a Method,
    headers: &'a HeaderMap,
    /// The form; a part of a page is a part of it as it is.
    pub coding: Coding,
}

impl<'a> PageRequest<'a> {
    /// What a request with this method and these headers wants; `None` if it is not to look at something.
    pub fn of(method: &'a Method, headers: &'a HeaderMap) -> Option<PageRequest<'a>> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return None;
        }
        let mut request = PageRequest { method, headers, coding: Coding::Identity };
        if !request.is_for_part() {
            request.coding = Coding::wanted(headers);
        }
        Some(request)
    }

    fn is_for_part(self) -> bool {
        *self.method == Method::GET && self.headers.contains_key(header::RANGE)
    }
}

/// The answer with a tenant's page in that form, which it must have, and what it is about.
pub(crate) fn answer(
    state: &AppState,
    tenant: &TenantId,
    page: &Finished,
    request: PageRequest<'_>,
) -> Result<AboutIds> {
    let (headers, coding) = (request.headers, request.coding);
    let form = page.form(coding).ok_or_else(|| Error::internal("a page without the form that was made"))?;
    let tag = form.tag.to_str().unwrap_or_default();
    let names = |name: &HeaderName, comparison| names_tag(headers, name, tag, comparison);
    let status = |status| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        response
    };
    let mut response =
        if headers.contains_key(header::IF_MATCH) && !names(&header::IF_MATCH, Comparison::Strong) {
            status(StatusCode::PRECONDITION_FAILED)
        } else if names(&header::IF_NONE_MATCH, Comparison::Weak) {
            status(StatusCode::NOT_MODIFIED)
        } else {
            let bytes = form.bytes.hold(|| state.answers.share(Some(tenant)))?;
            if request.is_for_part() { part(bytes, headers, tag)? } else { Response::new(Body::from(bytes)) }
        };
    describe(page, coding, &form.tag, &mut response);
    Ok((response, page.about.clone()))
}

fn describe(page: &Finished, coding: Coding, tag: &HeaderValue, response: &mut Response<Body>) {
    let mut headers = page.headers.clone();
    headers.insert(header::ETAG, tag.clone());
    if response.status().is_success() {
        match coding.name() {
            Some(name) => headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name)),
            None => headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        };
    } else {
        headers.remove(header::CONTENT_TYPE);
        headers.remove(header::REFERRER_POLICY);
    }
    if let Some(range) = response.headers_mut().remove(header::CONTENT_RANGE) {
        headers.insert(header::CONTENT_RANGE, range);
    }
    *response.headers_mut() = headers;
}

/// The part that is asked for; the whole where that cannot be read or is several.
fn part(bytes: Bytes, headers: &HeaderMap, tag: &str) -> Result<Response<Body>> {
    let Some(range) = ByteRange::wanted(headers, tag) else {
        return Ok(Response::new(Body::from(bytes)));
    };
    let length = bytes.len() as u64;
    let Some(range) = range.within(length) else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
        let length = HeaderValue::try_from(format!("bytes */{length}")).map_err(Error::internal)?;
        response.headers_mut().insert(header::CONTENT_RANGE, length);
        return Ok(response);
    };
    let (first, last) = (*range.start(), *range.end());
    let at = |place: u64| usize::try_from(place).map_err(Error::internal);
    let mut response = Response::new(Body::from(bytes.slice(at(first)?..=at(last)?)));
    *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    let place = HeaderValue::try_from(format!("bytes {first}-{last}/{length}"));
    response.headers_mut().insert(header::CONTENT_RANGE, place.map_err(Error::internal)?);
    Ok(response)
}

/// The answer to a method that a path does not take.
pub(super) fn wrong_method(allowed: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static(allowed));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
