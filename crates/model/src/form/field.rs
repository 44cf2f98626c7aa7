//! The fields of a form: what is asked, and what an answer must be like.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{NameUpTo, Text};
use crate::issue::{Issue, IssueCode};

/// The most fields of a form.
pub const MOST_FIELDS: usize = 50;
/// The most options of a field.
const MOST_OPTIONS: usize = 100;
/// The most fields of a form that take a file.
pub const MOST_FILES: usize = 5;
/// The most bytes of all files of a submission.
pub const MOST_FILE_BYTES: u64 = 10 * 1024 * 1024;
/// The longest answer to a field of one line, without a bound of its own.
pub const LINE: u32 = 1_000;
/// The longest answer to a field of several lines, without a bound of its own, and the greatest bound.
pub const LONG: u32 = 10_000;

/// What kind of answer a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum FieldKind {
    /// One line.
    Text,
    /// Several lines.
    LongText,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
    /// An address of a website.
    Url,
    /// A number.
    Number,
    /// A day.
    Date,
    /// One of its options.
    Choice,
    /// Some of its options.
    Choices,
    /// Agreement to its label.
    Consent,
    /// A file.
    File,
    /// A value that the page sends along.
    Hidden,
}

/// What of a person an answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum PersonField {
    /// The whole name.
    Name,
    /// The first part of the name.
    FirstName,
    /// The last part of the name.
    LastName,
    /// The e-mail address.
    Email,
    /// The phone number.
    PhoneNumber,
    /// The LinkedIn profile.
    LinkedinProfileUrl,
    /// Nothing.
    None,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "key": "email", "kind": "email", "label": "Work e-mail", "required": true }))]
pub struct FormField {
    /// Name of the field in submissions: letters, digits and `_`, beginning with a letter.
    #[schemars(length(min = 1, max = 64), regex(pattern = "^[A-Za-z][A-Za-z0-9_]*$"))]
    pub key: String,
    /// Kind of the field.
    pub kind: FieldKind,
    /// Text beside the field; of a `consent` field, the words that are agreed to.
    #[schemars(with = "NameUpTo<2000>")]
    pub label: String,
    /// Text below the label that helps to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub help: Option<String>,
    /// Whether an answer is required.
    #[serde(default)]
    pub required: bool,
    /// Options of a `choice` or `choices` field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<NameUpTo<200>>", length(max = 100))]
    pub options: Vec<String>,
    /// Value of a `hidden` field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub value: Option<String>,
    /// Fewest characters of a `text` or `long-text` answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 0, max = 10000))]
    pub min_length: Option<u32>,
    /// Most characters of a `text` or `long-text` answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 10000))]
    pub max_length: Option<u32>,
    /// Least value of a `number` answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub minimum: Option<f64>,
    /// Greatest value of a `number` answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub maximum: Option<f64>,
    /// Field of the person that the answer sets. Left out, the first `email` field sets the e-mail address and
    /// the first `phone` field the phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PersonField")]
    pub person_field: Option<PersonField>,
}

impl FormField {
    /// A field of this kind without anything else.
    pub fn of(kind: FieldKind) -> FormField {
        FormField {
            key: String::new(),
            kind,
            label: String::new(),
            help: None,
            required: false,
            options: vec![],
            value: None,
            min_length: None,
            max_length: None,
            minimum: None,
            maximum: None,
            person_field: None,
        }
    }

    /// The most characters of an answer.
    pub fn longest(&self) -> u32 {
        let usual = if self.kind == FieldKind::LongText { LONG } else { LINE };
        self.max_length.unwrap_or(usual)
    }
}

/// What of a person each field tells, in the order of the fields.
pub fn person_fields(fields: &[FormField]) -> Vec<PersonField> {
    let mut told: HashSet<&str> = HashSet::new();
    let given = |wanted: PersonField| fields.iter().any(|field| field.person_field == Some(wanted));
    let (has_email, has_phone) = (given(PersonField::Email), given(PersonField::PhoneNumber));
    let of = |field: &FormField| match (field.person_field, field.kind) {
        (Some(given), _) => given,
        (None, FieldKind::Email) if !has_email && told.insert("email") => PersonField::Email,
        (None, FieldKind::Phone) if !has_phone && told.insert("phone") => PersonField::PhoneNumber,
        _ => PersonField::None,
    };
    fields.iter().map(of).collect()
}

/// What is wrong about the fields of a form.
pub(super) fn check_fields(fields: &[FormField]) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut keys = HashSet::new();
    let mut people = HashSet::new();
    let mut files = 0;
    for (at, field) in fields.iter().enumerate() {
        let at = at.to_string();
        let mut refuse = |code: IssueCode, name: &str, what: &str| {
            issues.push(Issue::body(code, &["fields", &at, name], format!("fields.{at}.{name}: {what}")));
        };
        if !keys.insert(field.key.as_str()) {
            refuse(IssueCode::DuplicateValue, "key", "stands in this form already.");
        }
        check_options(field, &mut refuse);
        files += usize::from(field.kind == FieldKind::File);
        if files > MOST_FILES {
            refuse(IssueCode::TooLong, "kind", "a form may have at most 5 fields for files.");
        }
        let is_text = matches!(field.kind, FieldKind::Text | FieldKind::LongText);
        for (name, is_there, fits) in [
            ("value", field.value.is_some(), field.kind == FieldKind::Hidden),
            ("minLength", field.min_length.is_some(), is_text),
            ("maxLength", field.max_length.is_some(), is_text),
            ("minimum", field.minimum.is_some(), field.kind == FieldKind::Number),
            ("maximum", field.maximum.is_some(), field.kind == FieldKind::Number),
        ] {
            if is_there && !fits {
                refuse(IssueCode::InvalidValue, name, "does not fit a field of this kind.");
            }
        }
        if field.min_length.zip(field.max_length).is_some_and(|(least, most)| least > most) {
            refuse(IssueCode::InvalidValue, "minLength", "is above maxLength.");
        }
        if field.minimum.zip(field.maximum).is_some_and(|(least, most)| least > most) {
            refuse(IssueCode::InvalidValue, "minimum", "is above maximum.");
        }
        let person = field.person_field.filter(|person| *person != PersonField::None);
        if let Some(person) = person {
            let fits = match person {
                PersonField::Email => field.kind == FieldKind::Email,
                PersonField::PhoneNumber => field.kind == FieldKind::Phone,
                PersonField::LinkedinProfileUrl => field.kind == FieldKind::Url,
                _ => field.kind == FieldKind::Text,
            };
            if !fits {
                refuse(IssueCode::InvalidValue, "personField", "does not fit a field of this kind.");
            } else if !people.insert(person as u8) {
                refuse(IssueCode::DuplicateValue, "personField", "is told by another field already.");
            }
        }
    }
    issues
}

fn check_options(field: &FormField, refuse: &mut impl FnMut(IssueCode, &str, &str)) {
    if !matches!(field.kind, FieldKind::Choice | FieldKind::Choices) {
        if !field.options.is_empty() {
            refuse(IssueCode::InvalidValue, "options", "does not fit a field of this kind.");
        }
        return;
    }
    let mut seen = HashSet::new();
    if field.options.is_empty() {
        refuse(IssueCode::Required, "options", "a choice needs options.");
    } else if field.options.len() > MOST_OPTIONS {
        refuse(IssueCode::TooLong, "options", "must have at most 100 items.");
    } else if !field.options.iter().all(|option| seen.insert(option)) {
        refuse(IssueCode::DuplicateValue, "options", "an option stands twice.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issues(fields: serde_json::Value) -> Vec<(IssueCode, String)> {
        let fields: Vec<FormField> = serde_json::from_value(fields).unwrap();
        check_fields(&fields).into_iter().map(|issue| (issue.code, issue.path.join("."))).collect()
    }

    #[test]
    fn what_could_not_be_answered_is_refused() {
        let fields = json!([
            { "key": "a", "kind": "choice", "label": "A" },
            { "key": "a", "kind": "text", "label": "A", "options": ["b"], "minLength": 4, "maxLength": 2 },
            { "key": "c", "kind": "choices", "label": "C", "options": ["x", "x"] },
            { "key": "d", "kind": "email", "label": "D", "minimum": 1, "personField": "phoneNumber" },
            { "key": "e", "kind": "text", "label": "E", "personField": "name" },
            { "key": "f", "kind": "text", "label": "F", "personField": "name" },
        ]);
        let path = |text: &str| text.to_owned();
        assert_eq!(
            issues(fields),
            [
                (IssueCode::Required, path("fields.0.options")),
                (IssueCode::DuplicateValue, path("fields.1.key")),
                (IssueCode::InvalidValue, path("fields.1.options")),
                (IssueCode::InvalidValue, path("fields.1.minLength")),
                (IssueCode::DuplicateValue, path("fields.2.options")),
                (IssueCode::InvalidValue, path("fields.3.minimum")),
                (IssueCode::InvalidValue, path("fields.3.personField")),
                (IssueCode::DuplicateValue, path("fields.5.personField")),
            ]
        );
    }

    #[test]
    fn the_first_address_is_the_persons_unless_another_is_named() {
        let read = |value: serde_json::Value| {
            let fields: Vec<FormField> = serde_json::from_value(value).unwrap();
            person_fields(&fields)
        };
        let two = json!([
            { "key": "a", "kind": "email", "label": "A" },
            { "key": "b", "kind": "email", "label": "B" },
        ]);
        use PersonField::{Email, None, PhoneNumber};
        assert_eq!(read(two), [Email, None]);
        let named = json!([
            { "key": "a", "kind": "email", "label": "A" },
            { "key": "b", "kind": "email", "label": "B", "personField": "email" },
            { "key": "c", "kind": "phone", "label": "C", "personField": "none" },
            { "key": "d", "kind": "phone", "label": "D" },
        ]);
        assert_eq!(read(named), [None, Email, None, PhoneNumber]);
    }
}
