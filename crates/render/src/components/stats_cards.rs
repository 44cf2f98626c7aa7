//! Numbers that say much, as a band across the page.

use maud::{Markup, html};
use pagesmith_model::content::component::StatsCards;
use pagesmith_model::content::part::Stat;

use crate::draw::{PagePosition, heading, section};
use crate::escape::said;

pub(super) fn draw(block: &StatsCards, place: &PagePosition) -> Markup {
    let inner = html! {
        @if let Some(title) = said(block.title.as_deref()) { (heading(2, title)) }
        (figures(&block.stats))
    };
    section("stats", place, &inner)
}

/// The most characters of a value, and of a word of it, that a narrow column has room for in large type.
const LARGE: (usize, usize) = (12, 7);

/// Whether a value needs smaller type: `Within ten working days`.
fn is_long(value: &str) -> bool {
    let longest = value.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    value.chars().count() > LARGE.0 || longest > LARGE.1
}

/// Figures with their meaning.
pub(super) fn figures<'a>(stats: impl IntoIterator<Item = &'a Stat>) -> Markup {
    html! {
        dl class="figures" {
            // The text says from where both are read; a number alone says nothing of it.
            @for stat in stats {
                div dir="auto" { dt { (stat.label) } dd class=[is_long(&stat.value).then_some("long")] dir="auto" { (stat.value) } }
            }
        }
    }
}
