//! What is counted of sessions, and the rates that follow from it.

use crate::visit::BOUNCE_BELOW_MS;

/// From so deep a point on half of a page was seen.
pub const HALF_SEEN: i64 = 50;

/// A session, as far as it is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Whether it has ended.
    pub has_ended: bool,
    /// Whether the page's script measured it.
    pub is_scripted: bool,
    /// The time that its pages were visible and in focus, in milliseconds.
    pub engaged_ms: i64,
    /// The deepest point, from 0 to 100.
    pub scroll: i64,
    /// Clicks.
    pub clicks: i64,
    /// Answers and questions.
    pub interactions: i64,
    /// Questions to the page.
    pub questions: i64,
    /// Whether an action was used.
    pub has_action: bool,
    /// Whether it reached what the page is for.
    pub has_conversion: bool,
    /// Whether a form was accepted.
    pub has_form: bool,
}

impl Counted {
    /// Whether it can be a bounce: it has ended, and was measured.
    pub fn is_bounce_eligible(&self) -> bool {
        self.has_ended && self.is_scripted
    }

    /// Whether it was left at once: no click, no form, no question, and hardly any time.
    pub fn is_bounce(&self) -> bool {
        self.is_bounce_eligible()
            && self.clicks == 0
            && self.questions == 0
            && !self.has_form
            && self.engaged_ms < BOUNCE_BELOW_MS
    }
}

/// Sums over sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Sessions.
    pub sessions: i64,
    /// Those that the page's script measured.
    pub measured: i64,
    /// Those that can be bounces.
    pub bounce_eligible: i64,
    /// Bounces.
    pub bounces: i64,
    /// Those that reached what the page is for.
    pub conversions: i64,
    /// Those in which an action was used.
    pub with_action: i64,
    /// Those with a form that was accepted.
    pub with_form: i64,
    /// Those that saw at least half of the page.
    pub half_seen: i64,
    /// Answers and questions.
    pub interactions: i64,
    /// Milliseconds of the measured ones.
    pub engaged_ms: i64,
    /// The deepest points of the measured ones.
    pub scroll: i64,
}

impl Sums {
    /// Of one session.
    pub fn of(session: &Counted) -> Sums {
        let measured = i64::from(session.is_scripted);
        Sums {
            sessions: 1,
            measured,
            bounce_eligible: i64::from(session.is_bounce_eligible()),
            bounces: i64::from(session.is_bounce()),
            conversions: i64::from(session.has_conversion),
            with_action: i64::from(session.has_action),
            with_form: i64::from(session.has_form),
            half_seen: i64::from(session.scroll >= HALF_SEEN),
            interactions: session.interactions,
            engaged_ms: measured * session.engaged_ms,
            scroll: measured * session.scroll,
        }
    }

    /// The amounts, in the order of their columns.
    pub fn amounts(&self) -> [i64; 11] {
        [
            self.sessions,
            self.measured,
            self.bounce_eligible,
            self.bounces,
            self.conversions,
            self.with_action,
            self.with_form,
            self.half_seen,
            self.interactions,
            self.engaged_ms,
            self.scroll,
        ]
    }

    /// The sums of these amounts.
    pub fn of_amounts(amounts: [i64; 11]) -> Sums {
        let [
            sessions,
            measured,
            bounce_eligible,
            bounces,
            conversions,
            with_action,
            with_form,
            half_seen,
            interactions,
            engaged_ms,
            scroll,
        ] = amounts;
        Sums {
            sessions,
            measured,
            bounce_eligible,
            bounces,
            conversions,
            with_action,
            with_form,
            half_seen,
            interactions,
            engaged_ms,
            scroll,
        }
    }

    /// Adds others.
    pub fn add(&mut self, others: &Sums) {
        let (mut amounts, others) = (self.amounts(), others.amounts());
        amounts.iter_mut().zip(others).for_each(|(amount, other)| *amount += other);
        *self = Sums::of_amounts(amounts);
    }

    /// The same amounts, to be taken away.
    #[must_use]
    pub fn negated(&self) -> Sums {
        Sums::of_amounts(self.amounts().map(|amount| -amount))
    }

    /// Interactions per session; 0 without sessions.
    pub fn interactions_per_session(&self) -> f64 {
        rate(self.interactions, self.sessions)
    }

    /// The mean depth, from 0 to 100; nothing where nothing was measured.
    pub fn mean_scroll(&self) -> Option<f64> {
        (self.measured > 0).then(|| rate(self.scroll, self.measured))
    }

    /// The mean time in seconds; nothing where nothing was measured.
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.measured > 0).then(|| rate(self.engaged_ms, self.measured) / 1_000.0)
    }

    /// Bounces among those that can be bounces.
    pub fn bounce_rate(&self) -> f64 {
        rate(self.bounces, self.bounce_eligible)
    }

    /// Conversions per session.
    pub fn conversion_rate(&self) -> f64 {
        rate(self.conversions, self.sessions)
    }

    /// A number of sessions as a fraction of all.
    pub fn share_of_sessions(&self, part: i64) -> f64 {
        rate(part, self.sessions)
    }

    /// Sessions with a form, per session.
    pub fn form_rate(&self) -> f64 {
        rate(self.with_form, self.sessions)
    }
}

/// A fraction; 0 where there is nothing to divide by.
#[expect(clippy::cast_precision_loss, reason = "counts and sums of milliseconds are far below 2^53")]
fn rate(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT_AT_ONCE: Counted = Counted {
        has_ended: true,
        is_scripted: true,
        engaged_ms: 9_999,
        scroll: 40,
        clicks: 0,
        interactions: 0,
        questions: 0,
        has_action: false,
        has_conversion: false,
        has_form: false,
    };

    #[test]
    fn a_bounce_is_an_ended_visit_without_anything_and_below_ten_seconds() {
        assert!(LEFT_AT_ONCE.is_bounce());
        for other in [
            Counted { has_ended: false, ..LEFT_AT_ONCE },
            Counted { is_scripted: false, ..LEFT_AT_ONCE },
            Counted { engaged_ms: 10_000, ..LEFT_AT_ONCE },
            Counted { clicks: 1, ..LEFT_AT_ONCE },
            Counted { questions: 1, ..LEFT_AT_ONCE },
            Counted { has_form: true, ..LEFT_AT_ONCE },
        ] {
            assert!(!other.is_bounce(), "{other:?}");
        }
    }

    #[test]
    fn rates_are_fractions_and_zero_of_nothing() {
        let none = Sums::default();
        assert_eq!(
            (none.bounce_rate(), none.conversion_rate(), none.interactions_per_session()),
            (0.0, 0.0, 0.0)
        );
        assert_eq!((none.mean_scroll(), none.mean_seconds()), (None, None));
        let mut sums = Sums::of(&LEFT_AT_ONCE);
        sums.add(&Sums::of(&Counted {
            engaged_ms: 20_001,
            scroll: 100,
            clicks: 2,
            interactions: 1,
            has_action: true,
            has_conversion: true,
            ..LEFT_AT_ONCE
        }));
        sums.add(&Sums::of(&Counted { is_scripted: false, engaged_ms: 0, scroll: 0, ..LEFT_AT_ONCE }));
        assert_eq!((sums.sessions, sums.measured, sums.bounce_eligible, sums.bounces), (3, 2, 2, 1));
        assert_eq!((sums.bounce_rate(), sums.conversion_rate()), (0.5, 1.0 / 3.0));
        assert_eq!((sums.mean_scroll(), sums.mean_seconds()), (Some(70.0), Some(15.0)));
        let mut gone = sums;
        gone.add(&sums.negated());
        assert_eq!(gone, Sums::default());
    }
}
