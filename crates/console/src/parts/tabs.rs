//! Tabs between the screens of one thing: links, the present one marked. Each tab is a screen with an address.

use maud::{Markup, html};

/// A tab.
#[derive(Debug, Clone, Copy)]
pub struct Tab<'a> {
    /// What it is called.
    pub label: &'a str,
    /// Its screen.
    pub href: &'a str,
    /// How many things it holds, as text, if that helps.
    pub count: Option<&'a str>,
}

/// Draws tabs under a name for those who hear the screen; `current` counts from 0.
pub fn tabs(name: &str, tabs: &[Tab<'_>], current: usize) -> Markup {
    html! {
        nav.tabs aria-label=(name) {
            ul {
                @for (at, tab) in tabs.iter().enumerate() {
                    li {
                        a href=(tab.href) aria-current=[(at == current).then_some("page")] {
                            (tab.label) @if let Some(count) = tab.count { " " span.count { (count) } }
                        }
                    }
                }
            }
        }
    }
}
