//! A picture with its caption; nothing if the picture cannot be fetched.

use maud::{Markup, html};
use pagesmith_model::content::component::ImageBlock;

use crate::draw::{PagePosition, section};
use crate::escape::said;
use crate::picture::{self, Loading};

pub(super) fn draw(block: &ImageBlock, place: &PagePosition) -> Markup {
    let wanted = if place.index == 0 { Loading::First } else { Loading::Later };
    let Some(picture) = picture::draw(&block.image, wanted) else { return html! {} };
    let inner = html! {
        figure {
            (picture)
            @if let Some(text) = said(block.caption.as_deref()) { figcaption dir="auto" { (text) } }
        }
    };
    section("image", place, &inner)
}
