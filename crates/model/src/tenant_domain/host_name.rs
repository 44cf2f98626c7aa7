//! The host name of a tenant's own domain, in the one form in which it is kept.

use std::fmt;

use crate::domain;

/// The longest name, so that the name of the record with the token has no more than the 253 characters that DNS allows.
pub const LONGEST: usize = 253 - "_pagesmith-challenge.".len();
/// More than this is not looked at.
const MAX_INPUT: usize = 2_048;

/// A host name in lower-case ASCII, below a public suffix. Unlike a [`domain::Domain`] it keeps a leading `www.`: that is another host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostName(String);

impl HostName {
    /// The name that a text means; or, if it means none, what a name must be, to follow a field's name.
    pub fn parse(text: &str) -> Result<HostName, &'static str> {
        let text = text.trim();
        if text.len() > MAX_INPUT || text.contains(['/', ':', '@', '?', '#']) {
            return Err("must be a host name such as go.example.com, without scheme, port and path");
        }
        let host = domain::host_name(text)
            .ok_or("must be a host name with at least two labels, such as go.example.com")?;
        if host.len() > LONGEST {
            return Err("must have at most 232 characters in its ASCII form");
        }
        if psl::domain_str(&host).is_none() {
            return Err("must not be a suffix below which everybody may register, such as co.uk");
        }
        Ok(HostName(host))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the zone or below it.
    pub fn is_within(&self, zone: &str) -> bool {
        let rest = self.0.strip_suffix(zone);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_has_one_form() {
        for (text, expected) in [
            ("go.example.com", "go.example.com"),
            (" GO.Example.COM.\n", "go.example.com"),
            ("www.example.com", "www.example.com"),
            ("example.com", "example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("xn--BCHER-kva.example", "xn--bcher-kva.example"),
            ("ｇｏ。example.com", "go.example.com"),
            ("acme.github.io", "acme.github.io"),
            ("食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"),
        ] {
            assert_eq!(HostName::parse(text).map(|name| name.to_string()), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_no_tenant_can_own_is_refused() {
        for (text, reason) in [
            ("https://go.example.com", "scheme"),
            ("go.example.com/", "path"),
            ("go.example.com:8080", "port"),
            ("jane@example.com", "scheme"),
            ("[::1]", "scheme"),
            ("", "two labels"),
            ("localhost", "two labels"),
            ("127.0.0.1", "two labels"),
            ("0x7f.1", "two labels"),
            ("*.example.com", "two labels"),
            ("_dmarc.example.com", "two labels"),
            ("go..example.com", "two labels"),
            ("go.exa mple.com", "two labels"),
            ("a\u{202e}b.com", "two labels"),
            ("xn--a.com", "two labels"),
            ("com", "two labels"),
            ("co.uk", "suffix"),
            ("github.io", "suffix"),
            ("公司.cn", "suffix"),
            (&format!("{}com", "abcdefg.".repeat(29)), "232"),
            (&"a.".repeat(2_000), "scheme"),
        ] {
            let refused = HostName::parse(text).expect_err(text);
            assert!(refused.contains(reason), "{text}: {refused}");
        }
        assert_eq!(LONGEST, 232);
    }

    #[test]
    fn a_name_is_within_a_zone_at_the_dot() {
        let within = |name: &str, zone: &str| HostName::parse(name).unwrap().is_within(zone);
        assert!(within("acme.pages.example", "pages.example"));
        assert!(within("pages.example", "pages.example"));
        assert!(!within("acmepages.example", "pages.example"));
        assert!(!within("example.com", "pages.example"));
    }

    proptest! {
        #[test]
        fn the_form_is_its_own(text in "\\PC{0,30}|[a-zA-Zé0-9-]{1,9}(\\.[a-zäA-Z]{1,5}){0,3}\\.?") {
            if let Ok(name) = HostName::parse(&text) {
                prop_assert_eq!(HostName::parse(name.as_str()), Ok(name.clone()));
                prop_assert!(name.as_str().len() <= LONGEST && name.as_str().contains('.'));
            }
        }
    }
}
