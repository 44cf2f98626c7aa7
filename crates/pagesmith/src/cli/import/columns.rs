//! What the operator says of the columns of a file, and what is told of them.

use std::str::FromStr;

use pagesmith_model::person_import::columns::{Columns, Kind, MAX_COLUMNS, Unusable};
use pagesmith_model::text;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::nearest::did_you_mean;

/// What the operator says of a column: `COLUMN=FIELD`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    column: String,
    kind: Kind,
}

impl FromStr for Mapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Mapping, String> {
        // A heading may hold the sign, the name of a field does not.
        let (column, wanted) = text.rsplit_once('=').ok_or("it must be COLUMN=FIELD, as in Mail=email")?;
        let kind = Kind::parse(wanted.trim()).ok_or_else(|| {
            let all: Vec<&str> = Kind::ALL.into_iter().map(Kind::as_str).collect();
            let guess = did_you_mean(wanted.trim(), all.iter().copied());
            format!("'{}' is no field{guess}; the fields are {}", wanted.trim(), all.join(", "))
        })?;
        Ok(Mapping { column: column.trim().to_owned(), kind })
    }
}

/// The columns as the operator wants them; fails if nobody can be imported by them.
pub fn mapped(mut columns: Columns, mappings: &[Mapping]) -> Result<Columns> {
    for mapping in mappings {
        apply(mapping, &columns.names, &mut columns.kinds)?;
    }
    let names = &columns.names;
    let refused = |unusable| match unusable {
        Unusable::NoIdentifier => {
            let found = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            let first = names.first().map_or("COLUMN", String::as_str);
            format!(
                "the first line must name the columns, and one of them must hold e-mail addresses, phone numbers or LinkedIn profiles; it has {found}: say which with --map, as in --map '{first}=email'"
            )
        }
        Unusable::TooMany => {
            format!("it has {} columns, and at most {MAX_COLUMNS} are taken: save it with fewer", names.len())
        }
        Unusable::Twins(name) => format!(
            "two columns are called '{name}': rename one, or leave both out with --map '{name}=ignore'"
        ),
    };
    columns.check().map_err(|unusable| Failure::new(refused(unusable)))?;
    Ok(columns)
}

/// A report of each column, given in how many of the rows that were taken it held something.
pub fn reports(columns: &Columns, filled: &[u64]) -> Vec<ColumnReport> {
    let report = |at: usize| {
        let (kind, rows) = (columns.kinds[at], filled.get(at).copied().unwrap_or_default());
        let note = match (kind, columns.ahead_of(at)) {
            (Kind::Ignored, _) => "--map says so".to_owned(),
            (_, _) if rows == 0 => "empty in every row".to_owned(),
            (_, Some(first)) => format!("where {first} is empty; else context"),
            (Kind::Context, None) => format!("as \"{}\"", columns.names[at]),
            (Kind::Field(_), None) => String::new(),
        };
        ColumnReport { column: columns.names[at].clone(), becomes: kind.as_str(), rows, note }
    };
    (0..columns.names.len()).map(report).collect()
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
    use pagesmith_model::person_import::headings::Field;

    use super::*;

    fn read(line: &str, mappings: &[&str]) -> Result<Columns> {
        let mappings: Vec<Mapping> = mappings.iter().map(|text| text.parse().unwrap()).collect();
        mapped(Columns::read(line.split(',')), &mappings)
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
        let told = reports(&columns, &[1, 2, 3, 4, 5, 6, 0]);
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
