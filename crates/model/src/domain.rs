//! Domains: what an account is told by, and the host part of an e-mail address.
//!
//! What this is not: a promise that the name is registered or resolves; nothing is asked. A [`Domain`] is a host name in lower-case
//! ASCII (an international one in its punycode form), of two labels or more, without a leading `www.`.
//!
//! People paste addresses where a domain is asked for, so scheme, port, path, query, fragment and the dot of the root are taken
//! off; and `www.`, over the API and in imports alike, because nobody means another company by it. It stays where the rest
//! would be a public suffix (`www.gov.uk`).

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::public_mail;
use crate::text_rule::normal_text;

/// More than this is not looked at; no domain with an address around it is as long.
const MAX_INPUT: usize = 2_048;

/// A host name in its normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

normal_text!(
    Domain,
    "format": "domain",
    "must be a domain with at least two labels, such as example.com",
    { "minLength": 1 },
    MAX_INPUT
);

impl Domain {
    /// The domain that this text is or, being an http address, leads to.
    pub fn parse(text: &str) -> Option<Domain> {
        let text = text.trim();
        if text.len() > MAX_INPUT {
            return None;
        }
        let rest = without_scheme(text)?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let host = match rest[..end].split_once(':') {
            Some((host, port)) => {
                port.bytes().all(|byte| byte.is_ascii_digit()).then(|| port.parse::<u16>().ok())??;
                host
            }
            None => &rest[..end],
        };
        host_name(host).map(Domain::of_host)
    }

    /// The domain of a host name as [`host_name`] gives it.
    pub(crate) fn of_host(mut host: String) -> Domain {
        while let Some(rest) = host.strip_prefix("www.") {
            if !rest.contains('.') || is_public_suffix(rest) {
                break;
            }
            host.drain(.."www.".len());
        }
        Domain(host)
    }

    /// The domain of which this one is a part and which somebody has registered, by the public-suffix list; none if this one is
    /// itself a suffix under which everybody may register (`co.uk`, `github.io`).
    pub fn registrable(&self) -> Option<Domain> {
        psl::domain_str(&self.0).map(|domain| Domain(domain.to_owned()))
    }

    /// Whether everybody may have an e-mail address there, so that it tells nothing about where a person works.
    pub fn is_public_mail_provider(&self) -> bool {
        psl::domain_str(&self.0).is_some_and(public_mail::is_provider)
    }
}

/// The text after `http://`, `https://` or `//`; the whole text if it has no scheme; nothing if it has another.
pub(crate) fn without_scheme(text: &str) -> Option<&str> {
    let Some((scheme, rest)) = text.split_once("//") else { return Some(text) };
    let is_http = scheme.eq_ignore_ascii_case("http:") || scheme.eq_ignore_ascii_case("https:");
    // Two slashes in the path or the query are no end of a scheme.
    let is_other = scheme.ends_with(':') && !scheme.contains(['/', '?', '#']);
    match is_http || scheme.is_empty() {
        true => Some(rest),
        false => (!is_other).then_some(text),
    }
}

/// The name of a host, lower case and ASCII, without the dot of the root; nothing for addresses of machines, single labels and
/// what no host may be called.
pub(crate) fn host_name(text: &str) -> Option<String> {
    let ascii = Uts46::new()
        .to_ascii(
            text.as_bytes(),
            AsciiDenyList::STD3,
            Hyphens::CheckFirstLast,
            DnsLength::VerifyAllowRootDot,
        )
        .ok()?;
    let host = ascii.strip_suffix('.').unwrap_or(&ascii);
    let (_, last) = host.rsplit_once('.')?;
    // A name that ends in a number is read as an IPv4 address, hexadecimal ones included.
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    (!is_number).then(|| host.to_owned())
}

fn is_public_suffix(host: &str) -> bool {
    psl::domain_str(host).is_none()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal(text: &str) -> Option<String> {
        Domain::parse(text).map(Domain::into_string)
    }

    #[test]
    fn takes_what_people_paste() {
        for text in [
            "example.com",
            "EXAMPLE.com",
            "  example.com\n",
            "example.com.",
            "www.example.com",
            "WWW.example.com",
            "www.www.example.com",
            "http://example.com",
            "HTTPS://www.example.com:8443/about/../us?q=a:b//c#top",
            "//example.com/",
            "example.com:80",
            "example.com/a//b",
            "example.com//b",
            "example.com?redirect=https://other.org",
            "ｅｘａｍｐｌｅ。com",
        ] {
            assert_eq!(normal(text).as_deref(), Some("example.com"), "{text}");
        }
        for (text, domain) in [
            ("bücher.de", "xn--bcher-kva.de"),
            ("xn--BCHER-kva.de", "xn--bcher-kva.de"),
            ("食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("a-b.co", "a-b.co"),
            ("r3---sn.example.com", "r3---sn.example.com"),
            ("1.1.1.1.example", "1.1.1.1.example"),
            ("www.com", "www.com"),
            ("www.gov.uk", "www.gov.uk"),
            ("www2.example.com", "www2.example.com"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(domain), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_domain() {
        for wrong in [
            "",
            ".",
            "com",
            "localhost",
            "example..com",
            ".example.com",
            "-a.com",
            "a-.com",
            "a_b.com",
            "exa mple.com",
            "jane@example.com",
            "https://jane:secret@example.com",
            "127.0.0.1",
            "http://127.0.0.1/",
            "0x7f.0x1",
            "[::1]",
            "::1",
            "example.com:",
            "example.com:99999",
            "example.com:+80",
            "example.com:80:80",
            "ftp://example.com",
            "mailto:jane.example.com",
            "javascript://example.com",
            "example.com\\a",
            "xn--a.com",
            "a\u{202e}b.com",
            &format!("{}.com", "a".repeat(64)),
            &format!("{}com", "abcdefg.".repeat(32)),
            &format!("example.com/{}", "a".repeat(MAX_INPUT)),
        ] {
            assert_eq!(normal(wrong), None, "{wrong}");
        }
        assert_eq!(normal(&format!("{}abcde", "abcdefg.".repeat(31))).map(|it| it.len()), Some(253));
    }

    #[test]
    fn knows_who_may_register_where() {
        for (domain, registrable) in [
            ("example.com", Some("example.com")),
            ("a.b.example.com", Some("example.com")),
            ("shop.example.co.uk", Some("example.co.uk")),
            ("co.uk", None),
            ("acme.github.io", Some("acme.github.io")),
            ("github.io", None),
            ("www.食狮.公司.cn", Some("xn--85x722f.xn--55qx5d.cn")),
            ("公司.cn", None),
            ("city.kawasaki.jp", Some("city.kawasaki.jp")),
            ("a.unlisted", Some("a.unlisted")),
        ] {
            let found = Domain::parse(domain).unwrap().registrable();
            assert_eq!(found.as_ref().map(Domain::as_str), registrable, "{domain}");
        }
    }

    #[test]
    fn knows_public_mail_providers_by_their_registrable_domain() {
        for (domain, public) in
            [("gmail.com", true), ("mail.yahoo.co.uk", true), ("example.com", false), ("co.uk", false)]
        {
            assert_eq!(Domain::parse(domain).unwrap().is_public_mail_provider(), public, "{domain}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_its_own(
            text in "\\PC{0,40}|(https?://)?(www\\.){0,3}[a-zA-Z0-9éß-]{1,9}(\\.[a-zäA-Z]{1,5}){0,3}\\.?(:[0-9]{1,5})?(/\\PC{0,5})?",
        ) {
            if let Some(domain) = Domain::parse(&text) {
                prop_assert_eq!(Domain::parse(domain.as_str()), Some(domain.clone()));
                prop_assert!(domain.as_str().len() <= 253 && domain.as_str().contains('.'));
                prop_assert!(domain.as_str().bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-')));
                if let Some(registrable) = domain.registrable() {
                    prop_assert_eq!(Domain::parse(registrable.as_str()), Some(registrable.clone()));
                    prop_assert_eq!(registrable.registrable(), Some(registrable.clone()));
                    prop_assert!(domain.as_str().ends_with(registrable.as_str()));
                }
            }
        }
    }
}
