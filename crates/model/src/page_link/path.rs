//! The path of a page link, in the one form in which it is kept.
//!
//! What people write and what browsers send is read alike: one slash between segments and before the first, none at the end, and every
//! character percent-encoded that a URL needs encoded, and no other. The case is kept for display, and does not tell paths apart.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;

use crate::id::TenantDomainId;
use crate::slug;

/// The longest path, in bytes as it is in a URL.
pub const MOST_BYTES: usize = 500;

/// What is encoded in a segment: all but what RFC 3986 lets stand in one (section 3.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// A path on a site, such as `/go/Spring%20sale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPath {
    encoded: String,
    key: String,
}

impl LinkPath {
    /// The path that a text means; or, if it means none, what a path must be, to follow a field's name.
    pub fn parse(text: &str) -> Result<LinkPath, &'static str> {
        if text.contains("://") {
            return Err("must be a path such as /spring, without scheme and host");
        }
        if text.contains(['?', '#']) {
            return Err("must be a path without query and fragment");
        }
        let mut path = LinkPath { encoded: String::with_capacity(text.len() + 1), key: String::new() };
        let text = text.trim_matches(|char: char| char.is_whitespace() || char == '/');
        for segment in text.split('/').filter(|segment| !segment.is_empty()) {
            let decoded = decode(segment)?;
            path.encoded.push('/');
            path.encoded.extend(utf8_percent_encode(&decoded, ENCODED));
            path.key.push('/');
            // Lower case may decompose what was composed.
            path.key.extend(decoded.to_lowercase().nfc());
        }
        if !path.key.chars().any(char::is_alphanumeric) {
            return Err("must have a letter or a digit");
        }
        if path.encoded.len() > MOST_BYTES {
            return Err("must have at most 500 bytes as it stands in a URL");
        }
        Ok(path)
    }

    /// As it is in a URL.
    pub fn as_str(&self) -> &str {
        &self.encoded
    }

    /// What tells paths apart: decoded, without case.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The first segment of the key, which no slug may be.
    pub fn first_segment(&self) -> &str {
        first_segment(&self.key)
    }

    /// Whether the service needs its first segment itself.
    pub fn is_reserved(&self) -> bool {
        let first = self.first_segment();
        slug::is_reserved(first)
            || first.split('.').next().is_some_and(|word| !word.is_empty() && slug::is_reserved(word))
    }
}

/// The first segment of a path's key.
pub fn first_segment(key: &str) -> &str {
    key.split('/').nth(1).unwrap_or_default()
}

/// What tells the paths of all of a tenant's domains apart; without a domain, of a path on the fallback domain.
pub fn key_on(domain: Option<&TenantDomainId>, path: &LinkPath) -> String {
    format!("{}{}", domain.map_or("", TenantDomainId::as_str), path.key)
}

impl fmt::Display for LinkPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.encoded)
    }
}

/// A segment as people read it.
fn decode(segment: &str) -> Result<String, &'static str> {
    let mut parts = segment.split('%');
    parts.next();
    let is_escape =
        |part: &str| part.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    if !parts.all(is_escape) {
        return Err("has a % without two hexadecimal digits behind it (a % itself is written %25)");
    }
    let decoded = percent_decode_str(segment).decode_utf8();
    let decoded: String =
        decoded.map_err(|_| "has percent-encoded bytes that are not UTF-8")?.nfc().collect();
    if matches!(decoded.trim(), "." | "..") {
        return Err("must not have . or .. as a segment");
    }
    if decoded.contains(['/', '\\']) {
        return Err("must not have an encoded slash or a backslash");
    }
    if decoded.chars().any(|char| char.is_control() || is_direction(char)) {
        return Err("must not have control characters");
    }
    Ok(decoded)
}

/// Characters that turn the direction of writing, and so can make a path look like another.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_people_write_has_one_form() {
        for (text, path, key) in [
            ("spring", "/spring", "/spring"),
            ("/Spring/", "/Spring", "/spring"),
            ("//spring//sale//", "/spring/sale", "/spring/sale"),
            (" /spring ", "/spring", "/spring"),
            ("spring /", "/spring", "/spring"),
            ("/spring sale", "/spring%20sale", "/spring sale"),
            ("/spring%20sale", "/spring%20sale", "/spring sale"),
            ("/%73pring", "/spring", "/spring"),
            ("/Größe", "/Gr%C3%B6%C3%9Fe", "/größe"),
            ("/gro\u{308}sse", "/gr%C3%B6sse", "/grösse"),
            ("/gr%c3%b6sse", "/gr%C3%B6sse", "/grösse"),
            ("/sale🎉", "/sale%F0%9F%8E%89", "/sale🎉"),
            ("/a+b@c;d=e,f", "/a+b@c;d=e,f", "/a+b@c;d=e,f"),
            ("/100%25", "/100%25", "/100%"),
            ("/%e4%be%a1%e6%a0%bc", "/%E4%BE%A1%E6%A0%BC", "/価格"),
            ("/İstanbul", "/%C4%B0stanbul", "/i\u{307}stanbul"),
            ("/v1.2", "/v1.2", "/v1.2"),
        ] {
            let found = LinkPath::parse(text).unwrap();
            assert_eq!((found.as_str(), found.key()), (path, key), "{text}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "",
            "/",
            "//",
            " ",
            "/-",
            "/🎉",
            "/.",
            "/..",
            "/a/../b",
            "/a/./b",
            "/%2e%2e/b",
            "/a%2Fb",
            "/a\\b",
            "/a%5cb",
            "/a%",
            "/a%2",
            "/a%zz",
            "/%ff",
            "/a%00b",
            "/a\nb",
            "/a?b=c",
            "/a#b",
            "https://acme.example/a",
            "/a\u{202e}b",
            "/%c0%af",
        ] {
            assert!(LinkPath::parse(text).is_err(), "{text:?}");
        }
        let long = |length: usize| LinkPath::parse(&"a".repeat(length));
        assert!(long(MOST_BYTES - 1).is_ok() && long(MOST_BYTES).is_err());
    }

    #[test]
    fn words_of_the_service_are_reserved_with_any_ending() {
        for text in [
            "/API",
            "/preview/x",
            "/favicon.svg",
            "/robots.txt",
            "/sitemap-xml",
            "/.well-known/x",
            "/.pagesmith",
            "/.PageSmith/v",
            "/Sitemap.xml.gz",
            "/_",
        ] {
            assert!(LinkPath::parse(&format!("{text}/a")).unwrap().is_reserved(), "{text}");
        }
        for text in ["/apis", "/spring/api", "/.a", "/v1.2", "/previews"] {
            assert!(!LinkPath::parse(text).unwrap().is_reserved(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_path_means_itself_in_every_case(text in "[/a-zA-Z0-9%äÖ价 .~-]{0,40}") {
            if let Ok(path) = LinkPath::parse(&text) {
                prop_assert_eq!(LinkPath::parse(path.as_str()), Ok(path.clone()));
                let decoded = percent_decode_str(path.as_str()).decode_utf8().unwrap();
                let shouted = LinkPath::parse(&decoded.to_uppercase().replace('%', "%25").replace(' ', "%20")).unwrap();
                // The one letter of these whose upper case is another text.
                if !path.key().contains('ß') {
                    prop_assert_eq!(shouted.key(), path.key());
                }
                prop_assert!(path.as_str().starts_with('/') && !path.as_str().ends_with('/') && !path.as_str().contains("//"));
                prop_assert!(path.as_str().is_ascii() && !path.as_str().contains([' ', '?', '#', '\\']));
                let url = url::Url::parse(&format!("https://acme.example{path}")).unwrap();
                prop_assert_eq!(url.path(), path.as_str());
            }
        }

        #[test]
        fn no_text_breaks_it(text in ".{0,60}") {
            let _: Result<LinkPath, _> = LinkPath::parse(&text);
        }
    }
}
