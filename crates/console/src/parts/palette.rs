//! The command palette and the list of keys.
//!
//! The palette is a combobox with a list of links, which are fetched while one types. Its address is a screen as well: without script
//! the link to it opens that, with the same field and the same results.

use maud::{Markup, html};

use super::icon::{Icon, icon};
use super::navigation::Area;
use crate::words::Words;

/// Where the palette's results are, behind the console's own path. It takes the text as `q`, and as `here` how many results the script has of its own:
/// what can be done on the screen at hand. A request with the header
/// `HX-Request` wants [`results`] alone, any other one a screen with [`search_page`].
pub const PATH: &str = "/find";

/// Something found.
#[derive(Debug, Clone, Copy)]
pub struct PaletteItem<'a> {
    /// What kind of thing it is, in the reader's language.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where it is.
    pub href: &'a str,
}

/// The palette, closed. Without an address it finds only what can be done on the screen at hand.
pub(super) fn palette(words: Words, url: Option<&str>) -> Markup {
    let placeholder = if url.is_some() { "palette-placeholder" } else { "palette-here" };
    html! {
        dialog.palette #palette data-from=[url] aria-label=(words.text("palette-title")) {
            div.palette-field {
                (icon(Icon::Search))
                input #palette-input type="text" role="combobox" aria-expanded="false" aria-controls="palette-results"
                    aria-autocomplete="list" autocomplete="off" spellcheck="false" dir="auto" autofocus
                    aria-label=(words.text("palette-title")) placeholder=(words.text(placeholder));
                kbd aria-hidden="true" { "Esc" }
            }
            div #palette-results role="listbox" aria-label=(words.text("palette-results")) {}
            p.palette-note #palette-note role="status" {}
            template #palette-option {
                a.option role="option" aria-selected="false" tabindex="-1" href="#" {
                    span.cut dir="auto" {} span.option-kind { (words.text("palette-here")) }
                }
            }
        }
    }
}

/// The results as the palette shows them, behind so many of the script's own.
pub fn results(words: Words, found: &[PaletteItem<'_>], here: usize) -> Markup {
    let count = i64::try_from(found.len().saturating_add(here)).unwrap_or(i64::MAX);
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
pub fn search_page(words: Words, url: &str, text: &str, found: &[PaletteItem<'_>]) -> Markup {
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

/// Every key but those that lead to areas: what is pressed, and the text that says what it does. A test compares this with the keys
/// that screens and the script know.
const KEYS: [(&[&str], &str); 14] = [
    (&["Ctrl", "K"], "key-palette"),
    (&["/"], "key-search"),
    (&["c"], "key-create"),
    (&["e"], "edit"),
    (&["v"], "versions"),
    (&["p"], "publish"),
    (&["a"], "block-add"),
    (&["z"], "undo-last"),
    (&["Alt", "↑", "↓"], "key-move-block"),
    (&["↑", "↓", "Enter"], "key-preview"),
    (&["j", "k"], "key-rows"),
    (&["x"], "key-select"),
    (&["?"], "key-keys"),
    (&["Esc"], "close"),
];

/// The list of keys, closed. Keys of one character can be turned off, as some people speak to their computers.
pub(super) fn keys(words: Words, areas: &[Area]) -> Markup {
    html! {
        dialog.keys #keys aria-labelledby="keys-title" {
            h2 #keys-title { (words.text("keys-title")) }
            label.choice { input type="checkbox" data-keys-on; " " (words.text("keys-on")) }
            dl {
                @for (keys, key) in KEYS {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::KEYS;
    use crate::parts::navigation::Area;

    /// What stands between `begin` and the next quote, wherever it does.
    fn between(text: &str, begin: &str) -> BTreeSet<String> {
        text.split(begin)
            .skip(1)
            .filter_map(|rest| rest.split(['"', '\'']).next())
            .map(str::to_owned)
            .collect()
    }

    /// The keys that links, buttons and fields of the screens name.
    fn on_screens(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                on_screens(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                found.extend(between(code, "data-key=\""));
            }
        }
    }

    #[test]
    fn every_key_that_does_something_is_in_the_list_and_no_other() {
        let mut known = BTreeSet::new();
        on_screens(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut known);
        let script = concat!(include_str!("../static/console.js"), include_str!("../static/palette.js"));
        known.extend(between(script, "key === '"));
        known.extend(between(script, "toLowerCase() === '").into_iter().map(|key| key.to_uppercase()));
        // Where a modifier is held, the script says which with the key.
        known.extend(between(script, "e.altKey && { ").iter().map(|_| "Alt".to_owned()));
        known.extend(
            ["↑", "↓"].into_iter().filter(|sign| script.contains(&format!("'{sign}'"))).map(str::to_owned),
        );
        known.extend(script.contains("e.ctrlKey || e.metaKey").then(|| "Ctrl".to_owned()));
        let preview = include_str!("../../../render/src/static/preview.js");
        assert!(preview.contains("e.key !== 'Enter'") && preview.contains("{ ArrowDown: 1, ArrowUp: -1 }"));
        // A list of choices is walked through as everywhere; `g` begins the keys of areas.
        assert!(known.contains("Enter") && known.remove("g"));
        assert!(known.remove("Escape") && known.insert("Esc".to_owned()));
        let listed: BTreeSet<String> =
            KEYS.iter().flat_map(|(keys, _)| keys.iter().map(ToString::to_string)).collect();
        assert_eq!(listed, known);
        let letters: BTreeSet<char> = Area::ALL.iter().map(|area| area.letter()).collect();
        assert_eq!(letters.len(), Area::ALL.len());
    }
}
