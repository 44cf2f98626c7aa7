//! When a version goes live and when it stops: what a caller asks for, and what of it is next.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{Error, Result};
use crate::issue::{Issue, IssueCode};
use crate::time::Timestamp;

/// How far ahead something can be scheduled.
const FARTHEST: Duration = Duration::from_hours(24 * 366 * 10);

/// When a version shall go live, and when it shall not be live any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SetVersionScheduleRequest")]
#[schemars(example = json!({ "publishAt": "2026-04-01T08:00:00.000Z", "unpublishAt": "2026-05-01T08:00:00.000Z" }))]
pub struct Times {
    /// When the version is published. At most ten years ahead.
    #[serde(default)]
    pub publish_at: Option<Timestamp>,
    /// When the version is taken offline, later than `publishAt`. At most ten years ahead.
    #[serde(default)]
    pub unpublish_at: Option<Timestamp>,
}

/// What comes of a schedule at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Nothing yet.
    Nothing,
    /// The version goes live.
    Publish,
    /// The version is not live any more. Where it should also have gone live meanwhile, it does not.
    Unpublish,
}

impl Times {
    /// The times, unless they are in the past, too far ahead, or in the wrong order.
    pub fn checked(self, now: Timestamp) -> Result<Times> {
        let mut issues = Vec::new();
        if self.next().is_none() {
            let message = "publishAt: publishAt or unpublishAt must be given.";
            issues.push(Issue::body(IssueCode::Required, &["publishAt"], message));
        }
        for (name, time) in [("publishAt", self.publish_at), ("unpublishAt", self.unpublish_at)] {
            let Some(time) = time else { continue };
            if time <= now {
                let message = format!("{name}: must be in the future.");
                issues.push(Issue::body(IssueCode::TooSmall, &[name], message));
            } else if time > now.plus(FARTHEST) {
                let message = format!("{name}: must be within ten years.");
                issues.push(Issue::body(IssueCode::TooBig, &[name], message));
            }
        }
        if let (Some(publish_at), Some(unpublish_at)) = (self.publish_at, self.unpublish_at)
            && unpublish_at <= publish_at
        {
            let message = "unpublishAt: must be later than publishAt.";
            issues.push(Issue::body(IssueCode::TooSmall, &["unpublishAt"], message));
        }
        if issues.is_empty() { Ok(self) } else { Err(Error::invalid(issues)) }
    }

    /// When something is due next; nothing if everything was done.
    pub fn next(&self) -> Option<Timestamp> {
        self.publish_at.or(self.unpublish_at)
    }

    /// What is due.
    pub fn due(&self, now: Timestamp) -> Due {
        let is_over = |time: Option<Timestamp>| time.is_some_and(|time| time <= now);
        if is_over(self.unpublish_at) {
            Due::Unpublish
        } else if is_over(self.publish_at) {
            Due::Publish
        } else {
            Due::Nothing
        }
    }

    /// What is left after that was done.
    #[must_use]
    pub fn after(self, done: Due) -> Times {
        match done {
            Due::Nothing => self,
            Due::Publish => Times { publish_at: None, ..self },
            Due::Unpublish => Times::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn times(publish: Option<i64>, unpublish: Option<i64>) -> Times {
        Times { publish_at: publish.map(at), unpublish_at: unpublish.map(at) }
    }

    #[test]
    fn times_are_in_the_future_in_order_and_not_too_far_ahead() {
        for good in [times(Some(11), None), times(None, Some(11)), times(Some(11), Some(12))] {
            assert_eq!(good.checked(at(10)).unwrap(), good);
        }
        let far = 10 * 366 * 24 * 3_600 + 11;
        let bad = [
            times(None, None),
            times(Some(10), None),
            times(Some(12), Some(12)),
            times(Some(11), Some(9)),
            times(Some(far), None),
            times(None, Some(far)),
        ];
        for bad in bad {
            assert!(bad.checked(at(10)).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn a_schedule_ends_and_nothing_is_done_early(
            publish in prop::option::of(1..100_i64), length in prop::option::of(1..100_i64), looks in prop::collection::vec(1..60_i64, 1..8)
        ) {
            let unpublish = length.map(|length| publish.unwrap_or(0) + length);
            let mut left = times(publish, unpublish);
            let (mut now, mut is_live) = (0, false);
            for look in looks.into_iter().chain([400]) {
                now += look;
                loop {
                    let due = left.due(at(now));
                    prop_assert!(due != Due::Publish || publish.is_some_and(|publish| publish <= now));
                    prop_assert!(due != Due::Unpublish || unpublish.is_some_and(|unpublish| unpublish <= now));
                    is_live = match due { Due::Publish => true, Due::Unpublish => false, Due::Nothing => is_live };
                    left = left.after(due);
                    if due == Due::Nothing { break; }
                }
            }
            prop_assert_eq!(left.next(), None);
            prop_assert_eq!(is_live, publish.is_some() && unpublish.is_none());
        }
    }
}
