//! How a subscription's receiver fares, and when it is given up.
//!
//! A run of failures begins with a failure and ends with a success, or with two days without any attempt: who was not asked did not fail. A
//! run over five days gives the receiver up, if failures at least twelve hours apart have been seen in it before: two short bursts with
//! silence between them do not count as days.

use std::time::Duration;

use crate::time::Timestamp;

/// How long everything must have failed.
pub const GIVEN_UP: Duration = Duration::from_hours(5 * 24);
/// How far apart failures must have been seen.
const APART: Duration = Duration::from_hours(12);
/// A silence that ends a run; longer than any gap of the schedule with its jitter.
const SILENCE: Duration = Duration::from_hours(48);
/// How exactly the last failure is noted: it need not be written again for each of many failures.
const GRAIN: Duration = Duration::from_mins(10);

/// The run of failures that a subscription is in, if it is in one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// When the first of them was.
    pub failing_since: Option<Timestamp>,
    /// When the last one was, to within ten minutes.
    pub failed_at: Option<Timestamp>,
}

/// What a failure makes of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// How it fares now.
    pub health: Health,
    /// Whether it is given up.
    pub gives_up: bool,
}

impl Health {
    /// After a failure at `now`.
    #[must_use]
    pub fn failed(self, now: Timestamp) -> Verdict {
        let fresh = Health { failing_since: Some(now), failed_at: Some(now) };
        let (Some(since), Some(last)) = (self.failing_since, self.failed_at) else {
            return Verdict { health: fresh, gives_up: false };
        };
        if now.since(last) > SILENCE {
            return Verdict { health: fresh, gives_up: false };
        }
        let gives_up = now.since(since) >= GIVEN_UP && last.since(since) >= APART;
        let failed_at = if now.since(last) >= GRAIN { now } else { last };
        Verdict { health: Health { failing_since: Some(since), failed_at: Some(failed_at) }, gives_up }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::webhook::schedule;

    fn at(hours: u64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000).plus(Duration::from_hours(hours))
    }

    /// At which of these hours, all of them failures, the receiver is given up.
    fn given_up(hours: impl IntoIterator<Item = u64>) -> Option<u64> {
        let mut health = Health::default();
        hours.into_iter().find(|hour| {
            let verdict = health.failed(at(*hour));
            health = verdict.health;
            verdict.gives_up
        })
    }

    #[test]
    fn five_days_of_failures_give_a_receiver_up() {
        assert_eq!(given_up((0..200).step_by(6)), Some(120));
        assert_eq!(given_up((0..120).step_by(6)), None);
    }

    #[test]
    fn bursts_with_silence_between_them_do_not() {
        assert_eq!(given_up([0, 1, 2, 121, 122]), None);
        assert_eq!(given_up([0, 49, 98, 147, 196]), None);
        assert_eq!(given_up([0, 47, 94, 130]), Some(130));
    }

    #[test]
    fn the_schedule_alone_ends_before() {
        let mut now = at(0);
        let mut health = Health::default();
        for failed in 1..=schedule::ATTEMPTS {
            let verdict = health.failed(now);
            assert!(!verdict.gives_up);
            assert_eq!(verdict.health.failing_since, Some(at(0)), "no gap of the schedule is a silence");
            health = verdict.health;
            now = now.plus(schedule::after(failed, u32::MAX, None).unwrap_or_default());
        }
    }

    proptest! {
        #[test]
        fn nobody_is_given_up_within_five_days(gaps in prop::collection::vec(1_u64..4_000, 1..60)) {
            let (mut now, mut health) = (at(0), Health::default());
            for minutes in gaps {
                now = now.plus(Duration::from_mins(minutes));
                let verdict = health.failed(now);
                health = verdict.health;
                let since = health.failing_since.unwrap();
                prop_assert!(!verdict.gives_up || now.since(since) >= GIVEN_UP);
                prop_assert!(now.since(health.failed_at.unwrap()) < GRAIN);
            }
        }
    }
}
