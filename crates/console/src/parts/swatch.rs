//! A colour as a small square, beside the text that names it. Drawn as a picture, since nothing is styled inline.

use maud::{Markup, html};

/// Draws a colour; nothing if the text is not one, such as `#2b55b8`.
pub fn swatch(colour: &str) -> Markup {
    html! {
        @if is_colour(colour) {
            svg.colour viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" {
                rect width="16" height="16" rx="3" fill=(colour) {}
            }
        }
    }
}

/// Whether a text is a colour, such as `#2b55b8`.
pub fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::swatch;

    #[test]
    fn only_a_colour_is_drawn() {
        assert!(swatch("#2B55b8").into_string().contains("fill=\"#2B55b8\""));
        for text in ["", "#", "2b55b8", "#2b55b", "#2b55b8f", "red", "url(#a)", "#ääa"] {
            assert_eq!(swatch(text).into_string(), "", "{text}");
        }
    }
}
