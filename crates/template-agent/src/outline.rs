//! A context as an outline: sections with a heading, and in them lines, lists, quotes, tables, pictures.
//!
//! What this is not: a meaning; whether a line is copy or an instruction, a fact or a question, is told by who reads the outline.
//! Invariant: no more than [`MOST_BYTES`] of a context is read, so that a long one costs as much as a page can use.

use std::borrow::Cow;

use pulldown_cmark::{Options, Parser, TextMergeStream};

use crate::data;
use crate::markup;
use crate::rich::Rich;
use crate::tidy;

mod builder;

use builder::Reader;

/// How much of a context is read; a page has room for a small part of it.
pub const MOST_BYTES: usize = 48 * 1024;

/// A heading and what is under it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading; the text before the first one has none.
    pub title: Option<Rich>,
    /// How deep it is: 1 for the document's, 0 for none.
    pub level: u8,
    /// What is under it, up to the next heading of any depth.
    pub parts: Vec<SectionPart>,
}

/// What is in a section.
#[derive(Debug, Clone, PartialEq)]
pub enum SectionPart {
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
    let told = data::read(context);
    let text = tidy::clean(start_of(&told));
    let text = markup::read(&text);
    let text = with_plain_bullets(&with_counted_lines(&with_farewells_apart(&with_tables(&text))));
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

/// Lines that a spreadsheet put tabs between become a table.
fn with_tables(text: &str) -> String {
    const LEAST_LINES: usize = 3;
    if !text.contains('\t') {
        return text.to_owned();
    }
    let cells = |line: &str| line.trim_matches('\t').matches('\t').count();
    let is_row = |line: &&str| {
        let first = line.split('\t').next().unwrap_or_default().trim();
        // `1.` and a tab begin an item of a list.
        let is_item = first.len() <= 3 && first.ends_with(['.', ')']);
        cells(line) > 0 && first.starts_with(char::is_alphanumeric) && !is_item
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    while at < lines.len() {
        let count =
            lines[at..].iter().take_while(|line| is_row(line) && cells(line) == cells(lines[at])).count();
        if count >= LEAST_LINES {
            out.push('\n');
            for (row, line) in lines[at..at + count].iter().enumerate() {
                out.push_str(&format!("| {} |\n", line.replace('|', "/").replace('\t', " | ")));
                if row == 0 {
                    out.push_str(&format!("|{}\n", "---|".repeat(cells(line) + 1)));
                }
            }
            out.push('\n');
            at += count;
        } else {
            out.push_str(lines[at]);
            out.push('\n');
            at += 1;
        }
    }
    out
}

/// Signs that people write for the bullets of a list.
const BULLETS: [char; 18] =
    ['•', '‣', '◦', '▪', '●', '○', '■', '·', '・', '✓', '✔', '✅', '☑', '➤', '►', '→', '➜', '⁃'];

/// The same as a web page's source has them.
const ENTITIES: [&str; 4] = ["&bull;", "&middot;", "&#8226;", "&#183;"];

/// How letters and chats end, in front of a name.
const FAREWELLS: [&str; 34] = [
    "vg",
    "lg",
    "mfg",
    "bg",
    "br",
    "kr",
    "viele grüße",
    "beste grüße",
    "liebe grüße",
    "gruß",
    "gruss",
    "grüße",
    "grüsse",
    "viele grüsse",
    "liebe grüsse",
    "cheers",
    "best",
    "regards",
    "best regards",
    "kind regards",
    "thanks",
    "cdt",
    "cordialement",
    "bien à vous",
    "saludos",
    "un saludo",
    "saluti",
    "cordiali saluti",
    "abraço",
    "groet",
    "groetjes",
    "mvg",
    "mvh",
    "pozdrawiam",
];
/// The most words of such a line.
const MOST_OF_A_FAREWELL: usize = 5;

/// A farewell with a name in a line of its own is a paragraph of its own, whatever it is below.
fn with_farewells_apart(text: &str) -> Cow<'_, str> {
    let is_farewell = |line: &str| {
        if !(2..=MOST_OF_A_FAREWELL).contains(&line.split_whitespace().take(MOST_OF_A_FAREWELL + 1).count()) {
            return false;
        }
        let folded = line.trim().to_lowercase();
        let said = FAREWELLS.iter().any(|farewell| {
            folded.strip_prefix(farewell).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
        });
        said && !folded.ends_with(['.', '!', '?'])
    };
    if !text.lines().skip(1).any(is_farewell) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        if is_farewell(line) {
            out.push('\n');
        }
        out.push_str(line);
    }
    Cow::Owned(out)
}

/// The fewest items of a list that is counted within a line, and the fewest bytes of one.
const LEAST_COUNTED: usize = 3;
const LEAST_ITEM: usize = 8;

/// A list that is counted within a line (`How it works: 1. Call us 2. We come 3. You pay`) gets a line for each item.
fn with_counted_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("2.") && !text.contains("2)") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let starts = counted(line);
        let (Some(first), true) = (starts.first(), starts.len() >= LEAST_COUNTED) else {
            out.push_str(line);
            continue;
        };
        let before = line[..*first].trim_end();
        if !before.is_empty() {
            out.push_str(before);
            out.push_str("\n\n");
        }
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(line.len());
            out.push_str(line[*start..end].trim_end());
            out.push('\n');
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Where the numbers of a list stand that a line counts from one on, each behind a space and before a capital; nothing for dates.
fn counted(line: &str) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut from = 0;
    loop {
        let number = (found.len() + 1).to_string();
        let next = line[from..].match_indices(number.as_str()).map(|(at, _)| from + at).find(|at| {
            let (before, behind) = (&line[..*at], &line[at + number.len()..]);
            let opens = match found.last() {
                None => before.trim_end().is_empty() || before.trim_end().ends_with([':', '.', '!', '?']),
                Some(last) => before.ends_with(' ') && before[*last..].len() > LEAST_ITEM + number.len(),
            };
            let text = behind.strip_prefix(". ").or_else(|| behind.strip_prefix(") "));
            opens && text.is_some_and(|text| text.trim_start().starts_with(char::is_uppercase))
        });
        let Some(at) = next else { return found };
        found.push(at);
        from = at + number.len();
    }
}

/// Lists written with other signs become lists, and a line that is only moved in is no code.
fn with_plain_bullets(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut fenced = false;
    let mut listed = false;
    let mut blank = true;
    for line in text.lines() {
        let bare = line.trim_start();
        let mut is_tabbed = false;
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        }
        let entity = ENTITIES.iter().find_map(|entity| bare.strip_prefix(entity));
        let marked = entity
            .or_else(|| bare.strip_prefix(BULLETS))
            .map(|rest| rest.trim_start_matches('\u{fe0f}').trim_start());
        match marked {
            _ if fenced => out.push_str(line),
            Some(rest) => {
                if !listed && !blank {
                    out.push('\n');
                }
                out.push_str("- ");
                out.push_str(rest);
            }
            // A word processor puts a tab where it drew a bullet.
            None if line.starts_with('\t') && bare.starts_with(char::is_uppercase) => {
                if !listed && !blank {
                    out.push('\n');
                }
                out.push_str("- ");
                out.push_str(bare);
                is_tabbed = true;
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
        let is_item = marked.is_some() || is_marked(bare) || is_tabbed;
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

/// The sentences of a text, in its headings, lines and lists.
pub fn sentences(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut add =
        |rich: &Rich| all.extend(rich.sentences().into_iter().map(|sentence| sentence.plain().to_owned()));
    for section in read(text) {
        section.title.iter().for_each(&mut add);
        for part in section.parts {
            match part {
                SectionPart::Lines(lines) | SectionPart::Quote(lines) => lines.iter().for_each(&mut add),
                SectionPart::List(list) => list.items.iter().for_each(|item| {
                    item.lines.iter().chain(&item.nested).for_each(&mut add);
                }),
                _ => {}
            }
        }
    }
    all.retain(|sentence| tidy::says_something(sentence));
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_that_is_counted_within_a_line_is_a_list() {
        let told = shown(
            "Ablauf: 1. Statik prüfen, kostenlos 2. Angebot mit Antrag 3. Montage in drei Tagen 4. Pflege im Jahr",
        );
        for item in
            ["Statik prüfen, kostenlos", "Angebot mit Antrag", "Montage in drei Tagen", "Pflege im Jahr"]
        {
            assert!(told.contains(&format!("{item:?}")), "{told}");
        }
        for prose in ["Am 1. Mai, am 2. Juni und am 3. Juli. Open.", "Version 1. Then 2. Nothing 3. more"] {
            assert!(shown(prose).starts_with("0 \n  lines"), "{}", shown(prose));
        }
    }

    #[test]
    fn a_farewell_is_apart_from_what_it_stands_below() {
        let told = shown("Termin: Dachcheck buchen, fragen Sie nach Frau Yıldız\nVG Sabine");
        assert!(told.contains("Frau Yıldız\"]\n  lines [\"VG Sabine\"]"), "{told}");
        let told = shown("We do it\nbest in town, you know.");
        assert!(told.contains("\"We do it\", \"best in town, you know.\""), "{told}");
    }

    fn shown(context: &str) -> String {
        let mut out = String::new();
        for section in read(context) {
            let title = section.title.as_ref().map_or("", Rich::plain);
            out.push_str(&format!("{} {title}\n", section.level));
            for part in section.parts {
                out.push_str(&match part {
                    SectionPart::Lines(lines) => format!("  lines {:?}\n", plain(&lines)),
                    SectionPart::List(list) => {
                        let items = list.items.iter().map(|item| (plain(&item.lines), plain(&item.nested)));
                        format!("  list {} {:?}\n", list.ordered, items.collect::<Vec<_>>())
                    }
                    SectionPart::Quote(lines) => format!("  quote {:?}\n", plain(&lines)),
                    SectionPart::Table(grid) => format!("  table {:?} {:?}\n", grid.columns, grid.rows),
                    SectionPart::Picture(url, alt) => format!("  picture {url} {alt}\n"),
                    SectionPart::Code(code) => format!("  code {code:?}\n"),
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
                SectionPart::Lines(lines) => lines.len(),
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
