//! Where values lie on a chart: round steps on the axis, and places in tenths of a pixel.
//!
//! Values are whole and not negative. Invariant: every place lies within the plot, however large the values are.

/// A scale from 0 to a round number that no value exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// The distance of two lines.
    pub step: u64,
    /// How many steps there are: from 1 to 5.
    pub steps: u64,
}

impl Scale {
    /// The scale for values up to this one, with steps of 1, 2 or 5 times a power of ten.
    pub fn of(largest: u64) -> Scale {
        let wanted = largest.div_ceil(5).max(1);
        let mut power = 1_u64;
        let step = loop {
            let round = [1, 2, 5].into_iter().find_map(|times| {
                let step = power.checked_mul(times)?;
                (step >= wanted).then_some(step)
            });
            match (round, power.checked_mul(10)) {
                (Some(step), _) => break step,
                (None, Some(next)) => power = next,
                (None, None) => break wanted,
            }
        };
        Scale { step, steps: largest.div_ceil(step).max(1) }
    }

    /// The values that have a line, the lowest first.
    pub fn lines(self) -> impl Iterator<Item = u64> {
        (0..=self.steps).map(move |at| self.step.saturating_mul(at))
    }

    /// How far above the ground a value lies, in tenths of a pixel, in a plot of this height.
    pub fn place(self, value: u64, height: u32) -> u32 {
        let top = u128::from(self.step) * u128::from(self.steps);
        let place = u128::from(value) * u128::from(height) * 10 / top.max(1);
        u32::try_from(place).unwrap_or(u32::MAX).min(height.saturating_mul(10))
    }
}

/// Tenths of a pixel as SVG writes them.
pub(super) fn tenths(value: u32) -> String {
    if value.is_multiple_of(10) { (value / 10).to_string() } else { format!("{}.{}", value / 10, value % 10) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Scale, tenths};

    #[test]
    fn steps_are_round() {
        let of = |largest| (Scale::of(largest).step, Scale::of(largest).steps);
        assert_eq!([of(0), of(1), of(5), of(6), of(23)], [(1, 1), (1, 1), (1, 5), (2, 3), (5, 5)]);
        assert_eq!([of(1000), of(1001)], [(200, 5), (500, 3)]);
        assert_eq!((tenths(0), tenths(15), tenths(120)), ("0".to_owned(), "1.5".to_owned(), "12".to_owned()));
    }

    proptest! {
        #[test]
        fn values_lie_within_the_plot_in_their_order(a in any::<u64>(), b in any::<u64>(), height in 1_u32..2000) {
            let scale = Scale::of(a.max(b));
            prop_assert!((1..=5).contains(&scale.steps));
            prop_assert!(u128::from(scale.step) * u128::from(scale.steps) >= u128::from(a.max(b)));
            prop_assert!(scale.place(a.max(b), height) <= height * 10);
            prop_assert!(scale.place(a.min(b), height) <= scale.place(a.max(b), height));
        }
    }
}
