//! DOCX: paragraphs, headings, lists and tables of a document. What is deleted, hidden, or is in another place than the text is left out.

use super::body::Body;
use super::package::{Package, PackagePart};
use super::styles::{self, Role, Styles};
use super::xml::{self, Attributes, Node};
use crate::refusal::Refusal;

/// Elements of which nothing is text: what is deleted or moved away, and the same once more for older programs.
const SKIPPED: [&str; 4] = ["del", "moveFrom", "Fallback", "instrText"];

/// The text of a document.
pub(super) fn read(package: &mut Package<'_>, main: &PackagePart) -> Result<String, Refusal> {
    let relationships = package.relationships(main)?;
    let styles = match relationships.iter().find(|relationship| relationship.is("styles")) {
        Some(relationship) => package.follow(main, relationship)?,
        None => None,
    };
    // A document whose styles cannot be read has text all the same.
    let styles = styles.and_then(|part| Styles::read(&part.text).ok()).unwrap_or_default();
    let mut reading = Reading { styles, ..Reading::default() };
    xml::walk(&main.text, |node| {
        if !reading.body.is_full() {
            reading.visit(&node);
        }
    })?;
    Ok(reading.body.into_text())
}

/// A paragraph that is open.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    role: Role,
}

#[derive(Debug, Default)]
struct Reading {
    styles: Styles,
    body: Body,
    /// The paragraphs that are open: text boxes are within others.
    paragraphs: Vec<Paragraph>,
    /// How many elements are open that are left out.
    skipped: usize,
    is_in_run: bool,
    is_hidden: bool,
    is_in_text: bool,
}

impl Reading {
    fn visit(&mut self, node: &Node<'_>) {
        match node {
            Node::Open(name, _) if self.skipped > 0 || SKIPPED.contains(name) => self.skipped += 1,
            Node::Close(_) if self.skipped > 0 => self.skipped -= 1,
            Node::Text(_) if self.skipped > 0 => {}
            Node::Open(name, attributes) => self.open(name, attributes),
            Node::Close(name) => self.close(name),
            Node::Text(text) if self.is_in_text && !self.is_hidden => self.say(text),
            Node::Text(_) => {}
        }
    }

    fn open(&mut self, name: &str, attributes: &Attributes<'_>) {
        match name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "r" => (self.is_in_run, self.is_hidden) = (true, false),
            "t" => self.is_in_text = true,
            "vanish" if self.is_in_run => self.is_hidden = attributes.is_on(),
            "tab" if self.is_in_run => self.say(" "),
            "br" | "cr" if self.is_in_run => self.say("\n"),
            "noBreakHyphen" if self.is_in_run => self.say("-"),
            "pStyle" => {
                let role = attributes.get("val").map(|id| self.styles.role(&id)).unwrap_or_default();
                self.change_role(|now| *now = role);
            }
            "outlineLvl" => {
                let level = attributes.get("val").and_then(|value| styles::level(&value));
                self.change_role(|now| now.heading = level);
            }
            "numId" => {
                let is_item = attributes.get("val").is_some_and(|value| value != "0");
                self.change_role(|now| now.is_item = is_item);
            }
            "tr" => self.body.open_row(),
            "tc" => self.body.open_cell(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => {
                let Some(Paragraph { text, role }) = self.paragraphs.pop() else { return };
                match role {
                    Role { heading: Some(level), .. } => self.body.heading(level, &text),
                    Role { is_item: true, .. } => self.body.item(&text),
                    Role { .. } => self.body.paragraph(&text),
                }
            }
            "r" => (self.is_in_run, self.is_hidden) = (false, false),
            "t" => self.is_in_text = false,
            "tr" => self.body.close_row(),
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn change_role(&mut self, change: impl FnOnce(&mut Role)) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            change(&mut paragraph.role);
        }
    }
}
