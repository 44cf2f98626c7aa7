//! HTML: its title, icon and description, and its main text as Markdown with headings.
//!
//! Elements and depth are bounded, and so are time and memory with them. It wants a stack with room for deep documents: [`STACK`].

use dom_smoothie::{Config, Readability, TextMode};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use url::Url;

use crate::refusal::Refusal;
use crate::title::tidy;

/// How large the stack of a thread is that reads HTML, in bytes; it is used only as far as documents are deep.
pub const STACK: usize = 256 * 1024 * 1024;
/// The most elements of a document.
const MOST_ELEMENTS: usize = 50_000;
/// How deep elements may be nested: finding the main text takes time that grows with the square of it.
const DEEPEST: usize = 300;
/// Elements without an end tag, or that may be left without one.
const WITHOUT_END: [&str; 25] = [
    "area", "base", "body", "br", "col", "dd", "dt", "embed", "head", "hr", "html", "img", "input", "li",
    "link", "meta", "option", "p", "source", "tbody", "td", "th", "tr", "track", "wbr",
];
/// How many characters a title has at most.
const LONGEST_TITLE: usize = 1_000;
/// How many characters a description or an address has at most.
const LONGEST_FIELD: usize = 10_000;

/// What a page says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title.
    pub title: Option<String>,
    /// The address of its icon.
    pub icon: Option<String>,
    /// What it says about itself.
    pub description: Option<String>,
    /// Its main text, with Markdown headings.
    pub text: String,
}

/// Reads a page of that address; a file has none.
pub fn read(html: &str, url: Option<&Url>) -> Result<Page, Refusal> {
    judge(html)?;
    let read = Readability::new(html, url.map(Url::as_str), Some(config()));
    let mut document = read.map_err(|_| Refusal::Broken)?;
    let about = document.get_article_metadata(None);
    let whole = document.doc.select("body").formatted_text().to_string();
    let text = match document.parse() {
        Ok(article) => plain(&article.text_content),
        // A page of few words, such as a contact, is taken as it is.
        Err(_) => whole,
    };
    let field =
        |text: Option<String>| text.map(|text| tidy(&text, LONGEST_FIELD)).filter(|text| !text.is_empty());
    let icon = about.favicon.and_then(|icon| url?.join(&icon).ok());
    let icon = icon.filter(|icon| matches!(icon.scheme(), "http" | "https")).map(String::from);
    Ok(Page {
        title: Some(tidy(&about.title, LONGEST_TITLE)).filter(|title| !title.is_empty()),
        icon: icon.filter(|icon| icon.len() <= LONGEST_FIELD),
        description: field(about.excerpt),
        text,
    })
}

/// Refuses a document that would take long.
pub(crate) fn judge(html: &str) -> Result<(), Refusal> {
    if html.bytes().filter(|byte| *byte == b'<').count() > MOST_ELEMENTS * 2 {
        return Err(Refusal::ManyElements);
    }
    if depth(html) > DEEPEST { Err(Refusal::Deep) } else { Ok(()) }
}

/// How documents are read.
pub(crate) fn config() -> Config {
    Config {
        max_elements_to_parse: MOST_ELEMENTS,
        disable_json_ld: true,
        text_mode: TextMode::Markdown,
        ..Config::default()
    }
}

/// About how deep the elements of a document are nested.
fn depth(html: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let name = rest.trim_start_matches('/');
        let end = name.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        if !name.starts_with(|char: char| char.is_ascii_alphabetic()) || WITHOUT_END.contains(&name.as_str())
        {
            continue;
        }
        depth = if rest.starts_with('/') { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

/// The text of Markdown: headings and lines stay, links and pictures leave their texts.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                text.push_str("\n\n");
                text.push_str(&"#".repeat(level as usize));
                text.push(' ');
            }
            Event::Start(Tag::Item) => text.push_str("\n- "),
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push('\n'),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::List(_)
                | TagEnd::CodeBlock
                | TagEnd::BlockQuote(_),
            ) => {
                text.push_str("\n\n");
            }
            _ => {}
        }
    }
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}
