//! Numbers that say much.

use maud::{Markup, html};
use pagesmith_model::content::component::StatsCards;

use crate::draw::{PagePosition, heading, section};
use crate::escape::said;

pub(super) fn draw(block: &StatsCards, place: &PagePosition) -> Markup {
    let inner = html! {
        @if let Some(title) = said(block.title.as_deref()) { (heading(2, title)) }
        dl {
            @for stat in &block.stats {
                div { dt dir="auto" { (stat.label) } dd dir="auto" { (stat.value) } }
            }
        }
    };
    section("stats", place, &inner)
}
