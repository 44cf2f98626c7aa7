//! A status in one or two words. Its colour repeats the words and never replaces them.

use maud::{Markup, html};

/// What a status means for whoever looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Neither good nor bad.
    Plain,
    /// Under way.
    Busy,
    /// As it should be.
    Good,
    /// Somebody should look.
    Warning,
    /// Something is wrong.
    Bad,
}

/// Draws a status.
pub fn badge(tone: Tone, text: &str) -> Markup {
    let class = match tone {
        Tone::Plain => "plain",
        Tone::Busy => "busy",
        Tone::Good => "good",
        Tone::Warning => "warning",
        Tone::Bad => "bad",
    };
    html! { span.badge.(class) { (text) } }
}
