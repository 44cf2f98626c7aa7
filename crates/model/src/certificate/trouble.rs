//! Why a certificate is not there: what an authority's error (RFC 8555, 6.7) means to whoever has to mend it.

/// How many characters are kept of the authority's own words.
pub const LONGEST_DETAIL: usize = 500;

macro_rules! troubles {
    ($($name:ident $code:literal $meaning:literal,)*) => {
        /// Why an order came to nothing; a closed list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Trouble { $(#[doc = $meaning] $name,)* }

        impl Trouble {
            /// The code of every trouble.
            pub const CODES: &'static [&'static str] = &[$($code,)*];

            const ALL: &'static [Trouble] = &[$(Trouble::$name,)*];

            /// The code as it is in answers and the database.
            pub fn code(self) -> &'static str {
                match self { $(Trouble::$name => $code,)* }
            }

            /// What it is, and what to do about it.
            pub fn message(self) -> &'static str {
                match self { $(Trouble::$name => $meaning,)* }
            }
        }
    };
}

troubles! {
    Caa "caa" "The CAA records of the domain, or of one above it, do not allow this certificate authority. Allow it, or remove them.",
    Dns "dns" "The certificate authority could not look the domain up. The name servers of the domain do not answer as they should.",
    Unreachable "unreachable" "The certificate authority could not reach the domain, by HTTP on port 80 or by TLS on port 443. Often an AAAA record leads elsewhere, or a firewall is in between.",
    OtherAnswer "other_answer" "Something else answered the certificate authority: a proxy, another server, or one to which an AAAA record leads. Let the domain lead here alone.",
    RateLimited "rate_limited" "The certificate authority has given out as many certificates for this name, or its registered domain, as it does in a while.",
    NameRefused "name_refused" "The certificate authority issues no certificates for this name.",
    AccountRefused "account_refused" "The certificate authority does not accept this service's account. Its operator has to look after it.",
    Undecided "undecided" "The certificate authority did not decide in time.",
    Refused "refused" "The certificate authority refused, for a reason of its own.",
}

impl Trouble {
    /// The trouble of this code.
    pub fn parse(code: &str) -> Option<Trouble> {
        Trouble::ALL.iter().copied().find(|trouble| trouble.code() == code)
    }

    /// What an error of this type means, as it is in `urn:ietf:params:acme:error:TYPE`.
    pub fn of_error(error_type: &str) -> Trouble {
        match error_type.strip_prefix("urn:ietf:params:acme:error:").unwrap_or(error_type) {
            "caa" => Trouble::Caa,
            "dns" => Trouble::Dns,
            "connection" | "tls" => Trouble::Unreachable,
            "incorrectResponse" | "unauthorized" => Trouble::OtherAnswer,
            "rateLimited" => Trouble::RateLimited,
            "rejectedIdentifier" | "unsupportedIdentifier" | "malformed" => Trouble::NameRefused,
            "accountDoesNotExist"
            | "externalAccountRequired"
            | "userActionRequired"
            | "invalidContact"
            | "unsupportedContact" => Trouble::AccountRefused,
            _ => Trouble::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_authority_is_told_in_plain_words() {
        let of = |name: &str| Trouble::of_error(&format!("urn:ietf:params:acme:error:{name}")).code();
        assert_eq!(of("caa"), "caa");
        assert_eq!(of("connection"), "unreachable");
        assert_eq!(of("unauthorized"), "other_answer");
        assert_eq!(of("rateLimited"), "rate_limited");
        assert_eq!(of("serverInternal"), "refused");
        assert_eq!(Trouble::of_error(""), Trouble::Refused);
    }

    #[test]
    fn every_code_is_read_as_it_is_written() {
        for trouble in Trouble::ALL {
            assert_eq!(Trouble::parse(trouble.code()), Some(*trouble));
            assert!(trouble.message().ends_with('.'));
        }
        assert_eq!((Trouble::CODES.len(), Trouble::parse("other")), (Trouble::ALL.len(), None));
    }
}
