//! HTML in a context, read as what it says: headings, paragraphs, items, cells, links and pictures become Markdown, the rest goes.
//!
//! What this is not: a parser of HTML or a sanitiser; nothing downstream trusts its result, which is text like any other.
//! Invariant: scripts, styles and comments leave nothing behind, and the work grows with the text's length only.

use std::borrow::Cow;

/// Elements whose content is not for readers.
const SILENT: &[&str] = &[
    "script", "style", "template", "iframe", "object", "svg", "math", "noscript", "textarea", "title",
    "select", "canvas",
];

/// The longest tag that is taken for one.
const LONGEST_TAG: usize = 4000;

/// The longest prefix of a tag; schemes of addresses are longer.
const LONGEST_PREFIX: usize = 2;

/// The text with its markup read.
pub fn read(text: &str) -> Cow<'_, str> {
    if !looks_like_markup(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Writer {
        out: String::with_capacity(text.len()),
        links: Vec::new(),
        lists: Vec::new(),
        cells: 0,
        rows: 0,
    };
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = match Tag::read(rest) {
            Some((tag, behind)) => {
                if !tag.closes && SILENT.contains(&tag.name.as_str()) {
                    skip_element(&tag.name, behind)
                } else {
                    out.write(&tag);
                    behind
                }
            }
            None if rest.starts_with("<!--") => rest.find("-->").map_or("", |end| &rest[end + 3..]),
            None if rest.starts_with("<!") || rest.starts_with("<?") => {
                rest.find('>').map_or("", |end| &rest[end + 1..])
            }
            None => {
                out.out.push('<');
                &rest[1..]
            }
        };
    }
    out.out.push_str(rest);
    Cow::Owned(out.out)
}

fn looks_like_markup(text: &str) -> bool {
    let opens = |pair: &[u8]| pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || b"/!?".contains(&pair[1]));
    text.as_bytes().windows(2).any(opens)
}

/// What is behind the element's end; nothing if it has none.
fn skip_element<'a>(name: &str, behind: &'a str) -> &'a str {
    let mut rest = behind;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        if rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
    }
    ""
}

struct Tag {
    name: String,
    closes: bool,
    href: Option<String>,
    src: Option<String>,
    alt: Option<String>,
}

impl Tag {
    /// The tag that the text begins with, and what follows it.
    fn read(text: &str) -> Option<(Tag, &str)> {
        let inner = text.strip_prefix('<')?;
        let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
        let length = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = inner[..length].to_ascii_lowercase();
        let rest = &inner[length..];
        // `<https://example.com>` and `<jo@example.com>` are links of Markdown; `<o:p>` is a word processor's.
        let is_prefix = length <= LONGEST_PREFIX
            && rest.starts_with(':')
            && rest[1..].starts_with(|char: char| char.is_ascii_alphabetic());
        if !name.starts_with(|char: char| char.is_ascii_alphabetic())
            || !is_prefix && rest.starts_with([':', '@', '.'])
        {
            return None;
        }
        let end = tag_end(rest)?;
        let attributes = &rest[..end];
        let tag = Tag {
            href: (name == "a").then(|| attribute(attributes, "href")).flatten(),
            src: (name == "img").then(|| attribute(attributes, "src")).flatten(),
            alt: (name == "img").then(|| attribute(attributes, "alt")).flatten(),
            name,
            closes,
        };
        Some((tag, &rest[end + 1..]))
    }
}

/// Where the tag's `>` stands; one in quotes does not count.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().take(LONGEST_TAG) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    text.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let lower = attributes.to_ascii_lowercase();
    let start = lower.match_indices(name).find_map(|(at, _)| {
        let before = lower[..at].chars().next_back();
        let behind = lower[at + name.len()..].trim_start();
        let is_name = before.is_none_or(|char| char.is_whitespace() || char == '"' || char == '\'');
        (is_name && behind.starts_with('=')).then(|| lower.len() - behind.len() + 1)
    })?;
    let value = attributes[start..].trim_start();
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next()?,
        _ => value.split([' ', '\t', '\n', '>']).next()?,
    };
    Some(value.replace(['\n', '\r', '\t'], "").replace("&amp;", "&").trim().to_owned())
}

/// What the markup becomes.
struct Writer {
    out: String,
    links: Vec<Option<String>>,
    /// Whether each open list is numbered.
    lists: Vec<bool>,
    cells: usize,
    rows: usize,
}

impl Writer {
    fn write(&mut self, tag: &Tag) {
        match (tag.name.as_str(), tag.closes) {
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.out.push_str("\n\n");
                let level = tag.name.as_bytes().get(1).map_or(1, |digit| usize::from(digit - b'0'));
                self.out.extend(std::iter::repeat_n('#', level));
                self.out.push(' ');
            }
            ("ol" | "ul", closes) => {
                if closes {
                    self.lists.pop();
                } else {
                    self.lists.push(tag.name == "ol");
                }
                self.out.push_str("\n\n");
            }
            ("li", false) => {
                self.out.push_str(if self.lists.last() == Some(&true) { "\n1. " } else { "\n- " });
            }
            ("br", _) => self.out.push('\n'),
            ("hr", _) => self.out.push_str("\n\n"),
            ("blockquote", false) => self.out.push_str("\n\n> "),
            ("table", false) => {
                self.rows = 0;
                self.out.push_str("\n\n");
            }
            ("tr", false) => {
                self.cells = 0;
                self.out.push_str("\n|");
            }
            ("td" | "th", true) => {
                self.cells += 1;
                self.out.push_str(" |");
            }
            ("tr", true) => {
                self.rows += 1;
                if self.rows == 1 {
                    self.out.push_str("\n|");
                    self.out.extend(std::iter::repeat_n("---|", self.cells.min(50)));
                }
            }
            ("img", _) => {
                if let Some(src) = &tag.src {
                    let alt = tag.alt.as_deref().unwrap_or_default().replace(['[', ']', '\n'], " ");
                    self.out.push_str(&format!("![{alt}](<{}>)", src.replace(['<', '>'], "")));
                }
            }
            ("a", false) => {
                self.links.push(tag.href.clone().filter(|_| self.links.is_empty()));
                if self.links.last().is_some_and(Option::is_some) {
                    self.out.push('[');
                }
            }
            ("a", true) => {
                if let Some(Some(href)) = self.links.pop() {
                    self.out.push_str(&format!("](<{}>)", href.replace(['<', '>'], "")));
                }
            }
            (name, _) if is_block(name) => self.out.push_str("\n\n"),
            _ => {}
        }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "main"
            | "nav"
            | "aside"
            | "ul"
            | "ol"
            | "dl"
            | "dt"
            | "dd"
            | "table"
            | "blockquote"
            | "figure"
            | "figcaption"
            | "form"
            | "body"
            | "html"
            | "head"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_of_a_word_processor_leave_nothing_behind() {
        assert_eq!(read("<p>Fast.<o:p></o:p></p>").trim(), "Fast.");
        assert!(read("<p>See <https://a.b>, <mailto:jo@a.b>.</p>").contains("<https://a.b>"));
    }

    #[test]
    fn what_markup_says_is_kept() {
        assert_eq!(read("5 < 6, 7 <8 or <https://example.com>"), "5 < 6, 7 <8 or <https://example.com>");
        assert_eq!(read("<h2 class=x>Hi</h2><p>A <b>B</b></p>"), "\n\n## Hi\n\n\n\nA B\n\n");
        assert_eq!(
            read("<a href='https://x.y/?a=1&amp;b'>go</a> <img alt=\"A\" src=https://x.y/a.png>"),
            "[go](<https://x.y/?a=1&b>) ![A](<https://x.y/a.png>)"
        );
        assert_eq!(
            read("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>").trim(),
            "|A |B |\n|---|---|\n|1 |2 |"
        );
    }

    #[test]
    fn scripts_leave_nothing_behind() {
        for hostile in [
            "<script>alert(1)</script>",
            "<SCRIPT src=x>alert(1)</ScRiPt >",
            "<style>a{}</style><!-- alert(1) -->",
            "<script>alert(1)",
            "<svg onload=alert(1)><a href=x>alert(1)</a></svg>",
            "<img src onerror=alert(1)>",
            "<!DOCTYPE html><?php alert(1) ?>",
        ] {
            assert_eq!(read(hostile).trim(), "", "{hostile}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(<|>|/|a|img|script|href=|\"|'|!--|é| ){0,30}") {
            let _ = read(&text);
        }
    }
}
