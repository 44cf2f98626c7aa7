//! A picture with its caption; nothing if the picture cannot be fetched.

use maud::{Markup, html};
use pagesmith_model::content::component::ImageBlock;

use crate::draw::{Place, section};
use crate::escape::said;
use crate::picture::{self, Wanted};

pub(super) fn draw(block: &ImageBlock, place: &Place) -> Markup {
    let wanted = if place.index == 0 { Wanted::First } else { Wanted::Later };
    let Some(picture) = picture::draw(&block.image, wanted) else { return html! {} };
    let inner = html! {
        figure {
            (picture)
            @if let Some(text) = said(block.caption.as_deref()) { figcaption dir="auto" { (text) } }
        }
    };
    section("image", place, &inner)
}
