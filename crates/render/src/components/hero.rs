//! What a page opens with: its title, a promise, what to do next, and beside them a picture, a figure or nothing.

use maud::{Markup, html};
use pagesmith_model::content::component::Hero;

use super::stats_cards;
use crate::action;
use crate::draw::{Draw, PagePosition, heading};
use crate::escape::said;
use crate::picture::{self, Loading};

/// How wide the picture is: about half of a wide screen, where the text is beside it, and all of a narrow one.
const SIZES: &str = "(min-width:76rem) 34rem,(min-width:60rem) 45vw,100vw";

pub(super) fn draw(block: &Hero, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let wanted = if place.is_title { Loading::First } else { Loading::Later };
    let picture = block.image.as_ref().and_then(|image| picture::draw(image, wanted, SIZES, page.pictures));
    let figure = block.figure.as_ref().filter(|_| picture.is_none());
    let look = if picture.is_some() || figure.is_some() { "hero beside" } else { "hero" };
    html! {
        section class=(look) id=(place.id) {
            div class="wrap" {
                div class="words" {
                    @if let Some(text) = said(block.eyebrow.as_deref()) { p class="eyebrow" dir="auto" { (text) } }
                    (heading(if place.is_title { 1 } else { 2 }, &block.title))
                    @if let Some(text) = said(block.subtitle.as_deref()) { p class="lead" dir="auto" { (text) } }
                    (action::buttons(&block.action_ids, page))
                }
                @if let Some(picture) = picture { div class="picture" { (picture) } }
                @if let Some(figure) = figure { (stats_cards::figures([figure])) }
            }
        }
    }
}
