//! Where deliveries may go, as far as the text of a URL tells.
//!
//! What a name leads to is asked and checked at every connection; here stands what can be refused at once, with a reason. A host that is an
//! address in an odd spelling is refused even if the address is public: programs do not agree what it means.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

use crate::error::IssueCode;
use crate::network::{Networks, is_odd_number, is_open_port};

/// The longest URL, in characters.
pub const MAX_LENGTH: usize = 2048;

/// Why a URL is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// More than [`MAX_LENGTH`] characters.
    TooLong,
    /// No absolute URL, or one that programs read in different ways.
    NoUrl,
    /// A character that has to be written in another way.
    Character,
    /// Another scheme than http and https.
    Scheme,
    /// A user's name or password.
    Credentials,
    /// A fragment, which would not be sent.
    Fragment,
    /// A host that ends in a dot.
    TrailingDot,
    /// An address in an odd spelling.
    OddAddress,
    /// A reserved address, and what it is reserved for.
    Reserved(&'static str),
    /// A name that means the machine itself.
    Local,
    /// A port behind which no receiver listens.
    Port,
}

impl Refusal {
    /// The code of the issue.
    pub fn code(self) -> IssueCode {
        match self {
            Refusal::TooLong => IssueCode::TooLong,
            Refusal::NoUrl | Refusal::Character => IssueCode::InvalidFormat,
            _ => IssueCode::InvalidValue,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLong => write!(f, "must have at most {MAX_LENGTH} characters"),
            Refusal::NoUrl => f.write_str("must be an absolute URL with a host, such as https://example.com/hooks"),
            Refusal::Character => f.write_str(
                "must be plain ASCII without blanks or backslashes: percent-encode the path, write the host as xn--…",
            ),
            Refusal::Scheme => f.write_str("must begin with http:// or https://"),
            Refusal::Credentials => f.write_str("must not hold a user name or password"),
            Refusal::Fragment => f.write_str("must not have a fragment"),
            Refusal::TrailingDot => f.write_str("the host must not end in a dot"),
            Refusal::OddAddress => f.write_str("an address must be written in its usual form, such as 192.0.2.1"),
            Refusal::Reserved(what) => write!(f, "must lead to a public address, and this one is for {what}"),
            Refusal::Local => f.write_str("must lead to a public address, and this name means the machine itself"),
            Refusal::Port => f.write_str("the port must be one that a web server may listen at"),
        }
    }
}

/// Refuses a URL that nothing is delivered to. Addresses in `networks` are allowed although they are reserved.
pub fn check(text: &str, networks: &Networks) -> Result<(), Refusal> {
    if text.chars().count() > MAX_LENGTH {
        return Err(Refusal::TooLong);
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && !br#"\"<>^`{|}"#.contains(&byte)) {
        return Err(Refusal::Character);
    }
    let (scheme, rest) = text.split_once(':').ok_or(Refusal::NoUrl)?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        return Err(if is_scheme && !scheme.is_empty() { Refusal::Scheme } else { Refusal::NoUrl });
    }
    // Browsers repair a URL with too few or too many slashes; others do not.
    let rest = rest.strip_prefix("//").filter(|rest| !rest.starts_with('/')).ok_or(Refusal::NoUrl)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(Refusal::Credentials);
    }
    let url = Url::parse(text).map_err(|error| match error {
        url::ParseError::InvalidPort => Refusal::Port,
        url::ParseError::InvalidIpv4Address => Refusal::OddAddress,
        _ => Refusal::NoUrl,
    })?;
    if url.fragment().is_some() {
        return Err(Refusal::Fragment);
    }
    check_host(&url, authority, networks)?;
    if authority.ends_with(':') || !url.port_or_known_default().is_some_and(is_open_port) {
        return Err(Refusal::Port);
    }
    Ok(())
}

fn check_host(url: &Url, authority: &str, networks: &Networks) -> Result<(), Refusal> {
    let public =
        |address: IpAddr| networks.refusal(address).map_or(Ok(()), |what| Err(Refusal::Reserved(what)));
    match url.host().ok_or(Refusal::NoUrl)? {
        Host::Ipv4(address) => {
            // The text as it was sent, not as it was understood.
            let written = authority.split(':').next().unwrap_or_default();
            if is_odd_number(written) || written.contains('%') {
                return Err(Refusal::OddAddress);
            }
            public(IpAddr::V4(address))
        }
        Host::Ipv6(address) => public(IpAddr::V6(address)),
        Host::Domain(name) if name.ends_with('.') => Err(Refusal::TrailingDot),
        // Such a name never leaves the machine; where that is allowed, its address decides.
        Host::Domain(name) if name == "localhost" || name.ends_with(".localhost") => {
            match networks.hold(IpAddr::from([127, 0, 0, 1])) {
                true => Ok(()),
                false => Err(Refusal::Local),
            }
        }
        Host::Domain(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refusal(text: &str) -> Option<Refusal> {
        check(text, &Networks::default()).err()
    }

    #[test]
    fn usual_addresses_are_taken() {
        for text in [
            "https://example.com",
            "http://example.com:8080/hooks?a=b%20c",
            "HTTPS://Example.COM/",
            "https://xn--bcher-kva.example/hooks",
            "https://93.184.216.34/hooks",
            "https://[2606:4700:4700::1111]/hooks",
            "https://a_b.example.com/",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
        assert_eq!(refusal(&format!("https://example.com/{}", "a".repeat(2_028))), None);
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        use Refusal::*;
        for (text, expected) in [
            ("", NoUrl),
            ("/hooks", NoUrl),
            ("example.com/hooks", NoUrl),
            ("//example.com/hooks", NoUrl),
            ("http:example.com", NoUrl),
            ("http:///example.com", NoUrl),
            ("https://", NoUrl),
            ("https://?a", NoUrl),
            ("https://:80/", NoUrl),
            ("https://exa%20mple.com", NoUrl),
            ("file:///etc/passwd", Scheme),
            ("javascript:alert(1)", Scheme),
            ("ftp://example.com", Scheme),
            ("mailto:a@example.com", Scheme),
            ("https://user:password@example.com", Credentials),
            ("https://user@example.com", Credentials),
            ("https://@example.com", Credentials),
            ("https://example.com/#part", Fragment),
            ("https://example.com/#", Fragment),
            ("https://bücher.example/hooks", Character),
            ("https://example.com/a b", Character),
            ("https:\\\\example.com", Character),
            ("https://example.com\n", Character),
            ("https://example.com./", TrailingDot),
            ("http://127.0.0.1", Reserved("the machine itself")),
            ("http://10.1.2.3:8080/", Reserved("private networks")),
            ("http://169.254.169.254/latest/meta-data", Reserved("neighbours on the link")),
            ("http://2130706433/", OddAddress),
            ("http://0177.0.0.1/", OddAddress),
            ("http://0x7f.1/", OddAddress),
            ("http://127.1/", OddAddress),
            ("http://127.0.0.1./", OddAddress),
            ("http://1572395042/", OddAddress),
            ("http://999.1.1.1/", OddAddress),
            ("http://localhost:8080/", Local),
            ("http://a.localhost/", Local),
            ("http://LOCALHOST/", Local),
            ("https://example.com:0/", Port),
            ("https://example.com:99999/", Port),
            ("https://example.com:22/", Port),
            ("https://example.com:/", Port),
        ] {
            assert_eq!(refusal(text), Some(expected), "{text}");
        }
        assert_eq!(refusal(&format!("https://example.com/{}", "a".repeat(3_000))), Some(TooLong));
        for text in [
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
        ] {
            assert!(matches!(refusal(text), Some(Reserved(_))), "{text}");
        }
    }

    #[test]
    fn an_operator_may_allow_networks() {
        let networks: Networks = "127.0.0.0/8".parse().unwrap();
        for text in ["http://127.0.0.1:9000/hooks", "http://localhost:9000/hooks"] {
            assert_eq!(check(text, &networks), Ok(()), "{text}");
        }
        assert!(check("http://10.0.0.1/", &networks).is_err());
        assert_eq!(check("http://2130706433/", &networks), Err(Refusal::OddAddress));
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_reserved_address_is_taken(
            last in any::<[u8; 3]>(),
            spelling in 0..6_usize,
            scheme in "https?",
            port in prop::sample::select(vec!["", ":8080"]),
        ) {
            let [b, c, d] = last;
            let number = u32::from_be_bytes([127, b, c, d]);
            let host = match spelling {
                0 => format!("127.{b}.{c}.{d}"),
                1 => number.to_string(),
                2 => format!("0x{number:x}"),
                3 => format!("0{number:o}"),
                4 => format!("[::ffff:127.{b}.{c}.{d}]"),
                _ => format!("0x7f.{b:#o}.{c}.{d}").replace("0o", "0"),
            };
            let text = format!("{scheme}://{host}{port}/");
            prop_assert!(refusal(&text).is_some());
        }

        #[test]
        fn what_is_taken_names_a_host_and_nothing_else_than_http(text in "[a-z]{0,6}:?/{0,3}[a-z0-9@.:\\[\\]#%]{0,20}") {
            if refusal(&text).is_none() {
                let url = Url::parse(&text).unwrap();
                prop_assert!(["http", "https"].contains(&url.scheme()));
                prop_assert!(url.host().is_some() && url.username().is_empty() && url.password().is_none());
                prop_assert!(url.fragment().is_none());
            }
        }
    }
}
