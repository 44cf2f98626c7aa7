//! A picture with its caption; nothing if the picture cannot be fetched.

use maud::{Markup, html};
use pagesmith_model::content::component::ImageBlock;

use crate::draw::{Draw, PagePosition, section};
use crate::escape::said;
use crate::picture::{self, Loading};

/// How wide the picture is: as all of the page's text, and all of a narrow screen.
const SIZES: &str = "(min-width:76rem) 76rem,100vw";

pub(super) fn draw(block: &ImageBlock, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let wanted = if place.index == 0 { Loading::First } else { Loading::Later };
    let Some(picture) = picture::draw(&block.image, wanted, SIZES, page.pictures) else { return html! {} };
    let inner = html! {
        figure {
            (picture)
            @if let Some(text) = said(block.caption.as_deref()) { figcaption dir="auto" { (text) } }
        }
    };
    section("image", place, &inner)
}
