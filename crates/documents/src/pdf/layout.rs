//! From characters at places to lines: what stands side by side is one, with spaces where there is room between characters.

use std::io;

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

use super::lines::Line;
use crate::KEPT;

/// How much room between two characters is a space, in heights of a letter.
const SPACE: f64 = 0.15;
/// How far up or down another line is, in heights of a letter.
const NEXT_LINE: f64 = 0.5;

/// Characters as they come.
#[derive(Debug, Default)]
pub(super) struct Layout {
    lines: Vec<Line>,
    line: Line,
    /// Where the last character ended.
    end: Option<(f64, f64)>,
    page: u32,
    is_first: bool,
    characters: usize,
}

impl Layout {
    /// Whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.characters > KEPT
    }

    /// Ends the line.
    pub(super) fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.text.trim().is_empty() {
            self.lines.push(line);
        }
        self.end = None;
    }

    pub(super) fn into_lines(mut self) -> Vec<Line> {
        self.end();
        self.lines
    }

    fn add(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        if let Some((end, base)) = self.end.filter(|_| self.is_first) {
            let is_below = (y - base).abs() > size * NEXT_LINE;
            if is_below {
                self.end();
            } else if x > end + size * SPACE && !self.line.text.ends_with(' ') {
                self.line.text.push(' ');
            } else if x + size < self.line.left {
                // Far to the left at the same height: another column.
                self.end();
            }
        }
        if self.line.text.is_empty() {
            (self.line.left, self.line.base, self.line.page) = (x, y, self.page);
        }
        for char in text.chars() {
            match ligature(char) {
                Some(letters) => self.line.text.push_str(letters),
                None if char.is_control() => self.line.text.push(' '),
                None => self.line.text.push(char),
            }
            self.characters += 1;
        }
        self.line.count(size, text.chars().filter(|char| !char.is_whitespace()).count());
        self.is_first = false;
    }
}

/// The letters of a sign that stands for several.
fn ligature(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        '\u{ad}' => "-",
        '\u{a0}' => " ",
        _ => return None,
    })
}

impl OutputDev for Layout {
    fn begin_page(
        &mut self,
        page: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.end();
        self.page = page;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.end();
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        if self.is_full() {
            return Err(OutputError::IoError(io::Error::other("enough")));
        }
        let scale = (place.m11 * place.m22 - place.m12 * place.m21).abs().sqrt();
        let size = (font_size * scale).abs();
        let (x, y) = (place.m31, place.m32);
        if size.is_finite() && x.is_finite() && y.is_finite() {
            self.add((x, y), size, text);
            self.end = Some((x + width * size, y));
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.is_first = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}
