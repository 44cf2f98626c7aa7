//! Visits to pages, measured: what a page view reports, when a session ends, and what of it is counted.
//!
//! Everything here is a plain function. A page view reports running totals ([`beacon`]), of which only what is more than before counts
//! ([`progress`]); so what comes twice, late or out of order changes nothing. A closed session is counted once, in [`sums`]. Who is no
//! visitor is told by [`crawlers`] and [`origin`]; a range of time is cut into stored sums and rows by [`range`],
//! and into hours, days and weeks of a time zone by [`calendar`].

pub mod beacon;
pub mod calendar;
pub mod client;
pub mod crawlers;
pub mod origin;
pub mod progress;
pub mod range;
pub mod session;
pub mod share;
pub mod sums;

use std::time::Duration;

use crate::Timestamp;

/// Without activity for so long a session ends, unless an operator chooses another time.
pub const SESSION_TIMEOUT: Duration = Duration::from_mins(30);

/// From so much engaged time on a visit is none that was left at once.
pub const BOUNCE_BELOW_MS: i64 = 10_000;

/// From so much engaged time on a visit by a personal link is the person's, although nothing was touched: mail scanners open links, too.
pub const PERSON_AFTER_MS: i64 = 5_000;

/// Why a report is not counted as a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It is none of the form that the script sends.
    Invalid,
    /// It has more bytes than any report.
    TooLarge,
    /// It was sent by a page of another site.
    OtherSite,
    /// The page or the audience is none of the site's, or not shown.
    UnknownPage,
    /// A crawler, by its user agent.
    Crawler,
    /// A browser that a program drives.
    Automated,
    /// A page that was loaded before anybody wanted to see it.
    Prefetch,
    /// The address of the page before is one that advertises itself in reports.
    ReferrerSpam,
    /// The address is one of the tenant's own.
    OwnAddress,
    /// The address is one of a data centre, where programs read pages.
    DataCentre,
    /// The visitor's browser asks not to be counted, and the tenant has chosen to obey.
    OptedOut,
    /// Too many reports came from the address.
    TooMany,
    /// The session of the page view has ended.
    Late,
    /// The server has no room for more reports.
    Busy,
}

impl Reason {
    /// Its name in the header of the answer, and where it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Invalid => "invalid",
            Reason::TooLarge => "too_large",
            Reason::OtherSite => "other_site",
            Reason::UnknownPage => "unknown_page",
            Reason::Crawler => "crawler",
            Reason::Automated => "automated",
            Reason::Prefetch => "prefetch",
            Reason::ReferrerSpam => "referrer_spam",
            Reason::OwnAddress => "own_address",
            Reason::DataCentre => "data_centre",
            Reason::OptedOut => "opted_out",
            Reason::TooMany => "too_many",
            Reason::Late => "late",
            Reason::Busy => "busy",
        }
    }
}

/// Whether a session whose last activity was then goes on with one now.
pub fn goes_on(last_at: Timestamp, now: Timestamp, timeout: Duration) -> bool {
    now.since(last_at) <= timeout
}

/// When a session with that last activity is over, should nothing come until then.
pub fn ends_at(last_at: Timestamp, timeout: Duration) -> Timestamp {
    last_at.plus(timeout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_its_time_without_activity_and_not_at_midnight() {
        let last: Timestamp = "2026-03-01T23:50:00Z".parse().unwrap();
        let after = |minutes: u64| last.plus(Duration::from_mins(minutes));
        assert!(goes_on(last, after(20), SESSION_TIMEOUT), "beyond midnight");
        assert!(goes_on(last, after(30), SESSION_TIMEOUT));
        assert!(!goes_on(last, after(30).plus(Duration::from_micros(1)), SESSION_TIMEOUT));
        assert!(
            goes_on(last, last.minus(Duration::from_hours(1)), SESSION_TIMEOUT),
            "a clock that was set back"
        );
        assert_eq!(ends_at(last, SESSION_TIMEOUT), after(30));
    }
}
