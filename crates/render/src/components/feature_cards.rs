//! What is offered, as cards.

use maud::{Markup, html};
use pagesmith_model::content::component::FeatureCards;

use crate::action;
use crate::draw::{Draw, PagePosition, heading, section, stands_in_pairs};
use crate::escape::said;
use crate::picture::{self, Loading};

/// How wide the picture of a card is: about a third of the page's text, half of a tablet, and all of a narrow screen.
const SIZES: &str = "(min-width:76rem) 25rem,(min-width:44rem) 50vw,100vw";

pub(super) fn draw(block: &FeatureCards, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let level = if title.is_some() { 3 } else { 2 };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        @if let Some(text) = said(block.subtitle.as_deref()) { p class="lead" dir="auto" { (text) } }
        ul class="grid" {
            @for card in &block.cards {
                li class="card" {
                    @if let Some(picture) = card.picture.as_ref()
                        .and_then(|picture| picture::draw(picture, Loading::Later, SIZES, page.pictures)) { (picture) }
                    (heading(level, &card.title))
                    @if let Some(text) = said(Some(&card.text)) { p dir="auto" { (text) } }
                    @if let Some(button) = card.action_id.as_deref().and_then(|id| page.action(id))
                        .and_then(|action| action::button(action, "more", page)) { (button) }
                }
            }
        }
    };
    section(if stands_in_pairs(block.cards.len()) { "cards pairs" } else { "cards" }, place, &inner)
}
