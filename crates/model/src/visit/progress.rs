//! How far a page view has come: the greatest totals that were reported, as far as they can be true.
//!
//! Clocks of visitors are not trusted, only durations, and of those no more than has passed here: the time since the first report
//! came, and how old the page view said it was then. Invariant: reports in any order, some of them twice, make the same totals.

use crate::Timestamp;
use crate::visit::beacon::Beacon;

/// The age at its first report that is believed; the script sends its first after ten seconds or when the page is left.
const MOST_BEFORE_MS: i64 = 30 * 60 * 1_000;
/// What a report may be faster on its way than the first.
const JITTER_MS: i64 = 5_000;

/// What is known of a page view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// When its first report came.
    pub first_at: Timestamp,
    /// How old it was then, in milliseconds, as far as that is believed.
    pub before_ms: i64,
    /// The time that the page was visible and in focus, in milliseconds.
    pub engaged_ms: i64,
    /// The deepest point, from 0 to 100.
    pub scroll: i64,
    /// Clicks.
    pub clicks: i64,
    /// How many choices were made.
    pub choices: usize,
}

/// What a report adds to the totals of its page view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gain {
    /// Milliseconds.
    pub engaged_ms: i64,
    /// Clicks.
    pub clicks: i64,
    /// Choices.
    pub choices: usize,
}

impl Progress {
    /// A page view whose first report comes now; nothing of it is taken yet.
    pub fn begin(beacon: &Beacon, now: Timestamp) -> Progress {
        Progress {
            first_at: now,
            before_ms: beacon.age_ms.min(MOST_BEFORE_MS),
            engaged_ms: 0,
            scroll: 0,
            clicks: 0,
            choices: 0,
        }
    }

    /// Takes a report; what it adds.
    pub fn take(&mut self, beacon: &Beacon, now: Timestamp) -> Gain {
        let since = i64::try_from(now.since(self.first_at).as_millis()).unwrap_or(i64::MAX);
        let possible = self.before_ms.saturating_add(since).saturating_add(JITTER_MS);
        let before = self.clone();
        self.engaged_ms = self.engaged_ms.max(beacon.engaged_ms.min(possible));
        self.scroll = self.scroll.max(beacon.scroll);
        self.clicks = self.clicks.max(beacon.clicks);
        self.choices = self.choices.max(beacon.choices.len());
        Gain {
            engaged_ms: self.engaged_ms - before.engaged_ms,
            clicks: self.clicks - before.clicks,
            choices: self.choices - before.choices,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::{AudienceId, PageId};

    fn report(age_ms: i64, engaged_ms: i64, scroll: i64, clicks: i64) -> Beacon {
        let page_id = PageId::parse("page_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
        let audience_id = AudienceId::parse("audience_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
        let choices = (0..usize::try_from(clicks / 3).unwrap()).map(|at| (at, 0)).collect();
        Beacon {
            age_ms,
            engaged_ms,
            scroll,
            clicks,
            choices,
            ..Beacon::of_picture([0; 16], page_id, audience_id, "/")
        }
    }

    #[test]
    fn no_more_time_counts_than_has_passed() {
        let start = Timestamp::from_micros(1_772_366_400_000_000);
        let year = 365 * 86_400_000;
        let first = report(year, year, 10, 0);
        let mut progress = Progress::begin(&first, start);
        assert_eq!(progress.take(&first, start).engaged_ms, MOST_BEFORE_MS + JITTER_MS);
        let gain = progress.take(&report(year, 2 * year, 10, 0), start.plus(Duration::from_secs(60)));
        assert_eq!(gain.engaged_ms, 60_000);
        let earlier = progress.take(&report(0, 0, 0, 0), start.minus(Duration::from_secs(60)));
        assert_eq!(earlier, Gain::default(), "a clock that was set back");
    }

    proptest! {
        #[test]
        fn reports_in_any_order_and_twice_make_the_same_totals(
            steps in prop::collection::vec((1_i64..60_000, 0_u32..=100, 0_i64..=100, 0_i64..5, 0_u64..4_000), 1..12),
            order in any::<prop::sample::Index>(),
            again in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let start = Timestamp::from_micros(1_772_366_400_000_000);
            let (mut age, mut engaged, mut scroll, mut clicks) = (0, 0, 0, 0);
            let mut sent = Vec::new();
            for (passed, share, depth, more, late) in steps {
                age += passed;
                engaged += passed * i64::from(share) / 100;
                scroll = scroll.max(depth);
                clicks += more;
                let at = start.plus(Duration::from_millis(u64::try_from(age).unwrap() + late));
                sent.push((at, report(age, engaged, scroll, clicks)));
            }
            // Some come late, some twice, the rest as the network likes.
            let mut arriving = sent.clone();
            arriving.sort_by_key(|(at, _)| *at);
            let last = arriving.last().unwrap().0;
            arriving.extend(again.iter().map(|index| (last.plus(Duration::from_secs(7)), index.get(&sent).1.clone())));
            let held_back = arriving.remove(order.index(arriving.len()));
            arriving.push((last.plus(Duration::from_secs(9)), held_back.1));
            let mut progress = Progress::begin(&arriving[0].1, arriving[0].0);
            let mut sum = Gain::default();
            for (at, report) in &arriving {
                let gain = progress.take(report, *at);
                prop_assert!(gain.engaged_ms >= 0 && gain.clicks >= 0);
                sum.engaged_ms += gain.engaged_ms;
                sum.clicks += gain.clicks;
                sum.choices += gain.choices;
            }
            prop_assert_eq!((progress.engaged_ms, progress.scroll, progress.clicks), (engaged, scroll, clicks));
            prop_assert_eq!((sum.engaged_ms, sum.clicks), (engaged, clicks));
            prop_assert_eq!(sum.choices, progress.choices);
        }
    }
}
