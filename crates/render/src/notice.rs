//! Pages that say one thing: that there is nothing here, not yet, or no longer.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::csp::{Policy, hash_of};
use crate::head;
use crate::language::Language;
use crate::statics::{Asset, STYLE};
use crate::theme::Theme;
use crate::words::Words;
use crate::{FrameAncestors, Rendered};

/// What a notice says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There is no page at this address.
    NotFound,
    /// There was one.
    Gone,
    /// There will be one.
    NotPublished,
    /// There is one, but it cannot be shown right now.
    Unavailable,
    /// The link to a preview has ended.
    PreviewExpired,
    /// The signed link to somebody's own page has ended.
    LinkExpired,
}

/// A notice in the look of the site and the language of the page that was asked for.
pub fn notice(notice: Notice, site_name: &str, theme: &Theme, language: &Language) -> Rendered {
    let (words, tag) = Words::of(language.tag());
    let (title, text) = match notice {
        Notice::NotFound => words.not_found,
        Notice::Gone => words.gone,
        Notice::NotPublished => words.not_published,
        Notice::Unavailable => words.unavailable,
        Notice::PreviewExpired => words.preview_expired,
        Notice::LinkExpired => words.link_expired,
    };
    let said = html! {
        h1 { (title) }
        p class="lead" { (text) }
    };
    let frame_ancestors = &FrameAncestors::Nobody;
    Frame { tag, title, refresh: None, site_name, theme, styles: &[&STYLE], frame_ancestors }.around(&said)
}

/// A page without navigation and footer, around what it says.
pub(crate) struct Frame<'a> {
    /// The language of what it says.
    pub tag: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Where a visitor is led, and after how many seconds.
    pub refresh: Option<String>,
    pub site_name: &'a str,
    pub theme: &'a Theme,
    /// How it looks, beside the theme.
    pub styles: &'a [&'a Asset],
    /// Who may show it in a frame.
    pub frame_ancestors: &'a FrameAncestors,
}

impl Frame<'_> {
    /// The page that says this.
    pub fn around(&self, said: &Markup) -> Rendered {
        let tokens = self.theme.css();
        let is_right_to_left = Language::of(Some(self.tag)).is_right_to_left();
        let html = html! {
            (DOCTYPE)
            html lang=(self.tag) dir=[is_right_to_left.then_some("rtl")] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    @if let Some(refresh) = &self.refresh { meta http-equiv="refresh" content=(refresh); }
                    title { (self.title) }
                    (head::preload(self.theme))
                    style { (PreEscaped(&tokens)) }
                    @for style in self.styles { style { (PreEscaped(&style.text)) } }
                }
                body class="notice" {
                    main {
                        @if !self.site_name.trim().is_empty() { p class="eyebrow" dir="auto" { (self.site_name) } }
                        (said)
                    }
                }
            }
        };
        let hashes = self.styles.iter().map(|style| style.hash.clone());
        let styles = std::iter::once(hash_of(&tokens)).chain(hashes).collect();
        let policy = Policy { styles, has_own_fonts: self.theme.has_faces(), ..Policy::default() };
        let content_security_policy = policy.write(self.frame_ancestors);
        Rendered { html: html.into_string(), content_security_policy }
    }
}

#[cfg(test)]
mod tests {
    use super::{Notice, notice};
    use crate::language::Language;
    use crate::theme::Theme;

    #[test]
    fn a_notice_is_read_in_the_direction_of_its_own_words() {
        for (language, start) in [
            ("he-IL", "<html lang=\"he\" dir=\"rtl\">"),
            ("ar", "<html lang=\"ar\" dir=\"rtl\">"),
            ("nn", "<html lang=\"nb\">"),
            // No words are Persian: these are English.
            ("fa", "<html lang=\"en\">"),
        ] {
            let language = Language::of(Some(language));
            let drawn = notice(Notice::NotFound, "Acme", &Theme::default(), &language);
            assert!(drawn.html.contains(start), "{}", drawn.html);
        }
    }
}
