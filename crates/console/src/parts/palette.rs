//! The command palette and the list of keys.
//!
//! The palette is a combobox with a list of links, which are fetched while one types. Its address is a screen as well: without script
//! the link to it opens that, with the same field and the same results.

use maud::{Markup, html};

use super::icon::{Icon, icon};
use super::navigation::Area;
use crate::words::Words;

/// Where the palette's results are, behind the console's own path. It takes the text as `q`. A request with the header
/// `HX-Request` wants [`results`] alone, any other one a screen with [`search_page`].
pub const PATH: &str = "/find";

/// Something found.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// What kind of thing it is, in the reader's language.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where it is.
    pub href: &'a str,
}

/// The palette, closed.
pub(super) fn palette(words: Words, url: &str) -> Markup {
    html! {
        dialog.palette #palette data-from=(url) aria-label=(words.text("palette-title")) {
            div.palette-field {
                (icon(Icon::Search))
                input #palette-input type="text" role="combobox" aria-expanded="false" aria-controls="palette-results"
                    aria-autocomplete="list" autocomplete="off" spellcheck="false" dir="auto" autofocus
                    aria-label=(words.text("palette-title")) placeholder=(words.text("palette-placeholder"));
                kbd aria-hidden="true" { "Esc" }
            }
            div #palette-results role="listbox" aria-label=(words.text("palette-results")) {}
            p.palette-note #palette-note role="status" {}
        }
    }
}

/// The results as the palette shows them.
pub fn results(words: Words, found: &[Found<'_>]) -> Markup {
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    html! {
        @for (at, found) in found.iter().enumerate() {
            a.option #{ "palette-" (at) } role="option" aria-selected="false" tabindex="-1" href=(found.href) {
                span.cut dir="auto" { (found.name) } span.option-kind { (found.kind) }
            }
        }
        template data-note=(words.with("palette-found", &[("count", count.into())])) {}
    }
}

/// The same search as the content of a screen.
pub fn search_page(words: Words, url: &str, text: &str, found: &[Found<'_>]) -> Markup {
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    html! {
        form.search.search-page role="search" method="get" action=(url) {
            label.unseen for="find" { (words.text("palette-title")) }
            (icon(Icon::Search))
            input #find type="search" name="q" value=(text) placeholder=(words.text("palette-placeholder")) dir="auto" autofocus;
            button.button type="submit" { (words.text("search")) }
        }
        p.table-count role="status" { (words.with("palette-found", &[("count", count.into())])) }
        ul.found {
            @for found in found {
                li { a.option href=(found.href) { span.cut dir="auto" { (found.name) } span.option-kind { (found.kind) } } }
            }
        }
    }
}

/// The list of keys, closed. Keys of one character can be turned off, as some people speak to their computers.
pub(super) fn keys(words: Words, areas: &[Area]) -> Markup {
    let general: [(&[&str], &str); 6] = [
        (&["Ctrl", "K"], "key-palette"),
        (&["/"], "key-search"),
        (&["c"], "key-create"),
        (&["j", "k"], "key-rows"),
        (&["x"], "key-select"),
        (&["?"], "key-keys"),
    ];
    html! {
        dialog.keys #keys aria-labelledby="keys-title" {
            h2 #keys-title { (words.text("keys-title")) }
            label.choice { input type="checkbox" data-keys-on; " " (words.text("keys-on")) }
            dl {
                @for (keys, key) in general {
                    div { dt { (words.text(key)) } dd { @for key in keys { kbd data-mod[*key == "Ctrl"] { (key) } " " } } }
                }
                @for area in areas {
                    div {
                        dt { (words.with("key-go", &[("name", words.text(area.key()).into())])) }
                        dd { kbd { "g" } " " kbd { (area.letter()) } }
                    }
                }
            }
            form method="dialog" { button.button type="submit" { (words.text("close")) } }
        }
    }
}
