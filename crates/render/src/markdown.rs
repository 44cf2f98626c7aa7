//! Markdown as HTML.
//!
//! Written straight from the parser's events, every text escaped and every address looked at, so that plain Markdown never pays for
//! a sanitiser. Only a text that holds HTML of its own goes through one, whole.
//! Invariant: what comes out is balanced, holds no script, style, handler or id, and its headings fit the outline.

use maud::{Markup, PreEscaped};
use pagesmith_model::content::{address, markdown};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, LinkType, Tag, TagEnd};

use crate::escape::escape;
use crate::outline::Outline;
use crate::sanitise;

/// Quotes and lists deeper than this are drawn at this depth; browsers give up at a few hundred.
const DEEPEST: usize = 16;

/// The text as HTML; its headings begin at level `first`, `table` is what a table is called by who cannot see it.
pub(crate) fn draw(markdown: &str, first: usize, table: &str) -> Markup {
    let mut plain = Writer::new(markdown, Some(Outline::from(first)), table);
    plain.run(markdown);
    if !plain.has_html {
        return PreEscaped(plain.html);
    }
    let mut raw = Writer::new(markdown, None, table);
    raw.run(markdown);
    // What cannot be read in time is drawn without its HTML.
    sanitise::draw(&raw.html, first, table).unwrap_or(PreEscaped(plain.html))
}

struct Writer<'a> {
    html: String,
    /// None where a sanitiser comes after, which sees to headings, tables and pictures itself.
    outline: Option<Outline>,
    table: &'a str,
    has_html: bool,
    /// For every open container, whether it was written.
    containers: Vec<bool>,
    /// For every open link, whether it was written.
    links: Vec<bool>,
    headings: Vec<usize>,
    /// Above 0 within a picture, whose text is its alternative.
    pictures: usize,
    alternative: String,
    picture: Option<String>,
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl<'a> Writer<'a> {
    fn new(markdown: &str, outline: Option<Outline>, table: &'a str) -> Writer<'a> {
        Writer {
            html: String::with_capacity(markdown.len() * 5 / 4 + 64),
            outline,
            table,
            has_html: false,
            containers: Vec::new(),
            links: Vec::new(),
            headings: Vec::new(),
            pictures: 0,
            alternative: String::new(),
            picture: None,
            columns: Vec::new(),
            column: 0,
            in_head: false,
        }
    }

    fn run(&mut self, text: &str) {
        for event in markdown::parser(text) {
            match event {
                Event::Start(tag) => self.start(tag),
                Event::End(tag) => self.end(tag),
                Event::Text(text) => self.text(&text),
                Event::Code(text) => {
                    self.put("<code>");
                    self.text(&text);
                    self.put("</code>");
                }
                Event::Html(html) | Event::InlineHtml(html) => self.markup(&html),
                Event::SoftBreak => self.text("\n"),
                Event::HardBreak => self.put("<br>"),
                Event::Rule => self.put("<hr>"),
                // Extensions that are not asked for.
                Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                    self.text(&text);
                }
                Event::TaskListMarker(_) => {}
            }
        }
    }

    fn put(&mut self, markup: &str) {
        if self.pictures == 0 {
            self.html.push_str(markup);
        }
    }

    fn text(&mut self, text: &str) {
        escape(text, if self.pictures == 0 { &mut self.html } else { &mut self.alternative });
    }

    fn markup(&mut self, html: &str) {
        if self.pictures == 0 {
            self.has_html = true;
            if self.outline.is_none() {
                self.html.push_str(html);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.put("<p dir=\"auto\">"),
            Tag::Heading { level, .. } => {
                let level = self.level(level);
                self.headings.push(level);
                self.put(&format!("<h{level} dir=\"auto\">"));
            }
            Tag::BlockQuote(_) => self.open("<blockquote dir=\"auto\">"),
            Tag::List(None) => self.open("<ul>"),
            Tag::List(Some(1)) => self.open("<ol>"),
            Tag::List(Some(start)) => self.open(&format!("<ol start=\"{start}\">")),
            Tag::Item => self.open("<li dir=\"auto\">"),
            Tag::CodeBlock(kind) => {
                // The language is of use to nobody without a highlighter.
                let (CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) = kind;
                self.put("<pre dir=\"ltr\" tabindex=\"0\"><code>");
            }
            Tag::Emphasis => self.put("<em>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { link_type, dest_url, .. } => self.link(link_type, &dest_url),
            Tag::Image { dest_url, .. } => {
                if self.pictures == 0 {
                    self.picture = address::is_fetched(&dest_url).then(|| dest_url.into_string());
                    self.alternative.clear();
                }
                self.pictures += 1;
            }
            Tag::Table(columns) => self.start_table(columns),
            Tag::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.put("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.put("<tr>");
            }
            Tag::TableCell => self.start_cell(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.put("</p>"),
            TagEnd::Heading(_) => {
                if let Some(level) = self.headings.pop() {
                    self.put(&format!("</h{level}>"));
                }
            }
            TagEnd::BlockQuote(_) => self.close("</blockquote>"),
            TagEnd::List(false) => self.close("</ul>"),
            TagEnd::List(true) => self.close("</ol>"),
            TagEnd::Item => self.close("</li>"),
            TagEnd::CodeBlock => self.put("</code></pre>"),
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link => {
                let written = self.links.pop() == Some(true);
                self.put(if written { "</a>" } else { "" });
            }
            TagEnd::Image => {
                self.pictures = self.pictures.saturating_sub(1);
                if self.pictures == 0 {
                    self.draw_picture();
                }
            }
            TagEnd::Table if self.outline.is_some() => self.put("</tbody></table></div>"),
            TagEnd::Table => self.put("</tbody></table>"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.put("</tr></thead><tbody>");
            }
            TagEnd::TableRow => self.put("</tr>"),
            TagEnd::TableCell => self.put(if self.in_head { "</th>" } else { "</td>" }),
            _ => {}
        }
    }

    fn level(&mut self, level: HeadingLevel) -> usize {
        let rank = match level {
            HeadingLevel::H1 => 1,
            HeadingLevel::H2 => 2,
            HeadingLevel::H3 => 3,
            HeadingLevel::H4 => 4,
            HeadingLevel::H5 => 5,
            HeadingLevel::H6 => 6,
        };
        self.outline.as_mut().map_or(usize::from(rank), |outline| outline.level(rank))
    }

    /// Opens a container unless it would be too deep. A list and its items go together.
    fn open(&mut self, tag: &str) {
        // Those that are not written are within those that are.
        let written = self.containers.len() < DEEPEST * 2;
        self.containers.push(written);
        if written {
            self.put(tag);
        }
    }

    fn close(&mut self, tag: &str) {
        if self.containers.pop() == Some(true) {
            self.put(tag);
        }
    }

    fn link(&mut self, kind: LinkType, url: &str) {
        let url = markdown::linked_address(kind, url);
        let written = self.pictures == 0 && address::is_linked(&url);
        self.links.push(written);
        if written {
            self.html.push_str("<a href=\"");
            escape(&url, &mut self.html);
            self.html.push_str(if address::is_fetched(&url) { "\" rel=\"noopener\">" } else { "\">" });
        }
    }

    /// The picture, or its alternative if it cannot be fetched.
    fn draw_picture(&mut self) {
        let alternative = std::mem::take(&mut self.alternative);
        let Some(url) = self.picture.take() else {
            self.html.push_str(&alternative);
            return;
        };
        self.html.push_str("<img src=\"");
        escape(&url, &mut self.html);
        self.html.push_str("\" alt=\"");
        self.html.push_str(&alternative);
        self.html.push_str("\" loading=\"lazy\" decoding=\"async\" class=\"unsized\">");
    }

    fn start_table(&mut self, columns: Vec<Alignment>) {
        self.columns = columns;
        if self.outline.is_some() {
            let mut opening = String::new();
            sanitise::open_table(self.table, &mut opening);
            self.put(&opening);
        }
        self.put("<table>");
    }

    fn start_cell(&mut self) {
        let alignment = self.columns.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        self.put(match (self.in_head, alignment) {
            (true, Alignment::Right) => "<th scope=\"col\" dir=\"auto\" class=\"end\">",
            (true, _) => "<th scope=\"col\" dir=\"auto\">",
            (false, Alignment::Right) => "<td dir=\"auto\" class=\"end\">",
            (false, _) => "<td dir=\"auto\">",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::draw;

    fn html(markdown: &str) -> String {
        draw(markdown, 3, "Table").into_string()
    }

    #[test]
    fn what_markdown_means_is_what_comes_out() {
        let text = "# One\n\nA *b* **c** ~~d~~ `e<f`  \ng\n\n- x\n- y\n\n3. z\n\n> q\n\n---\n\n    code";
        insta::assert_snapshot!(html(text), @r#"<h3 dir="auto">One</h3><p dir="auto">A <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;f</code><br>g</p><ul><li dir="auto">x</li><li dir="auto">y</li></ul><ol start="3"><li dir="auto">z</li></ol><blockquote dir="auto"><p dir="auto">q</p></blockquote><hr><pre dir="ltr" tabindex="0"><code>code</code></pre>"#);
    }

    #[test]
    fn a_table_scrolls_and_is_called_something() {
        let table = html("| a | b |\n|---|--:|\n| 1 | 2 |");
        assert!(table.starts_with(
            "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table><thead>"
        ));
        assert!(
            table.contains("<td dir=\"auto\" class=\"end\">2</td></tr></tbody></table></div>"),
            "{table}"
        );
    }

    #[test]
    fn an_address_that_runs_code_is_no_link() {
        for bad in [
            "javascript:alert(1)",
            "JaVaScript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "&#106;avascript:x",
        ] {
            let drawn = html(&format!("[go]({bad}) ![alt text]({bad})"));
            assert_eq!(drawn, "<p dir=\"auto\">go alt text</p>", "{bad}");
        }
        let drawn =
            html("[go](https://example.com/?a=1&b=2) <jo@example.com> ![p](https://example.com/a.png)");
        assert!(
            drawn.contains("<a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener\">go</a>"),
            "{drawn}"
        );
        assert!(drawn.contains("<a href=\"mailto:jo@example.com\">jo@example.com</a>"), "{drawn}");
        assert!(
            drawn.contains("<img src=\"https://example.com/a.png\" alt=\"p\" loading=\"lazy\""),
            "{drawn}"
        );
    }

    #[test]
    fn html_within_is_sanitised_and_fits_the_outline() {
        let drawn = html(
            "# A\n\n<h1 onclick=x>B</h1>\n\nc <b style=\"color:red\">d</b> <script>alert(1)</script>\n\n### E",
        );
        assert!(drawn.contains("<h3 dir=\"auto\">A</h3>") && drawn.contains("<h3>B</h3>"), "{drawn}");
        assert!(drawn.contains("<h4 dir=\"auto\">E</h4>") && drawn.contains("<b>d</b>"), "{drawn}");
        assert!(
            !drawn.contains("script") && !drawn.contains("onclick") && !drawn.contains("style"),
            "{drawn}"
        );
    }

    #[test]
    fn depth_has_an_end() {
        let drawn = html(&format!("{} deep", ">".repeat(5000)));
        assert_eq!(drawn.matches("<blockquote").count(), super::DEEPEST * 2);
        assert_eq!(drawn.matches("</blockquote").count(), super::DEEPEST * 2);
        let drawn = html(&format!("{}deep", "- ".repeat(3000)));
        assert_eq!(drawn.matches("<li").count(), super::DEEPEST);
        assert!(drawn.contains("deep"));
    }

    #[test]
    fn a_picture_within_a_picture_s_text_is_text() {
        let drawn = html("![a ![b](https://example.com/b.png) *c*](https://example.com/a.png)");
        assert_eq!(drawn.matches("<img").count(), 1, "{drawn}");
        assert!(drawn.contains("alt=\"a b c\""), "{drawn}");
    }
}
