//! The icon of a site that has none of its own: its first letter on its accent.

use std::fmt::Write as _;

use crate::theme::Theme;

/// The icon as a picture, in SVG.
pub fn icon(theme: &Theme, site_name: &str) -> String {
    let letter = site_name.chars().find(|char| char.is_alphanumeric()).unwrap_or('·');
    let letter = letter.to_uppercase().next().unwrap_or(letter);
    let (ground, ink) = (theme.accent, theme.accent.ink());
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>\
         <rect width='32' height='32' rx='8' fill='{ground}'/><text x='16' y='22' text-anchor='middle' \
         font-family='sans-serif' font-weight='700' font-size='18' fill='{ink}'>{letter}</text></svg>"
    )
}

/// The icon as an address that holds the picture.
pub(crate) fn address(theme: &Theme, site_name: &str) -> String {
    let mut url = String::from("data:image/svg+xml,");
    for byte in icon(theme, site_name).bytes() {
        // What an address may not hold, and what would end it early.
        if byte.is_ascii() && !matches!(byte, b'<' | b'>' | b'#' | b'%' | b'"') {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_is_the_first_letter_and_nothing_else_of_a_name() {
        let theme = Theme::default();
        for (name, letter) in [
            ("acme", ">A<"),
            ("  <script>", ">S<"),
            ("éclair", ">É<"),
            ("株式会社", ">株<"),
            ("&", ">·<"),
            ("", ">·<"),
        ] {
            assert!(icon(&theme, name).contains(letter), "{name}");
        }
        assert!(address(&theme, "株").ends_with("%E6%A0%AA%3C/text%3E%3C/svg%3E"));
    }
}
