//! The guides of `docs/` that users of the API need, as HTML for the documentation page.
//!
//! The headings get ids of the form `guide/webhooks/retries`, and links between the guides lead there. A link to a
//! document that is not part of the page keeps only its text.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The file and the text of every guide, in the order in which the page lists them.
const GUIDES: [(&str, &str); 3] = [
    ("getting-started.md", include_str!("../../../../../docs/getting-started.md")),
    ("api.md", include_str!("../../../../../docs/api.md")),
    ("webhooks.md", include_str!("../../../../../docs/webhooks.md")),
];

/// All guides, each as an `article`.
pub(super) fn html() -> String {
    let mut page = String::new();
    for (file, text) in GUIDES {
        let id = id(file);
        let _ = write!(page, "<article class=\"guide\" id=\"{id}\">");
        html::push_html(&mut page, events(&id, text).into_iter());
        page.push_str("</article>\n");
    }
    page
}

/// The id of a guide on the page.
fn id(file: &str) -> String {
    format!("guide/{}", file.trim_end_matches(".md"))
}

/// The events of a guide, with ids on the headings, with the links of the page, and without HTML.
fn events<'a>(guide: &str, text: &'a str) -> Vec<Event<'a>> {
    let read: Vec<Event<'a>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut written = Vec::with_capacity(read.len());
    let mut in_page = true;
    for (at, event) in read.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let below = *level != HeadingLevel::H1;
                let id = below.then(|| format!("{guide}/{}", anchor(&heading(&read[at + 1..]))).into());
                written.push(Event::Start(Tag::Heading {
                    level: *level,
                    id,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                let target = target(guide, dest_url);
                in_page = target.is_some();
                written.extend(target.map(|target| {
                    let (link_type, title, id) = (*link_type, title.clone(), CowStr::Borrowed(""));
                    Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id })
                }));
            }
            Event::End(TagEnd::Link) => written.extend(in_page.then(|| event.clone())),
            // A wide table scrolls by itself.
            Event::Start(Tag::Table(_)) => {
                written.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                written.push(event.clone());
            }
            Event::End(TagEnd::Table) => {
                written.push(event.clone());
                written.push(Event::Html("</div>".into()));
            }
            Event::Html(_) | Event::InlineHtml(_) => {}
            _ => written.push(event.clone()),
        }
    }
    written
}

/// The text of the heading whose content begins here.
fn heading(events: &[Event<'_>]) -> String {
    let content = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    content
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect()
}

/// The anchor of a heading, by the rules of the sites that show Markdown files.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Where a link of a guide leads on the page; None if that is no part of it.
fn target(guide: &str, link: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return Some(link.to_owned());
    }
    if link == "../api/openapi.json" {
        return Some("/openapi.json".to_owned());
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let guide = match file {
        "" => guide.to_owned(),
        file => id(GUIDES.iter().find(|(known, _)| *known == file)?.0),
    };
    Some(if anchor.is_empty() { format!("#{guide}") } else { format!("#{guide}/{anchor}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> String {
        let mut html = String::new();
        html::push_html(&mut html, events("guide/api", text).into_iter());
        html
    }

    #[test]
    fn headings_below_the_first_have_ids() {
        let html = drawn("# All of it\n\n## `If-Match`, and what it's for\n\n### Second level\n");
        assert!(html.contains("<h1>All of it</h1>"), "{html}");
        assert!(
            html.contains("<h2 id=\"guide/api/if-match-and-what-its-for\"><code>If-Match</code>"),
            "{html}"
        );
        assert!(html.contains("<h3 id=\"guide/api/second-level\">"), "{html}");
    }

    #[test]
    fn links_lead_to_the_page_or_are_text() {
        for (link, expected) in [
            ("webhooks.md", Some("#guide/webhooks")),
            ("webhooks.md#retries", Some("#guide/webhooks/retries")),
            ("#errors", Some("#guide/api/errors")),
            ("../api/openapi.json", Some("/openapi.json")),
            ("https://example.com/x#y", Some("https://example.com/x#y")),
            ("operating.md#page-agents", None),
            ("../config/pagesmith.default.toml", None),
        ] {
            assert_eq!(target("guide/api", link).as_deref(), expected, "{link}");
        }
        let html = drawn("See [operating.md](operating.md#logs) and [*webhooks*](webhooks.md).");
        assert_eq!(html, "<p>See operating.md and <a href=\"#guide/webhooks\"><em>webhooks</em></a>.</p>\n");
    }

    #[test]
    fn html_of_a_guide_is_left_out() {
        assert_eq!(drawn("a <b>c</b>\n\n<script>d</script>\n"), "<p>a c</p>\n");
    }
}
