//! What a domain's DNS must show, what it was seen to show, and what is wrong about it.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::TenantDomain;

/// What is before the token in its record.
const PREFIX: &str = "pagesmith-domain-verification=";
/// The label below which the record with the token is looked for.
const CHALLENGE: &str = "_pagesmith-challenge";

/// What a domain's DNS has to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedDns {
    /// The name of the TXT record.
    pub txt_name: String,
    /// Its text.
    pub txt: String,
    /// The tenant's fallback domain, which a CNAME may name.
    pub fallback: String,
    /// The addresses that A and AAAA records may have in its place.
    pub addresses: Vec<IpAddr>,
}

impl ExpectedDns {
    /// What this domain has to show.
    pub fn of(domain: &TenantDomain, fallback: String, addresses: Vec<IpAddr>) -> ExpectedDns {
        ExpectedDns {
            txt_name: format!("{CHALLENGE}.{}", domain.domain),
            txt: format!("{PREFIX}{}", domain.token),
            fallback,
            addresses,
        }
    }
}

/// What a domain's DNS answered. Null where it did not answer; empty where it has no such records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainRecordsSeen", deny_unknown_fields)]
#[schemars(example = json!({
    "txt": [],
    "cname": ["acme.hosting.example"],
    "addresses": ["93.184.216.34"],
    "expectedAddresses": ["198.51.100.7"],
}))]
pub struct Seen {
    /// Texts of the TXT records at the name that is wanted.
    pub txt: Option<Vec<String>>,
    /// Names that the domain's CNAME record leads to, one after the other.
    pub cname: Option<Vec<String>>,
    /// Addresses of the domain's A and AAAA records. Private and other reserved addresses are shown as `0.0.0.0`
    /// and `::`.
    #[schemars(with = "Option<Vec<String>>")]
    pub addresses: Option<Vec<IpAddr>>,
    /// Addresses that lead here: the ones that are wanted, or those of the tenant's fallback domain.
    #[schemars(with = "Vec<String>")]
    pub expected_addresses: Vec<IpAddr>,
}

/// What a check comes to; nothing where it could not be found out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the token is there, and the domain no other tenant's.
    pub is_proved: Option<bool>,
    /// Whether visitors are led here.
    pub leads_here: Option<bool>,
}

impl Verdict {
    /// Everything is as it has to be.
    pub fn is_right(self) -> bool {
        self.is_proved == Some(true) && self.leads_here == Some(true)
    }

    /// Something is not, for certain.
    pub fn is_wrong(self) -> bool {
        self.is_proved == Some(false) || self.leads_here == Some(false)
    }
}

macro_rules! problems {
    ($($name:ident $code:literal $meaning:literal,)*) => {
        /// What is wrong about a domain's DNS; a closed list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Problem { $(#[doc = $meaning] $name,)* }

        impl Problem {
            /// The code of every problem.
            pub const CODES: &'static [&'static str] = &[$($code,)*];

            /// The code as it is in an answer.
            pub fn code(self) -> &'static str {
                match self { $(Problem::$name => $code,)* }
            }

            /// What the problem is, and what to do about it.
            pub fn message(self) -> &'static str {
                match self { $(Problem::$name => $meaning,)* }
            }
        }
    };
}

problems! {
    TxtMissing "txt_missing" "There is no TXT record at the name that is wanted. Add it, and keep it while the domain is used.",
    TxtOther "txt_other" "The TXT record at the name that is wanted has another text. Replace it.",
    TxtUnanswered "txt_unanswered" "The name servers of the domain did not answer when they were asked for the TXT record.",
    HeldElsewhere "held_elsewhere" "The TXT record is right, and another tenant has verified the domain. It has to be removed there first.",
    AddressMissing "address_missing" "The domain has neither a CNAME record nor addresses. Add the CNAME record, or A and AAAA records.",
    CnameElsewhere "cname_elsewhere" "The CNAME record leads elsewhere. Let it name the tenant's fallback domain.",
    AddressElsewhere "address_elsewhere" "The A or AAAA records lead elsewhere, to another server or a proxy. Replace them.",
    AddressConflict "address_conflict" "Some A or AAAA records lead here and some elsewhere, so that some visitors do not get here. Remove the others.",
    AddressUnanswered "address_unanswered" "The name servers of the domain did not answer when they were asked for its addresses.",
}

impl Seen {
    /// Whether the token is there, or why not.
    fn proof(&self, wanted: &ExpectedDns) -> (Option<bool>, Option<Problem>) {
        let Some(texts) = &self.txt else { return (None, Some(Problem::TxtUnanswered)) };
        // Whoever copies the quotation marks of a zone file gets them into the text.
        if texts.iter().any(|text| text.trim().trim_matches('"') == wanted.txt) {
            return (Some(true), None);
        }
        let problem = if texts.is_empty() { Problem::TxtMissing } else { Problem::TxtOther };
        (Some(false), Some(problem))
    }

    /// Whether visitors get here, or why not.
    fn way(&self, wanted: &ExpectedDns) -> (Option<bool>, Option<Problem>) {
        let names = self.cname.as_deref().unwrap_or_default();
        if names.iter().any(|name| name.eq_ignore_ascii_case(&wanted.fallback)) {
            return (Some(true), None);
        }
        let Some(addresses) = &self.addresses else { return (None, Some(Problem::AddressUnanswered)) };
        let here = addresses.iter().filter(|address| self.expected_addresses.contains(address)).count();
        let problem = match (here, addresses.len()) {
            (0, _) if !names.is_empty() => Problem::CnameElsewhere,
            (0, 0) => Problem::AddressMissing,
            (0, _) => Problem::AddressElsewhere,
            (here, all) if here == all => return (Some(true), None),
            _ => Problem::AddressConflict,
        };
        (Some(false), Some(problem))
    }

    /// What it comes to, unless another tenant holds the domain.
    pub fn verdict(&self, wanted: &ExpectedDns) -> Verdict {
        Verdict { is_proved: self.proof(wanted).0, leads_here: self.way(wanted).0 }
    }

    /// What is wrong.
    pub fn problems(&self, wanted: &ExpectedDns, is_held_elsewhere: bool) -> Vec<Problem> {
        let (is_proved, proof) = self.proof(wanted);
        let held = (is_proved == Some(true) && is_held_elsewhere).then_some(Problem::HeldElsewhere);
        proof.or(held).into_iter().chain(self.way(wanted).1).collect()
    }
}
