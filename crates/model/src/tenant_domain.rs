//! Domains of tenants' own, and how far each is on its way to showing the tenant's site.
//!
//! A domain is its tenant's when its DNS has shown the tenant's token, and leads visitors here when its addresses do as well. Both are checked
//! again and again ([`TenantDomain::note_check`]). What this is not: the lookups themselves, and what they find ([`check`]).
//!
//! Invariant: a domain is held by its tenant exactly while [`TenantDomain::is_held`]; then no other tenant can have it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::bounds::Bounded;
use crate::id::TenantDomainId;
use crate::time::Timestamp;

pub mod check;
mod host_name;

use check::{Seen, Verdict};
pub use host_name::HostName;

/// The most domains of a tenant.
pub const MOST_DOMAINS: usize = 100;
/// For how long a domain is checked that has not led here yet.
pub const GIVE_UP_AFTER: Duration = Duration::from_hours(7 * 24);
/// For how long a domain may have lost its records before it is given up.
pub const GRACE: Duration = Duration::from_hours(3 * 24);
/// How often a domain is checked that leads here.
const DAILY: Duration = Duration::from_hours(24);
/// How often one that has lost its records is.
const HOURLY: Duration = Duration::from_hours(1);
/// The shortest and the longest pause between two checks of a domain that has not led here yet.
const PAUSES: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(6));

/// The status of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainStatus {
    /// Its DNS has not shown the token.
    PendingVerification,
    /// Its DNS shows the token, and leads visitors elsewhere.
    Verifying,
    /// It leads here.
    Active,
    /// It was given up: it is not checked until somebody asks for it.
    Failed,
}

impl DomainStatus {
    /// Every name that the contract has for a status.
    pub const NAMES: [&'static str; 8] = [
        "active",
        "deleting",
        "failed",
        "pending_deployment",
        "pending_issuance",
        "pending_validation",
        "pending_verification",
        "verifying",
    ];

    const ALL: [DomainStatus; 4] = [
        DomainStatus::PendingVerification,
        DomainStatus::Verifying,
        DomainStatus::Active,
        DomainStatus::Failed,
    ];

    /// Its name in answers and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            DomainStatus::PendingVerification => "pending_verification",
            DomainStatus::Verifying => "verifying",
            DomainStatus::Active => "active",
            DomainStatus::Failed => "failed",
        }
    }

    /// The status of this name.
    pub fn parse(name: &str) -> Option<DomainStatus> {
        DomainStatus::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// A domain to be added.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AddTenantDomainRequest")]
#[schemars(example = json!({ "domain": "go.acme.example" }))]
pub struct NewTenantDomain {
    /// Host name that visitors are to open, such as `go.example.com`, without scheme, port or path. In any case; names in other scripts are
    /// kept in their ASCII form.
    #[schemars(with = "Bounded<1, 1_000>")]
    pub domain: String,
}

/// Changes of a domain.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateTenantDomainRequest")]
#[schemars(example = json!({ "isDefault": false }))]
pub struct TenantDomainPatch {
    /// Whether this domain is the canonical address of the tenant's pages for search engines. Only one domain is the default:
    /// `true` takes it from the one before.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub is_default: Option<bool>,
}

/// A domain as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantDomain {
    /// Its id.
    pub tenant_domain_id: TenantDomainId,
    /// The name.
    pub domain: HostName,
    /// What its DNS must show.
    pub token: String,
    /// Where it stands.
    pub status: DomainStatus,
    /// Whether its DNS showed the token when it last answered, and the tenant holds it.
    pub is_verified: bool,
    /// Whether search engines are told it.
    pub is_default: bool,
    /// What was seen at the last check, and when.
    pub last_check: Option<(Seen, Timestamp)>,
    /// When it is checked next, if it is.
    pub next_check_at: Option<Timestamp>,
    /// Since when it is checked, if it does not lead here yet.
    pub checked_since: Timestamp,
    /// Since when a domain that led here does so no longer.
    pub lost_since: Option<Timestamp>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When something of it last changed that answers show.
    pub updated_at: Timestamp,
}

impl TenantDomain {
    /// A domain that was added now.
    pub fn new(id: TenantDomainId, domain: HostName, token: String, now: Timestamp) -> TenantDomain {
        TenantDomain {
            tenant_domain_id: id,
            domain,
            token,
            status: DomainStatus::PendingVerification,
            is_verified: false,
            is_default: false,
            last_check: None,
            next_check_at: Some(now.plus(PAUSES.0)),
            checked_since: now,
            lost_since: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether it is its tenant's and no one else's.
    pub fn is_held(&self) -> bool {
        matches!(self.status, DomainStatus::Verifying | DomainStatus::Active)
    }

    /// Until when it is checked, if it does not lead here before.
    pub fn checked_until(&self) -> Option<Timestamp> {
        match self.status {
            DomainStatus::PendingVerification | DomainStatus::Verifying => {
                Some(self.checked_since.plus(GIVE_UP_AFTER))
            }
            DomainStatus::Active => self.lost_since.map(|since| since.plus(GRACE)),
            DomainStatus::Failed => None,
        }
    }

    /// Begins to check a domain again that was given up.
    pub fn check_again(&mut self, now: Timestamp) {
        if self.status == DomainStatus::Failed {
            self.status = DomainStatus::PendingVerification;
            self.checked_since = now;
        }
    }

    /// Notes a check: moves the domain on or back, and says when to check next. What could not be found out changes nothing.
    pub fn note_check(&mut self, seen: Seen, verdict: Verdict, now: Timestamp) {
        let before = (self.status, self.is_verified, self.is_default);
        self.last_check = Some((seen, now));
        if let Some(is_proved) = verdict.is_proved {
            self.is_verified = is_proved;
        }
        match self.status {
            DomainStatus::Active => self.keep(verdict, now),
            DomainStatus::PendingVerification | DomainStatus::Verifying => self.advance(verdict, now),
            DomainStatus::Failed => {}
        }
        if self.status == DomainStatus::Failed {
            (self.is_verified, self.is_default, self.lost_since) = (false, false, None);
        }
        self.next_check_at = self.pause(now).map(|pause| now.plus(pause));
        if before != (self.status, self.is_verified, self.is_default) {
            self.updated_at = now;
        }
    }

    /// The outcome of a check of a domain that led here.
    fn keep(&mut self, verdict: Verdict, now: Timestamp) {
        if verdict.is_right() {
            self.lost_since = None;
        } else if verdict.is_wrong() {
            let since = *self.lost_since.get_or_insert(now);
            if now.since(since) >= GRACE {
                self.status = DomainStatus::Failed;
            }
        }
    }

    /// The outcome of a check of a domain that has not led here yet.
    fn advance(&mut self, verdict: Verdict, now: Timestamp) {
        self.status = match verdict.is_proved {
            Some(true) if verdict.leads_here == Some(true) => DomainStatus::Active,
            Some(true) => DomainStatus::Verifying,
            Some(false) => DomainStatus::PendingVerification,
            None => self.status,
        };
        if self.status != DomainStatus::Active && now.since(self.checked_since) >= GIVE_UP_AFTER {
            self.status = DomainStatus::Failed;
        }
    }

    fn pause(&self, now: Timestamp) -> Option<Duration> {
        match self.status {
            DomainStatus::Active => Some(if self.lost_since.is_some() { HOURLY } else { DAILY }),
            // The longer nothing has changed, the longer it takes until something does.
            DomainStatus::PendingVerification | DomainStatus::Verifying => {
                Some((now.since(self.checked_since) / 2).clamp(PAUSES.0, PAUSES.1))
            }
            DomainStatus::Failed => None,
        }
    }
}

#[cfg(test)]
mod tests;
