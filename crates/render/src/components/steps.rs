//! What happens one after the other: a path of numbers, across the page if there are few.

use maud::{Markup, html};
use pagesmith_model::content::component::Steps;

use crate::draw::{PagePosition, heading, section};
use crate::escape::said;

/// More than this are put below each other.
const ACROSS: usize = 4;

pub(super) fn draw(block: &Steps, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let level = if title.is_some() { 3 } else { 2 };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        // A list without its usual marks is no list to some screen readers unless it says so.
        ol role="list" {
            @for step in &block.steps {
                li {
                    (heading(level, &step.title))
                    @if let Some(text) = said(Some(&step.text)) { p dir="auto" { (text) } }
                }
            }
        }
    };
    let look = match title {
        _ if block.steps.len() <= ACROSS => "steps across",
        Some(_) => "steps beside",
        None => "steps",
    };
    section(look, place, &inner)
}
