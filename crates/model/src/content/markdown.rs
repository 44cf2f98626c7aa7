//! How a Markdown text of a document is read, by whoever draws it and by whoever looks what it leads to.
//!
//! What this is not: a drawing. Invariant: there is one way to read such a text, so that nobody is led anywhere by a drawn text that who looked
//! through it has not seen.

use std::borrow::Cow;

use pulldown_cmark::{LinkType, Options, Parser};

/// The parts of a text, with what comes from a specification beyond CommonMark: tables and text that is struck out.
pub fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// The address that a link leads to: an e-mail address in angle brackets has no scheme yet.
pub fn linked_address(kind: LinkType, destination: &str) -> Cow<'_, str> {
    match kind {
        LinkType::Email => Cow::Owned(format!("mailto:{destination}")),
        _ => Cow::Borrowed(destination),
    }
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Tag};

    use super::*;

    #[test]
    fn an_address_is_what_a_browser_is_led_to() {
        let text = "[a](https://x.example/a) <https://x.example/b> <jo@x.example> [c][1] ~~d~~\n\n[1]: /c";
        let found: Vec<String> = parser(text)
            .filter_map(|event| match event {
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    Some(linked_address(link_type, &dest_url).into_owned())
                }
                _ => None,
            })
            .collect();
        assert_eq!(found, ["https://x.example/a", "https://x.example/b", "mailto:jo@x.example", "/c"]);
    }
}
