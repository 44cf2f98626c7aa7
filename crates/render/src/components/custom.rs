//! What no other component can show: HTML of the page's author, sanitised.

use maud::{Markup, html};
use pagesmith_model::content::component::Custom;

use crate::draw::{Draw, Place, section};
use crate::sanitise;

pub(super) fn draw(block: &Custom, page: &Draw<'_>, place: &Place) -> Markup {
    section(
        "custom",
        place,
        &html! { div class="prose" { (sanitise::draw(&block.html, 2, page.words.table)) } },
    )
}
