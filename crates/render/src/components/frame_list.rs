//! Questions and their answers: folded texts, of which one is open at a time.

use maud::{Markup, html};
use pagesmith_model::content::component::FrameList;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;
use crate::markdown;

pub(super) fn draw(block: &FrameList, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let level = if title.is_some() { 3 } else { 2 };
    let group = format!("ps-frames-{}", place.index);
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        div class="frames" {
            @for frame in &block.frames {
                details name=(group) {
                    summary { (heading(level, &frame.title)) }
                    div class="prose" { (markdown::draw(&frame.markdown, level + 1, page.words.table)) }
                }
            }
        }
    };
    section(if title.is_some() { "questions beside" } else { "questions" }, place, &inner)
}
