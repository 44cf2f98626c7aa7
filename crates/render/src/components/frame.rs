//! A text in a frame, which can be folded.

use maud::{Markup, html};
use pagesmith_model::content::component::Frame;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::markdown;

pub(super) fn draw(block: &Frame, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let text = markdown::draw(&block.markdown, 3, page.words.table);
    let inner = html! {
        @if block.collapsible {
            details class="card" {
                summary { (heading(2, &block.title)) }
                div class="prose" { (text) }
            }
        } @else {
            div class="card" { (heading(2, &block.title)) div class="prose" { (text) } }
        }
    };
    section("frame", place, &inner)
}
