//! Two columns side by side, the second one emphasised.

use maud::{Markup, html};
use pagesmith_model::content::component::Comparison;

use crate::draw::{PagePosition, heading, section};
use crate::escape::said;

pub(super) fn draw(block: &Comparison, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let level = if title.is_some() { 3 } else { 2 };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        div class="grid" {
            @for column in &block.columns {
                div class="card" {
                    (heading(level, &column.title))
                    ul class="points" dir="auto" { @for point in &column.points { li { (point) } } }
                }
            }
        }
    };
    section("comparison pairs", place, &inner)
}
