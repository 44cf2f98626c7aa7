//! A video behind a poster of our own: its player is loaded when the visitor asks for it, and without script it is a link.

use maud::{Markup, html};
use pagesmith_model::content::address;
use pagesmith_model::content::component::VideoBlock;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::embed::{Playback, Wishes, playback};
use crate::escape::said;

pub(super) fn draw(block: &VideoBlock, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let parts = (block.title.as_deref(), block.url.as_str(), block.caption.as_deref());
    draw_video(parts, Wishes::NONE, page, place)
}

/// A video by its title, address and caption.
pub(super) fn draw_video(
    (title, url, caption): (Option<&str>, &str, Option<&str>),
    wishes: Wishes,
    page: &Draw<'_>,
    place: &PagePosition,
) -> Markup {
    if !address::is_fetched(url) {
        return html! {};
    }
    let (title, caption) = (said(title), said(caption));
    let way = playback(url, wishes);
    let (called, embed) = match &way {
        Playback::Player(player) => (page.words.play, Some(player)),
        Playback::File | Playback::Link => (page.words.watch, None),
    };
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        figure {
            @if way == Playback::File {
                video src=(url) controls preload="metadata" playsinline loop[wishes.looped] muted[wishes.muted]
                    aria-label=(title.or(caption).unwrap_or(called)) {}
            } @else {
                a class="poster" href=(url) rel="noopener" data-embed=[embed] data-title=[embed.and(title.or(caption))] {
                    span class="play" {
                        svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" { path d="M8 5v14l11-7z" {} }
                    }
                    span { (called) }
                    @if let Some(title) = title { span class="hidden" { (page.words.colon) (title) } }
                }
            }
            @if let Some(text) = caption { figcaption dir="auto" { (text) } }
        }
    };
    section("video", place, &inner)
}
