//! Which addresses a page may name: what a browser fetches by itself, and what a visitor may be led to.
//!
//! What this is not: a promise that anything answers there. Invariant: no accepted address can run code in the page, however it is
//! spelled; browsers drop tabs and line breaks from an address and spaces at its ends before they look at the scheme.

use percent_encoding::percent_decode_str;
use url::Url;

/// Schemes that a link may have.
const LINKED: [&str; 5] = ["https", "http", "mailto", "tel", "sms"];

/// Whether a browser may fetch it for the page: an absolute http or https address with a host.
pub fn is_fetched(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
        && rest.strip_prefix("//").is_some_and(has_host)
        && is_clean(url)
}

/// The one spelling of an address that a browser may fetch, by which two are compared; nothing for any other.
pub fn normal(url: &str) -> Option<String> {
    is_fetched(url).then(|| Url::parse(url).ok().map(String::from)).flatten()
}

/// Whether a link may lead there: an absolute address of a harmless scheme, or a path, query or fragment of the same site.
pub fn is_linked(url: &str) -> bool {
    if !is_clean(url) || url.is_empty() {
        return false;
    }
    let start = url.split(['/', '?', '#']).next().unwrap_or_default();
    match start.split_once(':') {
        None => !url.starts_with("//") && is_harmless_path(url),
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") => {
            is_fetched(url)
        }
        Some((scheme, rest)) => {
            !rest.is_empty() && LINKED.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
    }
}

fn has_host(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    !host.is_empty() && !host.starts_with(':')
}

/// Neither control characters, spaces nor backslashes, which browsers read as something else than they look.
fn is_clean(url: &str) -> bool {
    !url.chars().any(|char| char.is_control() || char.is_whitespace() || char == '\\')
}

/// A colon behind an encoded start is no scheme to a browser, yet has fooled enough programs.
fn is_harmless_path(url: &str) -> bool {
    let start = url.split(['/', '?', '#']).next().unwrap_or_default();
    !percent_decode_str(start).any(|byte| byte == b':')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_page_may_fetch() {
        for good in ["https://example.com/a.png", "HTTP://example.com", "https://user@example.com:8080/?a#b"]
        {
            assert!(is_fetched(good), "{good}");
        }
        for bad in [
            "",
            "a.png",
            "/a.png",
            "//example.com/a",
            "https:",
            "https://",
            "https:///a",
            "https://:80/",
            "javascript:alert(1)",
            "data:image/png;base64,AA",
            "ftp://example.com",
            "https://exa mple.com",
            "https:\\\\example.com",
            "java\nscript:alert(1)",
            " https://example.com",
        ] {
            assert!(!is_fetched(bad), "{bad}");
        }
    }

    #[test]
    fn an_address_has_one_normal_spelling() {
        let normal = |url| normal(url);
        assert_eq!(normal("HTTPS://Example.COM:443").as_deref(), Some("https://example.com/"));
        assert_eq!(normal("https://exämple.com/a?b=ä#c"), normal("https://xn--exmple-cua.com/a?b=%C3%A4#c"));
        for none in ["/a", "//example.com", "javascript:alert(1)", "https://a b", "https://[::1"] {
            assert_eq!(normal(none), None, "{none}");
        }
    }

    #[test]
    fn where_a_link_may_lead() {
        for good in [
            "https://example.com",
            "mailto:jo@example.com",
            "tel:+4912345",
            "sms:+4912345",
            "/pricing",
            "#faq",
            "?plan=a",
            "pricing/all",
            "/a:b",
        ] {
            assert!(is_linked(good), "{good}");
        }
        for bad in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "vbscript:x",
            "data:text/html,x",
            "blob:https://x",
            "file:///etc/passwd",
            "//evil.example",
            "/\\evil.example",
            "javascript%3Aalert(1)",
            "mailto:",
            "https:",
            "view-source:https://x",
        ] {
            assert!(!is_linked(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_script_is_accepted(
            scheme in "javascript|JavaScript|VBSCRIPT|vbscript|data|DATA", noise in "[\\t\\n\\r \\u{0}-\\u{1f}]{0,3}", at in 0usize..10,
        ) {
            let at = at.min(scheme.len());
            let url = format!("{}{noise}{}:alert(1)", &scheme[..at], &scheme[at..]);
            prop_assert!(!is_linked(&url));
            prop_assert!(!is_fetched(&url));
        }
    }
}
