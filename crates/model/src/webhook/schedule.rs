//! When a failed delivery is tried again.
//!
//! Ten attempts in about three days. Each gap begins when the attempt before it has failed and is up to a fifth longer or shorter, so that what
//! failed together does not come back together. A receiver may ask for a longer gap, up to the gap after.

use std::time::Duration;

/// What is waited after each failed attempt but the last.
pub const GAPS: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// How many attempts there are at most.
pub const ATTEMPTS: usize = GAPS.len() + 1;

/// How long to wait after so many failed attempts; `None` if that was the last.
///
/// `chance` decides the jitter: 0 is the shortest gap, [`u32::MAX`] the longest. What the receiver asks for counts between this gap and the
/// next one.
pub fn after(failed: usize, chance: u32, asked: Option<Duration>) -> Option<Duration> {
    let at = failed.checked_sub(1)?;
    let gap = *GAPS.get(at)?;
    let jittered = gap.mul_f64(0.8 + 0.4 * f64::from(chance) / f64::from(u32::MAX));
    let longest = GAPS.get(at + 1).copied().unwrap_or(gap).max(jittered);
    Some(asked.unwrap_or_default().clamp(jittered, longest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ten_attempts_take_a_little_over_three_days() {
        assert_eq!(ATTEMPTS, 10);
        let all: Duration = (1..).map_while(|failed| after(failed, u32::MAX / 2, None)).sum();
        assert_eq!(all.as_secs() / 3600, 75);
        assert_eq!(after(0, 0, None), None);
        assert_eq!(after(10, 0, Some(Duration::from_secs(1))), None);
    }

    #[test]
    fn a_receiver_may_ask_for_patience_up_to_the_next_gap() {
        let ask = |failed, seconds| after(failed, u32::MAX / 2, Some(Duration::from_secs(seconds))).unwrap();
        assert_eq!(ask(1, 60), Duration::from_secs(60));
        assert_eq!(ask(1, 100_000), Duration::from_mins(5));
        assert_eq!(ask(2, 1).as_secs().div_ceil(60), 5);
        assert_eq!(ask(9, 1_000_000).as_secs().div_ceil(3600), 24);
    }

    proptest! {
        #[test]
        fn a_gap_is_at_most_a_fifth_off_and_never_shorter_for_being_asked(
            failed in 1_usize..=9,
            chance in any::<u32>(),
            asked in 0_u64..200_000,
        ) {
            let gap = GAPS[failed - 1];
            let plain = after(failed, chance, None).unwrap();
            prop_assert!(plain >= gap.mul_f64(0.799_999) && plain <= gap.mul_f64(1.200_001));
            let patient = after(failed, chance, Some(Duration::from_secs(asked))).unwrap();
            prop_assert!(patient >= plain);
            prop_assert!(patient <= plain.max(*GAPS.get(failed).unwrap_or(&gap)));
        }
    }
}
