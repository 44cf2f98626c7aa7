//! The rule of a text with a normal form, and what a type of such texts has in common with the others.

/// How a schema says that a text has a normal form, and how people are told.
#[derive(Debug, Clone, Copy)]
pub struct TextRule {
    /// The keyword of the schema: `format` or `pattern`.
    pub keyword: &'static str,
    /// The keyword's value: the format's name or the pattern.
    pub value: &'static str,
    /// What a valid text is, to be read after the name of a field.
    pub sentence: &'static str,
    /// Whether the text can be brought into the normal form.
    pub accepts: fn(&str) -> bool,
}

/// Gives a newtype over the normal form all that follows from its `parse`; `$schema` is what its JSON schema says beside the
/// type and the rule's keyword, and `$longest` how many characters of a request it reads at most, where the normal form may be shorter.
macro_rules! normal_text {
    ($name:ident, $keyword:literal: $value:expr, $sentence:literal, $schema:tt $(, $longest:expr)?) => {
        impl $name {
            /// How a schema says it, and how people are told.
            pub const RULE: $crate::text_rule::TextRule = $crate::text_rule::TextRule {
                keyword: $keyword,
                value: $value,
                sentence: $sentence,
                accepts: |text| $name::parse(text).is_some(),
            };

            /// The normal form, as stored and as sent.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The normal form, without a copy.
            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                $name::parse(&text).ok_or_else(|| serde::de::Error::custom($sentence))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed(stringify!($name))
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut schema = schemars::json_schema!($schema);
                let longest: &[usize] = &[$($longest)?];
                if let [longest] = longest
                    && generator.contract().is_deserialize()
                {
                    schema.insert("maxLength".to_owned(), (*longest).into());
                }
                schema.insert("type".to_owned(), "string".into());
                schema.insert($keyword.to_owned(), $value.into());
                schema
            }
        }
    };
}

pub(crate) use normal_text;
