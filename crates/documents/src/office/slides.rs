//! PPTX: the slides of a presentation in their order, each with its title as a heading. Hidden slides and speakers' notes are left out.

use std::collections::HashMap;

use super::body::Body;
use super::package::{Package, PackagePart};
use super::xml::{self, Attributes, Node};
use crate::refusal::Refusal;

/// The most slides.
const MOST_SLIDES: usize = 2_000;
/// The level of a slide's title, and of the one that opens a presentation.
const TITLE: u8 = 2;
const OPENING: u8 = 1;

/// The text of a presentation.
pub(super) fn read(package: &mut Package<'_>, main: &PackagePart) -> Result<String, Refusal> {
    let relationships = package.relationships(main)?;
    let targets: HashMap<&str, _> =
        relationships.iter().map(|relationship| (relationship.id.as_str(), relationship)).collect();
    let mut ids = Vec::new();
    xml::walk(&main.text, |node| {
        if let Node::Open("sldId", attributes) = node {
            ids.extend(attributes.prefixed("id"));
        }
    })?;
    if ids.len() > MOST_SLIDES {
        return Err(Refusal::ManyPages);
    }
    let mut body = Body::default();
    for id in ids {
        let Some(relationship) = targets.get(id.as_str()) else { continue };
        let Some(part) = package.follow(main, relationship)? else { continue };
        slide(&part.text)?.write(&mut body);
        if body.is_full() {
            break;
        }
    }
    Ok(body.into_text())
}

/// A piece of a slide.
#[derive(Debug)]
enum Piece {
    Paragraph(String),
    Row(Vec<String>),
}

/// What a slide says.
#[derive(Debug, Default)]
struct Slide {
    is_hidden: bool,
    title: String,
    is_opening: bool,
    pieces: Vec<Piece>,
    paragraph: Option<String>,
    row: Option<Vec<String>>,
    place: PlaceholderKind,
    is_in_text: bool,
    skipped: usize,
}

/// Where in a slide a text stands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum PlaceholderKind {
    #[default]
    Body,
    Title,
    /// Numbers and dates that every slide has.
    Margin,
}

fn slide(text: &str) -> Result<Slide, Refusal> {
    let mut slide = Slide::default();
    xml::walk(text, |node| match node {
        Node::Open(name, _) if slide.skipped > 0 || name == "Fallback" => slide.skipped += 1,
        Node::Close(_) if slide.skipped > 0 => slide.skipped -= 1,
        Node::Open(name, attributes) => slide.open(name, &attributes),
        Node::Close(name) => slide.close(name),
        Node::Text(text) if slide.is_in_text && slide.skipped == 0 => slide.say(text),
        Node::Text(_) => {}
    })?;
    Ok(slide)
}

impl Slide {
    fn open(&mut self, name: &str, attributes: &Attributes<'_>) {
        match name {
            "sld" => {
                self.is_hidden = attributes.get("show").is_some_and(|show| show == "0" || show == "false");
            }
            "sp" => self.place = PlaceholderKind::Body,
            "ph" => {
                let kind = attributes.get("type").unwrap_or_default();
                self.is_opening |= kind == "ctrTitle";
                self.place = match kind.as_str() {
                    "title" | "ctrTitle" => PlaceholderKind::Title,
                    "sldNum" | "dt" | "ftr" | "hdr" => PlaceholderKind::Margin,
                    _ => PlaceholderKind::Body,
                };
            }
            "p" => self.paragraph = Some(String::new()),
            "t" => self.is_in_text = true,
            "br" => self.say(" "),
            "tr" => self.row = Some(Vec::new()),
            "tc" => self.row.get_or_insert_default().push(String::new()),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.is_in_text = false,
            "sp" => self.place = PlaceholderKind::Body,
            "p" => {
                let Some(text) = self.paragraph.take() else { return };
                if let Some(cell) = self.row.as_mut().and_then(|row| row.last_mut()) {
                    cell.push(' ');
                    cell.push_str(&text);
                } else if self.place == PlaceholderKind::Title {
                    self.title.push(' ');
                    self.title.push_str(&text);
                } else if self.place == PlaceholderKind::Body {
                    self.pieces.push(Piece::Paragraph(text));
                }
            }
            "tr" => self.pieces.extend(self.row.take().map(Piece::Row)),
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(paragraph) = &mut self.paragraph {
            paragraph.push_str(text);
        }
    }

    fn write(self, body: &mut Body) {
        if self.is_hidden {
            return;
        }
        body.heading(if self.is_opening { OPENING } else { TITLE }, &self.title);
        for piece in self.pieces {
            match piece {
                Piece::Paragraph(text) => body.paragraph(&text),
                Piece::Row(cells) => {
                    body.open_row();
                    for cell in cells {
                        body.open_cell();
                        body.paragraph(&cell);
                    }
                    body.close_row();
                }
            }
        }
    }
}
