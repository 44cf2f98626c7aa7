//! A CSV file as rows: separator and encoding found out, cells checked, a reason for every row that cannot be taken.
//!
//! What this is not: the check whether a row fits to what is kept; that is the operation's.

use std::borrow::Cow;
use std::fmt;
use std::io::{Chain, Cursor, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};
use encoding_rs::{Encoding, UTF_8};
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::name;
use pagesmith_model::person_import::columns::{Columns, Kind};
use pagesmith_model::person_import::headings::Field;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::spreadsheet;

use super::{Row, encoding};

/// How much of a file is looked at to find its separator and its encoding.
const HEAD: u64 = 64 * 1024;
/// How much the other columns of a row may hold, in bytes.
const MAX_CONTEXT: usize = 64 * 1024;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// Its text is UTF-16.
    Utf16,
    /// Its bytes could not be had, or are no records.
    Broken(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Utf16 => f.write_str("it is UTF-16: save it as CSV UTF-8"),
            Unreadable::Broken(why) => f.write_str(why),
        }
    }
}

fn broken(error: impl fmt::Display) -> Unreadable {
    Unreadable::Broken(error.to_string())
}

/// An open file.
pub struct Sheet<R> {
    reader: Reader<Chain<Cursor<Vec<u8>>, R>>,
    columns: Columns,
    region: Option<String>,
    /// Unknown as long as nothing but ASCII was read.
    encoding: Option<&'static Encoding>,
    record: ByteRecord,
    filled: Vec<u64>,
    /// How many line breaks the reader has passed and not counted: of `\r\n` it counts the second half when it goes on.
    uncounted: u64,
}

/// A row, or why it cannot be taken.
pub struct SheetRow {
    /// The line that it begins on.
    pub line: u64,
    /// The row.
    pub row: Result<Row, String>,
    /// How much of the file is read, in bytes.
    pub through: u64,
}

/// Some lines of a file.
#[derive(Debug, Clone, Default)]
pub struct FilePart {
    /// The rows that can be taken.
    pub rows: Vec<Row>,
    /// All lines in order; for one that cannot be taken, why.
    pub lines: Vec<(u64, Option<String>)>,
    /// In how many of the rows until now each column held something.
    pub filled: Vec<u64>,
    /// How much of the file was read, in bytes.
    pub through: u64,
}

impl<R: Read> Sheet<R> {
    /// Reads the headings; national phone numbers are those of the region.
    pub fn open(mut file: R, region: Option<String>) -> Result<Sheet<R>, Unreadable> {
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).map_err(broken)?;
        if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
            return Err(Unreadable::Utf16);
        }
        if head.starts_with(&[0xef, 0xbb, 0xbf]) {
            head.drain(..3);
        }
        let separator = separator(&head);
        let encoding = encoding::of(&head, region.as_deref());
        let mut reader = ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .has_headers(false)
            .from_reader(Cursor::new(head).chain(file));
        let mut record = ByteRecord::new();
        reader.read_byte_record(&mut record).map_err(broken)?;
        let headings: Vec<_> =
            record.iter().map(|cell| encoding.unwrap_or(UTF_8).decode_without_bom_handling(cell).0).collect();
        let columns = Columns::read(headings.iter().map(Cow::as_ref));
        let filled = vec![0; columns.names.len()];
        let uncounted = (breaks(&record) + 2).saturating_sub(reader.position().line());
        Ok(Sheet { reader, columns, region, encoding, record, filled, uncounted })
    }

    /// Says what the columns are for; there are as many as before.
    pub fn set_columns(&mut self, columns: Columns) {
        self.columns = columns;
    }

    /// The cells of the next record, whatever they are; none at the end.
    pub fn next_cells(&mut self) -> Result<Option<Vec<String>>, Unreadable> {
        if !self.reader.read_byte_record(&mut self.record).map_err(broken)? {
            return Ok(None);
        }
        let encoding = self.encoding();
        let text = |cell| encoding.decode_without_bom_handling(cell).0.trim().to_owned();
        Ok(Some(self.record.iter().map(text).collect()))
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// In how many of the rows that could be taken each column held something.
    pub fn filled(&self) -> &[u64] {
        &self.filled
    }

    /// The next row that is not blank; none at the end.
    pub fn next_row(&mut self) -> Result<Option<SheetRow>, Unreadable> {
        let line = loop {
            let before = self.reader.position().line();
            if !self.reader.read_byte_record(&mut self.record).map_err(broken)? {
                return Ok(None);
            }
            let is_blank = self.record.iter().all(|cell| cell.iter().all(u8::is_ascii_whitespace));
            if !is_blank {
                // Blank lines before the record were passed with it.
                let passed = self.reader.position().line() - before;
                break before + self.uncounted + passed.saturating_sub(breaks(&self.record) + 1);
            }
        };
        let encoding = self.encoding();
        let row = self.row(line, encoding);
        if row.is_ok() {
            for (filled, cell) in self.filled.iter_mut().zip(&self.record) {
                *filled += u64::from(!cell.trim_ascii().is_empty());
            }
        }
        Ok(Some(SheetRow { line, row, through: self.reader.position().byte() }))
    }

    /// The next rows that are not blank, at most `most`; none at the end.
    pub fn next_part(&mut self, most: usize) -> Result<Option<FilePart>, Unreadable> {
        let mut part = FilePart::default();
        while part.lines.len() < most {
            let Some(SheetRow { line, row, through }) = self.next_row()? else { break };
            part.through = through;
            part.lines.push((line, row.map(|row| part.rows.push(row)).err()));
        }
        part.filled.clone_from(&self.filled);
        Ok(Some(part).filter(|part| !part.lines.is_empty()))
    }

    /// The encoding of the last record.
    fn encoding(&mut self) -> &'static Encoding {
        if self.encoding.is_none() {
            self.encoding = encoding::of(self.record.as_slice(), self.region.as_deref());
        }
        self.encoding.unwrap_or(UTF_8)
    }

    fn row(&self, line: u64, encoding: &'static Encoding) -> Result<Row, String> {
        let (cells, headings) = (self.record.len(), self.columns.kinds.len());
        if cells != headings {
            return Err(format!("has {cells} cells, the first line has {headings}"));
        }
        let (mut row, mut first, mut last) = (Row { line, ..Row::default() }, None, None);
        let text = |(cell, name): (_, &String)| {
            encoding::decoded(encoding, cell)
                .ok_or_else(|| format!("{name}: is not valid {}", encoding.name()))
        };
        let texts = self.record.iter().zip(&self.columns.names).map(text).collect::<Result<Vec<_>, _>>()?;
        for (at, (kind, cell)) in self.columns.kinds.iter().zip(&texts).enumerate() {
            let cell = spreadsheet::unguarded(cell.trim()).trim();
            if cell.is_empty() || *kind == Kind::Ignored {
                continue;
            }
            if cell.contains('\0') {
                return Err(format!("{}: holds a NUL character", self.columns.names[at]));
            }
            let refuse = |why: &str| format!("{}: {why}", self.columns.names[at]);
            let ids = &mut row.identifiers;
            match kind {
                Kind::Field(Field::Name) if row.name.is_none() => {
                    row.name = Some(name(cell.to_owned()).map_err(refuse)?);
                }
                Kind::Field(Field::FirstName) if first.is_none() => first = Some((at, cell)),
                Kind::Field(Field::LastName) if last.is_none() => last = Some((at, cell)),
                Kind::Field(Field::Email) if ids.email.is_none() => {
                    ids.email =
                        Some(EmailAddress::parse(cell).ok_or_else(|| refuse("is no e-mail address"))?);
                }
                Kind::Field(Field::Linkedin) if ids.linkedin_profile_url.is_none() => {
                    let profile = LinkedinProfile::parse(cell);
                    ids.linkedin_profile_url = Some(
                        profile.ok_or_else(|| refuse("is not the address of a person's LinkedIn profile"))?,
                    );
                }
                Kind::Field(Field::Phone) if ids.phone_number.is_none() => {
                    ids.phone_number = Some(self.phone(cell).map_err(refuse)?);
                }
                Kind::Field(Field::Domain) if row.domain.is_none() => {
                    row.domain = Some(Domain::parse(cell).ok_or_else(|| refuse("is no domain"))?);
                }
                _ => row.context.push((at, cell.to_owned())),
            }
        }
        if row.identifiers.is_empty() {
            return Err("has no e-mail address, phone number or LinkedIn profile".to_owned());
        }
        match (&row.name, first, last) {
            (None, None, None) => {}
            (None, first, last) => {
                let parts: Vec<&str> = [first, last].into_iter().flatten().map(|(_, part)| part).collect();
                row.name = Some(name(parts.join(" ")).map_err(|_| "the name is longer than 255 characters")?);
            }
            (Some(_), first, last) => {
                row.context
                    .extend([first, last].into_iter().flatten().map(|(at, part)| (at, part.to_owned())));
                row.context.sort_by_key(|(at, _)| *at);
            }
        }
        if row.context.iter().map(|(_, text)| text.len()).sum::<usize>() > MAX_CONTEXT {
            return Err("holds more than 64 KiB in the other columns".to_owned());
        }
        Ok(row)
    }

    fn phone(&self, cell: &str) -> Result<PhoneNumber, &'static str> {
        // The form in which numbers are kept needs no region, and stays as it is.
        let number = PhoneNumber::parse(cell)
            .or_else(|| PhoneNumber::from_national(cell, self.region.as_deref().unwrap_or_default()));
        number.ok_or(match self.region {
            Some(_) => "is no phone number",
            None => "is no international phone number (+49 …); national numbers need a region",
        })
    }
}

/// How many line breaks there are within the cells of a record.
fn breaks<'a>(cells: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    cells.into_iter().flatten().filter(|byte| **byte == b'\n').count() as u64
}

fn name(text: String) -> Result<String, &'static str> {
    if text.chars().count() > name::MAX { Err("is longer than 255 characters") } else { Ok(text) }
}

/// The separator that occurs most often in the first record, outside quotes.
fn separator(head: &[u8]) -> u8 {
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0)];
    let mut in_quotes = false;
    for byte in head {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'\n' | b'\r' if !in_quotes => break,
            _ if in_quotes => {}
            byte => counts.iter_mut().filter(|(known, _)| known == byte).for_each(|(_, count)| *count += 1),
        }
    }
    // The first of the greatest: a comma where nothing is separated.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Of a file with one e-mail address a row: whether the rows are quoted and broken, and how many blank lines are before each.
        #[test]
        fn a_row_is_told_by_the_line_that_it_begins_on(
            rows in vec((any::<bool>(), 0_usize..3), 1..6),
            end in prop_oneof![Just("\n"), Just("\r\n")],
            is_ended in any::<bool>(),
        ) {
            let (mut text, mut line, mut expected) = (format!("Email,Note{end}"), 2, Vec::new());
            for (is_broken, blank) in &rows {
                text.push_str(&end.repeat(*blank));
                line += blank;
                expected.push(line as u64);
                let note = if *is_broken { format!("\"a{end}b\"") } else { "a".to_owned() };
                text.push_str(&format!("p@example.com,{note}{end}"));
                line += 1 + usize::from(*is_broken);
            }
            // A last line without an end, with no blank ones before it.
            if !is_ended && rows.last().is_some_and(|(_, blank)| *blank == 0) {
                text.truncate(text.len() - end.len());
            }
            let mut sheet = Sheet::open(text.as_bytes(), None).unwrap();
            let mut found = Vec::new();
            while let Some(row) = sheet.next_row().unwrap() {
                prop_assert_eq!(row.row.unwrap().line, row.line);
                found.push(row.line);
            }
            prop_assert_eq!(found, expected, "{:?}", text);
        }
    }

    #[test]
    fn the_separator_is_the_most_frequent_outside_quotes() {
        for (head, found) in [
            ("Name,Email\n;;;;", b','),
            ("Name;Email,x;Phone\n", b';'),
            ("\"a,b,c\"\tEmail\n", b'\t'),
            ("Email\n", b','),
            ("", b','),
        ] {
            assert_eq!(separator(head.as_bytes()), found, "{head}");
        }
    }
}
