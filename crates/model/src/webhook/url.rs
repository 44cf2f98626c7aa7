//! Where deliveries may go, as far as the text of a URL tells.
//!
//! What a name leads to is asked and checked at every connection; here stands what can be refused at once, with a reason. A host that is an
//! address in an odd spelling is refused even if the address is public: programs do not agree what it means. A host may be written in any
//! script, percent-encoded, or with the dot of the root; what is judged and called is its ASCII form ([`callable`]).

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use url::{Host, Url};

use crate::issue::IssueCode;
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
                "must be plain ASCII behind the host, without blanks or backslashes: percent-encode the path and the query",
            ),
            Refusal::Scheme => f.write_str("must begin with http:// or https://"),
            Refusal::Credentials => f.write_str("must not hold a user name or password"),
            Refusal::Fragment => f.write_str("must not have a fragment"),
            Refusal::OddAddress => f.write_str("an address must be written in its usual form, such as 192.0.2.1"),
            Refusal::Reserved(what) => write!(f, "must lead to a public address, and this one is for {what}"),
            Refusal::Local => f.write_str("must lead to a public address, and this name means the machine itself"),
            Refusal::Port => f.write_str("the port must be one that a web server may listen at"),
        }
    }
}

/// The schema of a URL that deliveries go to, whose host may be written in any script.
pub struct DeliveryUrl;

impl JsonSchema for DeliveryUrl {
    fn schema_name() -> Cow<'static, str> {
        "DeliveryUrl".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "iri",
            "maxLength": MAX_LENGTH,
            "description": "An absolute http or https URL that leads to a public address.",
            "examples": ["https://example.com/webhooks/pagesmith"],
        })
    }
}

/// A URL in its parts, as they are written.
struct UrlParts<'a> {
    scheme: &'a str,
    authority: &'a str,
    /// Path, query and fragment.
    rest: &'a str,
}

/// Nothing without two slashes behind the scheme: browsers repair a URL with too few or too many of them, others do not.
fn parts(text: &str) -> Option<UrlParts<'_>> {
    let (scheme, rest) = text.split_once(':')?;
    let rest = rest.strip_prefix("//").filter(|rest| !rest.starts_with('/'))?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    Some(UrlParts { scheme, authority, rest })
}

/// The URL as it is called: its host in ASCII and without the dot of the root, everything else as it is written. Nothing if it is no URL.
pub fn callable(text: &str) -> Option<Cow<'_, str>> {
    let UrlParts { scheme, authority, rest } = parts(text)?;
    let (host, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    let is_plain = authority.is_ascii() && !authority.contains('%');
    if is_plain && (authority.ends_with(']') || ![authority, host].iter().any(|part| part.ends_with('.'))) {
        return Some(Cow::Borrowed(text));
    }
    let url = Url::parse(text).ok()?;
    let ascii = url.host_str()?;
    let ascii = ascii.strip_suffix('.').unwrap_or(ascii);
    let colon = if host.len() < authority.len() { ":" } else { "" };
    Some(Cow::Owned(format!("{scheme}://{ascii}{colon}{port}{rest}")))
}

/// The URL as it is kept and shown: as it was sent, or as it is called if it is no URI.
pub fn kept(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { callable(text).unwrap_or(Cow::Borrowed(text)) }
}

/// Refuses a URL that nothing is delivered to. Addresses in `networks` are allowed although they are reserved.
pub fn check(text: &str, networks: &Networks) -> Result<(), Refusal> {
    if text.chars().count() > MAX_LENGTH || kept(text).len() > MAX_LENGTH {
        return Err(Refusal::TooLong);
    }
    let authority = parts(text).map(|parts| parts.authority);
    let is_written = |character: char| character.is_ascii_graphic() && !r#"\"<>^`{|}"#.contains(character);
    // What stands for another character than itself in a host is the business of IDNA.
    let in_host =
        |character: char| !character.is_ascii() && !character.is_whitespace() && !character.is_control();
    let foreign = text.chars().filter(|character| !is_written(*character));
    let in_authority = authority.unwrap_or_default().chars().filter(|character| !is_written(*character));
    if foreign.count() != in_authority.clone().count() || !in_authority.clone().all(in_host) {
        return Err(Refusal::Character);
    }
    let (scheme, _) = text.split_once(':').ok_or(Refusal::NoUrl)?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        return Err(if is_scheme && !scheme.is_empty() { Refusal::Scheme } else { Refusal::NoUrl });
    }
    let authority = authority.ok_or(Refusal::NoUrl)?;
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
            if written != address.to_string() {
                return Err(Refusal::OddAddress);
            }
            public(IpAddr::V4(address))
        }
        Host::Ipv6(address) => public(IpAddr::V6(address)),
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            // Percent-encoding brings other characters into a host, which no name has.
            let is_label = |label: &str| {
                !label.is_empty()
                    && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            };
            if !name.split('.').all(is_label) {
                return Err(Refusal::NoUrl);
            }
            // Such a name never leaves the machine; where that is allowed, its address decides.
            let is_local = name == "localhost" || name.ends_with(".localhost");
            if is_local && !networks.hold(IpAddr::from([127, 0, 0, 1])) {
                return Err(Refusal::Local);
            }
            if is_odd_number(name) { Err(Refusal::OddAddress) } else { Ok(()) }
        }
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
            ("https://exa%60mple.com", NoUrl),
            ("file:///etc/passwd", Scheme),
            ("javascript:alert(1)", Scheme),
            ("ftp://example.com", Scheme),
            ("mailto:a@example.com", Scheme),
            ("https://user:password@example.com", Credentials),
            ("https://user@example.com", Credentials),
            ("https://@example.com", Credentials),
            ("https://example.com/#part", Fragment),
            ("https://example.com/#", Fragment),
            ("https://example.com/bücher", Character),
            ("https://example.com/?q=ü", Character),
            ("https://bü cher.example/", Character),
            ("https://bü\u{a0}cher.example/", Character),
            ("https://bücher.example/ü", Character),
            ("ü://example.com/", Character),
            ("https://example.com/a b", Character),
            ("https:\\\\example.com", Character),
            ("https://example.com\n", Character),
            ("https://example.com../", NoUrl),
            ("https://./", NoUrl),
            ("https://bücher..example/", NoUrl),
            ("https://bücher.example:22/", Port),
            ("https://bücher.example:/", Port),
            ("https://jane@bücher.example/", Credentials),
            ("https://bücher.example/#teil", Fragment),
            ("https://exa\u{ff0f}mple.com/", NoUrl),
            ("http://localhost./", Local),
            ("http://%6cocalhost/", Local),
            ("http://ｌｏｃａｌｈｏｓｔ/", Local),
            ("http://a.ｌｏｃａｌｈｏｓｔ./", Local),
            ("http://%31%32%37.0.0.1/", OddAddress),
            ("http://１２７.０.０.１/", OddAddress),
            ("http://127。0。0。1/", OddAddress),
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
    fn a_host_in_another_script_is_taken_and_called_by_its_ascii_form() {
        for (sent, called) in [
            ("https://bücher.example/hook", "https://xn--bcher-kva.example/hook"),
            ("https://BÜCHER.Example:8443/Hook?a=B", "https://xn--bcher-kva.example:8443/Hook?a=B"),
            ("HTTPS://b%C3%BCcher.example/%C3%BC", "HTTPS://xn--bcher-kva.example/%C3%BC"),
            ("https://bücher.example.", "https://xn--bcher-kva.example"),
            ("https://bücher.example.:81/", "https://xn--bcher-kva.example:81/"),
            ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
            ("https://xn--bcher-kva.example/hook", "https://xn--bcher-kva.example/hook"),
            ("https://example.com./", "https://example.com/"),
            ("https://example.com.:8080?a", "https://example.com:8080?a"),
            ("https://Example.com:8080/./a/../b", "https://Example.com:8080/./a/../b"),
            ("https://[2606:4700:4700::1111]:81/.", "https://[2606:4700:4700::1111]:81/."),
        ] {
            assert_eq!(refusal(sent), None, "{sent}");
            assert_eq!(callable(sent).as_deref(), Some(called), "{sent}");
            assert_eq!(kept(sent), if sent.is_ascii() { sent } else { called });
        }
        for text in ["", "/hook", "https:/a", "https://exa%20mple.com."] {
            assert_eq!(callable(text), None, "{text}");
        }
        let long = format!("https://{}example/", "ü.".repeat(1_000));
        assert_eq!(refusal(&long), Some(Refusal::TooLong), "as it is kept it is longer");
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
            spelling in 0..9_usize,
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
                5 => format!("127.{b}.{c}.{d}."),
                6 => format!("%31%32%37.{b}.{c}.{d}"),
                7 => format!("１２７。{b}.{c}.{d}"),
                _ => format!("0x7f.{b:#o}.{c}.{d}").replace("0o", "0"),
            };
            let text = format!("{scheme}://{host}{port}/");
            prop_assert!(refusal(&text).is_some());
        }

        #[test]
        fn what_is_taken_is_called_at_the_same_host_in_ascii(
            host in "[a-zà-öÀ-ÖßŁšあ-お中-丯а-яА-Я0-9。.%_-]{1,12}",
            suffix in prop::sample::select(vec![".example", ".example.", ".b%C3%BCcher", "。テスト"]),
            rest in "(:[0-9]{1,5})?(/[a-z%.]{0,5})?",
        ) {
            let text = format!("https://{host}{suffix}{rest}");
            if refusal(&text).is_none() {
                let called = callable(&text).unwrap().into_owned();
                let host = |text: &str| {
                    let host = Url::parse(text).unwrap().host_str().unwrap().to_owned();
                    host.strip_suffix('.').unwrap_or(&host).to_owned()
                };
                prop_assert_eq!(host(&called), host(&text));
                prop_assert!(called.is_ascii() && called.ends_with(&rest));
                let in_url = called.strip_prefix("https://").unwrap();
                let in_url = in_url.strip_suffix(&rest).unwrap();
                prop_assert_eq!(in_url.to_ascii_lowercase(), host(&text));
                prop_assert_eq!(refusal(&called), None, "{}", called);
                prop_assert_eq!(callable(&called).unwrap(), called.as_str());
            }
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
