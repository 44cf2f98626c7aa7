//! What the head of a request must be before it is taken, and how long the body is that follows it.
//!
//! The bytes are read by the parser that hyper uses, so both read the same. This one is asked first, since what hyper refuses it answers
//! without a body. What this is not: routing, or anything that depends on who asks.

use std::mem::MaybeUninit;
use std::net::Ipv6Addr;

use axum::http::header::{COOKIE, HOST};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use httparse::{Error, Request, Status};
use pagesmith_model::RequestId;

/// The largest head of a request in bytes: its first line, its headers and the empty line after them.
pub(crate) const MAX_HEAD: usize = 32 * 1024;
/// The most headers of a request.
pub(crate) const MAX_HEADERS: usize = 100;

/// Why a head is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not HTTP/1, or not valid: the sentence says what is wrong.
    Malformed(&'static str),
    /// The header `Host` is missing, occurs twice, or is not a host: the sentence says which.
    Host(&'static str),
    /// The first line alone is longer than [`MAX_HEAD`].
    TargetTooLong,
    /// It is longer than [`MAX_HEAD`], or has more headers than [`MAX_HEADERS`].
    TooLarge,
    /// It did not arrive in time.
    TimedOut,
}

/// A head that is refused, as far as the answer depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Why.
    pub fault: Fault,
    /// Whether the method is HEAD, whose answer has no body.
    pub is_head: bool,
    /// The client's id for the request, where it can be ours.
    pub request_id: Option<RequestId>,
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused { fault, is_head: false, request_id: None }
    }
}

/// The body that follows a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// Of that many bytes.
    Length(u64),
    /// In chunks.
    Chunked,
}

/// A head that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its length in bytes.
    pub length: usize,
    /// What follows.
    pub body: Body,
}

/// Reads a head from the start of `bytes`; `None` if its end is still to come.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Head>, Refused> {
    let window = &bytes[..bytes.len().min(MAX_HEAD)];
    let mut headers = [const { MaybeUninit::uninit() }; MAX_HEADERS];
    let mut request = Request::new(&mut []);
    match request.parse_with_uninit_headers(window, &mut headers) {
        Ok(Status::Complete(length)) => match judge(&request) {
            Ok(body) => Ok(Some(Head { length, body })),
            Err(fault) => Err(refused(&request, fault)),
        },
        Ok(Status::Partial) if window.len() < MAX_HEAD => Ok(None),
        Ok(Status::Partial) if has_first_line(window) => Err(Fault::TooLarge.into()),
        Ok(Status::Partial) => Err(Fault::TargetTooLong.into()),
        Err(error) => Err(fault_of(error, &request).into()),
    }
}

/// Whether anything is there but the empty lines that may precede a request.
pub(crate) fn is_begun(bytes: &[u8]) -> bool {
    !begun(bytes).is_empty()
}

/// Whether a head that has begun is that of a request by HEAD, whose answer has no body.
pub(crate) fn is_of_head(bytes: &[u8]) -> bool {
    begun(bytes).starts_with(b"HEAD ")
}

fn has_first_line(bytes: &[u8]) -> bool {
    begun(bytes).contains(&b'\n')
}

/// The bytes behind the empty lines that may precede a request.
fn begun(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    &bytes[start.unwrap_or(bytes.len())..]
}

fn fault_of(error: Error, request: &Request<'_, '_>) -> Fault {
    Fault::Malformed(match error {
        Error::TooManyHeaders => return Fault::TooLarge,
        Error::Version => "Only HTTP/1.1 and HTTP/1.0 are spoken here.",
        Error::HeaderName => "The name of a header is not valid.",
        Error::HeaderValue => "The value of a header is not valid.",
        Error::Token if request.method.is_some() => "The address in the first line is not valid.",
        Error::Token => "This is no HTTP request: it does not begin with a method.",
        Error::NewLine | Error::Status => "A line of the request's head does not end as it must.",
    })
}

fn refused(request: &Request<'_, '_>, fault: Fault) -> Refused {
    let id = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case("x-request-id"));
    Refused {
        fault,
        is_head: request.method == Some("HEAD"),
        request_id: id.and_then(|id| RequestId::parse(std::str::from_utf8(id.value).ok()?)),
    }
}

/// What follows a head that has the form of one, or what is wrong with it.
fn judge(request: &Request<'_, '_>) -> Result<Body, Fault> {
    let is_http_11 = request.version == Some(1);
    let (mut host, mut length, mut is_chunked) = (None, None, false);
    for header in request.headers.iter() {
        if header.name.eq_ignore_ascii_case("host") {
            if host.replace(header.value).is_some() {
                return Err(Fault::Host("The header Host must stand exactly once."));
            }
        } else if header.name.eq_ignore_ascii_case("content-length") {
            let announced = content_length(header.value);
            let announced = announced.ok_or(Fault::Malformed("Content-Length is not a valid length."))?;
            if length.replace(announced).is_some_and(|other| other != announced) {
                return Err(Fault::Malformed("The request has two lengths."));
            }
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            if is_chunked || !header.value.eq_ignore_ascii_case(b"chunked") {
                return Err(Fault::Malformed("The only Transfer-Encoding that is taken is chunked."));
            }
            is_chunked = true;
        }
    }
    match host {
        None if is_http_11 => return Err(Fault::Host("A request by HTTP/1.1 needs the header Host.")),
        Some(host) if !is_host(host) => return Err(Fault::Host("The header Host is not a host name.")),
        _ => {}
    }
    if !is_target(request.method.unwrap_or_default(), request.path.unwrap_or_default()) {
        return Err(Fault::Malformed("The address in the first line is not valid."));
    }
    match (is_chunked, length) {
        (false, length) => Ok(Body::Length(length.unwrap_or_default())),
        (true, None) if is_http_11 => Ok(Body::Chunked),
        (true, None) => Err(Fault::Malformed("HTTP/1.0 has no Transfer-Encoding.")),
        // Two readers that choose differently see different requests.
        (true, Some(_)) => {
            Err(Fault::Malformed("A request has Content-Length or Transfer-Encoding, not both."))
        }
    }
}

/// What is wrong with the head of a request by HTTP/2, which the library has read: the same rules, as far as the library does not apply them
/// itself. The host is `:authority`; where the header Host stands as well, it is the same.
pub(crate) fn judge_parsed<B>(request: &axum::http::Request<B>) -> Result<(), Fault> {
    let (uri, headers) = (request.uri(), request.headers());
    let target = uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > MAX_HEAD {
        return Err(Fault::TargetTooLong);
    }
    // As large as it would be as text.
    let lines = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
    if lines + target > MAX_HEAD || headers.len() > MAX_HEADERS {
        return Err(Fault::TooLarge);
    }
    let mut hosts = headers.get_all(HOST).iter();
    let (host, another) = (hosts.next().map(HeaderValue::as_bytes), hosts.next());
    if another.is_some() {
        return Err(Fault::Host("The header Host must stand exactly once."));
    }
    match (uri.authority().map(|authority| authority.as_str().as_bytes()), host) {
        (None, None) => Err(Fault::Host("A request by HTTP/2 needs a host.")),
        (Some(authority), Some(host)) if !authority.eq_ignore_ascii_case(host) => {
            Err(Fault::Host("The header Host and :authority are not the same."))
        }
        (Some(host), _) | (None, Some(host)) if !is_host(host) => {
            Err(Fault::Host("The host of the request is not a host name."))
        }
        _ => Ok(()),
    }
}

/// Makes one header of the parts that a client of HTTP/2 may send its cookies in (RFC 9113, 8.2.3).
pub(crate) fn join_cookies(headers: &mut HeaderMap) {
    let parts: Vec<&[u8]> = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
    if parts.len() < 2 {
        return;
    }
    if let Ok(joined) = HeaderValue::from_bytes(&parts.join(&b"; "[..])) {
        headers.insert(COOKIE, joined);
    }
}

fn content_length(value: &[u8]) -> Option<u64> {
    let digits = value.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(value).ok().filter(|_| digits)?.parse().ok()?;
    // The largest values mean something else to some readers.
    (length <= i64::MAX.unsigned_abs()).then_some(length)
}

/// A host and perhaps a port, as RFC 9110 has it; an empty host is none of `http`.
fn is_host(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let (host_is_valid, rest) = match text.strip_prefix('[') {
        Some(text) => match text.split_once(']') {
            Some((address, rest)) => (address.parse::<Ipv6Addr>().is_ok(), rest),
            None => return false,
        },
        None => {
            let (name, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
            ((1..=255).contains(&name.len()) && name.bytes().all(|byte| IN_HOST[usize::from(byte)]), rest)
        }
    };
    let is_port = |port: &str| {
        port.bytes().all(|byte| byte.is_ascii_digit()) && (port.is_empty() || port.parse::<u16>().is_ok())
    };
    host_is_valid && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port))
}

/// Whether a method and an address are such, in a form that goes with the method.
fn is_target(method: &str, target: &str) -> bool {
    let is_usual = |target: &str| target.bytes().all(|byte| IN_TARGET[usize::from(byte)]);
    if target.starts_with('/') && is_usual(target) && method != "CONNECT" {
        return true;
    }
    let (Ok(method), Ok(uri)) = (method.parse::<Method>(), target.parse::<Uri>()) else { return false };
    match method {
        Method::CONNECT => uri.scheme().is_none() && uri.authority().is_some(),
        Method::OPTIONS if target == "*" => true,
        _ => target.starts_with('/') || uri.scheme().is_some(),
    }
}

/// The bytes of a host's name.
const IN_HOST: [bool; 256] = with_letters_and_digits(b"-._~%!$&'()*+;=");
/// The bytes of nearly all addresses.
const IN_TARGET: [bool; 256] = with_letters_and_digits(b"/-._~?=&%+");

/// A table of the bytes that may stand somewhere: the ASCII letters and digits, and others. A table takes a lookup a byte, where
/// comparisons take a dozen, and every request has a host and an address.
const fn with_letters_and_digits(others: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < others.len() {
        table[others[at] as usize] = true;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_with_an_empty_line_and_tells_what_follows() {
        for (text, expected) in [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Some((27, Body::Length(0)))),
            ("\r\n\r\nGET / HTTP/1.0\r\n\r\nmore", Some((22, Body::Length(0)))),
            ("GET / HTTP/1.1\nhost: a\n\n", Some((24, Body::Length(0)))),
            ("PUT / HTTP/1.0\r\ncontent-length: 7\r\nContent-Length: 7\r\n\r\n", Some((56, Body::Length(7)))),
            ("PUT / HTTP/1.1\r\nhost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n", Some((55, Body::Chunked))),
            ("GET / HTTP/1.1\r\nHost: a\r\n", None),
            ("", None),
        ] {
            let head = read(text.as_bytes()).unwrap().map(|head| (head.length, head.body));
            assert_eq!(head, expected, "{text:?}");
        }
    }

    #[test]
    fn a_head_of_http_2_has_one_host_and_is_no_larger_than_others() {
        let of = |uri: &str, headers: &[(&str, &str)]| {
            let mut request = axum::http::Request::get(uri);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            judge_parsed(&request.body(()).unwrap())
        };
        assert_eq!(of("https://a.example/", &[]), Ok(()));
        assert_eq!(of("https://a.example:8443/", &[("host", "A.example:8443")]), Ok(()));
        assert_eq!(of("/", &[("host", "a.example")]), Ok(()));
        for (uri, headers) in [
            ("/", &[][..]),
            ("https://a.example/", &[("host", "b.example")]),
            ("https://a.example/", &[("host", "a.example"), ("host", "a.example")]),
            ("https://me@a.example/", &[]),
            ("/", &[("host", "a b")]),
            ("/", &[("host", "")]),
        ] {
            assert!(matches!(of(uri, headers), Err(Fault::Host(_))), "{uri} {headers:?}");
        }
        let long = "a".repeat(MAX_HEAD);
        assert_eq!(of("https://a.example/", &[("x-a", &long)]), Err(Fault::TooLarge));
        assert_eq!(of("https://a.example/", &[("x-a", ""); MAX_HEADERS]), Ok(()));
        assert_eq!(of("https://a.example/", &[("x-a", ""); MAX_HEADERS + 1]), Err(Fault::TooLarge));
        assert_eq!(of(&format!("https://a.example/{long}"), &[]), Err(Fault::TargetTooLong));
    }

    #[test]
    fn cookies_in_parts_are_one_header() {
        let mut headers = HeaderMap::new();
        join_cookies(&mut headers);
        assert!(headers.is_empty());
        for part in ["a=1", "b=2", "c=3"] {
            headers.append(COOKIE, HeaderValue::from_static(part));
        }
        join_cookies(&mut headers);
        let found: Vec<&HeaderValue> = headers.get_all(COOKIE).iter().collect();
        assert_eq!(found, ["a=1; b=2; c=3"]);
    }

    #[test]
    fn a_refusal_remembers_what_its_answer_needs() {
        let refused = read(b"HEAD / HTTP/1.1\r\nx-request-id: req_a1\r\n\r\n").unwrap_err();
        assert!(matches!(refused.fault, Fault::Host(_)) && refused.is_head);
        assert_eq!(refused.request_id, RequestId::parse("req_a1"));
    }
}
