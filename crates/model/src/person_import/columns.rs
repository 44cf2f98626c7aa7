//! What becomes of each column of a file: a field of a person, a part of its context, or nothing.
//!
//! By its heading ([`super::headings`]), unless the caller says otherwise. Of several columns for one field the first cell that holds something
//! counts; the others are kept like every column that is none of ours. Nothing is left out that was not asked to be.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::headings::{self, Field};
use crate::spreadsheet;

/// The most columns of a file.
pub const MAX_COLUMNS: usize = 120;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A field of the person.
    Field(Field),
    /// Kept as a part of the context, under the column's name.
    Context,
    /// Left out, because the caller says so.
    Ignored,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 9] = [
        Kind::Field(Field::Name),
        Kind::Field(Field::FirstName),
        Kind::Field(Field::LastName),
        Kind::Field(Field::Email),
        Kind::Field(Field::Phone),
        Kind::Field(Field::Linkedin),
        Kind::Field(Field::Domain),
        Kind::Context,
        Kind::Ignored,
    ];

    /// As it is typed, stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Field(field) => field.as_str(),
            Kind::Context => "context",
            Kind::Ignored => "ignore",
        }
    }

    /// The kind of this name, in any case.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Kind::parse(&text).ok_or_else(|| de::Error::custom("no kind of column"))
    }
}

impl JsonSchema for Kind {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ColumnKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Kind::ALL.map(Kind::as_str) })
    }
}

/// The columns of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// What each is for.
    pub kinds: Vec<Kind>,
    /// What each is called.
    pub names: Vec<String>,
}

/// Why nobody can be imported by columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// None identifies a person.
    NoIdentifier,
    /// There are more than [`MAX_COLUMNS`].
    TooMany,
    /// Two that are kept as context are called the same.
    Twins(String),
}

impl Columns {
    /// Reads the first record of a file.
    pub fn read<'a>(headings: impl Iterator<Item = &'a str>) -> Columns {
        let headings: Vec<&str> = headings.map(|heading| spreadsheet::unguarded(heading.trim())).collect();
        let name = |(at, heading): (usize, &&str)| {
            if heading.is_empty() { format!("Column {}", at + 1) } else { (*heading).to_owned() }
        };
        let names: Vec<String> = headings.iter().enumerate().map(name).collect();
        let known = headings::fields(&headings).into_iter();
        let kinds = known.map(|field| field.map_or(Kind::Context, Kind::Field)).collect();
        Columns { kinds, names }
    }

    /// Fails if nobody can be imported by them.
    pub fn check(&self) -> Result<(), Unusable> {
        if !self.kinds.iter().any(|kind| matches!(kind, Kind::Field(field) if field.is_identifier())) {
            return Err(Unusable::NoIdentifier);
        }
        if self.names.len() > MAX_COLUMNS {
            return Err(Unusable::TooMany);
        }
        let mut seen = BTreeSet::new();
        for (name, kind) in self.names.iter().zip(&self.kinds) {
            if *kind == Kind::Context && !seen.insert(name) {
                return Err(Unusable::Twins(name.clone()));
            }
        }
        Ok(())
    }

    /// The column that a cell of this one gives way to.
    pub fn ahead_of(&self, at: usize) -> Option<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(line: &str) -> Result<(), Unusable> {
        Columns::read(line.split(',')).check()
    }

    #[test]
    fn columns_that_nobody_could_tell_apart_are_refused() {
        assert_eq!(checked("Email,Title,Title"), Err(Unusable::Twins("Title".to_owned())));
        assert_eq!(checked("Name,Title"), Err(Unusable::NoIdentifier));
        assert_eq!(checked(&format!("Email{}", ",a".repeat(MAX_COLUMNS))), Err(Unusable::TooMany));
        let columns = Columns::read("Email,E-mail, ,'=x".split(','));
        assert_eq!(columns.names, ["Email", "E-mail", "Column 3", "=x"]);
    }

    #[test]
    fn every_kind_is_read_as_it_is_written() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(&kind.as_str().to_uppercase()), Some(kind));
        }
        assert_eq!(Kind::parse("emial"), None);
    }
}
