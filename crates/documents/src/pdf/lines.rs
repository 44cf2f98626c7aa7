//! From lines to text: which of them are headings, and which belong to one paragraph.

use std::collections::BTreeMap;

use crate::writer::Writer;

/// How much larger than most letters those of a heading are.
const LARGER: f64 = 1.15;
/// How many characters a heading has at most.
const LONGEST_HEADING: usize = 150;
/// How much more room than usual there is between paragraphs.
const MORE_ROOM: f64 = 1.25;
/// Signs before the items of a list.
const BULLETS: [char; 8] = ['•', '◦', '▪', '●', '–', '■', '‣', '·'];

/// Characters side by side.
#[derive(Debug, Default, Clone)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) page: u32,
    /// Where it begins, and the height at which its letters stand.
    pub(super) left: f64,
    pub(super) base: f64,
    sizes: f64,
    letters: usize,
}

impl Line {
    /// Counts letters of a size.
    pub(super) fn count(&mut self, size: f64, letters: usize) {
        self.letters += letters;
        self.sizes += size * number(letters);
    }

    /// The size of its letters, in halves of a point.
    fn size(&self) -> u32 {
        // One beyond all reason is the largest that there is, or none.
        (self.sizes / number(self.letters.max(1)) * 2.0).round() as u32
    }

    /// How far it is below another one, in sizes of its letters; nothing if it is elsewhere.
    fn below(&self, above: &Line) -> Option<f64> {
        let room = (above.base - self.base) / (f64::from(self.size()) / 2.0);
        (self.page == above.page && room > 0.0 && room < 10.0).then_some(room)
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The text of a document's lines.
pub(super) fn text(lines: Vec<Line>) -> String {
    let body = most_common(lines.iter().map(|line| (line.size(), line.letters)));
    let sizes = heading_sizes(&lines, body);
    let usual = usual_room(&lines, body);
    let mut writer = Writer::default();
    let mut paragraph = String::new();
    let mut above: Option<(Line, Option<u8>)> = None;
    for line in lines {
        let level = heading(&line, body, &sizes);
        let follows = above
            .as_ref()
            .is_some_and(|(above, of)| *of == level && goes_on(above, &line, usual, &paragraph));
        if !follows {
            let level = above.as_ref().and_then(|(_, level)| *level);
            end(&mut writer, &mut paragraph, level);
        }
        join(&mut paragraph, line.text.trim());
        above = Some((line, level));
    }
    end(&mut writer, &mut paragraph, above.and_then(|(_, level)| level));
    writer.into_text()
}

/// Writes down what belongs together.
fn end(writer: &mut Writer, paragraph: &mut String, level: Option<u8>) {
    match (level, bullet(paragraph)) {
        (Some(level), _) => writer.heading(level, paragraph),
        (None, Some(item)) => writer.line(&format!("- {item}")),
        (None, None) => writer.paragraph(paragraph),
    }
    paragraph.clear();
}

/// Whether a line goes on with what is above.
fn goes_on(above: &Line, line: &Line, usual: f64, paragraph: &str) -> bool {
    if bullet(line.text.trim()).is_some() {
        return false;
    }
    match line.below(above) {
        Some(room) => room <= usual * MORE_ROOM,
        // In the next column, or on the next page: a sentence that has not ended goes on there.
        None => {
            let is_open = !paragraph.trim_end().ends_with(['.', '!', '?', ':', '。', '！', '？']);
            is_open && line.text.trim().starts_with(char::is_lowercase)
        }
    }
}

/// What is behind the sign of a list's item.
fn bullet(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(BULLETS)?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim()).filter(|rest| !rest.is_empty())
}

/// Adds a line to a paragraph. A word that was divided becomes whole, and scripts without spaces get none.
fn join(paragraph: &mut String, line: &str) {
    let (last, next) = (paragraph.chars().last(), line.chars().next());
    let (Some(last), Some(next)) = (last, next) else { return paragraph.push_str(line) };
    let is_divided = last == '-' && next.is_lowercase();
    if is_divided && paragraph.chars().rev().nth(1).is_some_and(char::is_lowercase) {
        paragraph.pop();
    } else if !(is_wide(last) && is_wide(next)) {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

/// Whether a character belongs to a script without spaces.
fn is_wide(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// The value that counts most; of several the smallest.
fn most_common(values: impl Iterator<Item = (u32, usize)>) -> u32 {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for (value, count) in values {
        *counts.entry(value).or_default() += count;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(value, _)| value).unwrap_or_default()
}

/// The room between most lines of the body's size, in sizes of its letters.
fn usual_room(lines: &[Line], body: u32) -> f64 {
    let pairs = lines.windows(2).filter(|pair| pair.iter().all(|line| line.size() == body));
    let rooms = pairs.filter_map(|pair| pair[1].below(&pair[0]));
    let rooms = rooms.map(|room| ((room * 20.0).round() as u32, 1));
    let usual = f64::from(most_common(rooms)) / 20.0;
    // Lines that stand as far apart as paragraphs are paragraphs.
    if (0.5..=2.5).contains(&usual) { usual } else { 1.2 }
}

/// The sizes of headings, the largest first.
fn heading_sizes(lines: &[Line], body: u32) -> Vec<u32> {
    let mut sizes: Vec<u32> = lines.iter().filter(|line| is_heading(line, body)).map(Line::size).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    sizes
}

fn heading(line: &Line, body: u32, sizes: &[u32]) -> Option<u8> {
    let at = sizes.iter().position(|size| *size == line.size()).filter(|_| is_heading(line, body))?;
    Some(u8::try_from(at + 1).unwrap_or(6).min(6))
}

/// Whether a line in larger letters is a heading: it is short, and has words.
fn is_heading(line: &Line, body: u32) -> bool {
    let text = line.text.trim();
    f64::from(line.size()) >= f64::from(body) * LARGER
        && text.chars().count() <= LONGEST_HEADING
        && text.chars().filter(|char| char.is_alphabetic()).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, size: f64, base: f64) -> Line {
        let mut line = Line { text: text.to_owned(), page: 1, base, ..Line::default() };
        line.count(size, text.len());
        line
    }

    #[test]
    fn larger_lines_are_headings_and_the_others_paragraphs() {
        let lines = vec![
            line("Prices and", 24.0, 700.0),
            line("discounts", 24.0, 672.0),
            line("The starter plan is free for all the small", 10.0, 640.0),
            line("teams, and will re-", 10.0, 628.0),
            line("main so.", 10.0, 616.0),
            line("Schools pay half.", 10.0, 590.0),
            line("Limits", 14.0, 560.0),
            line("• five people", 10.0, 540.0),
            line("• one page", 10.0, 528.0),
        ];
        assert_eq!(
            text(lines),
            "# Prices and discounts\n\nThe starter plan is free for all the small teams, and will remain so.\n\n\
             Schools pay half.\n\n## Limits\n- five people\n- one page"
        );
    }

    #[test]
    fn a_sentence_goes_on_on_the_next_page() {
        let mut next = line("goes on here.", 10.0, 700.0);
        next.page = 2;
        assert_eq!(
            text(vec![line("What has not ended", 10.0, 50.0), next]),
            "What has not ended goes on here."
        );
        assert_eq!(
            text(vec![line("価格は", 10.0, 50.0), line("九ユーロです。", 10.0, 38.0)]),
            "価格は九ユーロです。"
        );
        assert_eq!(text(vec![]), "");
    }
}
