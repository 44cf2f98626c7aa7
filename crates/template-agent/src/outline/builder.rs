//! Puts an outline together out of what the parser of Markdown tells, event by event.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::{Grid, Item, List, Section, SectionPart};
use crate::links;
use crate::rich::Rich;

/// Builds the outline from events.
#[derive(Default)]
pub(super) struct Reader {
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
    pub(super) fn take(&mut self, event: Event<'_>) {
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
                self.add((!lines.is_empty()).then_some(SectionPart::Quote(lines)));
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
                let table = self.table.take().map(SectionPart::Table);
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

    /// Text that is in no paragraph, as in a tight list's item.
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
        self.add((!lines.is_empty()).then_some(SectionPart::Lines(lines)));
        self.add_pictures();
    }

    fn end_list(&mut self) {
        let Some(list) = self.lists.pop() else { return };
        match (self.lists.last_mut().and_then(|outer| outer.items.last_mut()), &mut self.quote) {
            (Some(item), _) => {
                // Without items that have no text, as in `1. 1. 1.`: each level would move those of all levels below.
                item.nested.extend(list.items.into_iter().flat_map(|item| {
                    let own = Rich::joined(&item.lines);
                    (!own.is_blank()).then_some(own).into_iter().chain(item.nested)
                }));
            }
            (None, Some(quote)) => quote.extend(list.items.into_iter().flat_map(|item| item.lines)),
            (None, None) => {
                let items: Vec<Item> = list.items.into_iter().filter(|item| !item.lines.is_empty()).collect();
                self.add(
                    (!items.is_empty()).then_some(SectionPart::List(List { ordered: list.ordered, items })),
                );
                self.add_pictures();
            }
        }
    }

    /// Text that is only moved in was meant as text.
    fn end_code(&mut self) {
        let Some((fenced, code)) = self.code.take() else { return };
        if fenced {
            return self.add(Some(SectionPart::Code(code)));
        }
        let lines: Vec<Rich> =
            code.lines().map(|line| Rich::of(line.trim())).filter(|line| !line.is_blank()).collect();
        self.add((!lines.is_empty()).then_some(SectionPart::Lines(lines)));
    }

    fn add_pictures(&mut self) {
        for (url, alt) in std::mem::take(&mut self.pictures) {
            self.add(Some(SectionPart::Picture(url, alt)));
        }
    }

    fn add(&mut self, part: Option<SectionPart>) {
        let Some(part) = part else { return };
        if self.sections.is_empty() {
            self.sections.push(Section::default());
        }
        if let Some(section) = self.sections.last_mut() {
            section.parts.push(part);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Section> {
        let lines = self.take_lines();
        self.add((!lines.is_empty()).then_some(SectionPart::Lines(lines)));
        self.add_pictures();
        self.sections
    }
}
