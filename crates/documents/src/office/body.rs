//! Paragraphs and the rows of tables as text. A row is one line with its cells; a table within a cell is in that cell.

use crate::writer::Writer;

/// What is between cells.
const BETWEEN: &str = " | ";

/// The text of a document that is being read.
#[derive(Debug, Default)]
pub(super) struct Body {
    writer: Writer,
    /// The cells of the rows that are open, the innermost last.
    rows: Vec<Vec<String>>,
    /// Whether the line above is an item or a row, so that the next one follows it.
    is_in_list: bool,
}

impl Body {
    /// A heading; within a table it is words like any other.
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        if !self.in_cell(text) {
            self.writer.heading(level, text);
            self.is_in_list = false;
        }
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        if !self.in_cell(text) && !text.trim().is_empty() {
            self.writer.paragraph(text);
            self.is_in_list = false;
        }
    }

    pub(super) fn item(&mut self, text: &str) {
        if !self.in_cell(text) && !text.trim().is_empty() {
            self.line(&format!("- {text}"));
        }
    }

    fn line(&mut self, text: &str) {
        if self.is_in_list {
            self.writer.line(text);
        } else {
            self.writer.paragraph(&text.replace('\n', " "));
        }
        self.is_in_list = true;
    }

    /// Takes a text into the cell that is open, if there is one.
    fn in_cell(&mut self, text: &str) -> bool {
        let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) else { return false };
        let text = text.trim();
        if !cell.is_empty() && !text.is_empty() {
            cell.push(' ');
        }
        cell.push_str(text);
        true
    }

    pub(super) fn open_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn open_cell(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.push(String::new());
        }
    }

    pub(super) fn close_row(&mut self) {
        let Some(row) = self.rows.pop() else { return };
        let cells: Vec<&str> = row.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        let line = cells.join(BETWEEN);
        if !line.is_empty() && !self.in_cell(&line) {
            self.line(&line);
        }
    }

    /// Whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.writer.is_full()
    }

    pub(super) fn into_text(self) -> String {
        self.writer.into_text()
    }
}
