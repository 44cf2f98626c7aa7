//! Whether a request that changes something was sent by a screen of this console.
//!
//! Browsers say so in `Sec-Fetch-Site`, though only over TLS and on the machine itself; elsewhere the `Origin` has to be the console's. Whatever
//! says neither is refused, since no browser sends a form like that.

use axum::http::{HeaderMap, header};

/// Whether the request comes from the same origin.
pub fn is_same_origin(headers: &HeaderMap) -> bool {
    let one = |name: &str| {
        let mut values = headers.get_all(name).iter();
        let first = values.next()?;
        // Two answers to one question are none.
        if values.next().is_some() { Some("") } else { Some(first.to_str().unwrap_or_default()) }
    };
    if let Some(site) = one("sec-fetch-site") {
        return site == "same-origin";
    }
    let (Some(origin), Some(host)) = (one(header::ORIGIN.as_str()), one(header::HOST.as_str())) else {
        return false;
    };
    let authority = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    !host.is_empty() && authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(headers: &[(&str, &str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        is_same_origin(&headers.collect())
    }

    #[test]
    fn only_the_console_itself_changes_anything() {
        assert!(says(&[("sec-fetch-site", "same-origin")]));
        assert!(says(&[("origin", "https://a.example"), ("host", "a.example")]));
        assert!(says(&[("origin", "http://A.example:8080"), ("host", "a.example:8080")]));
        for refused in [
            &[][..],
            &[("sec-fetch-site", "same-site"), ("origin", "https://a.example"), ("host", "a.example")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "none")],
            &[("origin", "null"), ("host", "a.example")],
            &[("origin", "https://a.example.evil.example"), ("host", "a.example")],
            &[("origin", "https://a.example")],
            &[("host", "a.example")],
            &[("origin", "ftp://a.example"), ("host", "a.example")],
        ] {
            assert!(!says(refused), "{refused:?}");
        }
        let mut two = HeaderMap::new();
        two.append("sec-fetch-site", "same-origin".parse().unwrap());
        two.append("sec-fetch-site", "same-origin".parse().unwrap());
        assert!(!is_same_origin(&two));
    }
}
