//! A sliding-window rate limit for one key: how many requests the last window has seen, and may one more come.
//!
//! What this is not: a map of keys or a clock; the caller holds one window for each key and says what time it is.
//! Invariant: of the requests allowed, never more than `limit` lie within any stretch as long as the window.
//!
//! The window is cut into 60 slots, and a slot counts until the newest request in it is as old as the window. So there are 61 (the
//! oldest may be in use in part), a request weighs for at most one slot's width longer than the window, the error is always on
//! the side of the limit, and nobody waits longer than the window. A hit is a few additions; nothing is allocated before the first.

use std::time::Duration;

use crate::time::Timestamp;

/// Slots to a window.
const SLOTS: i64 = 60;

/// Slots kept: those of the window and the one under way.
const KEPT: usize = SLOTS as usize + 1;

/// The widest slot, in microseconds: two thousand years. Beyond that sums of times would not fit.
const WIDEST: i64 = 60_000_000_000_000_000;

/// The answer to one hit, with what the rate limit headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The request may go on, and was counted.
    pub allowed: bool,
    /// The limit that was applied.
    pub limit: u32,
    /// How many more would be allowed at this instant.
    pub remaining: u32,
    /// If allowed: when the whole limit is free again, should nobody ask until then.
    /// If refused: when one more request will be allowed.
    pub resets_at: Timestamp,
    /// How long to wait before trying again; zero if allowed.
    pub retry_after: Duration,
}

/// The requests that one key was allowed lately.
#[derive(Clone, Debug, Default)]
pub struct SlidingWindow {
    /// Slots, as a ring: the newest is at the index `at`, older ones are before it.
    slots: Option<Box<[Slot; KEPT]>>,
    /// Sum of all counts.
    sum: u32,
    /// Width of a slot in microseconds.
    width: i64,
    /// The window in microseconds, never longer than its slots together.
    length: i64,
    /// Number of the newest slot, since 1970.
    head: i64,
    /// Index of the newest slot.
    at: usize,
}

/// The requests of one slot.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// How many.
    count: u32,
    /// When the newest was made, in microseconds since 1970.
    newest: i64,
}

impl SlidingWindow {
    /// A window that has seen nothing; it allocates nothing.
    pub const fn new() -> Self {
        Self { slots: None, sum: 0, width: 1, length: 1, head: 0, at: 0 }
    }

    /// Counts one request if at most `limit` lie within the window with it, else refuses and does not count it.
    ///
    /// Limit and window may change from call to call. A longer or shorter window takes what was counted as just
    /// made; a clock that steps back by less than the window is taken to stand still, by more, to have been set.
    pub fn hit(&mut self, now: Timestamp, limit: u32, window: Duration) -> Decision {
        self.advance(now, window);
        let allowed = self.sum < limit;
        if allowed {
            let at = self.at;
            let slot = &mut self.slots.get_or_insert_with(|| Box::new([Slot::default(); KEPT]))[at];
            slot.newest = if slot.count == 0 { now.as_micros() } else { slot.newest.max(now.as_micros()) };
            slot.count += 1;
            self.sum += 1;
        }
        let resets_at = if allowed { self.leaves_at(0) } else { self.next_allowed_at(limit) };
        // A clock that was set back a little would otherwise make the wait longer than the window.
        let resets_at = resets_at.min(now.plus(micros(self.length))).max(now);
        Decision {
            allowed,
            limit,
            remaining: limit.saturating_sub(self.sum),
            resets_at,
            retry_after: if allowed { Duration::ZERO } else { resets_at.since(now) },
        }
    }

    /// Nothing that still counts lies in the window, so that it may as well be thrown away.
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.sum == 0 || now.as_micros().div_euclid(self.width) - self.head >= KEPT as i64
    }

    /// Moves the newest slot to `now` and lets go of those that have left the window.
    fn advance(&mut self, now: Timestamp, window: Duration) {
        let (width, length) = (width_of(window), length_of(window));
        let slot = now.as_micros().div_euclid(width);
        if (width, length) != (self.width, self.length) {
            self.gather(now);
            (self.width, self.length, self.head) = (width, length, slot);
            return;
        }
        let steps = slot - self.head;
        if steps <= -SLOTS {
            // The clock was set back. Everything counts as just made, else the key would be shut out until the old time comes again.
            self.gather(now);
            self.head = slot;
        } else if steps > 0 {
            self.head = slot;
            for _ in 0..steps.min(KEPT as i64) {
                if self.sum == 0 {
                    break;
                }
                self.at = (self.at + 1) % KEPT;
                self.empty(self.at);
            }
        }
        // Of the slots that are left only the oldest two can hold nothing but what has left the window.
        for age in [KEPT - 1, KEPT - 2] {
            if self.slot(age).count > 0 && self.leaves_at(age) <= now {
                self.empty((self.at + KEPT - age) % KEPT);
            }
        }
    }

    fn empty(&mut self, at: usize) {
        self.sum -= self.slots.as_mut().map_or(0, |slots| std::mem::take(&mut slots[at]).count);
    }

    /// Puts everything into the newest slot: slots of another width cannot be compared, and later is the safe side.
    fn gather(&mut self, now: Timestamp) {
        if let Some(slots) = &mut self.slots {
            **slots = [Slot::default(); KEPT];
            slots[self.at] = Slot { count: self.sum, newest: now.as_micros() };
        }
    }

    /// When what was counted in the slot of this age (0 is the newest) has left the window.
    fn leaves_at(&self, age: usize) -> Timestamp {
        let newest = self.slot(age).newest;
        Timestamp::from_micros(newest.saturating_add(self.length))
    }

    fn slot(&self, age: usize) -> Slot {
        self.slots.as_ref().map_or(Slot::default(), |slots| slots[(self.at + KEPT - age) % KEPT])
    }

    /// When so many of the oldest have left that one more fits; if the limit is zero, when all have.
    fn next_allowed_at(&self, limit: u32) -> Timestamp {
        let (mut left, mut last) = (self.sum, Timestamp::from_micros(i64::MAX));
        for age in (0..KEPT).rev().filter(|age| self.slot(*age).count > 0) {
            left -= self.slot(age).count;
            last = self.leaves_at(age);
            if left < limit {
                break;
            }
        }
        last
    }
}

/// The width of a slot, rounded up so that the slots never span less than the window.
fn width_of(window: Duration) -> i64 {
    i64::try_from(window.as_micros().div_ceil(SLOTS as u128)).unwrap_or(WIDEST).clamp(1, WIDEST)
}

/// The window's length, and of a tiny one that of its slots together, so that the two differ by less than a slot.
fn length_of(window: Duration) -> i64 {
    let length = i64::try_from(window.as_micros()).unwrap_or(i64::MAX).min(WIDEST);
    if length < SLOTS * SLOTS { width_of(window) * SLOTS } else { length }
}

fn micros(length: i64) -> Duration {
    Duration::from_micros(length.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const SLOT: Duration = Duration::from_secs(1);

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(1_700_000_000_000_000 + micros)
    }

    #[test]
    fn counts_down_and_refuses() {
        let mut window = SlidingWindow::new();
        let first = window.hit(at(0), 2, MINUTE);
        assert_eq!((first.allowed, first.limit, first.remaining), (true, 2, 1));
        assert_eq!((first.retry_after, first.resets_at), (Duration::ZERO, at(60_000_000)));
        assert_eq!(window.hit(at(10_000_000), 2, MINUTE).remaining, 0);
        let refused = window.hit(at(11_000_000), 2, MINUTE);
        assert_eq!((refused.allowed, refused.remaining), (false, 0));
        assert_eq!((refused.retry_after, refused.resets_at), (Duration::from_secs(49), at(60_000_000)));
        assert!(!window.hit(at(59_999_999), 2, MINUTE).allowed);
        assert!(window.hit(at(60_000_000), 2, MINUTE).allowed);
        assert!(!window.hit(at(60_000_000), 2, MINUTE).allowed);
    }

    #[test]
    fn allocates_nothing_before_the_first_hit() {
        assert!(SlidingWindow::new().slots.is_none());
        assert!(size_of::<SlidingWindow>() <= 48);
        let mut window = SlidingWindow::new();
        assert!(!window.hit(at(0), 0, MINUTE).allowed);
        assert!(window.slots.is_none() && window.is_idle(at(0)));
    }

    #[test]
    fn becomes_idle() {
        let mut window = SlidingWindow::new();
        window.hit(at(0), 1, MINUTE);
        assert!(!window.is_idle(at(60_999_999)));
        assert!(window.is_idle(at(61_000_000)));
    }

    #[test]
    fn stands_a_clock_that_goes_back() {
        let mut window = SlidingWindow::new();
        assert!(window.hit(at(0), 1, MINUTE).allowed);
        for back in [30_000_000, 3_600_000_000] {
            let refused = window.hit(at(-back), 1, MINUTE);
            assert_eq!((refused.allowed, refused.retry_after), (false, MINUTE));
        }
        let refused = window.hit(at(-3_600_000_000), 1, MINUTE);
        assert!(window.hit(at(-3_600_000_000).plus(refused.retry_after), 1, MINUTE).allowed);
    }

    #[test]
    fn keeps_its_count_when_the_settings_change() {
        let mut window = SlidingWindow::new();
        for second in 0..10 {
            assert!(window.hit(at(second * 1_000_000), 10, MINUTE).allowed);
        }
        let refused = window.hit(at(10_000_000), 5, 2 * MINUTE);
        assert_eq!((refused.allowed, refused.remaining), (false, 0));
        assert_eq!(window.hit(at(10_000_000), 20, MINUTE).remaining, 9);
        assert_eq!(window.hit(at(80_000_000), 20, MINUTE).remaining, 19);
    }

    #[test]
    fn extreme_settings_do_no_harm() {
        for duration in [Duration::ZERO, Duration::from_nanos(1), Duration::MAX] {
            for time in [i64::MIN, 0, i64::MAX] {
                let mut window = SlidingWindow::new();
                let time = Timestamp::from_micros(time);
                assert!(window.hit(time, 1, duration).allowed);
                assert!(!window.hit(time, 1, duration).allowed);
                window.hit(Timestamp::from_micros(7), u32::MAX, duration);
                window.hit(Timestamp::from_micros(0), 0, duration);
            }
        }
    }

    /// Steps of a caller: microseconds since the last hit, many of them short.
    fn gaps() -> impl Strategy<Value = Vec<i64>> {
        let gap = prop_oneof![4 => 0..200_000_i64, 2 => 0..3_000_000_i64, 1 => 0..70_000_000_i64];
        prop::collection::vec(gap, 1..300)
    }

    proptest! {
        #[test]
        fn never_allows_more_than_the_limit(gaps in gaps(), limit in 1..40_u32, odd in 0..100_u64) {
            let length = MINUTE + Duration::from_micros(odd);
            let (mut window, mut now, mut allowed) = (SlidingWindow::new(), at(0), Vec::<Timestamp>::new());
            for gap in gaps {
                now = now.plus(Duration::from_micros(gap as u64));
                let decision = window.hit(now, limit, length);
                let lately = allowed.iter().filter(|time| now.since(**time) < length).count();
                let nearly = allowed.iter().filter(|time| now.since(**time) < length + 2 * SLOT).count();
                if decision.allowed {
                    prop_assert!(lately < limit as usize);
                    allowed.push(now);
                } else {
                    // It is refused only for requests that the window holds, or held a slot ago.
                    prop_assert!(nearly >= limit as usize);
                    prop_assert_eq!(decision.remaining, 0);
                }
                prop_assert!(decision.resets_at > now);
                prop_assert!(decision.retry_after <= length, "{:?} of {length:?}", decision.retry_after);
                prop_assert!(decision.remaining as usize <= limit as usize - lately.min(limit as usize));
            }
        }

        #[test]
        fn all_is_free_after_an_idle_window_and_slot(gaps in gaps(), limit in 1..40_u32) {
            let (mut window, mut now) = (SlidingWindow::new(), at(0));
            for gap in gaps {
                now = now.plus(Duration::from_micros(gap as u64));
                window.hit(now, limit, MINUTE);
            }
            now = now.plus(MINUTE + SLOT);
            prop_assert!(window.is_idle(now));
            for left in (0..limit).rev() {
                prop_assert_eq!(window.hit(now, limit, MINUTE).remaining, left);
            }
            prop_assert!(!window.hit(now, limit, MINUTE).allowed);
        }

        #[test]
        fn who_waits_as_told_is_let_in(gaps in prop::collection::vec(-70_000_000..2_000_000_i64, 1..200), limit in 1..10_u32) {
            let (mut window, mut now) = (SlidingWindow::new(), at(0));
            for gap in gaps {
                // Mostly onwards, now and then back.
                now = at((now.since(at(0)).as_micros() as i64 + if gap % 8 == 0 { gap } else { gap.abs() % 2_000_000 }).max(0));
                let decision = window.hit(now, limit, MINUTE);
                prop_assert!(decision.retry_after <= MINUTE);
                if !decision.allowed {
                    let patient = now.plus(decision.retry_after);
                    prop_assert_eq!(patient, decision.resets_at);
                    // After a clock that was set back a little it may be told to wait once more.
                    if decision.retry_after == MINUTE {
                        continue;
                    }
                    let before = Timestamp::from_micros(patient.as_micros() - 1);
                    prop_assert!(!window.clone().hit(before, limit, MINUTE).allowed);
                    prop_assert!(window.clone().hit(patient, limit, MINUTE).allowed);
                }
            }
        }
    }
}
