//! A page as an answer: whole, a part of it, or that the visitor has it already.
//!
//! Conditions are taken before ranges, as RFC 9110 orders them (section 13.2.2). One range is served, of the page as it is; several at once are
//! answered with the whole page, which the RFC allows.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;
use pagesmith_model::{Error, Result};

use crate::reply::{Comparison, names_tag};
use crate::site::cache::Finished;
use crate::site::coding::Coding;

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

/// The answer with a page in that form, which it must have.
pub(crate) fn answer(page: &Finished, request: PageRequest<'_>) -> Result<Response<Body>> {
    let (headers, coding) = (request.headers, request.coding);
    let form = page.form(coding).ok_or_else(|| Error::internal("a page without the form that was made"))?;
    let tag = form.tag.to_str().unwrap_or_default();
    let names = |name: HeaderName, comparison| names_tag(headers, name.as_str(), tag, comparison);
    let status = |status| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        response
    };
    let mut response =
        if headers.contains_key(header::IF_MATCH) && !names(header::IF_MATCH, Comparison::Strong) {
            status(StatusCode::PRECONDITION_FAILED)
        } else if names(header::IF_NONE_MATCH, Comparison::Weak) {
            status(StatusCode::NOT_MODIFIED)
        } else if request.is_for_part() && is_same(headers, tag) {
            part(&form.bytes, headers)?
        } else {
            Response::new(Body::from(form.bytes.clone()))
        };
    describe(page, coding, &form.tag, &mut response);
    Ok(response)
}

fn describe(page: &Finished, coding: Coding, tag: &HeaderValue, response: &mut Response<Body>) {
    let has_body = response.status().is_success();
    let headers = response.headers_mut();
    // Room for what the pipeline adds.
    headers.reserve(14);
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::CACHE_CONTROL, page.caching.clone());
    headers.insert(header::CONTENT_SECURITY_POLICY, page.policy.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if has_body {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static(page.referrer));
        match coding.name() {
            Some(name) => headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name)),
            None => headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        };
    }
    if let Some(robots) = &page.robots {
        headers.insert(ROBOTS, robots.clone());
    }
}

/// Whether a part may be sent: the visitor has the rest of just this, or did not say what it has.
fn is_same(headers: &HeaderMap, tag: &str) -> bool {
    let Some(condition) = headers.get(header::IF_RANGE) else { return true };
    condition.to_str().is_ok_and(|condition| condition.trim() == tag)
}

/// The part that is asked for; the whole where that cannot be read or is several.
fn part(bytes: &Bytes, headers: &HeaderMap) -> Result<Response<Body>> {
    let asked = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    let Some(range) = asked.and_then(Range::read) else {
        return Ok(Response::new(Body::from(bytes.clone())));
    };
    let Some((first, last)) = range.within(bytes.len()) else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
        let length = HeaderValue::try_from(format!("bytes */{}", bytes.len())).map_err(Error::internal)?;
        response.headers_mut().insert(header::CONTENT_RANGE, length);
        return Ok(response);
    };
    let mut response = Response::new(Body::from(bytes.slice(first..=last)));
    *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    let place = HeaderValue::try_from(format!("bytes {first}-{last}/{}", bytes.len()));
    response.headers_mut().insert(header::CONTENT_RANGE, place.map_err(Error::internal)?);
    Ok(response)
}

/// A single range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    /// From a byte to another, or to the end.
    From(usize, Option<usize>),
    /// So many at the end.
    Last(usize),
}

impl Range {
    /// Reads `bytes=…`; `None` for several ranges and for what is none.
    fn read(text: &str) -> Option<Range> {
        let (unit, range) = text.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        let number = |digits: &str| {
            // A number too large to be one of ours is behind the end.
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().unwrap_or(usize::MAX))
        };
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        match (first.is_empty(), last.is_empty()) {
            (true, _) => number(last).map(Range::Last),
            (false, true) => number(first).map(|first| Range::From(first, None)),
            (false, false) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Range::From(first, Some(last)))
            }
        }
    }

    /// Its first and last byte in so many; `None` if it has none there.
    fn within(self, length: usize) -> Option<(usize, usize)> {
        let end = length.checked_sub(1)?;
        match self {
            Range::From(first, last) => {
                (first <= end).then(|| (first, last.map_or(end, |last| last.min(end))))
            }
            Range::Last(0) => None,
            Range::Last(count) => Some((length.saturating_sub(count), end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_read_and_anything_else_is_none() {
        for (text, expected) in [
            ("bytes=0-0", Some(Range::From(0, Some(0)))),
            ("Bytes= 5-9", Some(Range::From(5, Some(9)))),
            ("bytes=5-", Some(Range::From(5, None))),
            ("bytes=-5", Some(Range::Last(5))),
            ("bytes=9-5", None),
            ("bytes=-", None),
            ("bytes=", None),
            ("bytes", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("bytes=0-1,3-4", None),
            ("lines=0-1", None),
            ("bytes=99999999999999999999999-", Some(Range::From(usize::MAX, None))),
        ] {
            assert_eq!(Range::read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_range_ends_where_the_page_ends() {
        for (range, length, expected) in [
            (Range::From(0, Some(0)), 10, Some((0, 0))),
            (Range::From(5, Some(50)), 10, Some((5, 9))),
            (Range::From(9, None), 10, Some((9, 9))),
            (Range::From(10, None), 10, None),
            (Range::Last(3), 10, Some((7, 9))),
            (Range::Last(30), 10, Some((0, 9))),
            (Range::Last(0), 10, None),
            (Range::From(0, None), 0, None),
        ] {
            assert_eq!(range.within(length), expected, "{range:?} of {length}");
        }
    }
}
