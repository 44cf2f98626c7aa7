//! Addresses in running text, and what they lead to: a video, a picture, or a page.
//!
//! Only absolute http and https addresses count; what else looks like one stays text.

use pagesmith_model::content::address;

use crate::rich::Rich;
use crate::tidy;

/// What an address leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A video, at one of the known places or as a file.
    Video,
    /// A picture.
    Picture,
    /// Anything else.
    Page,
}

/// Text with its bare addresses made links.
pub fn push_with_links(line: &mut Rich, text: &str) {
    let mut rest = text;
    while let Some((at, url)) = next_address(rest) {
        line.push_text(&rest[..at]);
        push_link(line, &Rich::of(&shown(url)), url);
        rest = &rest[at + url.len()..];
    }
    line.push_text(rest);
}

/// A link that leads away from the page; others are only text, for what they would lead to is not known.
pub fn push_link(line: &mut Rich, text: &Rich, url: &str) {
    let harmless = address::is_fetched(url) || url.starts_with("mailto:") || url.starts_with("tel:");
    if harmless && url.len() <= 2000 {
        line.push_link(text, url);
    } else {
        line.push(text);
    }
}

/// The first http or https address in a text, and where it begins.
pub fn next_address(text: &str) -> Option<(usize, &str)> {
    let mut starts = text.match_indices("http").map(|(at, _)| at);
    let at = starts.find(|at| text[at + 4..].starts_with("://") || text[at + 4..].starts_with("s://"))?;
    let end = text[at..].find(|char: char| char.is_whitespace() || "<>\"“”「」，。、".contains(char));
    let url = &text[at..end.map_or(text.len(), |end| at + end)];
    Some((at, url.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '\'', '*'])))
}

/// An address as a reader likes to see it.
fn shown(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, bare)| bare);
    let bare = bare.strip_prefix("www.").unwrap_or(bare).split(['?', '#']).next().unwrap_or(bare);
    let bare = bare.trim_end_matches('/');
    tidy::fit(if bare.is_empty() { url } else { bare }, 60)
}

/// The only thing of a line, if that is an address.
pub fn sole_address(line: &Rich) -> Option<&str> {
    let inner = line.markdown().strip_prefix('[')?.strip_suffix(')')?;
    let (text, url) = inner.split_once("](")?;
    let is_one = !text.contains('[') && !url.contains(['(', ')']) && address::is_fetched(url);
    is_one.then_some(url)
}

/// What an address leads to.
pub fn target(url: &str) -> Target {
    let lower = url.to_ascii_lowercase();
    let bare = lower.split_once("://").map_or("", |(_, bare)| bare);
    let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_watched = match host {
        "youtube.com" | "m.youtube.com" => {
            (path == "watch" && lower.contains("v="))
                || path.starts_with("embed/")
                || path.starts_with("shorts/")
        }
        "youtu.be" => !path.is_empty(),
        "vimeo.com" | "player.vimeo.com" => path.bytes().any(|byte| byte.is_ascii_digit()),
        "loom.com" => path.starts_with("share/") || path.starts_with("embed/"),
        host => host.ends_with(".wistia.com") && path.contains("medias/"),
    };
    let ends = |of: &[&str]| of.iter().any(|end| path.ends_with(end));
    if is_watched || ends(&[".mp4", ".webm", ".ogv"]) {
        Target::Video
    } else if ends(&[".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".avif"]) {
        Target::Picture
    } else {
        Target::Page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(text: &str) -> String {
        let mut line = Rich::default();
        push_with_links(&mut line, text);
        line.markdown().to_owned()
    }

    #[test]
    fn bare_addresses_become_links() {
        assert_eq!(
            linked("See https://www.example.com/a/?b=c, now (http://x.y)."),
            "See [example.com/a](https://www.example.com/a/?b=c), now ([x.y](http://x.y))."
        );
        assert_eq!(linked("https://"), "https://");
        assert_eq!(linked("https:// https://x.y"), "https:// [x.y](https://x.y)");
    }

    #[test]
    fn where_addresses_lead() {
        for video in [
            "https://www.youtube.com/watch?v=abc",
            "https://youtu.be/abc",
            "https://vimeo.com/12345",
            "https://www.loom.com/share/abc",
            "https://acme.wistia.com/medias/abc",
            "https://example.com/a.MP4?x=1",
        ] {
            assert_eq!(target(video), Target::Video, "{video}");
        }
        assert_eq!(target("https://example.com/a.PNG#x"), Target::Picture);
        for page in ["https://youtube.com/@acme", "https://example.com/?a.png", "https://example.com"] {
            assert_eq!(target(page), Target::Page, "{page}");
        }
    }

    #[test]
    fn a_line_of_one_address_is_told_from_a_sentence() {
        let mut line = Rich::default();
        push_with_links(&mut line, "https://youtu.be/abc");
        assert_eq!(sole_address(&line), Some("https://youtu.be/abc"));
        line.push_text(" is a film");
        assert_eq!(sole_address(&line), None);
    }
}
