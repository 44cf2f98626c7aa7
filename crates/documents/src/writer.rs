//! The text of a document as it is written down: headings, paragraphs and lines, up to the characters that are kept.

use crate::KEPT;

/// A text that grows.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    characters: usize,
}

impl Writer {
    /// A heading, of level 1 to 6.
    pub(crate) fn heading(&mut self, level: u8, text: &str) {
        let text = one_line(text);
        if !text.is_empty() {
            let signs = "#".repeat(usize::from(level.clamp(1, 6)));
            self.block(&format!("{signs} {text}"));
        }
    }

    /// A paragraph with an empty line above.
    pub(crate) fn paragraph(&mut self, text: &str) {
        let lines: Vec<String> = text.lines().map(one_line).filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            self.block(&lines.join("\n"));
        }
    }

    /// A line that follows the one above: an item of a list, a row of a table.
    pub(crate) fn line(&mut self, text: &str) {
        let text = one_line(text);
        if !text.is_empty() {
            self.add("\n", &text);
        }
    }

    fn block(&mut self, text: &str) {
        self.add("\n\n", text);
    }

    fn add(&mut self, before: &str, text: &str) {
        if self.is_full() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(before);
        }
        self.text.push_str(text);
        self.characters += text.chars().count() + before.len();
    }

    /// Whether nothing more is kept.
    pub(crate) fn is_full(&self) -> bool {
        self.characters > KEPT
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

fn one_line(text: &str) -> String {
    let seen = |char: char| !char.is_control() || char.is_whitespace();
    let text: String = text.chars().filter(|char| seen(*char)).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
