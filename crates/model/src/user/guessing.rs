//! Limits against guessing: how long somebody who has typed wrong passwords must wait before the next one is looked at.
//!
//! Wrong attempts are counted by the pair of address and user, by the address, and by the user. Each count has a number of attempts
//! that are free and then a delay that doubles up to a longest one. An attempt that comes during a delay is refused without a look and
//! is not counted, so that waiting always helps. Attempts that are a day old are forgotten.
//!
//! A user's owner is not locked out by others: from an address at which the user was signed in before, only wrong attempts of
//! this very pair count, and many of them are free.
//!
//! What this is not: a store of the counts, or a clock.

use std::time::Duration;

use crate::time::Timestamp;

/// After so long without a wrong attempt, those before are forgotten.
pub const FORGOTTEN_AFTER: Duration = Duration::from_hours(24);

/// Wrong attempts in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failures {
    /// How many.
    pub count: u32,
    /// When the last one was.
    pub last_at: Timestamp,
}

impl Failures {
    /// Those that still count.
    pub fn remembered(self, now: Timestamp) -> Option<Failures> {
        (now.since(self.last_at) < FORGOTTEN_AFTER).then_some(self)
    }

    /// One more than before.
    #[must_use]
    pub fn and_one(before: Option<Failures>, now: Timestamp) -> Failures {
        let count = before.and_then(|before| before.remembered(now)).map_or(0, |before| before.count);
        Failures { count: count.saturating_add(1), last_at: now }
    }
}

/// How many wrong attempts are free, and how long one waits after more of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// So many are free.
    pub free: u32,
    /// No delay is longer.
    pub longest: Duration,
}

/// The first delay; each further one is twice as long.
const FIRST_DELAY: Duration = Duration::from_secs(1);

/// Of one address for one user.
pub const OF_PAIR: Limit = Limit { free: 5, longest: Duration::from_mins(15) };
/// Of one address for one user who was signed in there before. Not without end, since otherwise whoever shares the address could guess
/// as fast as the server computes.
pub const OF_KNOWN_PAIR: Limit = Limit { free: 100, longest: Duration::from_mins(15) };
/// Of one address for all users: an office behind one address has many who mistype.
pub const OF_ADDRESS: Limit = Limit { free: 30, longest: Duration::from_mins(15) };
/// Of all addresses for one user. It is short, since whoever types the user's address can cause it.
pub const OF_USER: Limit = Limit { free: 50, longest: Duration::from_mins(1) };

impl Limit {
    /// The delay behind so many wrong attempts.
    pub fn delay(&self, count: u32) -> Duration {
        let Some(over) = count.checked_sub(self.free) else { return Duration::ZERO };
        2_u32.checked_pow(over).map_or(self.longest, |times| {
            FIRST_DELAY.checked_mul(times).unwrap_or(self.longest).min(self.longest)
        })
    }

    /// From when on the next attempt is looked at, if that is later than now.
    pub fn waits_until(&self, failures: Option<Failures>, now: Timestamp) -> Option<Timestamp> {
        let failures = failures?.remembered(now)?;
        let until = failures.last_at.plus(self.delay(failures.count));
        (until > now).then_some(until)
    }
}

/// What is known when somebody tries to sign in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GuessingState {
    /// Wrong attempts of this address for this user.
    pub pair: Option<Failures>,
    /// Wrong attempts of this address.
    pub address: Option<Failures>,
    /// Wrong attempts for this user.
    pub user: Option<Failures>,
    /// Whether this user was signed in at this address before.
    pub is_known: bool,
}

impl GuessingState {
    /// The limit that applies to the pair.
    pub fn pair_limit(&self) -> Limit {
        if self.is_known { OF_KNOWN_PAIR } else { OF_PAIR }
    }

    /// From when on an attempt is looked at, if that is later than now.
    pub fn waits_until(&self, now: Timestamp) -> Option<Timestamp> {
        let of_pair = self.pair_limit().waits_until(self.pair, now);
        if self.is_known {
            return of_pair;
        }
        let of_address = OF_ADDRESS.waits_until(self.address, now);
        let of_user = OF_USER.waits_until(self.user, now);
        [of_pair, of_address, of_user].into_iter().flatten().max()
    }
}

/// Whether a wrong attempt completes a series that the audit notes: the first that has a delay, and then each time that the
/// number of attempts has doubled.
pub fn completes_series(count: u32) -> bool {
    count.is_multiple_of(OF_PAIR.free) && (count / OF_PAIR.free).is_power_of_two()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(1_772_366_400_000_000).plus(Duration::from_secs(seconds))
    }

    #[test]
    fn delays_double_up_to_the_longest() {
        let delays = [0, 4, 5, 6, 7, 14, 15, 100, u32::MAX].map(|count| OF_PAIR.delay(count).as_secs());
        assert_eq!(delays, [0, 0, 1, 2, 4, 512, 900, 900, 900]);
        assert_eq!(OF_USER.delay(u32::MAX), Duration::from_mins(1));
    }

    #[test]
    fn a_day_without_a_wrong_attempt_forgets_them() {
        let failures = Some(Failures { count: 40, last_at: at(0) });
        assert_eq!(OF_PAIR.waits_until(failures, at(899)), Some(at(900)));
        assert_eq!(OF_PAIR.waits_until(failures, at(900)), None);
        assert_eq!(Failures::and_one(failures, at(86_399)).count, 41);
        assert_eq!(Failures::and_one(failures, at(86_400)).count, 1);
    }

    #[test]
    fn a_clock_that_is_set_back_forgets_nothing() {
        let failures = Some(Failures { count: 6, last_at: at(10) });
        assert_eq!(OF_PAIR.waits_until(failures, at(0)), Some(at(12)));
    }

    #[test]
    fn the_audit_notes_a_series_now_and_then() {
        let noted: Vec<u32> = (0..200).filter(|count| completes_series(*count)).collect();
        assert_eq!(noted, [5, 10, 20, 40, 80, 160]);
    }

    /// What the database does with the counts.
    #[derive(Default)]
    struct Counts(HashMap<String, Failures>);

    impl Counts {
        fn state_of(&self, address: u8, user: u8, is_known: bool) -> GuessingState {
            let of = |name: String| self.0.get(&name).copied();
            GuessingState {
                pair: of(format!("{address} {user}")),
                address: of(format!("address {address}")),
                user: of(format!("user {user}")),
                is_known,
            }
        }

        fn fail(&mut self, address: u8, user: u8, now: Timestamp) {
            for name in [format!("{address} {user}"), format!("address {address}"), format!("user {user}")] {
                let before = self.0.get(&name).copied();
                self.0.insert(name, Failures::and_one(before, now));
            }
        }
    }

    proptest! {
        /// Attackers at addresses 1 to 5 guess whenever they may; the user 0 signs in at the known address 0 whenever it likes.
        #[test]
        fn attackers_get_few_attempts_and_the_owner_is_never_kept_waiting(
            steps in prop::collection::vec((0..6_u8, 0..3_u8, 0..600_u64), 1..800),
        ) {
            let mut counts = Counts::default();
            let (mut seconds, mut tried) = (0, HashMap::<(u8, u8), Vec<u64>>::new());
            for (address, user, pause) in steps {
                seconds += pause;
                let now = at(seconds);
                if address == 0 {
                    prop_assert_eq!(counts.state_of(0, 0, true).waits_until(now), None);
                    continue;
                }
                match counts.state_of(address, user, false).waits_until(now) {
                    Some(until) => prop_assert!(until > now && until <= now.plus(OF_PAIR.longest)),
                    None => {
                        counts.fail(address, user, now);
                        tried.entry((address, user)).or_default().push(seconds);
                    }
                }
            }
            // In a day a pair gets the free attempts, ten with growing delays and one in each fifteen minutes.
            for times in tried.values() {
                for first in times {
                    let day = times.iter().filter(|time| (*first..first + 86_400).contains(*time)).count();
                    prop_assert!(day <= 5 + 11 + 96, "{day} attempts in a day");
                }
            }
        }

        #[test]
        fn more_failures_never_shorten_the_delay(count in 0..1_000_u32, free in 0..100_u32, longest in 0..2_000_u64) {
            let limit = Limit { free, longest: Duration::from_secs(longest) };
            prop_assert!(limit.delay(count) <= limit.delay(count + 1));
            prop_assert!(limit.delay(count) <= limit.longest);
            prop_assert_eq!(limit.delay(count).is_zero(), count < free || longest == 0);
        }
    }
}
