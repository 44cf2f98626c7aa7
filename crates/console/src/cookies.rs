//! The console's cookies: the token of a session, the one of a sign-in that waits for its code, and what belongs to a sign-in at an identity
//! provider, sealed.
//!
//! All have the prefix `__Host-`, so that no other host can set them; browsers take them over TLS, and on the machine itself without.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};

/// The token of a session.
pub const SESSION: &str = "__Host-pagesmith-session";
/// The token of a sign-in that waits for its code.
pub const HALF_SIGN_IN: &str = "__Host-pagesmith-code";
/// What belongs to a sign-in at an identity provider.
pub const AT_PROVIDER: &str = "__Host-pagesmith-provider";

/// The value of a cookie; none if it was sent twice.
pub fn find(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut found = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(known, value)| *known == name && !value.is_empty());
    let first = found.next()?.1.to_owned();
    found.next().is_none().then_some(first)
}

/// The header that sets a cookie for so long.
fn set(name: &str, value: &str, lasts: Duration) -> Option<HeaderValue> {
    let seconds = lasts.as_secs();
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Lax");
    HeaderValue::try_from(text).ok()
}

/// Lets the browser keep a cookie for so long.
pub fn keep(response: &mut Response<Body>, name: &str, value: &str, lasts: Duration) {
    if let Some(header) = set(name, value, lasts) {
        response.headers_mut().append(header::SET_COOKIE, header);
    }
}

/// Takes a cookie away.
pub fn remove(response: &mut Response<Body>, name: &str) {
    keep(response, name, "", Duration::ZERO);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        let line = format!("a=b; {SESSION}=abc; {HALF_SIGN_IN}=");
        headers.append(header::COOKIE, HeaderValue::try_from(line).unwrap());
        assert_eq!(find(&headers, SESSION).as_deref(), Some("abc"));
        assert_eq!(find(&headers, HALF_SIGN_IN), None);
        headers.append(header::COOKIE, HeaderValue::try_from(format!("{SESSION}=other")).unwrap());
        assert_eq!(find(&headers, SESSION), None, "which of two was meant is not known");
    }
}
