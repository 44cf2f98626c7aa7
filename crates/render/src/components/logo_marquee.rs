//! Logos in a band, which moves if there are many, can be stopped, and stands still for who asked for less movement.

use maud::{Markup, html};
use pagesmith_model::content::component::LogoMarquee;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;
use crate::picture;

/// Fewer than this stand still.
const MOVING: usize = 7;

/// The box of a logo, in pixels.
const BOX: (u16, u16) = (140, 48);

pub(super) fn draw(block: &LogoMarquee, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let logos = block.logos.iter().map(|logo| (logo.url.as_str(), logo.alt_text.as_str()));
    draw_logos(block.title.as_deref(), logos, page, place)
}

/// A band of logos by their addresses and what they say.
pub(super) fn draw_logos<'a>(
    title: Option<&str>,
    logos: impl Iterator<Item = (&'a str, &'a str)>,
    page: &Draw<'_>,
    place: &PagePosition,
) -> Markup {
    let logos: Vec<(&str, Markup)> =
        logos.filter_map(|(url, alt_text)| Some((url, picture::boxed(url, alt_text, BOX)?))).collect();
    if logos.is_empty() {
        return html! {};
    }
    let moves = logos.len() >= MOVING;
    let inner = html! {
        @if let Some(title) = said(title) { (heading(2, title)) }
        @if moves { label class="pause" { input type="checkbox"; span { (page.words.pause) } } }
        div class="band" {
            ul { @for (_, logo) in &logos { li { (logo) } } }
            @if moves {
                ul aria-hidden="true" {
                    @for (url, _) in &logos { @if let Some(logo) = picture::boxed(url, "", BOX) { li { (logo) } } }
                }
            }
        }
    };
    section(if moves { "logos moving" } else { "logos" }, place, &inner)
}
