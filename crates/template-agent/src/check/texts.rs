//! The texts of a block as visitors read them: fields one by one, Markdown paragraph by paragraph.

use std::ops::Range;

use pagesmith_model::content::component::Component;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

/// A text of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldText {
    /// The name of its field.
    pub field: &'static str,
    /// What visitors read.
    pub text: String,
}

/// The fields that are told apart.
const FIELDS: [&str; 8] = ["quote", "author", "role", "rows", "points", "altText", "title", "markdown"];

/// The texts of a block.
pub fn of(block: &Component) -> Vec<FieldText> {
    let mut all = Vec::new();
    if let Ok(value) = serde_json::to_value(block) {
        collect("", &value, &mut all);
    }
    all
}

/// All that visitors read in a block.
pub fn joined(block: &Component) -> String {
    of(block).into_iter().map(|shown| shown.text).collect::<Vec<_>>().join("\n")
}

fn collect(key: &str, value: &Value, all: &mut Vec<FieldText>) {
    let field = FIELDS.iter().find(|field| **field == key).copied().unwrap_or_default();
    match value {
        Value::String(_)
            if matches!(key, "type" | "blockId" | "actionId" | "actionIds" | "assetId" | "url" | "html") => {}
        Value::String(text) if key == "markdown" => {
            all.extend(pieces(text).into_iter().map(|piece| FieldText { field, text: piece.text }));
        }
        Value::String(text) => all.push(FieldText { field, text: text.clone() }),
        Value::Array(values) => values.iter().for_each(|value| collect(key, value, all)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(key, value, all)),
        _ => {}
    }
}

/// A paragraph, heading, item of a list, table or code block of Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownPiece {
    /// What visitors read of it.
    pub text: String,
    /// Whether there is something to see: a text or a picture.
    pub says_something: bool,
    /// How deep it is, if it is a heading.
    pub level: Option<u8>,
    /// Whether its sentences can stand alone.
    pub is_prose: bool,
    /// The lines of the Markdown that it is in.
    pub lines: Range<usize>,
}

/// The pieces of Markdown, in order; no two are in the same line, but for items of nested lists.
pub fn pieces(markdown: &str) -> Vec<MarkdownPiece> {
    let mut all: Vec<MarkdownPiece> = Vec::new();
    let mut piece: Option<(MarkdownPiece, Range<usize>)> = None;
    let mut whole = 0usize;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        match &event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                end(markdown, &mut piece, &mut all);
                whole += 1;
                piece = Some((begun(None, false), range));
            }
            Event::End(TagEnd::Table | TagEnd::CodeBlock | TagEnd::HtmlBlock) => {
                whole = whole.saturating_sub(1);
                end(markdown, &mut piece, &mut all);
            }
            Event::Start(tag) if whole == 0 && is_block(tag) => {
                end(markdown, &mut piece, &mut all);
                let level = match tag {
                    Tag::Heading { level, .. } => Some(*level as u8),
                    _ => None,
                };
                piece = Some((begun(level, level.is_none()), range.start..range.start));
            }
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::BlockQuote(_))
                if whole == 0 =>
            {
                end(markdown, &mut piece, &mut all);
            }
            Event::End(TagEnd::TableCell | TagEnd::TableRow | TagEnd::TableHead) => {
                take(&mut piece, "\n", &range);
            }
            Event::Text(text) | Event::Code(text) => take(&mut piece, text, &range),
            Event::SoftBreak | Event::HardBreak => take(&mut piece, " ", &range),
            Event::Start(Tag::Image { .. }) => {
                if let Some((piece, _)) = &mut piece {
                    piece.says_something = true;
                }
            }
            _ => {}
        }
    }
    end(markdown, &mut piece, &mut all);
    all
}

fn begun(level: Option<u8>, is_prose: bool) -> MarkdownPiece {
    MarkdownPiece { text: String::new(), says_something: false, level, is_prose, lines: 0..0 }
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::BlockQuote(_) | Tag::List(_))
}

fn take(piece: &mut Option<(MarkdownPiece, Range<usize>)>, text: &str, range: &Range<usize>) {
    let (piece, of) = piece.get_or_insert_with(|| (begun(None, true), range.clone()));
    piece.text.push_str(text);
    of.end = of.end.max(range.end);
}

fn end(markdown: &str, piece: &mut Option<(MarkdownPiece, Range<usize>)>, all: &mut Vec<MarkdownPiece>) {
    let Some((mut piece, range)) = piece.take() else { return };
    piece.says_something |= crate::tidy::says_something(&piece.text);
    let first = markdown[..range.start].matches('\n').count();
    let inside = markdown[range.start..range.end.max(range.start)].trim_end().matches('\n').count();
    piece.lines = first..first + inside + 1;
    if piece.says_something || piece.level.is_some() {
        all.push(piece);
    }
}

/// The headings of Markdown under which nothing stands.
pub fn empty_headings(pieces: &[MarkdownPiece]) -> impl Iterator<Item = &MarkdownPiece> {
    pieces.iter().enumerate().filter_map(|(at, piece)| {
        let level = piece.level?;
        let next = pieces.get(at + 1);
        next.is_none_or(|next| next.level.is_some_and(|next| next <= level)).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_know_their_text_and_their_lines() {
        let markdown = "# A *b*\n\nOne [two](https://x.example/7)\nthree &amp; four.\n\n1. Five\n2. Six\n   - Seven\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![](https://x.example/p.png)\n";
        let found: Vec<(String, Range<usize>)> =
            pieces(markdown).into_iter().map(|piece| (piece.text, piece.lines)).collect();
        let wanted =
            [("A b", 0..1), ("One two three & four.", 2..4), ("Five", 5..6), ("Six", 6..7), ("Seven", 7..8)];
        let wanted: Vec<_> = wanted.into_iter().map(|(text, lines)| (text.to_owned(), lines)).collect();
        assert_eq!(found[..5], wanted);
        assert_eq!((found[5].1.clone(), found[6].1.clone()), (9..12, 13..14));
    }

    #[test]
    fn a_heading_over_a_deeper_one_is_not_empty() {
        let of = |markdown: &str| -> Vec<String> {
            empty_headings(&pieces(markdown)).map(|piece| piece.text.clone()).collect()
        };
        assert_eq!(
            of("# A\n\n## B\n\nText.\n\n## C\n\n# D\n\n![](https://x.example/p.png)\n\n# E"),
            ["C", "E"]
        );
    }
}
