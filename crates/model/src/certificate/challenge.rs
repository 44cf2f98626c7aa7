//! What an authority may ask of a name before it issues a certificate, and which of it is chosen.

use std::net::IpAddr;
use std::str::FromStr;

/// What an authority looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeKind {
    /// An answer by HTTP on port 80 (RFC 8555, 8.3).
    Http,
    /// A certificate by TLS on port 443 (RFC 8737).
    TlsAlpn,
}

impl ChallengeKind {
    /// Its name at authorities and in CAA records.
    pub fn as_str(self) -> &'static str {
        match self {
            ChallengeKind::Http => "http-01",
            ChallengeKind::TlsAlpn => "tls-alpn-01",
        }
    }
}

/// Which one the operator wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeChoice {
    /// The one that goes with where the server listens.
    Automatic,
    /// That one alone.
    Only(ChallengeKind),
}

impl ChallengeChoice {
    /// Those to be used, the preferred one first, where HTTP in the clear is answered at that address. One that only the machine itself can call is
    /// of no use to an authority. The second is for authorities that do not offer the first.
    pub fn kinds(self, plain: IpAddr) -> &'static [ChallengeKind] {
        match self {
            ChallengeChoice::Only(ChallengeKind::Http) => &[ChallengeKind::Http],
            ChallengeChoice::Only(ChallengeKind::TlsAlpn) => &[ChallengeKind::TlsAlpn],
            ChallengeChoice::Automatic if plain.is_loopback() => {
                &[ChallengeKind::TlsAlpn, ChallengeKind::Http]
            }
            ChallengeChoice::Automatic => &[ChallengeKind::Http, ChallengeKind::TlsAlpn],
        }
    }
}

impl FromStr for ChallengeChoice {
    type Err = ();

    fn from_str(text: &str) -> Result<ChallengeChoice, ()> {
        match text {
            "auto" => Ok(ChallengeChoice::Automatic),
            "http-01" => Ok(ChallengeChoice::Only(ChallengeKind::Http)),
            "tls-alpn-01" => Ok(ChallengeChoice::Only(ChallengeKind::TlsAlpn)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_else_can_call_is_not_preferred() {
        let first = |choice: &str, plain: &str| {
            let choice: ChallengeChoice = choice.parse().unwrap();
            choice.kinds(plain.parse().unwrap())[0].as_str()
        };
        assert_eq!(first("auto", "0.0.0.0"), "http-01");
        assert_eq!(first("auto", "203.0.113.7"), "http-01");
        assert_eq!(first("auto", "127.0.0.1"), "tls-alpn-01");
        assert_eq!(first("auto", "::1"), "tls-alpn-01");
        assert_eq!(first("http-01", "127.0.0.1"), "http-01");
        assert_eq!(first("tls-alpn-01", "0.0.0.0"), "tls-alpn-01");
        assert!("dns-01".parse::<ChallengeChoice>().is_err());
    }
}
