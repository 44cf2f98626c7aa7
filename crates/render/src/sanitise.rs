//! HTML of strangers: a custom component, and what is between the lines of a Markdown text.
//!
//! The allow list knows text, lists, tables, pictures and links: no class, style, id, form, frame or script. What is left is then
//! fitted to the page: headings to its outline, tables into a box that scrolls, pictures so that nothing moves when they come.
//! Invariant: the second step only reads tags that the first has written, in its one spelling.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use maud::{Markup, PreEscaped};
use pagesmith_model::content::address;

use crate::escape::escape;
use crate::flatten::flatten;
use crate::outline::Outline;

const TAGS: [&str; 59] = [
    "a",
    "abbr",
    "address",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Elements whose content is no text for a reader.
const HOLLOW: [&str; 12] = [
    "iframe", "math", "noembed", "noframes", "noscript", "object", "script", "style", "svg", "template",
    "textarea", "title",
];

const ATTRIBUTES: [(&str, &[&str]); 12] = [
    ("a", &["href", "title"]),
    ("abbr", &["title"]),
    ("bdo", &["dir"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("details", &["open"]),
    ("img", &["src", "alt", "width", "height"]),
    ("li", &["value"]),
    ("ol", &["start", "reversed"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan", "scope"]),
    ("ul", &[]),
];

static BUILDER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let attributes: HashMap<&str, HashSet<&str>> =
        ATTRIBUTES.into_iter().map(|(tag, names)| (tag, names.iter().copied().collect())).collect();
    let mut builder = Builder::empty();
    builder
        .tags(TAGS.into_iter().collect())
        .clean_content_tags(HOLLOW.into_iter().collect())
        .tag_attributes(attributes)
        .generic_attributes(["dir", "lang"].into_iter().collect())
        .url_schemes(["http", "https", "mailto", "sms", "tel"].into_iter().collect())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener"))
        .attribute_filter(kept);
    builder
});

/// The value of an allowed attribute, if it is one.
fn kept<'v>(_: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    let is_number =
        || !value.is_empty() && value.len() <= 4 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_good = match attribute {
        "href" => address::is_linked(value),
        "src" => address::is_fetched(value),
        "width" | "height" | "colspan" | "rowspan" | "span" | "start" | "value" => is_number(),
        "dir" => matches!(value, "auto" | "ltr" | "rtl"),
        _ => true,
    };
    is_good.then_some(Cow::Borrowed(value))
}

/// The safe part of `html`; its headings begin at level `first`, its tables are called `table`. `None` if it is too long to read.
pub(crate) fn draw(html: &str, first: usize, table: &str) -> Option<Markup> {
    let flat = flatten(html)?;
    Some(PreEscaped(fit(&BUILDER.clean(&flat).to_string(), first, table)))
}

/// Begins the box that a table scrolls in.
pub(crate) fn open_table(called: &str, html: &mut String) {
    html.push_str("<div class=\"scroll\" role=\"region\" aria-label=\"");
    escape(called, html);
    html.push_str("\" tabindex=\"0\">");
}

/// Walks over the tags of sanitised HTML, in which `<` begins nothing else.
fn fit(clean: &str, first: usize, table: &str) -> String {
    let mut outline = Outline::from(first);
    let mut levels = Vec::new();
    let mut html = String::with_capacity(clean.len() + 256);
    let mut rest = clean;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        html.push_str(before);
        let (tag, after) = tag.split_at(end_of(tag));
        rest = after;
        match heading(tag) {
            Some((true, rank)) => {
                let level = outline.level(rank);
                levels.push(level);
                html.push_str(&format!("<h{level}{}", &tag[3..]));
            }
            Some((false, _)) => {
                let level = levels.pop().unwrap_or(first);
                html.push_str(&format!("</h{level}>"));
            }
            None if tag == "<table>" || tag.starts_with("<table ") => {
                open_table(table, &mut html);
                html.push_str(tag);
            }
            None if tag == "</table>" => html.push_str("</table></div>"),
            None if tag.starts_with("<img") => fit_picture(tag, &mut html),
            None => html.push_str(tag),
        }
    }
    html.push_str(rest);
    html
}

/// Where a tag ends. A `>` within an attribute's value ends nothing.
fn end_of(tag: &str) -> usize {
    let mut in_value = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => in_value = !in_value,
            b'>' if !in_value => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

/// Whether a tag begins or ends a heading, and of which rank.
fn heading(tag: &str) -> Option<(bool, u8)> {
    let (is_start, name) = match tag.strip_prefix("</") {
        Some(name) => (false, name),
        None => (true, tag.strip_prefix('<')?),
    };
    let [b'h', rank @ b'1'..=b'6', b'>' | b' ', ..] = name.as_bytes() else { return None };
    Some((is_start, rank - b'0'))
}

/// A picture without an address is none; one without a size is given a shape.
fn fit_picture(tag: &str, html: &mut String) {
    if !tag.contains(" src=\"") {
        return;
    }
    let is_sized = tag.contains(" width=\"") && tag.contains(" height=\"");
    html.push_str(tag.trim_end_matches('>'));
    if !tag.contains(" alt=\"") {
        html.push_str(" alt=\"\"");
    }
    html.push_str(" loading=\"lazy\" decoding=\"async\"");
    html.push_str(if is_sized { ">" } else { " class=\"unsized\">" });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(html: &str) -> String {
        draw(html, 2, "Prices & \"terms\"").unwrap().into_string()
    }

    #[test]
    fn what_is_harmless_stays() {
        assert_eq!(html("<p>a <b>b</b></p><ul><li>c</li></ul>"), "<p>a <b>b</b></p><ul><li>c</li></ul>");
        assert_eq!(html("<a href=\"/pricing#x\">p</a>"), "<a href=\"/pricing#x\" rel=\"noopener\">p</a>");
        assert_eq!(html("1 < 2 & 3 > 2"), "1 &lt; 2 &amp; 3 &gt; 2");
    }

    #[test]
    fn what_could_run_or_deceive_goes() {
        let bad = "<p id=a class=b style=c onclick=d>x</p><script>y</script><style>z</style><iframe src=//e></iframe>\
            <form action=f><input><button>g</button></form><a href=javascript:h>i</a><img src=x onerror=j>\
            <svg><script>k</script></svg><a href=\"//evil.example\">l</a><base href=m><meta http-equiv=n>";
        assert_eq!(html(bad), "<p>x</p>g<a rel=\"noopener\">i</a><a rel=\"noopener\">l</a>");
    }

    #[test]
    fn markup_within_a_value_stays_a_value() {
        let drawn = html("<img src=\"https://example.com/a\" alt='><table><h1><img src=\"x\" onerror=y>'>");
        assert_eq!(drawn.matches("role=").count(), 0, "{drawn}");
        assert!(drawn.ends_with(" class=\"unsized\">"), "{drawn}");
    }

    #[test]
    fn headings_fit_the_outline_and_keep_their_order() {
        assert_eq!(
            html("<h1>a</h1><h4 dir=\"rtl\">b</h4><h1>c</h1>"),
            "<h2>a</h2><h3 dir=\"rtl\">b</h3><h2>c</h2>"
        );
    }

    #[test]
    fn tables_scroll_and_pictures_do_not_move_the_page() {
        let drawn = html("<table><tr><td colspan=\"2\">a</td></tr></table>");
        assert!(drawn.starts_with(
            "<div class=\"scroll\" role=\"region\" aria-label=\"Prices &amp; &quot;terms&quot;\""
        ));
        assert!(drawn.ends_with("</table></div>"), "{drawn}");
        let drawn = html("<img src=\"https://example.com/a.png\" width=\"10\" height=\"20\" alt=\"A\">");
        assert!(drawn.contains("loading=\"lazy\"") && !drawn.contains("unsized"), "{drawn}");
        let drawn = html("<img src=\"https://example.com/a.png\" width=\"100%\">");
        assert!(drawn.contains(" alt=\"\" loading") && drawn.contains("unsized"), "{drawn}");
    }
}
