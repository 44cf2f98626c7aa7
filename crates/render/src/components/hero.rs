//! What a page opens with: its title, a promise, what to do next, and a picture.

use maud::{Markup, html};
use pagesmith_model::content::component::Hero;

use crate::action;
use crate::draw::{Draw, PagePosition, heading};
use crate::escape::said;
use crate::picture::{self, Loading};

pub(super) fn draw(block: &Hero, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let wanted = if place.is_title { Loading::First } else { Loading::Later };
    let picture = block.image.as_ref().and_then(|image| picture::draw(image, wanted));
    let look = if picture.is_some() { "hero beside" } else { "hero" };
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
            }
        }
    }
}
