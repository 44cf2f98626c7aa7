//! The addresses that a brief names, and Markdown without any other.
//!
//! Where a text leads is taken from its parts as the renderer reads them, not from its spelling. What is no address of the brief goes: of a link
//! its text stays, of a picture nothing, and no HTML at all.
//! Invariant: in what leaves here the renderer finds no link and no picture but to addresses of the brief, and no HTML.

use std::collections::HashSet;
use std::ops::Range;

use pagesmith_model::content::{address, markdown};
use pagesmith_template_agent::shared::text::next_address;
use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

/// How often a text is looked through; what was cut out may leave something new.
const ROUNDS: usize = 8;

/// The http and https addresses of a brief, in their normal form.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Addresses(HashSet<String>);

impl Addresses {
    /// Those that are in these texts: in Markdown, or bare.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Addresses {
        let mut found = Addresses::default();
        found.extend(texts);
        found
    }

    /// Adds those that are in these texts.
    pub fn extend<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        for text in texts {
            let mut rest = text;
            while let Some((at, url)) = next_address(rest) {
                self.0.extend(address::normal(url));
                rest = &rest[at + url.len()..];
            }
            for event in markdown::parser(text) {
                if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                    self.0.extend(address::normal(&dest_url));
                }
            }
        }
    }

    /// Whether it is one of them, however it is spelled; no other query, no part of one.
    pub fn hold(&self, url: &str) -> bool {
        address::normal(url).is_some_and(|normal| self.0.contains(&normal))
    }

    /// The text without what leads elsewhere.
    pub fn only_in(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..ROUNDS {
            let cuts = self.cuts(&text);
            if cuts.is_empty() {
                return text;
            }
            text = without(&text, cuts);
        }
        // Nobody writes like this who does not want to get past the rules above.
        plain(&text)
    }

    /// What is to be cut out of a text, and what comes in its place.
    fn cuts(&self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        let mut cuts = Vec::new();
        let mut open: Vec<Link> = Vec::new();
        let mut parts = markdown::parser(text).into_offset_iter();
        for (part, range) in parts.by_ref() {
            if !matches!(part, Event::End(_)) {
                open.iter_mut().for_each(|link| link.text_end = Some(range.end));
            }
            match part {
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    let is_known = self.hold(&markdown::linked_address(link_type, &dest_url));
                    open.push(Link { kind: link_type, range, is_known, text_end: None });
                }
                Event::End(TagEnd::Link) => cuts.extend(open.pop().into_iter().flat_map(Link::cuts)),
                Event::Start(Tag::Image { dest_url, .. }) if !self.hold(&dest_url) => cuts.push((range, "")),
                Event::Html(html) => cuts.push((range, if html.ends_with('\n') { "\n" } else { "" })),
                Event::InlineHtml(html) => {
                    let is_break = html.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<br"));
                    cuts.push((range, if is_break { " " } else { "" }));
                }
                _ => {}
            }
        }
        let definitions = parts.reference_definitions().iter();
        cuts.extend(
            definitions.filter(|(_, one)| !self.hold(&one.dest)).map(|(_, one)| (one.span.clone(), "")),
        );
        cuts
    }
}

/// A link that is being read.
struct Link {
    kind: LinkType,
    range: Range<usize>,
    /// Whether it leads to an address of the brief.
    is_known: bool,
    /// Where its text ends, if it has any.
    text_end: Option<usize>,
}

impl Link {
    /// What is to be cut out of it: all but its text, or all of it where it has none.
    fn cuts(self) -> Vec<(Range<usize>, &'static str)> {
        let Range { start, end } = self.range;
        let Some(text_end) = self.text_end else { return vec![(start..end, "")] };
        let text_end = match self.kind {
            LinkType::Autolink | LinkType::Email => end - 1,
            _ => text_end.min(end),
        };
        if self.is_known { Vec::new() } else { vec![(start..start + 1, ""), (text_end..end, "")] }
    }
}

/// The text without these ranges, which may overlap.
fn without(text: &str, mut cuts: Vec<(Range<usize>, &'static str)>) -> String {
    cuts.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, instead) in cuts {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(instead);
        }
        at = at.max(range.end);
    }
    out.push_str(&text[at..]);
    out
}

/// What is read of a text, as text alone: nothing in it means anything but itself.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for part in markdown::parser(text) {
        match part {
            Event::Text(words) | Event::Code(words) => {
                for char in words.chars() {
                    if char.is_ascii_punctuation() {
                        out.push('\\');
                    }
                    out.push(char);
                }
            }
            Event::SoftBreak | Event::HardBreak => out.push('\n'),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableRow) => {
                out.push_str("\n\n");
            }
            _ => {}
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Addresses {
        Addresses::of([
            "See https://acme.example/a?b=1, (https://acme.example/c) and [d](<https://acme.example/d_(e)>).",
            "<HTTPS://Other.Example>",
        ])
    }

    #[test]
    fn an_address_is_known_as_a_whole_and_in_any_spelling() {
        let known = known();
        for good in [
            "https://acme.example/a?b=1",
            "https://ACME.example:443/a?b=1",
            "https://acme.example/x/../c",
            "https://acme.example/d_(e)",
            "https://other.example/",
        ] {
            assert!(known.hold(good), "{good}");
        }
        for bad in [
            "https://acme.example/",
            "https://acme.example/a",
            "https://acme.example/a?b=1&leak=x",
            "https://acme.example/c?leak=x",
            "https://acme.example/c#x",
            "http://acme.example/c",
            "https://me@acme.example/c",
            "https://acme.example.evil.example/c",
            "//acme.example/c",
            "/c",
            "mailto:jo@acme.example",
            "",
        ] {
            assert!(!known.hold(bad), "{bad}");
        }
    }

    #[test]
    fn what_leads_elsewhere_goes_and_texts_stay() {
        let known = known();
        for (text, left) in [
            ("plain *text* with `code`", "plain *text* with `code`"),
            ("[a](https://acme.example/c) b", "[a](https://acme.example/c) b"),
            ("[a](https://evil.example) b", "a b"),
            ("[*a* `b`](//evil.example \"title\") c", "*a* `b` c"),
            ("[a][1] b\n\n[1]: https://evil.example", "a b\n\n"),
            ("[a]\n\n[a]: https://acme.example/c", "[a]\n\n[a]: https://acme.example/c"),
            ("<https://evil.example/a> b", "https://evil.example/a b"),
            ("<jo@evil.example>", "jo@evil.example"),
            ("a ![b](https://evil.example/p.png?leak=1) c", "a  c"),
            ("[![a](https://evil.example/p.png)](https://acme.example/c)", ""),
            ("a <b>b</b><br>c <img src=https://acme.example/c>", "a b c "),
            ("<div onclick=x>\n\na", "\n\na"),
            ("[a]<b>(https://evil.example)", "a"),
            ("| a |\n|---|\n| [b](//evil.example) |", "| a |\n|---|\n| b |"),
            ("> [a](javascript:alert(1))", "> a"),
        ] {
            assert_eq!(known.only_in(text), left, "{text}");
        }
    }

    #[test]
    fn what_never_ends_becomes_plain_text() {
        let text = format!("{}x{}", "[a]<b>".repeat(40), "(//evil.example)".repeat(40));
        let nested = (0..40).fold("a".to_owned(), |text, _| format!("[{text}<b>](//evil.example)"));
        for text in [text, nested] {
            let left = known().only_in(&text);
            assert_eq!(known().cuts(&left), [], "{left}");
        }
        assert_eq!(plain("a *b* <i>&lt;c> [d]"), "a b \\<c\\> \\[d\\]");
    }
}
