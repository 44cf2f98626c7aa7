//! What no other component can show: HTML of the page's author, sanitised; what is too long to be read is shown as text.

use maud::{Markup, html};
use pagesmith_model::content::component::Custom;

use crate::draw::{Draw, PagePosition, section};
use crate::sanitise;

pub(super) fn draw(block: &Custom, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let inner = match sanitise::draw(&block.html, 2, page.words.table) {
        Some(clean) => html! { div class="prose" { (clean) } },
        None => html! { div class="prose" { p dir="auto" { (block.html) } } },
    };
    section("custom", place, &inner)
}
