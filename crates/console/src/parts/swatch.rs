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

/// The colour that somebody means, who may have written it shorter (`#fff`) or without its sign (`2B55B8`); any other text as it is.
pub fn meant(text: &str) -> String {
    let written = text.trim();
    let digits = written.strip_prefix('#').unwrap_or(written);
    let whole = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let colour = format!("#{}", whole.to_ascii_lowercase());
    if is_colour(&colour) { colour } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{meant, swatch};

    #[test]
    fn only_a_colour_is_drawn() {
        assert!(swatch("#2B55b8").into_string().contains("fill=\"#2B55b8\""));
        for text in ["", "#", "2b55b8", "#2b55b", "#2b55b8f", "red", "url(#a)", "#ääa"] {
            assert_eq!(swatch(text).into_string(), "", "{text}");
        }
    }

    #[test]
    fn colours_are_known_as_people_write_them() {
        for (written, colour) in [
            ("#fff", "#ffffff"),
            (" 2B55B8 ", "#2b55b8"),
            ("#2B55B8", "#2b55b8"),
            ("09f", "#0099ff"),
            ("red", "red"),
            ("#ffff", "#ffff"),
            ("ääa", "ääa"),
            ("", ""),
        ] {
            assert_eq!(meant(written), colour);
        }
    }
}
