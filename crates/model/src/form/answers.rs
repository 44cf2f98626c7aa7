//! What a visitor has sent, held against the fields of the form.
//!
//! Names and values come as browsers send them. What the form does not ask is dropped. Invariants: an answer that is kept fits its field;
//! it has no control characters but line ends, and those only where several lines are asked for.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Number, Value, json};

use crate::content::address;
use crate::email::EmailAddress;
use crate::form::field::{FieldKind, FormField, PersonField, person_fields};
use crate::linkedin::LinkedinProfile;
use crate::person::Identifiers;
use crate::phone::PhoneNumber;
use crate::text::turns_writing;
use crate::time::Timestamp;

/// The longest name that a person is given.
const LONGEST_NAME: usize = 255;

/// Why an answer is not taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// There is none, and one is required.
    Required,
    /// What must be agreed to was not.
    NotAgreed,
    /// It is no e-mail address.
    Email,
    /// It is no phone number.
    Phone,
    /// It is no address of a website.
    Url,
    /// It is no number.
    Number,
    /// It is no day.
    Date,
    /// It is none of the options.
    Option,
    /// It has fewer characters than this.
    TooShort(u32),
    /// It has more characters than this.
    TooLong(u32),
    /// It is below this.
    TooSmall(f64),
    /// It is above this.
    TooBig(f64),
}

impl Fault {
    /// Its name in answers to scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Fault::Required => "required",
            Fault::NotAgreed => "not_agreed",
            Fault::Email => "email",
            Fault::Phone => "phone",
            Fault::Url => "url",
            Fault::Number => "number",
            Fault::Date => "date",
            Fault::Option => "option",
            Fault::TooShort(_) => "too_short",
            Fault::TooLong(_) => "too_long",
            Fault::TooSmall(_) => "too_small",
            Fault::TooBig(_) => "too_big",
        }
    }
}

/// Words that a visitor has agreed to, as they were shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FormAgreement", deny_unknown_fields)]
#[schemars(example = json!({ "key": "agree", "text": "I agree to be called.", "revision": 3, "language": "en" }))]
pub struct Agreement {
    /// Key of the field.
    pub key: String,
    /// The words.
    pub text: String,
    /// Revision of the form that has these words. Left out where the page named no form of the tenant, and for what was sent before it was
    /// kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub revision: Option<i64>,
    /// Language of the page, as a tag such as `de`. Left out where the page did not say its language, and for what was sent before it was
    /// kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub language: Option<String>,
}

/// Where a form was shown, as far as its agreements tell it.
#[derive(Debug, Clone, Copy, Default)]
pub struct FormContext<'a> {
    /// The form's revision.
    pub revision: Option<i64>,
    /// The language of the page.
    pub language: Option<&'a str>,
    /// Where phone numbers without a country are from.
    pub region: Option<&'a str>,
}

/// Answers that fit a form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// By the keys of the fields, in their order; what was not answered is left out.
    pub input: Map<String, Value>,
    /// What was agreed to.
    pub agreements: Vec<Agreement>,
    /// What the visitor can be told by.
    pub identifiers: Identifiers,
    /// The visitor's name.
    pub name: Option<String>,
}

/// Holds what was sent against the fields.
pub fn check(
    fields: &[FormField],
    sent: &[(String, String)],
    shown: FormContext<'_>,
) -> Result<Answers, Vec<(String, Fault)>> {
    let (mut answers, mut faults) = (Answers::default(), Vec::new());
    let (mut first_name, mut last_name) = (None, None);
    for (field, person) in fields.iter().zip(person_fields(fields)) {
        let texts = sent.iter().filter(|(name, _)| *name == field.key).map(|(_, text)| text.as_str());
        let value = match answer(field, texts) {
            Ok(Some(value)) => value,
            Ok(None) => continue,
            Err(fault) => {
                faults.push((field.key.clone(), fault));
                continue;
            }
        };
        if field.kind == FieldKind::Consent && value == Value::Bool(true) {
            answers.agreements.push(Agreement {
                key: field.key.clone(),
                text: field.label.clone(),
                revision: shown.revision,
                language: shown.language.map(str::to_owned),
            });
        }
        let text = value.as_str().unwrap_or_default();
        match person {
            PersonField::Name => answers.name = name_of(text),
            PersonField::FirstName => first_name = name_of(text),
            PersonField::LastName => last_name = name_of(text),
            PersonField::Email => answers.identifiers.email = EmailAddress::parse(text),
            PersonField::PhoneNumber => {
                answers.identifiers.phone_number =
                    PhoneNumber::from_national(text, shown.region.unwrap_or(""));
            }
            PersonField::LinkedinProfileUrl => {
                answers.identifiers.linkedin_profile_url = LinkedinProfile::parse(text);
            }
            PersonField::None => {}
        }
        answers.input.insert(field.key.clone(), value);
    }
    let parts: Vec<String> = [first_name, last_name].into_iter().flatten().collect();
    answers.name = answers.name.take().or_else(|| name_of(&parts.join(" ")));
    if faults.is_empty() { Ok(answers) } else { Err(faults) }
}

/// The answer to a field; nothing if it was not answered and need not be.
fn answer<'a>(field: &FormField, mut texts: impl Iterator<Item = &'a str>) -> Result<Option<Value>, Fault> {
    match field.kind {
        FieldKind::Hidden => return Ok(field.value.clone().map(Value::String)),
        FieldKind::Consent => {
            let agreed = texts.any(|text| !text.trim().is_empty());
            return if field.required && !agreed { Err(Fault::NotAgreed) } else { Ok(Some(agreed.into())) };
        }
        FieldKind::Choices => {
            let chosen: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
            if chosen.iter().any(|chosen| !field.options.iter().any(|option| option == chosen)) {
                return Err(Fault::Option);
            }
            // In the order of the form, each once.
            let options = field.options.iter().filter(|option| chosen.contains(&option.as_str()));
            let options: Vec<Value> = options.cloned().map(Value::String).collect();
            return match (options.is_empty(), field.required) {
                (true, true) => Err(Fault::Required),
                (true, false) => Ok(None),
                (false, _) => Ok(Some(options.into())),
            };
        }
        _ => {}
    }
    let text = clean(texts.next().unwrap_or_default(), field.kind == FieldKind::LongText);
    if text.is_empty() {
        return if field.required { Err(Fault::Required) } else { Ok(None) };
    }
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    if length > field.longest() {
        return Err(Fault::TooLong(field.longest()));
    }
    single(field, text, length).map(Some)
}

fn single(field: &FormField, text: String, length: u32) -> Result<Value, Fault> {
    Ok(Value::String(match field.kind {
        FieldKind::Email => EmailAddress::parse(&text).ok_or(Fault::Email)?.into_string(),
        FieldKind::Phone => phone(&text).ok_or(Fault::Phone)?,
        FieldKind::Url => url(&text).ok_or(Fault::Url)?,
        FieldKind::Date => date(&text).ok_or(Fault::Date)?,
        FieldKind::Number => return number(field, &text).map(Value::Number),
        FieldKind::Choice if !field.options.contains(&text) => return Err(Fault::Option),
        _ => match field.min_length.filter(|least| length < *least) {
            Some(least) => return Err(Fault::TooShort(least)),
            None => text,
        },
    }))
}

/// The text without what cannot be seen and does harm, and without blanks around it.
fn clean(text: &str, has_lines: bool) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = text.chars().filter_map(|char| match char {
        '\n' if has_lines => Some(char),
        '\n' | '\t' => Some(' '),
        char if char.is_control() => None,
        char => Some(char),
    });
    kept.collect::<String>().trim().to_owned()
}

/// A name without signs that turn the writing around.
fn name_of(text: &str) -> Option<String> {
    let name: String = text.chars().filter(|char| !turns_writing(*char)).take(LONGEST_NAME).collect();
    let name = name.trim();
    name.chars().any(char::is_alphanumeric).then(|| name.to_owned())
}

/// A phone number in whatever spelling its owner likes.
fn phone(text: &str) -> Option<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_usual = |char: char| char.is_ascii_digit() || " +-./()".contains(char);
    ((5..=20).contains(&digits) && text.chars().all(is_usual)).then(|| text.to_owned())
}

fn url(text: &str) -> Option<String> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let has_dot = whole.split("://").nth(1).is_some_and(|rest| rest.contains('.'));
    (has_dot && address::is_fetched(&whole)).then_some(whole)
}

/// A day as browsers send it.
fn date(text: &str) -> Option<String> {
    let is_day = text.len() == "2024-02-29".len() && format!("{text}T00:00Z").parse::<Timestamp>().is_ok();
    is_day.then(|| text.to_owned())
}

/// A number with a point or a comma before its decimals. `25,000` is refused: it is twenty-five to some and twenty-five thousand to others.
fn number(field: &FormField, text: &str) -> Result<Number, Fault> {
    let text = text.replace(',', ".");
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_ambiguous = digits.split_once('.').is_some_and(|(whole, decimals)| {
        (1..=3).contains(&whole.len()) && !whole.starts_with('0') && decimals.len() == 3
    });
    if !is_plain || is_ambiguous {
        return Err(Fault::Number);
    }
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or(Fault::Number)?;
    if let Some(least) = field.minimum.filter(|least| value < *least) {
        return Err(Fault::TooSmall(least));
    }
    if let Some(most) = field.maximum.filter(|most| value > *most) {
        return Err(Fault::TooBig(most));
    }
    let whole = text.parse::<i64>().ok().map(Number::from);
    whole.or_else(|| Number::from_f64(value)).ok_or(Fault::Number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields(value: Value) -> Vec<FormField> {
        serde_json::from_value(value).unwrap()
    }

    const GERMAN: FormContext<'_> =
        FormContext { region: Some("DE"), revision: Some(3), language: Some("de") };

    fn everything() -> Vec<FormField> {
        fields(json!([
            { "key": "name", "kind": "text", "label": "Name", "required": true, "personField": "name" },
            { "key": "text", "kind": "long-text", "label": "Text", "minLength": 2, "maxLength": 20 },
            { "key": "email", "kind": "email", "label": "E-mail", "required": true },
            { "key": "phone", "kind": "phone", "label": "Phone" },
            { "key": "site", "kind": "url", "label": "Site" },
            { "key": "seats", "kind": "number", "label": "Seats", "minimum": 1, "maximum": 100 },
            { "key": "day", "kind": "date", "label": "Day" },
            { "key": "size", "kind": "choice", "label": "Size", "options": ["S", "L"] },
            { "key": "wants", "kind": "choices", "label": "Wants", "options": ["a", "b", "c"] },
            { "key": "agree", "kind": "consent", "label": "I agree.", "required": true },
            { "key": "from", "kind": "hidden", "label": "From", "value": "fair" },
        ]))
    }

    fn sent(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_fits_is_kept_in_its_normal_form() {
        let pairs = sent(&[
            ("agree", "on"),
            ("email", " Ada@Example.com "),
            ("name", "Ada\r\nLovelace\u{0}"),
            ("text", "one\r\ntwo"),
            ("phone", "+49 (30) 901820"),
            ("site", "example.com/a"),
            ("seats", "2,5"),
            ("day", "2024-02-29"),
            ("size", "L"),
            ("wants", "c"),
            ("wants", "a"),
            ("from", "elsewhere"),
            ("unasked", "x"),
        ]);
        let answers = check(&everything(), &pairs, FormContext::default()).unwrap();
        let input = json!({
            "name": "Ada Lovelace", "text": "one\ntwo", "email": "ada@example.com", "phone": "+49 (30) 901820",
            "site": "https://example.com/a", "seats": 2.5, "day": "2024-02-29", "size": "L",
            "wants": ["a", "c"], "agree": true, "from": "fair",
        });
        assert_eq!(serde_json::to_string(&answers.input).unwrap(), {
            let Value::Object(input) = input else { unreachable!() };
            serde_json::to_string(&input).unwrap()
        });
        assert_eq!(answers.name.as_deref(), Some("Ada Lovelace"));
        assert_eq!(answers.identifiers.phone_number.unwrap().as_str(), "+4930901820");
        assert_eq!(answers.agreements[0].text, "I agree.");
    }

    #[test]
    fn every_fault_is_told_at_its_field() {
        let pairs = sent(&[
            ("text", "x"),
            ("email", "ada@example.com\nBcc: all@example.com"),
            ("phone", "call me"),
            ("site", "javascript:alert(1)"),
            ("seats", "101"),
            ("day", "2023-02-29"),
            ("size", "XXL"),
            ("wants", "d"),
        ]);
        let faults = check(&everything(), &pairs, FormContext::default()).unwrap_err();
        let told: Vec<(&str, &str)> =
            faults.iter().map(|(key, fault)| (key.as_str(), fault.as_str())).collect();
        assert_eq!(
            told,
            [
                ("name", "required"),
                ("text", "too_short"),
                ("email", "email"),
                ("phone", "phone"),
                ("site", "url"),
                ("seats", "too_big"),
                ("day", "date"),
                ("size", "option"),
                ("wants", "option"),
                ("agree", "not_agreed"),
            ]
        );
    }

    #[test]
    fn a_number_that_means_two_things_is_refused() {
        let field = FormField { key: "budget".to_owned(), ..FormField::of(FieldKind::Number) };
        let read = |text: &str| number(&field, text).ok().map(|number| number.to_string());
        for (text, value) in [
            ("25000", "25000"),
            ("-2,5", "-2.5"),
            ("0.125", "0.125"),
            ("1234.567", "1234.567"),
            ("1,25", "1.25"),
        ] {
            assert_eq!(read(text).as_deref(), Some(value), "{text}");
        }
        for text in ["25,000", "25.000", "-1.234", "1.234,5", "1e3", "inf", "NaN", "٣", "1 000", "--1", "."]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_in_two_fields_is_one() {
        let fields = fields(json!([
            { "key": "last", "kind": "text", "label": "Last", "personField": "lastName" },
            { "key": "first", "kind": "text", "label": "First", "personField": "firstName" },
        ]));
        let pairs = sent(&[("last", "Lovelace"), ("first", "Ada\u{202e}")]);
        assert_eq!(
            check(&fields, &pairs, FormContext::default()).unwrap().name.as_deref(),
            Some("Ada Lovelace")
        );
        assert_eq!(check(&fields, &sent(&[("first", "...")]), FormContext::default()).unwrap().name, None);
    }

    proptest! {
        #[test]
        fn whatever_is_sent_what_is_kept_fits(
            pairs in prop::collection::vec(("(name|text|email|phone|site|seats|day|size|wants|agree)", ".{0,40}"), 0..20)
        ) {
            let pairs: Vec<(String, String)> = pairs;
            let fields = everything();
            match check(&fields, &pairs, GERMAN) {
                Ok(answers) => {
                    // What was kept is taken again, and stays as it is.
                    let again: Vec<(String, String)> = answers.input.iter().flat_map(|(key, value)| {
                        let texts = match value {
                            Value::Array(texts) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                            Value::String(text) => vec![text.clone()],
                            Value::Bool(agreed) => vec![if *agreed { "on" } else { "" }.to_owned()],
                            other => vec![other.to_string()],
                        };
                        texts.into_iter().map(|text| (key.clone(), text)).collect::<Vec<_>>()
                    }).collect();
                    prop_assert_eq!(check(&fields, &again, GERMAN).unwrap().input, answers.input);
                }
                Err(faults) => prop_assert!(!faults.is_empty()),
            }
        }
    }
}
