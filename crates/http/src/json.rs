//! JSON, strictly: what serde_json takes, less what two readers might understand differently.
//!
//! Duplicate names, NUL and nesting beyond 64 levels are found with their paths and reported together; numbers keep their
//! digits. Lone surrogates are refused by the parser itself. A body is checked for UTF-8 once, so that the parser need not check each text.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

use pagesmith_model::{Field, Issue, IssueCode, Issues, issues};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

pub use document::{Document, Documents, Member};
pub(crate) use integers::with_plain_integers;

mod document;
mod integers;

/// How deep a body may be nested.
pub const MAX_DEPTH: usize = 64;

/// The name under which serde_json hands over a number that keeps its spelling.
const NUMBER: &str = "$serde_json::private::Number";

/// The text of a body; an issue if it is not UTF-8.
pub fn text(body: &[u8]) -> Result<&str, Issue> {
    std::str::from_utf8(body).map_err(|error| {
        let at = error.valid_up_to() + 1;
        Issue::body(
            IssueCode::InvalidJson,
            &[],
            format!("The body is not valid JSON: it is not UTF-8 from byte {at} on."),
        )
    })
}

/// The document of a body, or everything that is wrong with it.
pub fn parse(body: &[u8]) -> Result<Document<'_>, Issues> {
    match read(text(body)?) {
        (Some(document), issues) if issues.is_empty() => Ok(document),
        (_, issues) => Err(issues),
    }
}

/// The document of a body as far as its text has one, so that the document's faults can be told too, and everything that
/// is wrong with the text.
pub fn read(text: &str) -> (Option<Document<'_>>, Issues) {
    let walk = Walk::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = DocumentSeed { walk: &walk }.deserialize(&mut deserializer).and_then(|document| {
        deserializer.end()?;
        Ok(document)
    });
    let is_too_deep = walk.is_too_deep.get();
    let mut issues = walk.into_issues();
    match parsed {
        Ok(document) => (Some(document), issues),
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
struct DocumentSeed<'a> {
    walk: &'a Walk,
}

impl<'de> DeserializeSeed<'de> for DocumentSeed<'_> {
    type Value = Document<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Document<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for DocumentSeed<'_> {
    type Value = Document<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document<'de>, E> {
        Ok(Document::Bool(value))
    }

    fn visit_unit<E>(self) -> Result<Document<'de>, E> {
        Ok(Document::Null)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Document<'de>, E> {
        Ok(Document::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Document<'de>, E> {
        Ok(Document::Number(value.into()))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Document<'de>, E> {
        self.walk.check_text(text);
        Ok(Document::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Document<'de>, E> {
        self.walk.check_text(text);
        Ok(Document::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Document<'de>, A::Error> {
        self.walk.check_depth()?;
        let mut documents = Vec::new();
        loop {
            match self.walk.inside(&documents.len(), || items.next_element_seed(self))? {
                Some(document) => documents.push(document),
                None => return Ok(Document::Array(documents)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Document<'de>, A::Error> {
        let (mut members, mut places) = (Vec::new(), NamePositions::default());
        let mut repeated = BTreeSet::new();
        while let Some(name) = entries.next_key_seed(NameSeed)? {
            if members.is_empty() {
                if name == NUMBER {
                    // A body may spell that very name itself; its value is then no number.
                    let number: String = entries.next_value()?;
                    return number.parse::<Number>().map(Document::Number).map_err(de::Error::custom);
                }
                self.walk.check_depth()?;
            }
            let known = places.find(&members, &name);
            let document = self.walk.inside(&name, || {
                self.walk.check_text(&name);
                // However often it occurs, that is one issue.
                if known.is_some() && repeated.insert(name.clone()) {
                    self.walk.report(IssueCode::DuplicateKey, "stands twice in the same object");
                }
                entries.next_value_seed(self)
            })?;
            match known.and_then(|at| members.get_mut(at)) {
                Some((_, earlier)) => *earlier = document,
                None => {
                    members.push((name, document));
                    places.note(&members);
                }
            }
        }
        if members.is_empty() {
            self.walk.check_depth()?;
        }
        Ok(Document::Object(members))
    }
}

/// A name, borrowed where it is spelled without escapes.
struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

/// Where the names of an object stand, once they are too many to be compared one after the other.
#[derive(Default)]
struct NamePositions<'de>(HashMap<Cow<'de, str>, usize>);

impl<'de> NamePositions<'de> {
    /// So many names are compared.
    const COMPARED: usize = 16;

    fn find(&self, members: &[Member<'de>], name: &str) -> Option<usize> {
        if members.len() <= Self::COMPARED {
            return members.iter().position(|(known, _)| known == name);
        }
        self.0.get(name).copied()
    }

    /// Notes the last name.
    fn note(&mut self, members: &[Member<'de>]) {
        if members.len() <= Self::COMPARED {
            return;
        }
        let unknown = self.0.len();
        let places = members.iter().enumerate().skip(unknown);
        self.0.extend(places.map(|(at, (name, _))| (name.clone(), at)));
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
    fn a_name_that_is_repeated_among_many_is_found_once_and_its_last_value_counts() {
        for names in [2, 15, 16, 17, 18, 40] {
            let members: Vec<String> = (0..names).map(|at| format!("\"n{at}\":{at}")).collect();
            let members = members.join(",");
            let text = format!("{{{members},\"n1\":true,\"n\\u0031\":false}}");
            let (document, issues) = read(&text);
            let paths: Vec<_> = issues.listed().iter().map(|issue| issue.path.join("/")).collect();
            assert_eq!(paths, ["n1"], "{names}");
            let Some(Document::Object(members)) = document else { panic!("no object") };
            assert_eq!(members.len(), names);
            assert_eq!(members[1], ("n1".into(), Document::Bool(false)));
        }
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
            assert_eq!(parse(number.as_bytes()).unwrap().canonical().unwrap(), *number);
        }
        // The sign of an exponent is the one thing that is spelled out.
        assert_eq!(parse(b"1e999").unwrap().canonical().unwrap(), "1e+999");
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
        let issues = parse(b"{\"a\": \"\xff\"}").unwrap_err();
        assert_eq!(issues.listed()[0].message, "The body is not valid JSON: it is not UTF-8 from byte 8 on.");
    }

    #[test]
    fn a_body_cannot_pretend_to_be_a_number() {
        for text in [r#"{"$serde_json::private::Number": "x"}"#, r#"{"$serde_json::private::Number": {}}"#] {
            assert_eq!(codes(text).last().unwrap().0, "invalid_json", "{text}");
        }
    }
}
