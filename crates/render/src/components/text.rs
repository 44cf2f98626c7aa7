//! A text, beside its title where there is room.

use maud::{Markup, html};
use pagesmith_model::content::component::Text;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;
use crate::markdown;

pub(super) fn draw(block: &Text, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let first = if title.is_some() { 3 } else { 2 };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        div class="prose" { (markdown::draw(&block.markdown, first, title.unwrap_or(page.words.table))) }
    };
    section(if title.is_some() { "text beside" } else { "text" }, place, &inner)
}
