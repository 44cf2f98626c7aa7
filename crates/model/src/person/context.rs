//! What an import knows of a person besides the fields: names and texts, in the order of the columns they came from.
//!
//! It is kept as the text of a JSON object and read by the page agent. Invariant: no name is in it twice, no text is empty.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::JsonText;
use crate::{Error, Result};

/// Names with their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonContext(Vec<(String, String)>);

impl PersonContext {
    /// What is kept of a person.
    pub fn read(stored: Option<&JsonText>) -> Result<PersonContext> {
        let text = stored.map_or("{}", JsonText::as_str);
        serde_json::from_str(text).map_err(Error::internal)
    }

    /// The form in which it is kept; nothing if there is nothing.
    pub fn written(&self) -> Result<Option<JsonText>> {
        if self.0.is_empty() { Ok(None) } else { JsonText::of(self).map(Some) }
    }

    /// Puts a text in the place of the one of that name, or behind the others.
    pub fn set(&mut self, name: &str, text: &str) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => text.clone_into(old),
            None => self.0.push((name.to_owned(), text.to_owned())),
        }
    }

    /// The text of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// The names with their texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl Serialize for PersonContext {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in &self.0 {
            map.serialize_entry(name, text)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for PersonContext {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PersonContext, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = PersonContext;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PersonContext, A::Error> {
                let mut context = PersonContext::default();
                while let Some((name, text)) = map.next_entry::<String, String>()? {
                    context.set(&name, &text);
                }
                Ok(context)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays_and_a_later_text_replaces_an_earlier_one() {
        let mut context = PersonContext::read(None).unwrap();
        assert_eq!(context.written().unwrap(), None);
        for (name, text) in [("Title", "CEO"), ("City", "Köln \"am Rhein\""), ("Title", "CTO")] {
            context.set(name, text);
        }
        let stored = context.written().unwrap().unwrap();
        assert_eq!(stored.as_str(), r#"{"Title":"CTO","City":"Köln \"am Rhein\""}"#);
        let again = PersonContext::read(Some(&stored)).unwrap();
        assert_eq!(again, context);
        assert_eq!(again.names().collect::<Vec<_>>(), ["Title", "City"]);
        assert_eq!((again.get("Title"), again.get("Zip")), (Some("CTO"), None));
    }
}
