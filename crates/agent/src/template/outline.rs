//! A context as an outline: sections with a heading, and in them lines, lists, quotes, tables, pictures.
//!
//! What this is not: a meaning; whether a line is copy or an instruction, a fact or a question, is told by who reads the outline.
//! Invariant: no more than [`MOST_BYTES`] of a context is read, so that a long one costs as much as a page can use.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream};

use super::links;
use super::markup;
use super::rich::Rich;
use super::tidy;

/// How much of a context is read; a page has room for a small part of it.
pub const MOST_BYTES: usize = 48 * 1024;

/// A heading and what stands under it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading; the text before the first one has none.
    pub title: Option<Rich>,
    /// How deep it is: 1 for the document's, 0 for none.
    pub level: u8,
    /// What stands under it, up to the next heading of any depth.
    pub parts: Vec<Part>,
}

/// What stands in a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A paragraph, line by line as it was written.
    Lines(Vec<Rich>),
    /// A list.
    List(List),
    /// A quotation, line by line.
    Quote(Vec<Rich>),
    /// A table.
    Table(Grid),
    /// A picture: address and what it shows.
    Picture(String, String),
    /// A piece of code that stands for itself.
    Code(String),
}

/// A list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// Whether its items are counted.
    pub ordered: bool,
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// Its lines.
    pub lines: Vec<Rich>,
    /// What is listed under it.
    pub nested: Vec<Rich>,
}

/// A table: a head and rows of plain cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// The outline of a context.
pub fn read(context: &str) -> Vec<Section> {
    let context = start_of(context);
    let text = tidy::clean(context);
    let text = markup::read(&text);
    let text = with_plain_bullets(&text);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_STRIKETHROUGH;
    let mut reader = Reader::default();
    for event in TextMergeStream::new(Parser::new_ext(&text, options)) {
        reader.take(event);
    }
    reader.finish()
}

/// The part of a context that is read, to the end of a line if one is near.
fn start_of(context: &str) -> &str {
    let start = tidy::head(context, MOST_BYTES);
    match start.rfind('\n') {
        Some(end) if start.len() < context.len() && end > MOST_BYTES / 2 => &start[..end],
        _ => start,
    }
}

/// Signs that people write for the bullets of a list.
const BULLETS: [char; 18] =
    ['•', '‣', '◦', '▪', '●', '○', '■', '·', '・', '✓', '✔', '✅', '☑', '➤', '►', '→', '➜', '⁃'];

/// Lists written with other signs become lists, and a line that is only moved in is no code.
fn with_plain_bullets(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut fenced = false;
    let mut listed = false;
    let mut blank = true;
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        }
        let marked = bare.strip_prefix(BULLETS).map(|rest| rest.trim_start_matches('\u{fe0f}').trim_start());
        match marked {
            _ if fenced => out.push_str(line),
            Some(rest) => {
                if !listed && !blank {
                    out.push('\n');
                }
                out.push_str("- ");
                out.push_str(rest);
            }
            None if !listed && line.len() - bare.len() > 3 => out.push_str(bare),
            None => {
                // Markdown would take it for the end of the item's sentence; its author began a new line.
                let goes_on = bare.starts_with(char::is_lowercase) || bare.len() < line.len();
                if listed && !blank && !goes_on && !is_marked(bare) {
                    out.push('\n');
                }
                out.push_str(line);
            }
        }
        out.push('\n');
        let is_item = marked.is_some() || is_marked(bare);
        listed = if bare.is_empty() { listed } else { is_item || (listed && line.len() > bare.len()) };
        blank = bare.is_empty();
    }
    out
}

/// Whether a line begins an item of a list in Markdown.
fn is_marked(bare: &str) -> bool {
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &bare[digits..];
    let is_counted = digits > 0 && (behind.starts_with(". ") || behind.starts_with(") "));
    is_counted || bare.starts_with("- ") || bare.starts_with("* ") || bare.starts_with("+ ")
}

/// Builds the outline from events.
#[derive(Default)]
struct Reader {
    sections: Vec<Section>,
    /// The lines of the present paragraph, heading, item or cell.
    lines: Vec<Rich>,
    line: Rich,
    link: Option<(String, Rich)>,
    picture: Option<(String, String)>,
    pictures: Vec<(String, String)>,
    lists: Vec<List>,
    quote: Option<Vec<Rich>>,
    table: Option<Grid>,
    row: Vec<String>,
    code: Option<(bool, String)>,
    silent: bool,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            _ if self.silent => {}
            Event::Text(text) => self.text(&text),
            Event::Code(code) => match &mut self.link {
                Some((_, inner)) => inner.push_text(&code),
                None => self.line.push_code(&code),
            },
            Event::SoftBreak | Event::HardBreak => match (&mut self.link, &self.table) {
                (None, None) => self.end_line(),
                (Some((_, inner)), _) => inner.push_text(" "),
                (None, Some(_)) => self.line.push_text(" "),
            },
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
        } else if let Some((_, alt)) = &mut self.picture {
            alt.push_str(text);
        } else if let Some((_, inner)) = &mut self.link {
            inner.push_text(text);
        } else {
            links::push_with_links(&mut self.line, text);
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } | Tag::Paragraph | Tag::TableCell => self.flush_loose(),
            Tag::Strong => self.mark("**"),
            Tag::Emphasis => self.mark("*"),
            Tag::Link { dest_url, .. } => self.link = Some((dest_url.into_string(), Rich::default())),
            Tag::Image { dest_url, .. } => self.picture = Some((dest_url.into_string(), String::new())),
            Tag::List(first) => {
                self.end_item_text();
                self.lists.push(List { ordered: first.is_some(), items: Vec::new() });
            }
            Tag::Item => {
                if let Some(list) = self.lists.last_mut() {
                    list.items.push(Item::default());
                }
            }
            Tag::BlockQuote(_) if self.quote.is_none() => {
                self.flush_loose();
                self.quote = Some(Vec::new());
            }
            Tag::Table(_) => self.table = Some(Grid::default()),
            Tag::TableRow | Tag::TableHead => self.row.clear(),
            Tag::CodeBlock(kind) => {
                let fenced = matches!(kind, CodeBlockKind::Fenced(_));
                self.code = Some((fenced, String::new()));
            }
            Tag::MetadataBlock(_) | Tag::HtmlBlock => self.silent = true,
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::Paragraph => self.end_paragraph(),
            TagEnd::Strong => self.mark("**"),
            TagEnd::Emphasis => self.mark("*"),
            TagEnd::Link => {
                if let Some((url, inner)) = self.link.take() {
                    links::push_link(&mut self.line, &inner, &url);
                }
            }
            TagEnd::Image => self.pictures.extend(self.picture.take()),
            TagEnd::Item => self.end_item_text(),
            TagEnd::List(_) => self.end_list(),
            TagEnd::BlockQuote(_) => {
                let lines = self.quote.take().unwrap_or_default();
                self.add((!lines.is_empty()).then_some(Part::Quote(lines)));
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line).trimmed();
                self.row.push(cell.plain().to_owned());
            }
            TagEnd::TableHead => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.columns = row;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                let table = self.table.take().map(Part::Table);
                self.add(table);
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::MetadataBlock(_) | TagEnd::HtmlBlock => self.silent = false,
            _ => {}
        }
    }

    fn mark(&mut self, mark: &str) {
        if self.link.is_none() && self.picture.is_none() {
            self.line.push_mark(mark);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line).trimmed().whole();
        if !line.is_blank() {
            self.lines.push(line);
        }
    }

    fn take_lines(&mut self) -> Vec<Rich> {
        self.end_line();
        std::mem::take(&mut self.lines)
    }

    /// Text that stands in no paragraph, as in a tight list's item.
    fn flush_loose(&mut self) {
        if !self.lists.is_empty() {
            self.end_item_text();
        }
    }

    fn end_item_text(&mut self) {
        let lines = self.take_lines();
        let Some(item) = self.lists.last_mut().and_then(|list| list.items.last_mut()) else { return };
        item.lines.extend(lines);
        self.add_pictures();
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        let lines = self.take_lines();
        if self.quote.is_some() || !self.lists.is_empty() {
            return;
        }
        let title = Rich::joined(&lines);
        self.add_pictures();
        if !title.is_blank() {
            self.sections.push(Section { title: Some(title), level: level as u8, parts: Vec::new() });
        }
    }

    fn end_paragraph(&mut self) {
        if !self.lists.is_empty() {
            return self.end_item_text();
        }
        let lines = self.take_lines();
        if let Some(quote) = &mut self.quote {
            quote.extend(lines);
            return;
        }
        self.add((!lines.is_empty()).then_some(Part::Lines(lines)));
        self.add_pictures();
    }

    fn end_list(&mut self) {
        let Some(list) = self.lists.pop() else { return };
        match (self.lists.last_mut().and_then(|outer| outer.items.last_mut()), &mut self.quote) {
            (Some(item), _) => {
                item.nested.extend(list.items.into_iter().flat_map(|item| {
                    let own = Rich::joined(&item.lines);
                    std::iter::once(own).chain(item.nested)
                }));
            }
            (None, Some(quote)) => quote.extend(list.items.into_iter().flat_map(|item| item.lines)),
            (None, None) => {
                let items: Vec<Item> = list.items.into_iter().filter(|item| !item.lines.is_empty()).collect();
                self.add((!items.is_empty()).then_some(Part::List(List { ordered: list.ordered, items })));
                self.add_pictures();
            }
        }
    }

    /// Text that is only moved in was meant as text.
    fn end_code(&mut self) {
        let Some((fenced, code)) = self.code.take() else { return };
        if fenced {
            return self.add(Some(Part::Code(code)));
        }
        let lines: Vec<Rich> =
            code.lines().map(|line| Rich::of(line.trim())).filter(|line| !line.is_blank()).collect();
        self.add((!lines.is_empty()).then_some(Part::Lines(lines)));
    }

    fn add_pictures(&mut self) {
        for (url, alt) in std::mem::take(&mut self.pictures) {
            self.add(Some(Part::Picture(url, alt)));
        }
    }

    fn add(&mut self, part: Option<Part>) {
        let Some(part) = part else { return };
        if self.sections.is_empty() {
            self.sections.push(Section::default());
        }
        if let Some(section) = self.sections.last_mut() {
            section.parts.push(part);
        }
    }

    fn finish(mut self) -> Vec<Section> {
        let lines = self.take_lines();
        self.add((!lines.is_empty()).then_some(Part::Lines(lines)));
        self.add_pictures();
        self.sections
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(context: &str) -> String {
        let mut out = String::new();
        for section in read(context) {
            let title = section.title.as_ref().map_or("", Rich::plain);
            out.push_str(&format!("{} {title}\n", section.level));
            for part in section.parts {
                out.push_str(&match part {
                    Part::Lines(lines) => format!("  lines {:?}\n", plain(&lines)),
                    Part::List(list) => {
                        let items = list.items.iter().map(|item| (plain(&item.lines), plain(&item.nested)));
                        format!("  list {} {:?}\n", list.ordered, items.collect::<Vec<_>>())
                    }
                    Part::Quote(lines) => format!("  quote {:?}\n", plain(&lines)),
                    Part::Table(grid) => format!("  table {:?} {:?}\n", grid.columns, grid.rows),
                    Part::Picture(url, alt) => format!("  picture {url} {alt}\n"),
                    Part::Code(code) => format!("  code {code:?}\n"),
                });
            }
        }
        out
    }

    fn plain(lines: &[Rich]) -> Vec<&str> {
        lines.iter().map(Rich::plain).collect()
    }

    #[test]
    fn everything_is_found_in_its_place() {
        let context = "Intro one\nand two\n\n# Title *here*\n\nA **b** [c](https://x.y).\n\n- one\n- two\n  - deep\n\n\
                       1. first\n\n   more\n2. second\n\n> Quoted\n> — By\n\n| A | B |\n|---|---|\n| 1 | `2` |\n\n\
                       ![Alt](https://x.y/a.png)\n\n```\ncode\n```\n\n• dot\n• dots\n\n## Last\n";
        insta::assert_snapshot!(shown(context));
    }

    #[test]
    fn a_long_context_is_cut_at_a_line() {
        let context = "A line of a long text.\n".repeat(50_000);
        let lines: usize = read(&context)
            .iter()
            .flat_map(|section| &section.parts)
            .map(|part| match part {
                Part::Lines(lines) => lines.len(),
                _ => 0,
            })
            .sum();
        assert_eq!(lines, MOST_BYTES / 23);
    }

    proptest! {
        #[test]
        fn any_context_is_read(context in "([-#>*|`<>\\[\\]()!~_ \n]|\n\n|    |1\\. |\\PC){0,60}") {
            read(&context);
        }
    }
}
