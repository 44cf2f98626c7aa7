//! What components share while a page is drawn: its actions, its words, the ids of its blocks and its headings.

use maud::{Markup, html};
use pagesmith_model::page::action::Action;

use crate::Measured;
use crate::csp::origin_of;
use crate::form::Forms;
use crate::picture::KnownPictures;
use crate::words::{FormWords, Words};

/// The page around a component.
#[derive(Debug)]
pub(crate) struct Draw<'a> {
    pub actions: &'a [Action],
    /// The forms that they name.
    pub forms: &'a Forms,
    /// As what the page is measured and its forms are sent; nothing for a preview.
    pub measured: Option<Measured<'a>>,
    pub words: &'static Words,
    pub form_words: &'static FormWords,
    /// What is known of the page's pictures.
    pub pictures: &'a KnownPictures,
    /// The origin that the page itself is on.
    pub origin: Option<String>,
}

impl<'a> Draw<'a> {
    /// The action of that id, with its place.
    pub fn action(&self, id: &str) -> Option<(usize, &'a Action)> {
        self.actions.iter().enumerate().find(|(_, action)| action.id() == id)
    }

    /// Whether an address is on the page's own site.
    pub fn is_ours(&self, url: &str) -> bool {
        self.origin.is_some() && origin_of(url) == self.origin
    }
}

/// Where on the page a block stands.
#[derive(Debug)]
pub(crate) struct PagePosition {
    /// Its number, from 0.
    pub index: usize,
    /// The id of its element, to which a link may lead.
    pub id: String,
    /// Whether its title is the page's own heading.
    pub is_title: bool,
    /// Whether it is on a shaded surface.
    pub is_shaded: bool,
}

impl PagePosition {
    /// The place of the block with that id. Ids that begin with `ps-` are ours.
    pub fn new(index: usize, block_id: Option<&str>, is_title: bool) -> PagePosition {
        let is_plain = |id: &&str| {
            !id.starts_with("ps-")
                && *id != "content"
                && id.starts_with(|char: char| char.is_ascii_alphabetic())
                && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        let id = block_id.filter(is_plain).map_or_else(|| format!("ps-block-{index}"), str::to_owned);
        PagePosition { index, id, is_title, is_shaded: false }
    }
}

/// A block of that kind.
pub(crate) fn section(kind: &str, place: &PagePosition, inner: &Markup) -> Markup {
    let shaded = if place.is_shaded { " shaded" } else { "" };
    html! { section class={ (kind) (shaded) } id=(place.id) { div class="wrap" { (inner) } } }
}

/// Whether so many cards are in pairs; others are in threes.
pub(crate) fn stands_in_pairs(cards: usize) -> bool {
    cards == 2 || cards == 4
}

/// A heading of that level.
pub(crate) fn heading(level: usize, text: &str) -> Markup {
    html! {
        @match level {
            1 => { h1 dir="auto" { (text) } }
            2 => { h2 dir="auto" { (text) } }
            _ => { h3 dir="auto" { (text) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PagePosition;

    #[test]
    fn a_block_can_be_led_to_by_its_id_unless_it_is_one_of_ours() {
        assert_eq!(PagePosition::new(3, Some("faq"), false).id, "faq");
        for bad in [None, Some("ps-action-0"), Some("content"), Some("a b"), Some("1"), Some("é"), Some("")]
        {
            assert_eq!(PagePosition::new(3, bad, false).id, "ps-block-3");
        }
    }
}
