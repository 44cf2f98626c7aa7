//! The `type` of a component as a Rust type: it takes no room, is written as its text, and is read only after the union has looked at it.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of a component, which its type says already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<T>(PhantomData<T>);

/// A component by its name.
pub trait Tagged {
    /// The text of its `type`.
    const TAG: &'static str;
}

impl<T> Default for Tag<T> {
    fn default() -> Tag<T> {
        Tag(PhantomData)
    }
}

impl<T: Tagged> Serialize for Tag<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(T::TAG)
    }
}

/// The union has looked at the text before.
impl<'de, T> Deserialize<'de> for Tag<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tag<T>, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Tag::default())
    }
}

impl<T> JsonSchema for Tag<T> {
    fn schema_name() -> Cow<'static, str> {
        "Tag".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
