//! JSON kept as the text it was written in, and unions told apart by a tag.
//!
//! [`JsonText`] goes from the database to the wire without being taken apart. `tagged_union!` makes an enum whose
//! variant is chosen by one field before anything else is looked at, so that a wrong field is reported at
//! its own place and not as "matches no variant".

use serde::de::DeserializeOwned;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Valid JSON, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// The JSON of `value`.
    ///
    /// Our own shapes always have one; a failure is a defect.
    pub fn of(value: &impl Serialize) -> crate::Result<JsonText> {
        serde_json::to_string(value).map(JsonText).map_err(crate::Error::internal)
    }

    /// Text that this type wrote earlier, back from the database.
    pub fn from_stored(text: String) -> JsonText {
        JsonText(text)
    }

    /// `{}`.
    pub fn empty_object() -> JsonText {
        JsonText("{}".to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value that [`JsonText::of`] was given.
    pub fn read<T: DeserializeOwned>(&self) -> crate::Result<T> {
        serde_json::from_str(&self.0).map_err(crate::Error::internal)
    }
}

/// Tells `null` (some none) from a field that is not there (none).
pub(crate) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// The name under which serde_json takes a text as it is. [`serde_json::value::RawValue`] does it in the same way but can only be
/// made by parsing the text again, which for a page costs more than reading its row; a test would tell if the
/// name ever changed.
const AS_IT_IS: &str = "$serde_json::private::RawValue";

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(AS_IT_IS, 1)?;
        raw.serialize_field(AS_IT_IS, &self.0)?;
        raw.end()
    }
}

/// Takes the text as it is in the document that is read.
impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonText, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| JsonText(raw.get().to_owned()))
    }
}

/// Makes an enum of the given variants, chosen by the text of the field `$tag`; `_` takes every other text, and without it every
/// other text is refused.
macro_rules! tagged_union {
    ($(#[$meta:meta])* $name:ident by $tag:literal { $($text:literal => $variant:ident($shape:ty),)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`.")] $variant($shape),)*
        }

        impl $name {
            /// The names that the tag can have.
            pub const TAGS: &[&str] = &[$($text,)*];
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                #[derive(serde::Deserialize)]
                struct Tag { #[serde(rename = $tag)] tag: String }
                let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                let Tag { tag } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
                match tag.as_str() {
                    $($text => serde_json::from_str(raw.get()).map($name::$variant).map_err(D::Error::custom),)*
                    _ => Err(D::Error::unknown_variant(&tag, Self::TAGS)),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $($name::$variant(shape) => shape.serialize(serializer),)*
                }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let known = [$(($text, generator.subschema_for::<$shape>()),)*];
                crate::json::union_schema($tag, &known, None)
            }
        }
    };
    ($(#[$meta:meta])* $name:ident by $tag:literal { $($text:literal => $variant:ident($shape:ty),)* _ => $other:ident($open:ty), }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`.")] $variant($shape),)*
            /// Any other type, kept and returned as sent.
            $other($open),
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                #[derive(serde::Deserialize)]
                struct Tag { #[serde(rename = $tag)] tag: String }
                let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                let Tag { tag } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
                match tag.as_str() {
                    $($text => serde_json::from_str(raw.get()).map($name::$variant),)*
                    _ => serde_json::from_str(raw.get()).map($name::$other),
                }
                .map_err(D::Error::custom)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $($name::$variant(shape) => shape.serialize(serializer),)*
                    $name::$other(shape) => shape.serialize(serializer),
                }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let known = [$(($text, generator.subschema_for::<$shape>()),)*];
                let open = generator.subschema_for::<$open>();
                crate::json::union_schema($tag, &known, Some(&open))
            }
        }
    };
}
pub(crate) use tagged_union;

/// The schema of a union: `anyOf` with a discriminator; the open shape, if there is one, stands last.
pub(crate) fn union_schema(
    tag: &str,
    known: &[(&str, schemars::Schema)],
    open: Option<&schemars::Schema>,
) -> schemars::Schema {
    let mapping: serde_json::Map<String, serde_json::Value> = known
        .iter()
        .filter_map(|(text, schema)| Some(((*text).to_owned(), schema.get("$ref")?.clone())))
        .collect();
    let variants: Vec<&schemars::Schema> = known.iter().map(|(_, schema)| schema).chain(open).collect();
    schemars::json_schema!({
        "anyOf": variants,
        "discriminator": { "propertyName": tag, "mapping": mapping },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_json_is_written_as_it_is() {
        let text = r#"{"b": [1e999, 0.10], "a":"\u00e9"}"#;
        let stored = JsonText::from_stored(text.to_owned());
        assert_eq!(serde_json::to_string(&stored).unwrap(), text);
        assert_eq!(serde_json::to_string(&[Some(stored)]).unwrap(), format!("[{text}]"));
    }
}
