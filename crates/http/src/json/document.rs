//! A JSON document that borrows its texts from the body it was read from, as the schemas' validator takes it.
//!
//! A body is validated before it is decoded. A tree of `serde_json` for that costs an allocation for every name and text, which is more
//! than the validation itself. Names are in the order of the body, each once.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{self, Json, NodeIdentity};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Document<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, with its digits as they were sent.
    Number(Number),
    /// A text.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Document<'a>>),
    /// An object.
    Object(Vec<Member<'a>>),
}

/// A name and its value.
pub type Member<'a> = (Cow<'a, str>, Document<'a>);

impl Document<'_> {
    /// Its text in canonical form: names sorted, white space gone.
    pub fn canonical(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// The same as a tree of its own, for messages.
    fn to_value(&self) -> Value {
        match self {
            Document::Null => Value::Null,
            Document::Bool(value) => Value::Bool(*value),
            Document::Number(number) => Value::Number(number.clone()),
            Document::Text(text) => Value::String(text.clone().into_owned()),
            Document::Array(items) => items.iter().map(Document::to_value).collect(),
            Document::Object(members) => {
                members.iter().map(|(name, value)| (name.as_ref(), value.to_value())).collect()
            }
        }
    }
}

impl<'a> From<&'a Value> for Document<'a> {
    fn from(value: &'a Value) -> Document<'a> {
        match value {
            Value::Null => Document::Null,
            Value::Bool(value) => Document::Bool(*value),
            Value::Number(number) => Document::Number(number.clone()),
            Value::String(text) => Document::Text(text.into()),
            Value::Array(items) => Document::Array(items.iter().map(Document::from).collect()),
            Value::Object(members) => {
                let members = members.iter().map(|(name, value)| (name.into(), Document::from(value)));
                Document::Object(members.collect())
            }
        }
    }
}

/// With the names of each object sorted.
impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Document::Null => serializer.serialize_unit(),
            Document::Bool(value) => serializer.serialize_bool(*value),
            Document::Number(number) => number.serialize(serializer),
            Document::Text(text) => serializer.serialize_str(text),
            Document::Array(items) => {
                let mut array = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| array.serialize_element(item))?;
                array.end()
            }
            Document::Object(members) => {
                let mut sorted: Vec<&Member<'_>> = members.iter().collect();
                sorted.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
                let mut object = serializer.serialize_map(Some(sorted.len()))?;
                sorted.iter().try_for_each(|(name, value)| object.serialize_entry(name, value))?;
                object.end()
            }
        }
    }
}

/// Documents, to the validator.
pub struct Documents;

impl Json for Documents {
    type Node<'a> = &'a Document<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // Names are compared one after the other, so that a pass over all of them costs little more than finding one.
    const KEYS_PER_LOOKUP: usize = 1;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Self::Node<'_>) -> T) -> T {
        f(&Document::Text(string.into()))
    }
}

impl<'a> json::Node<'a, Documents> for &'a Document<'a> {
    type Object = &'a [Member<'a>];
    type Array = &'a [Document<'a>];
    type Number = &'a Number;

    fn as_object(&self) -> Option<Self::Object> {
        if let Document::Object(members) = self { Some(members) } else { None }
    }

    fn as_array(&self) -> Option<Self::Array> {
        if let Document::Array(items) = self { Some(items) } else { None }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        if let Document::Text(text) = self { Some(Cow::Borrowed(text)) } else { None }
    }

    fn as_number(&self) -> Option<&'a Number> {
        if let Document::Number(number) = self { Some(number) } else { None }
    }

    fn as_boolean(&self) -> Option<bool> {
        if let Document::Bool(value) = self { Some(*value) } else { None }
    }

    fn is_null(&self) -> bool {
        matches!(self, Document::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Document::Null => JsonType::Null,
            Document::Bool(_) => JsonType::Boolean,
            Document::Number(_) => JsonType::Number,
            Document::Text(_) => JsonType::String,
            Document::Array(_) => JsonType::Array,
            Document::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self, expected) {
            // What constants and enumerations are made of.
            (Document::Text(text), Value::String(expected)) => text == expected,
            (Document::Text(_), _) => false,
            _ => json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Document::to_value(self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Document<'_>>(self).addr()))
    }
}

impl<'a> json::Object<'a, Documents> for &'a [Member<'a>] {
    type Node = &'a Document<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        <[Member<'_>]>::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a Document<'a>> {
        self.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn members(&self) -> Members<'a> {
        Members(self.iter())
    }
}

/// The members of an object.
pub struct Members<'a>(std::slice::Iter<'a, Member<'a>>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a Document<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name.as_ref(), value))
    }
}

impl<'a> json::Array<'a, Documents> for &'a [Document<'a>] {
    type Node = &'a Document<'a>;
    type ElementsIter = std::slice::Iter<'a, Document<'a>>;

    fn len(&self) -> usize {
        <[Document<'_>]>::len(self)
    }

    fn elements(&self) -> Self::ElementsIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use jsonschema::json::conformance;
    use proptest::prelude::*;

    use super::*;
    use crate::json::parse;

    #[test]
    fn it_is_what_the_validator_expects_of_a_document() {
        let text = conformance::document().to_string();
        conformance::assert_conformance::<Documents>(&&parse(text.as_bytes()).unwrap());
    }

    /// Any JSON without NUL, some of its objects with more names than are compared one by one.
    fn any_json() -> impl Strategy<Value = Value> {
        let text = "[^\0]{0,6}";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_filter_map("finite", |number| Number::from_f64(number).map(Value::Number)),
            text.prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 64, 24, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..24).prop_map(Value::Array),
                prop::collection::btree_map(text, inner, 0..24)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn its_canonical_form_and_its_tree_are_those_of_serde_json(value in any_json()) {
            let text = value.to_string();
            let document = parse(text.as_bytes()).unwrap();
            prop_assert_eq!(document.canonical().unwrap(), text.as_str());
            prop_assert_eq!(&document, &Document::from(&value));
            prop_assert_eq!(document.to_value(), value);
        }

        #[test]
        fn the_order_of_names_does_not_matter(members in prop::collection::btree_map("[a-z]{1,3}", any::<u8>(), 0..40), seed in any::<prop::sample::Index>()) {
            let mut names: Vec<_> = members.iter().map(|(name, value)| format!("{name:?}: {value}")).collect();
            let sorted = format!("{{{}}}", names.join(","));
            if !names.is_empty() {
                let at = seed.index(names.len());
                names.rotate_left(at);
            }
            let rotated = format!("{{ {} }}", names.join(", "));
            let canonical = |text: &str| parse(text.as_bytes()).unwrap().canonical().unwrap();
            prop_assert_eq!(canonical(&rotated), canonical(&sorted));
        }
    }
}
