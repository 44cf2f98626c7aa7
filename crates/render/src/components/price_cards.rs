//! Plans with their prices, as cards.

use maud::{Markup, html};
use pagesmith_model::content::component::PriceCards;

use crate::action;
use crate::draw::{Draw, PagePosition, heading, section, stands_in_pairs};
use crate::escape::said;

pub(super) fn draw(block: &PriceCards, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let level = if title.is_some() { 3 } else { 2 };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        ul class="grid" {
            @for plan in &block.plans {
                li class="card" {
                    (heading(level, &plan.name))
                    @if let Some(price) = said(plan.price.as_deref()) { p class="price" dir="auto" { (price) } }
                    @if let Some(text) = said(Some(&plan.text)) { p dir="auto" { (text) } }
                    @if !plan.points.is_empty() {
                        ul class="points" dir="auto" { @for point in &plan.points { li { (point) } } }
                    }
                    @if let Some(button) = plan.action_id.as_deref().and_then(|id| page.action(id))
                        .and_then(|action| action::button(action, "button", page)) { (button) }
                }
            }
        }
    };
    let look = match block.plans.len() {
        1 if title.is_some() => "prices beside",
        plans if stands_in_pairs(plans) => "prices pairs",
        _ => "prices",
    };
    section(look, place, &inner)
}
