//! Pages that say one thing: that there is nothing here, not yet, or no longer.

use maud::{DOCTYPE, PreEscaped, html};

use crate::csp::{Policy, hash_of};
use crate::language::Language;
use crate::statics::STYLE;
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
    let tokens = theme.css();
    let html = html! {
        (DOCTYPE)
        html lang=(tag) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) }
                style { (PreEscaped(&tokens)) }
                style { (PreEscaped(&STYLE.text)) }
            }
            body class="notice" {
                main {
                    @if !site_name.trim().is_empty() { p class="eyebrow" dir="auto" { (site_name) } }
                    h1 { (title) }
                    p class="lead" { (text) }
                }
            }
        }
    };
    let policy = Policy { styles: vec![hash_of(&tokens), STYLE.hash.clone()], ..Policy::default() };
    Rendered { html: html.into_string(), content_security_policy: policy.write(&FrameAncestors::Nobody) }
}
