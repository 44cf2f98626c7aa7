//! A point in time: how far away it is in sight, the exact one for those who ask and for programs.

use maud::{Markup, html};
use pagesmith_model::time::Timestamp;

use crate::words::Words;

/// How long ago, or how long until then.
pub fn moment(words: Words, time: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(time) title=(words.date_time(time)) data-title { (words.distance(time, now)) } }
}

/// The date and the time of day: in UTC, and with script in the browser's zone.
pub fn exact_moment(words: Words, time: Timestamp) -> Markup {
    html! { time datetime=(time) data-local { (words.date_time(time)) } }
}
