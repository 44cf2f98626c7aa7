//! What becomes of each column of a file: a field of a person, a part of its context, or nothing.
//!
//! By its heading ([`super::headings`]), unless the operator says otherwise. Of several columns for one field the first cell that holds something
//! counts; the others are kept like every column that is none of ours. Nothing is left out that was not asked to be.

use std::collections::BTreeSet;
use std::str::FromStr;

use pagesmith_model::text;
use pagesmith_operations::persons::import::MAX_COLUMNS;
use serde_json::{Value, json};

use super::headings::{self, Field};
use crate::failure::{Failure, Result};
use crate::nearest::did_you_mean;
use pagesmith_model::spreadsheet;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A field of the person.
    Field(Field),
    /// Kept as a part of the context, under the column's name.
    Context,
    /// Left out, because the operator says so.
    Ignored,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Field(field) => field.as_str(),
            Kind::Context => "context",
            Kind::Ignored => "ignore",
        }
    }
}

/// What the operator says of a column: `COLUMN=FIELD`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    column: String,
    kind: Kind,
}

impl FromStr for Mapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Mapping, String> {
        let kinds = || {
            let fields = Field::ALL.map(Kind::Field);
            fields.into_iter().chain([Kind::Context, Kind::Ignored])
        };
        // A heading may hold the sign, the name of a field does not.
        let (column, wanted) = text.rsplit_once('=').ok_or("it must be COLUMN=FIELD, as in Mail=email")?;
        let kind = kinds().find(|kind| kind.as_str().eq_ignore_ascii_case(wanted.trim()));
        let kind = kind.ok_or_else(|| {
            let all: Vec<&str> = kinds().map(Kind::as_str).collect();
            let guess = did_you_mean(wanted.trim(), all.iter().copied());
            format!("'{}' is no field{guess}; the fields are {}", wanted.trim(), all.join(", "))
        })?;
        Ok(Mapping { column: column.trim().to_owned(), kind })
    }
}

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Columns {
    /// What each is for.
    pub kinds: Vec<Kind>,
    /// What each is called.
    pub names: Vec<String>,
}

impl Columns {
    /// Reads the first record of a file.
    pub fn read<'a>(headings: impl Iterator<Item = &'a str>, mappings: &[Mapping]) -> Result<Columns> {
        let headings: Vec<&str> = headings.map(|heading| spreadsheet::unguarded(heading.trim())).collect();
        let name = |(at, heading): (usize, &&str)| {
            if heading.is_empty() { format!("Column {}", at + 1) } else { (*heading).to_owned() }
        };
        let names: Vec<String> = headings.iter().enumerate().map(name).collect();
        let known = headings::fields(&headings).into_iter();
        let mut kinds: Vec<Kind> = known.map(|field| field.map_or(Kind::Context, Kind::Field)).collect();
        for mapping in mappings {
            apply(mapping, &names, &mut kinds)?;
        }
        let columns = Columns { kinds, names };
        columns.check()?;
        Ok(columns)
    }

    fn check(&self) -> Result<()> {
        let names = &self.names;
        if !self.kinds.iter().any(|kind| matches!(kind, Kind::Field(field) if field.is_identifier())) {
            let found = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            let first = names.first().map_or("COLUMN", String::as_str);
            return Err(Failure::new(format!(
                "the first line must name the columns, and one of them must hold e-mail addresses, phone numbers or LinkedIn profiles; it has {found}: say which with --map, as in --map '{first}=email'"
            )));
        }
        if names.len() > MAX_COLUMNS {
            return Err(Failure::new(format!(
                "it has {} columns, and at most {MAX_COLUMNS} are taken: save it with fewer",
                names.len()
            )));
        }
        let mut seen = BTreeSet::new();
        for (name, kind) in names.iter().zip(&self.kinds) {
            if *kind == Kind::Context && !seen.insert(name) {
                return Err(Failure::new(format!(
                    "two columns are called '{name}': rename one, or leave both out with --map '{name}=ignore'"
                )));
            }
        }
        Ok(())
    }

    /// What became of each column, given in how many of the rows that were taken it held something.
    pub fn told(&self, filled: &[u64]) -> Vec<ColumnReport> {
        let tell = |at: usize| {
            let (kind, rows) = (self.kinds[at], filled.get(at).copied().unwrap_or_default());
            let note = match (kind, self.ahead_of(at)) {
                (Kind::Ignored, _) => "--map says so".to_owned(),
                (_, _) if rows == 0 => "empty in every row".to_owned(),
                (_, Some(first)) => format!("where {first} is empty; else context"),
                (Kind::Context, None) => format!("as \"{}\"", self.names[at]),
                (Kind::Field(_), None) => String::new(),
            };
            ColumnReport { column: self.names[at].clone(), becomes: kind.as_str(), rows, note }
        };
        (0..self.names.len()).map(tell).collect()
    }

    /// The column that a cell of this one gives way to.
    fn ahead_of(&self, at: usize) -> Option<&str> {
        let Kind::Field(field) = self.kinds[at] else { return None };
        let is_before = |other: usize| other < at && self.kinds[other] == Kind::Field(field);
        let is_whole_name = |other: usize| {
            matches!(field, Field::FirstName | Field::LastName)
                && self.kinds[other] == Kind::Field(Field::Name)
        };
        (0..self.names.len())
            .find(|other| is_before(*other) || is_whole_name(*other))
            .map(|other| &*self.names[other])
    }
}

/// Gives every column of that name that kind.
fn apply(mapping: &Mapping, names: &[String], kinds: &mut [Kind]) -> Result<()> {
    let Mapping { column, kind } = mapping;
    let is_exact = names.contains(column);
    let is_meant =
        |name: &String| if is_exact { name == column } else { text::fold(name) == text::fold(column) };
    if !names.iter().any(is_meant) {
        let guess = did_you_mean(column, names.iter().map(String::as_str));
        return Err(Failure::new(format!(
            "--map: there is no column '{column}'{guess}; the columns are {}",
            names.join(", ")
        )));
    }
    let meant = names.iter().zip(kinds).filter(|(name, _)| is_meant(name));
    meant.for_each(|(_, known)| *known = *kind);
    Ok(())
}

/// What became of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnReport {
    /// What it is called.
    pub column: String,
    /// The field; `context` or `ignore`.
    pub becomes: &'static str,
    /// In how many rows it held something.
    pub rows: u64,
    /// What else there is to know; may be empty.
    pub note: String,
}

impl ColumnReport {
    /// As a row of a table.
    pub fn cells(&self) -> [String; 4] {
        [self.column.clone(), self.becomes.to_owned(), self.rows.to_string(), self.note.clone()]
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        json!({ "column": self.column, "becomes": self.becomes, "rows": self.rows, "note": self.note })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, mappings: &[&str]) -> Result<Columns> {
        let mappings: Vec<Mapping> = mappings.iter().map(|text| text.parse().unwrap()).collect();
        Columns::read(line.split(','), &mappings)
    }

    #[test]
    fn columns_that_nobody_could_tell_apart_are_refused() {
        let refused = |line: &str| read(line, &[]).unwrap_err().to_string();
        assert!(refused("Email,Title,Title").contains("two columns are called 'Title'"));
        assert!(
            refused("Name,Title")
                .contains("it has Name, Title: say which with --map, as in --map 'Name=email'")
        );
        assert!(refused(&format!("Email{}", ",a".repeat(MAX_COLUMNS))).contains("at most 120"));
        let columns = read("Email,E-mail, ,'=x", &[]).unwrap();
        assert_eq!(columns.names, ["Email", "E-mail", "Column 3", "=x"]);
        assert!(read("Email,Title,Title", &["Title=ignore"]).is_ok());
    }

    #[test]
    fn the_operators_word_counts() {
        let columns = read("Kontakt,Notes,Plan,a=b", &["kontakt=email", "Notes=ignore", "a=b=name"]).unwrap();
        let kinds = [Kind::Field(Field::Email), Kind::Ignored, Kind::Context, Kind::Field(Field::Name)];
        assert_eq!(columns.kinds, kinds);
        // What a heading says is overruled.
        let columns = read("Email,Mail", &["Email=context"]).unwrap();
        assert_eq!(columns.kinds, [Kind::Context, Kind::Field(Field::Email)]);
    }

    #[test]
    fn what_nobody_knows_is_refused_with_what_was_meant() {
        let refused = read("Email,Notes", &["Nots=ignore"]).unwrap_err().to_string();
        assert_eq!(
            refused,
            "--map: there is no column 'Nots'; did you mean Notes?; the columns are Email, Notes"
        );
        let refused = "Notes=emial".parse::<Mapping>().unwrap_err();
        assert!(
            refused.starts_with("'emial' is no field; did you mean email?; the fields are name, "),
            "{refused}"
        );
        assert!("Notes".parse::<Mapping>().is_err());
    }

    #[test]
    fn every_column_is_told() {
        let columns = read("Vorname,Full name,Email,Mail,Title,Notes,Empty", &["Notes=ignore"]).unwrap();
        let told = columns.told(&[1, 2, 3, 4, 5, 6, 0]);
        let lines: Vec<String> = told.iter().map(|told| told.cells().join("|")).collect();
        assert_eq!(
            lines,
            [
                "Vorname|first-name|1|where Full name is empty; else context",
                "Full name|name|2|",
                "Email|email|3|",
                "Mail|email|4|where Email is empty; else context",
                "Title|context|5|as \"Title\"",
                "Notes|ignore|6|--map says so",
                "Empty|context|0|empty in every row",
            ]
        );
    }
}
