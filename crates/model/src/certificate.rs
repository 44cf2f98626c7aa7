//! Certificates that an authority issues for host names of this installation (ACME, RFC 8555), and how far each is on its way.
//!
//! A name has one certificate that is shown, and at most one order for the next one. What this is not: the authority's answers ([`trouble`] says
//! what they mean), keys, and who asks. Invariants: what is issued stays until something else is issued, whatever fails meanwhile; and a step that
//! did not end well is followed by a pause, so that no authority is asked again and again.

use std::time::Duration;

use crate::time::Timestamp;

pub mod caa;
pub mod challenge;
pub mod trouble;

use trouble::Trouble;

/// How long servers are given to read a certificate that was issued: they look each second.
pub const DEPLOYMENT: Duration = Duration::from_secs(5);
/// For how long an authority may leave an order undecided.
pub const GIVE_UP_AFTER: Duration = Duration::from_hours(2);
/// The pause after the first failure, how much longer each further one is, and the longest.
const PAUSE: Duration = Duration::from_mins(5);
const GROWTH: u32 = 3;
const LONGEST_PAUSE: Duration = Duration::from_hours(24);
/// The longest pause that an authority can ask for.
pub const LONGEST_ASKED: Duration = Duration::from_hours(7 * 24);
/// The longest pause until it is looked again whether a domain's records still forbid a certificate.
const LONGEST_FORBIDDEN: Duration = Duration::from_hours(1);
/// The shortest and the longest pause between two looks at an order.
const LOOKS: (Duration, Duration) = (Duration::from_secs(2), Duration::from_mins(1));
/// The shortest and the longest pause between two questions when a certificate is to be renewed.
const QUESTIONS: (Duration, Duration) = (Duration::from_hours(1), Duration::from_hours(24));

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStage {
    /// It is being made, or was made and its challenge not yet answered.
    Begun,
    /// The authority was told that its challenge can be looked at.
    Challenged,
    /// The authority has seen what it wanted, and issues the certificate.
    Validated,
}

impl OrderStage {
    const ALL: [OrderStage; 3] = [OrderStage::Begun, OrderStage::Challenged, OrderStage::Validated];

    /// Its name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            OrderStage::Begun => "begun",
            OrderStage::Challenged => "challenged",
            OrderStage::Validated => "validated",
        }
    }

    /// The stage of this name.
    pub fn parse(name: &str) -> Option<OrderStage> {
        OrderStage::ALL.into_iter().find(|stage| stage.as_str() == name)
    }
}

/// An order that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// How far it is.
    pub stage: OrderStage,
    /// Where the authority has it, once it was made.
    pub url: Option<String>,
    /// When it was begun.
    pub began_at: Timestamp,
}

/// The certificate that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// From when to when it is valid.
    pub validity: Validity,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When the first certificate of the name was.
    pub first_issued_at: Timestamp,
    /// When the next one is ordered.
    pub renew_at: Timestamp,
    /// By which name the authority is asked when that should be, if it says so (RFC 9773).
    pub renewal_id: Option<String>,
}

/// From when to when a certificate is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    /// The first instant.
    pub not_before: Timestamp,
    /// The last one.
    pub not_after: Timestamp,
}

impl Validity {
    /// When it is renewed where the authority says nothing about it: at two thirds of its time.
    fn two_thirds(self) -> Timestamp {
        self.not_before.plus(self.not_after.since(self.not_before) / 3 * 2)
    }
}

/// When an authority wants a certificate to be renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its beginning.
    pub start: Timestamp,
    /// Its end.
    pub end: Timestamp,
}

impl Window {
    /// The instant at that fraction (of 65,536) of the window, so that not all certificates of the world are renewed at once.
    fn at(self, fraction: u16) -> Timestamp {
        let length = self.end.since(self.start).as_micros() * u128::from(fraction) / (1 << 16);
        self.start.plus(Duration::from_micros(u64::try_from(length).unwrap_or(u64::MAX)))
    }
}

/// What went wrong at the last attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// What it was.
    pub trouble: Trouble,
    /// The same in the authority's words.
    pub detail: String,
    /// When.
    pub at: Timestamp,
}

/// How far a name is from being shown by TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A certificate is to be ordered, or is being ordered.
    Issuance,
    /// The authority looks at the name.
    Validation,
    /// It is issued, or on its way to the servers.
    Deployment,
    /// Every server shows it.
    Deployed,
}

impl Progress {
    /// The name that a domain's status has meanwhile.
    pub fn domain_status(self) -> &'static str {
        match self {
            Progress::Issuance => "pending_issuance",
            Progress::Validation => "pending_validation",
            Progress::Deployment => "pending_deployment",
            Progress::Deployed => "active",
        }
    }
}

/// A name, its certificate and its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The host name.
    pub name: String,
    /// The authority's directory.
    pub directory: String,
    /// The certificate that is shown.
    pub issued: Option<Issued>,
    /// The order for the next one.
    pub order: Option<Order>,
    /// How many attempts have failed since one succeeded.
    pub failures: u32,
    /// Why the last one did.
    pub failed: Option<Failed>,
    /// When there is something to do.
    pub next_step_at: Timestamp,
    /// Since when the name wants a certificate.
    pub created_at: Timestamp,
}

impl Certificate {
    /// A name that wants a certificate from now on.
    pub fn wanted(name: &str, directory: &str, now: Timestamp) -> Certificate {
        Certificate {
            name: name.to_owned(),
            directory: directory.to_owned(),
            issued: None,
            order: None,
            failures: 0,
            failed: None,
            next_step_at: now,
            created_at: now,
        }
    }

    /// How far it is.
    pub fn progress(&self, now: Timestamp) -> Progress {
        if let Some(issued) = self.issued.as_ref().filter(|issued| now < issued.validity.not_after) {
            let is_everywhere = now.since(issued.first_issued_at) >= DEPLOYMENT;
            return if is_everywhere { Progress::Deployed } else { Progress::Deployment };
        }
        match self.order.as_ref().map(|order| order.stage) {
            None | Some(OrderStage::Begun) => Progress::Issuance,
            Some(OrderStage::Challenged) => Progress::Validation,
            Some(OrderStage::Validated) => Progress::Deployment,
        }
    }

    /// Whether a certificate is to be ordered now.
    pub fn wants_order(&self, now: Timestamp) -> bool {
        self.order.is_none() && self.issued.as_ref().is_none_or(|issued| now >= issued.renew_at)
    }

    /// Goes over to another authority: what runs at the one before is of no use, and what it has issued is shown until this one has issued.
    pub fn go_over_to(&mut self, directory: &str, now: Timestamp) {
        if self.directory == directory {
            return;
        }
        directory.clone_into(&mut self.directory);
        (self.order, self.failures, self.failed, self.next_step_at) = (None, 0, None, now);
        if let Some(issued) = &mut self.issued {
            (issued.renew_at, issued.renewal_id) = (now, None);
        }
    }

    /// Begins an order.
    pub fn begin(&mut self, now: Timestamp) {
        self.order = Some(Order { stage: OrderStage::Begun, url: None, began_at: now });
        self.next_step_at = now;
    }

    /// Notes where the authority has the order.
    pub fn ordered(&mut self, url: String) {
        if let Some(order) = &mut self.order {
            order.url = Some(url);
        }
    }

    /// Notes how far the order is, and looks again later.
    pub fn reached(&mut self, stage: OrderStage, now: Timestamp) {
        let Some(order) = &mut self.order else { return };
        order.stage = stage;
        self.next_step_at = now.plus((now.since(order.began_at) / 4).clamp(LOOKS.0, LOOKS.1));
    }

    /// Whether the authority has left the order undecided for too long.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.order.as_ref().is_some_and(|order| now.since(order.began_at) >= GIVE_UP_AFTER)
    }

    /// Ends the order, which came to nothing; the next one is begun after a pause that grows, and as late as the authority asks.
    pub fn fail(&mut self, trouble: Trouble, detail: &str, asked: Option<Duration>, now: Timestamp) {
        self.order = None;
        self.failures = self.failures.saturating_add(1);
        let asked = asked.unwrap_or_default().min(LONGEST_ASKED);
        self.next_step_at = now.plus(pause(self.failures).max(asked));
        let detail = detail.chars().filter(|c| !c.is_control()).take(trouble::LONGEST_DETAIL).collect();
        self.failed = Some(Failed { trouble, detail, at: now });
    }

    /// Notes that the domain's own records forbid an order, which was not made: no authority was bothered, so it is looked again at sooner.
    pub fn forbid(&mut self, detail: &str, now: Timestamp) {
        self.fail(Trouble::Caa, detail, None, now);
        self.next_step_at = self.next_step_at.min(now.plus(LONGEST_FORBIDDEN));
    }

    /// Puts everything off: nobody is to blame.
    pub fn put_off(&mut self, until: Timestamp) {
        self.next_step_at = until;
    }

    /// Takes the certificate of the order.
    pub fn issue(&mut self, validity: Validity, renewal_id: Option<String>, now: Timestamp) {
        let first_issued_at = self.issued.as_ref().map_or(now, |issued| issued.first_issued_at);
        let renew_at = validity.two_thirds();
        self.issued = Some(Issued { validity, issued_at: now, first_issued_at, renew_at, renewal_id });
        (self.order, self.failures, self.failed) = (None, 0, None);
        // When to renew is asked at once, if the authority says it.
        self.next_step_at = now.plus(LOOKS.0).min(renew_at);
    }

    /// Notes when the authority wants the certificate to be renewed, at which `fraction` (of 65,536) of its window, and asks again after `asked`; without a window,
    /// at two thirds of its time.
    pub fn plan_renewal(
        &mut self,
        window: Option<Window>,
        asked: Option<Duration>,
        fraction: u16,
        now: Timestamp,
    ) {
        let Some(issued) = &mut self.issued else { return };
        match window {
            None => {
                issued.renew_at = issued.validity.two_thirds();
                issued.renewal_id = None;
                self.next_step_at = issued.renew_at.max(now);
            }
            Some(window) => {
                // A plan within the window stays; else each question would throw the dice again.
                if issued.renew_at < window.start || issued.renew_at > window.end {
                    issued.renew_at = window.at(fraction);
                }
                let again = asked.unwrap_or(QUESTIONS.1).clamp(QUESTIONS.0, QUESTIONS.1);
                self.next_step_at = issued.renew_at.min(now.plus(again)).max(now);
            }
        }
    }
}

/// The pause after so many failures in a row.
pub fn pause(failures: u32) -> Duration {
    let factor = GROWTH.saturating_pow(failures.saturating_sub(1));
    PAUSE.saturating_mul(factor).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests;
