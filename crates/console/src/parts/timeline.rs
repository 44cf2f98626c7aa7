//! What happened, the latest first: one line each, with who did it, when, and what belongs to it.

use maud::{Markup, html};
use pagesmith_model::time::Timestamp;

use super::badge::Tone;
use super::moment::moment;
use crate::words::Words;

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Happening<'a> {
    /// What it means.
    pub tone: Tone,
    /// What happened, as a sentence.
    pub text: Markup,
    /// Who did it.
    pub actor: Option<&'a str>,
    /// When.
    pub time: Timestamp,
    /// What belongs to it, shown below.
    pub detail: Option<Markup>,
}

/// Draws them in the given order.
pub fn timeline(words: Words, now: Timestamp, happenings: &[Happening<'_>]) -> Markup {
    html! {
        ol.timeline {
            @for happening in happenings {
                li.(match happening.tone {
                    Tone::Plain => "plain", Tone::Busy => "busy", Tone::Good => "good", Tone::Warning => "warning", Tone::Bad => "bad",
                }) {
                    div { bdi { (happening.text) } }
                    p.timeline-meta {
                        @if let Some(actor) = happening.actor { bdi { (actor) } " · " }
                        (moment(words, happening.time, now))
                    }
                    @if let Some(detail) = &happening.detail { div.timeline-detail { (detail) } }
                }
            }
        }
    }
}
