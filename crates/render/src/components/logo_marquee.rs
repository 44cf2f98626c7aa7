//! Logos in a band, which moves if there are many, can be stopped, and stands still for who asked for less movement. Names without a
//! logo follow as a row of text.

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
    draw_band((block.title.as_deref(), logos, &block.names), page, place)
}

/// A band by its title, its logos (addresses and what they say) and its names.
pub(super) fn draw_band<'a>(
    (title, logos, names): (Option<&str>, impl Iterator<Item = (&'a str, &'a str)>, &[String]),
    page: &Draw<'_>,
    place: &PagePosition,
) -> Markup {
    let names: Vec<&str> = names.iter().filter_map(|name| said(Some(name))).collect();
    let logos: Vec<(&str, Markup)> = logos
        .filter_map(|(url, alt_text)| Some((url, picture::boxed(url, alt_text, BOX, page.pictures)?)))
        .collect();
    if logos.is_empty() && names.is_empty() {
        return html! {};
    }
    let moves = logos.len() >= MOVING;
    let inner = html! {
        @if let Some(title) = said(title) { (heading(2, title)) }
        @if moves { label class="pause" { input type="checkbox"; span { (page.words.pause) } } }
        @if !logos.is_empty() {
            div class="band" {
                ul { @for (_, logo) in &logos { li { (logo) } } }
                @if moves {
                    ul aria-hidden="true" {
                        @for (url, _) in &logos { @if let Some(logo) = picture::boxed(url, "", BOX, page.pictures) { li { (logo) } } }
                    }
                }
            }
        }
        @if !names.is_empty() { ul class="names" { @for name in &names { li dir="auto" { (name) } } } }
    };
    section(if moves { "logos moving" } else { "logos" }, place, &inner)
}
