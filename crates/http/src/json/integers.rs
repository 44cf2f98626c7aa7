//! Integers in every spelling that JSON Schema takes for one: `1.0`, `1e2` and `-0` are integers as `1` is.
//!
//! Types read plain digits only. A body that its type cannot read is written anew, with plain digits wherever the schema wants an
//! integer. Everything else stays as it was sent, also the numbers of free-form objects.

use std::collections::HashSet;

use serde_json::Value;

use super::Document;

/// The most digits of a number that a type can take.
const MOST_DIGITS: usize = 20;

/// The text of a document with plain digits wherever `schema` wants an integer.
pub(crate) fn with_plain_integers(text: &str, document: &Document<'_>, schema: &Value) -> String {
    let mut positions = IntegerPositions { schema, wanted: Vec::new() };
    positions.note(document, &positions.all_of(vec![schema]));
    let mut wanted = positions.wanted.into_iter();
    let mut written = String::with_capacity(text.len());
    for part in JsonParts(text) {
        match part {
            JsonPart::Number(token) if wanted.next() == Some(true) => {
                written.push_str(&plain(token).unwrap_or_else(|| token.to_owned()));
            }
            JsonPart::Number(other) | JsonPart::Rest(other) => written.push_str(other),
        }
    }
    written
}

/// Where integers are wanted.
struct IntegerPositions<'a> {
    /// The whole schema, in which references are looked up.
    schema: &'a Value,
    /// For each number of the document, in its order, whether it has to be an integer.
    wanted: Vec<bool>,
}

impl<'a> IntegerPositions<'a> {
    fn note(&mut self, document: &Document<'_>, rules: &[&'a Value]) {
        match document {
            Document::Number(_) => self.wanted.push(rules.iter().any(|rule| wants_integer(rule))),
            Document::Array(items) => {
                let rules = self.all_of(rules.iter().filter_map(|rule| rule.get("items")).collect());
                items.iter().for_each(|item| self.note(item, &rules));
            }
            Document::Object(members) => {
                for (name, value) in members {
                    let field = |rule: &&'a Value| {
                        let known = rule.get("properties").and_then(|fields| fields.get(name.as_ref()));
                        known.or_else(|| rule.get("additionalProperties"))
                    };
                    let rules = self.all_of(rules.iter().filter_map(field).collect());
                    self.note(value, &rules);
                }
            }
            Document::Null | Document::Bool(_) | Document::Text(_) => {}
        }
    }

    /// These rules and those that they consist of or refer to, each once. Of alternatives all are taken: the document is valid, and no
    /// two of them have a field of one name that is an integer in one and free-form in the other.
    fn all_of(&self, mut rules: Vec<&'a Value>) -> Vec<&'a Value> {
        let mut seen = HashSet::new();
        let mut at = 0;
        while let Some(rule) = rules.get(at).copied() {
            at += 1;
            if !seen.insert(std::ptr::from_ref(rule)) {
                continue;
            }
            let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|name| rule.get(name)?.as_array());
            rules.extend(lists.flatten());
            rules.extend(["then", "else"].iter().filter_map(|name| rule.get(name)));
            let reference = rule.get("$ref").and_then(Value::as_str);
            rules.extend(reference.and_then(|path| self.schema.pointer(path.strip_prefix('#')?)));
        }
        rules
    }
}

fn wants_integer(rule: &Value) -> bool {
    match rule.get("type") {
        Some(Value::Array(types)) => types.iter().any(|one| one == "integer"),
        one => one.is_some_and(|one| one == "integer"),
    }
}

/// A number in plain digits, if it is whole and not absurdly large.
fn plain(token: &str) -> Option<String> {
    let (sign, number) = token.strip_prefix('-').map_or(("", token), |number| ("-", number));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
    let fraction = i64::try_from(fraction.len()).ok()?;
    let zeros = exponent.parse::<i64>().ok()?.checked_sub(fraction)?.checked_add(dropped)?;
    // With fewer than none it is not whole.
    let zeros = usize::try_from(zeros).ok()?;
    let significant = significant.trim_start_matches('0');
    let is_small = zeros <= MOST_DIGITS && significant.len() + zeros <= MOST_DIGITS;
    is_small.then(|| format!("{sign}{significant}{}", "0".repeat(zeros)))
}

/// A part of a JSON text.
#[derive(Debug, PartialEq)]
enum JsonPart<'a> {
    Number(&'a str),
    /// Anything between numbers; texts, and names, are whole in one such part.
    Rest(&'a str),
}

/// The parts of a JSON text, in order.
struct JsonParts<'a>(&'a str);

impl<'a> Iterator for JsonParts<'a> {
    type Item = JsonPart<'a>;

    fn next(&mut self) -> Option<JsonPart<'a>> {
        let first = *self.0.as_bytes().first()?;
        let length = if first == b'"' {
            text_length(self.0)
        } else if begins_number(first) {
            let is_inside =
                |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
            let length = self.0.bytes().position(|byte| !is_inside(byte)).unwrap_or(self.0.len());
            return Some(JsonPart::Number(self.cut(length)));
        } else {
            self.0.bytes().position(|byte| byte == b'"' || begins_number(byte)).unwrap_or(self.0.len())
        };
        Some(JsonPart::Rest(self.cut(length)))
    }
}

impl<'a> JsonParts<'a> {
    /// Takes so many bytes off, which end at an ASCII character.
    fn cut(&mut self, length: usize) -> &'a str {
        let (part, rest) = self.0.split_at(length);
        self.0 = rest;
        part
    }
}

fn begins_number(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_digit()
}

/// The length of the text, with both quotation marks, with which a JSON text begins.
fn text_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Number, json};

    use super::*;
    use crate::json::parse;

    #[test]
    fn whole_numbers_are_written_in_plain_digits() {
        for (token, expected) in [
            ("1.0", "1"),
            ("1e2", "100"),
            ("1E+2", "100"),
            ("-0", "0"),
            ("-0.0e-9", "0"),
            ("0e99999999999999999999", "0"),
            ("1200e-2", "12"),
            ("0.05e2", "5"),
            ("-1.50e1", "-15"),
            ("18446744073709551615.0", "18446744073709551615"),
            ("7", "7"),
            ("100", "100"),
        ] {
            assert_eq!(plain(token).as_deref(), Some(expected), "{token}");
        }
        for token in ["1.5", "1e-1", "1e400", "1e99999999999999999999", "15e-1", "0.1", "1e20"] {
            assert_eq!(plain(token), None, "{token}");
        }
    }

    #[test]
    fn only_where_the_schema_wants_an_integer() {
        let schema = json!({
            "properties": {
                "a": { "type": "integer" },
                "b": { "anyOf": [{ "$ref": "#/$defs/list" }, { "type": "null" }] },
                "c": { "type": "number" },
                "free": { "type": "object" },
            },
            "additionalProperties": false,
            "$defs": { "list": { "type": "array", "items": { "type": ["integer", "null"] } } },
        });
        let written = |text: &str| with_plain_integers(text, &parse(text.as_bytes()).unwrap(), &schema);
        assert_eq!(
            written(
                r#"{ "free": {"a": 1.0, "1e2": "2.0 \" 3.0 \\"}, "b": [1.0, null, -0], "c": 2.0, "a": 1e2 }"#
            ),
            r#"{ "free": {"a": 1.0, "1e2": "2.0 \" 3.0 \\"}, "b": [1, null, 0], "c": 2.0, "a": 100 }"#
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_filter_map("finite", |number| Number::from_f64(number).map(Value::Number)),
            "[^\0]{0,6}".prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 48, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::Array),
                prop::collection::btree_map("[^\0]{0,6}", inner, 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// Any integer in any spelling is the integer that it was.
        #[test]
        fn a_spelling_means_its_number(number in any::<i64>(), fraction in 0..4_usize, shift in 0..19_i32) {
            let digits = number.unsigned_abs().to_string();
            let sign = if number < 0 { "-" } else { "" };
            let zeros = "0".repeat(fraction);
            let point = if fraction == 0 { "" } else { "." };
            prop_assert_eq!(plain(&format!("{sign}{digits}{point}{zeros}")), Some(number.to_string()));
            prop_assert_eq!(
                plain(&format!("{sign}{digits}{}e-{shift}", "0".repeat(usize::try_from(shift).unwrap()))),
                Some(number.to_string())
            );
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            prop_assert_eq!(plain(&format!("{sign}{first}{point}{rest}E+{}", rest.len())), Some(number.to_string()));
        }

        /// What wants no integer comes back byte for byte, and what is rewritten is the same JSON but for spellings.
        #[test]
        fn a_text_is_kept_but_for_the_spelling_of_integers(value in any_json()) {
            let text = value.to_string();
            let document = parse(text.as_bytes()).unwrap();
            let parts: String = JsonParts(&text).map(|part| match part { JsonPart::Number(text) | JsonPart::Rest(text) => text }).collect();
            prop_assert_eq!(&parts, &text);
            prop_assert_eq!(&with_plain_integers(&text, &document, &json!({})), &text);
            let everywhere = json!({ "type": "integer", "items": { "$ref": "#" }, "additionalProperties": { "$ref": "#" } });
            let written = with_plain_integers(&text, &document, &everywhere);
            let again = parse(written.as_bytes()).unwrap();
            prop_assert_eq!(with_plain_integers(&written, &again, &everywhere), written.as_str());
            prop_assert!(same(&document, &again), "{text} {written}");
        }
    }

    fn same(one: &Document<'_>, other: &Document<'_>) -> bool {
        match (one, other) {
            (Document::Number(one), Document::Number(other)) => one.as_f64() == other.as_f64(),
            (Document::Array(one), Document::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
            }
            (Document::Object(one), Document::Object(other)) => {
                let pairs = || one.iter().zip(other);
                one.len() == other.len()
                    && pairs().all(|(one, other)| one.0 == other.0 && same(&one.1, &other.1))
            }
            _ => one == other,
        }
    }
}
