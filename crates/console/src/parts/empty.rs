//! What is shown where there is nothing yet: what would be here, why that is useful, and the first step.

use maud::{Markup, html};

/// A place without content.
#[derive(Debug, Clone, Copy)]
pub struct Empty<'a> {
    /// What is missing: `No pages yet`.
    pub title: &'a str,
    /// What it is good for.
    pub text: &'a str,
    /// What the first step is called, and where it is.
    pub action: Option<(&'a str, &'a str)>,
}

/// Draws it.
pub fn empty(empty: &Empty<'_>) -> Markup {
    html! {
        div.empty {
            h2 { (empty.title) }
            p { (empty.text) }
            @if let Some((text, href)) = empty.action { a.button.primary href=(href) { (text) } }
        }
    }
}
