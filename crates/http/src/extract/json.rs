//! JSON, strictly: what serde_json takes, less what two readers might understand differently.
//!
//! Duplicate names, NUL and nesting beyond 64 levels are found with their paths and reported together; numbers keep their
//! digits. Lone surrogates and invalid UTF-8 are refused by the parser itself.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;

use pagesmith_model::{Field, Issue, IssueCode, Issues, issues};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How deep a body may be nested.
pub const MAX_DEPTH: usize = 64;

/// The name under which serde_json hands over a number that keeps its spelling.
const NUMBER: &str = "$serde_json::private::Number";

/// The value of a body, or everything that is wrong with its text.
pub fn parse(text: &[u8]) -> Result<Value, Issues> {
    match read(text) {
        (Some(value), issues) if issues.is_empty() => Ok(value),
        (_, issues) => Err(issues),
    }
}

/// The value of a body as far as its text has one, so that the value's faults can be told too, and everything that
/// is wrong with the text.
pub fn read(text: &[u8]) -> (Option<Value>, Issues) {
    let walk = Walk::default();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let parsed = ValueSeed { walk: &walk }.deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    let is_too_deep = walk.is_too_deep.get();
    let mut issues = walk.into_issues();
    match parsed {
        Ok(value) => (Some(value), issues),
        Err(_) if is_too_deep => (None, issues),
        Err(error) => {
            issues.add(Issue::body(
                IssueCode::InvalidJson,
                &[],
                format!("The body is not valid JSON: {error}."),
            ));
            (None, issues)
        }
    }
}

/// How deep the parser is, and what it has found.
///
/// An issue is noted without a path; each level that it lies in adds its own step in front as the parser leaves
/// it, so that a body without issues costs no path at all. Beyond those that can be listed they are only counted.
#[derive(Default)]
struct Walk {
    depth: Cell<usize>,
    is_too_deep: Cell<bool>,
    issues: RefCell<Vec<Issue>>,
    unlisted: Cell<usize>,
}

impl Walk {
    fn report(&self, code: IssueCode, what: &str) {
        let mut issues = self.issues.borrow_mut();
        if issues.len() == issues::MOST_LISTED {
            return self.unlisted.set(self.unlisted.get() + 1);
        }
        issues.push(Issue { field: Field::Body, code, message: what.to_owned(), path: vec![] });
    }

    fn check_text(&self, text: &str) {
        if text.contains('\0') {
            self.report(IssueCode::InvalidCharacter, "the character NUL cannot be stored");
        }
    }

    /// Reads a value one step further in.
    fn inside<T>(&self, step: &dyn fmt::Display, read: impl FnOnce() -> T) -> T {
        let known = self.issues.borrow().len();
        self.depth.set(self.depth.get() + 1);
        let value = read();
        self.depth.set(self.depth.get() - 1);
        for issue in self.issues.borrow_mut().iter_mut().skip(known) {
            issue.path.insert(0, issues::step(&step.to_string()));
        }
        value
    }

    /// Ends the parsing of a body that is nested too deep.
    fn check_depth<E: de::Error>(&self) -> Result<(), E> {
        if self.depth.get() < MAX_DEPTH {
            return Ok(());
        }
        self.is_too_deep.set(true);
        self.report(IssueCode::TooDeep, "nested deeper than 64 levels");
        Err(E::custom("nested too deep"))
    }

    /// What was found, with the places in the messages.
    fn into_issues(self) -> Issues {
        let mut all = Issues::default();
        for mut issue in self.issues.into_inner() {
            let place = if issue.path.is_empty() { "The body".to_owned() } else { issue.path.join(".") };
            issue.message = format!("{place}: {}.", issue.message);
            all.add(issue);
        }
        all.add_unlisted(self.unlisted.get());
        all
    }
}

#[derive(Clone, Copy)]
struct ValueSeed<'a> {
    walk: &'a Walk,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        self.walk.check_text(text);
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.walk.check_depth()?;
        let mut values = Vec::new();
        loop {
            match self.walk.inside(&values.len(), || items.next_element_seed(self))? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let mut repeated = BTreeSet::new();
        let mut first = true;
        while let Some(name) = entries.next_key::<String>()? {
            if first && name == NUMBER {
                // A body may spell that very name itself; its value is then no number.
                let number: String = entries.next_value()?;
                return number.parse::<Number>().map(Value::Number).map_err(de::Error::custom);
            }
            if first {
                self.walk.check_depth()?;
                first = false;
            }
            let value = self.walk.inside(&name, || {
                self.walk.check_text(&name);
                // However often it stands there, that is one issue.
                if object.contains_key(&name) && repeated.insert(name.clone()) {
                    self.walk.report(IssueCode::DuplicateKey, "stands twice in the same object");
                }
                entries.next_value_seed(self)
            })?;
            object.insert(name, value);
        }
        if first {
            self.walk.check_depth()?;
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(&'static str, String)> {
        let issues = parse(text.as_bytes()).unwrap_err();
        issues.listed().iter().map(|issue| (issue.code.as_str(), issue.path.join("/"))).collect()
    }

    #[test]
    fn every_duplicate_name_is_found_with_its_path() {
        let found = codes(r#"{"a": 1, "b": [{"c": 1, "c": 2}], "a": {"d": "x\u0000y"}}"#);
        assert_eq!(
            found,
            [
                ("duplicate_key", "b/0/c".to_owned()),
                ("duplicate_key", "a".to_owned()),
                ("invalid_character", "a/d".to_owned())
            ]
        );
    }

    #[test]
    fn of_very_many_issues_the_first_are_listed_and_names_of_absurd_length_are_cut() {
        let texts = r#""\u0000","#.repeat(10_000);
        let issues = parse(format!("[{texts}1]").as_bytes()).unwrap_err();
        assert_eq!((issues.listed().len(), issues.unlisted()), (100, 9_900));
        let same = r#""a":1,"#.repeat(10_000);
        let issues = parse(format!("{{{same}\"b\":1}}").as_bytes()).unwrap_err();
        assert_eq!((issues.listed().len(), issues.unlisted()), (1, 0));
        let (name, levels) = ("n".repeat(10_000), 63);
        let open = format!("{{\"{name}\":").repeat(levels);
        let issues = parse(format!("{open}[{texts}1]{}", "}".repeat(levels)).as_bytes()).unwrap_err();
        let listed: usize = issues.listed().iter().map(|issue| issue.message.len()).sum();
        assert!(listed < 128 * 1024 && issues.listed().len() + issues.unlisted() == 10_000, "{listed}");
    }

    #[test]
    fn numbers_of_any_size_and_precision_are_kept() {
        for number in ["0.10", "123456789012345678901234567890", "-0", "1e+999"] {
            assert_eq!(parse(number.as_bytes()).unwrap().to_string(), *number);
        }
        // The sign of an exponent is the one thing that is spelled out.
        assert_eq!(parse(b"1e999").unwrap().to_string(), "1e+999");
    }

    #[test]
    fn sixty_four_levels_are_the_limit() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(64).as_bytes()).is_ok());
        assert_eq!(codes(&nested(65)).first().unwrap().0, "too_deep");
        assert_eq!(codes(&"[".repeat(100_000)).first().unwrap().0, "too_deep");
        let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        assert!(parse(objects(64).as_bytes()).is_ok());
        assert_eq!(codes(&objects(65)).first().unwrap().0, "too_deep");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "{",
            "{]",
            "nul",
            "'a'",
            "[1,]",
            r#""\ud800""#,
            r#""\udc00\ud800""#,
            "1 2",
            "\u{feff}{}",
            "NaN",
            "01",
        ] {
            assert_eq!(codes(text).last().unwrap().0, "invalid_json", "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn a_body_cannot_pretend_to_be_a_number() {
        for text in [r#"{"$serde_json::private::Number": "x"}"#, r#"{"$serde_json::private::Number": {}}"#] {
            assert_eq!(codes(text).last().unwrap().0, "invalid_json", "{text}");
        }
    }
}
