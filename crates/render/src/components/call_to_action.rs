//! What the page is for, once more and in one sentence.

use maud::{Markup, html};
use pagesmith_model::content::component::CallToAction;

use crate::action;
use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;

pub(super) fn draw(block: &CallToAction, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let inner = html! {
        div class="panel" {
            (heading(2, &block.title))
            @if let Some(text) = said(block.text.as_deref()) { p dir="auto" { (text) } }
            (action::buttons(&block.action_ids, page))
        }
    };
    section("call", place, &inner)
}
