//! How much each receiver is given at once, learnt from how it answers. Pure: time is handed in.
//!
//! A receiver begins with a few deliveries at a time and has more with every quick success, fewer with every failure. After some failures
//! in a row it is left alone for a while that doubles until it is half a minute, and then has one delivery at a time until one arrives.
//! Nothing is dropped for that, and nobody else waits for it: what is not sent stays in its queue, due as it was.

use std::collections::BTreeMap;
use std::time::Duration;

use pagesmith_model::Timestamp;
use pagesmith_operations::webhooks::deliveries::{Capacity, QueueKey};

use crate::egress::IDLE_PER_HOST;

/// How many deliveries a receiver has at once that nothing is known of.
pub(super) const FIRST: usize = 8;
/// And at most: as many as there are connections to keep.
pub(super) const MOST: usize = IDLE_PER_HOST;
/// A success that takes longer does not widen a queue.
const QUICK: Duration = Duration::from_secs(1);
/// After so many failures in a row a receiver is left alone.
const FAILURES_BEFORE_REST: u32 = 5;
/// For how long at first.
const SHORTEST: Duration = Duration::from_secs(1);
/// And at most.
pub(super) const LONGEST: Duration = Duration::from_secs(30);
/// For how long what was learnt of a receiver is kept without anything new.
const KNOWN: Duration = Duration::from_secs(90);

/// What is known of one receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pace {
    width: usize,
    in_flight: usize,
    failures: u32,
    rest: Duration,
    rests_until: Option<Timestamp>,
    /// When an attempt last ended.
    seen_at: Option<Timestamp>,
    /// Whether it had as much as it may have, so that more may wait.
    is_full: bool,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            width: FIRST,
            in_flight: 0,
            failures: 0,
            rest: Duration::ZERO,
            rests_until: None,
            seen_at: None,
            is_full: false,
        }
    }
}

impl Pace {
    fn room(&self, now: Timestamp) -> usize {
        if self.rests_until.is_some_and(|until| until > now) {
            0
        } else {
            self.width.saturating_sub(self.in_flight)
        }
    }

    fn succeeded(&mut self, took: Duration) {
        self.failures = 0;
        self.rest = Duration::ZERO;
        self.rests_until = None;
        if took < QUICK {
            self.width = (self.width + 1).min(MOST);
        } else if self.width > FIRST {
            self.width -= 1;
        }
    }

    fn failed(&mut self, now: Timestamp) {
        self.failures = self.failures.saturating_add(1);
        self.width = (self.width / 2).max(1);
        // What was on its way when the rest began says nothing new.
        let rests = self.rests_until.is_some_and(|until| until > now);
        if self.failures >= FAILURES_BEFORE_REST && !rests {
            self.rest = (self.rest * 2).clamp(SHORTEST, LONGEST);
            self.rests_until = Some(now.plus(self.rest));
        }
    }
}

/// Every receiver of which something is known.
#[derive(Debug, Default)]
pub(super) struct Paces(BTreeMap<QueueKey, Pace>);

impl Paces {
    /// What a claim may take at `now`, with this much free capacity.
    pub(super) fn capacity(&self, free: usize, now: Timestamp) -> Capacity {
        let rooms =
            self.0.iter().map(|(queue, pace)| (queue, pace.room(now))).filter(|(_, room)| *room != FIRST);
        Capacity {
            free,
            per_queue: FIRST,
            queues: rooms.map(|(queue, room)| (queue.clone(), room)).collect(),
        }
    }

    /// An attempt begins.
    pub(super) fn began(&mut self, queue: &QueueKey) {
        let pace = match self.0.get_mut(queue) {
            Some(pace) => pace,
            None => self.0.entry(queue.clone()).or_default(),
        };
        pace.in_flight += 1;
        pace.is_full |= pace.in_flight >= pace.width;
    }

    /// A receiver was given all that a claim might give it, so that more may wait; for before its attempts begin.
    pub(super) fn was_filled(&mut self, queue: &QueueKey) {
        self.0.entry(queue.clone()).or_default().is_full = true;
    }

    /// An attempt has ended; tells whether it is worth looking if more waits for this receiver.
    pub(super) fn ended(
        &mut self,
        queue: &QueueKey,
        is_success: bool,
        took: Duration,
        now: Timestamp,
    ) -> bool {
        let Some(pace) = self.0.get_mut(queue) else { return false };
        pace.in_flight = pace.in_flight.saturating_sub(1);
        pace.seen_at = Some(now);
        if is_success {
            pace.succeeded(took);
        } else {
            pace.failed(now);
        }
        let has_more = pace.is_full && pace.in_flight <= pace.width / 2;
        pace.is_full &= !has_more;
        has_more
    }

    /// When the next receiver is no longer left alone.
    pub(super) fn next_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.values().filter_map(|pace| pace.rests_until).filter(|until| *until > now).min()
    }

    /// Forgets receivers that have had nothing for a while.
    pub(super) fn forget(&mut self, now: Timestamp) {
        let is_known = |pace: &Pace| pace.seen_at.is_some_and(|seen| seen.plus(KNOWN) >= now);
        self.0.retain(|_, pace| pace.in_flight > 0 || is_known(pace));
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::{SubscriptionId, TenantId};
    use proptest::prelude::*;

    use super::*;

    fn queue() -> QueueKey {
        let zeros = "0".repeat(26);
        (
            TenantId::parse(&format!("tenant_{zeros}")).unwrap(),
            SubscriptionId::parse(&format!("{}_{zeros}", SubscriptionId::PREFIX)).unwrap(),
        )
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_millis(millis))
    }

    /// How many a queue may have more, after one attempt for each letter: `s`uccess or `f`ailure, ten milliseconds apart.
    fn room(outcomes: &str, now: u64) -> usize {
        let mut paces = Paces::default();
        for (turn, outcome) in (0..).zip(outcomes.chars()) {
            paces.began(&queue());
            paces.ended(&queue(), outcome == 's', Duration::from_millis(1), at(turn * 10));
        }
        paces.capacity(1_000, at(now)).queues.get(&queue()).copied().unwrap_or(FIRST)
    }

    #[test]
    fn a_queue_widens_with_successes_and_narrows_with_failures() {
        assert_eq!(room("", 0), FIRST);
        assert_eq!(room("s", 100), FIRST + 1);
        assert_eq!(room(&"s".repeat(100), 2_000), MOST);
        assert_eq!(room("f", 100), FIRST / 2);
        assert_eq!(room("ffff", 100), 1);
    }

    #[test]
    fn a_receiver_that_fails_again_and_again_is_left_alone_for_longer_and_longer() {
        let mut paces = Paces::default();
        let mut now = at(0);
        let mut rests = Vec::new();
        for _ in 0..14 {
            paces.began(&queue());
            paces.ended(&queue(), false, Duration::ZERO, now);
            let until = paces.next_at(now);
            rests.push(until.map_or(0, |until| until.since(now).as_secs()));
            now = until.unwrap_or(now);
            assert!(paces.0[&queue()].room(now) >= 1, "its rest is over");
        }
        assert_eq!(rests, [0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30]);
        paces.began(&queue());
        paces.ended(&queue(), true, Duration::ZERO, now);
        assert_eq!((paces.next_at(now), paces.0[&queue()].room(now)), (None, 2));
    }

    #[test]
    fn failures_of_what_was_on_its_way_together_count_as_one_rest() {
        let mut paces = Paces::default();
        for _ in 0..FIRST {
            paces.began(&queue());
        }
        for _ in 0..FIRST {
            paces.ended(&queue(), false, Duration::from_secs(15), at(15_000));
        }
        assert_eq!(paces.next_at(at(15_000)), Some(at(16_000)));
    }

    #[test]
    fn a_receiver_that_is_quicker_than_claims_is_looked_at_again() {
        let mut paces = Paces::default();
        let end = |paces: &mut Paces| paces.ended(&queue(), true, Duration::from_millis(1), at(0));
        (0..FIRST).for_each(|_| paces.began(&queue()));
        let called = (0..FIRST).filter(|_| end(&mut paces)).count();
        assert_eq!(called, 1);
        // The claim that was asked for at half gave half, all that it might; the first half has ended meanwhile.
        paces.was_filled(&queue());
        (0..FIRST / 2).for_each(|_| paces.began(&queue()));
        assert!(end(&mut paces), "more may wait");
        assert!(!end(&mut paces), "once is enough");
    }

    #[test]
    fn what_is_idle_is_forgotten_after_a_while() {
        let mut paces = Paces::default();
        paces.began(&queue());
        paces.forget(at(0));
        assert_eq!(paces.0.len(), 1);
        paces.ended(&queue(), true, Duration::ZERO, at(0));
        paces.forget(at(90_000));
        assert_eq!(paces.0.len(), 1);
        paces.forget(at(90_001));
        assert_eq!(paces.0.len(), 0);
    }

    proptest! {
        #[test]
        fn there_is_always_room_again_in_the_end_and_never_too_much(
            steps in prop::collection::vec((any::<bool>(), 0_u64..20_000, 0_u64..10_000), 0..60),
        ) {
            let (mut paces, mut now) = (Paces::default(), 0);
            for (is_success, took, pause) in steps {
                now += pause;
                paces.began(&queue());
                let is_full = paces.ended(&queue(), is_success, Duration::from_millis(took), at(now));
                prop_assert!(!is_full || paces.0[&queue()].in_flight == 0);
                let room = |now| paces.capacity(1_000, now).queues.get(&queue()).copied().unwrap_or(FIRST);
                prop_assert!(room(at(now)) <= MOST);
                let later = at(now).plus(LONGEST);
                prop_assert!(room(later) >= 1);
                prop_assert!(paces.next_at(at(now)).is_none_or(|next| next <= later));
            }
        }
    }
}
