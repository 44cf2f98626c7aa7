//! How long texts and lists of a request may be: the one place that knows the classes.
//!
//! The types here stand for a text or a list in a schema (`#[schemars(with = "…")]`) and hold nothing. What enforces schemas and what
//! documents them read the same: a longer text is refused with its place. Lengths count characters. Answers promise only the bounds
//! that the contract has: what was stored before there were others may be longer. What a caller sends as an object of its own making, a log's
//! payload, is bounded by the size of the body, except for a note in it.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::text_rule::TextRule;

/// The longest name or title.
const SHORT: u32 = 1_000;
/// The longest text that is nothing special.
pub(crate) const USUAL: u32 = 10_000;
/// The longest context, note or piece of knowledge.
pub(crate) const LONG: u32 = 200_000;
/// The most items of a list.
const MOST_ITEMS: u32 = 1_000;

/// The schema of a text with so many characters; of a `VISIBLE` one that is not empty, at least one can be seen.
pub struct Bounded<const MIN: u32, const MAX: u32, const VISIBLE: bool = false>;

/// The name of something that is not a part of something else.
pub type Name = NameUpTo<SHORT>;
/// A name that the contract bounds.
pub type NameUpTo<const MAX: u32> = Bounded<1, MAX, true>;
/// The heading of a part of a document.
pub type Heading = NameUpTo<300>;
/// The title of a part: empty, or with a visible character.
pub type Title = Bounded<0, SHORT, true>;
/// A text as short as a title.
pub type ShortText = Bounded<0, SHORT>;
/// Any other text.
pub type Text = Bounded<0, USUAL>;
/// Any other text that is not empty, such as an id or a type.
pub type SomeText = Bounded<1, USUAL>;
/// A context or a note.
pub type LongText = Bounded<1, LONG>;
/// A piece of knowledge, which may be empty.
pub type KnowledgeText = Bounded<0, LONG>;

impl<const MIN: u32, const MAX: u32, const VISIBLE: bool> JsonSchema for Bounded<MIN, MAX, VISIBLE> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Text{MIN}To{MAX}").into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "string" });
        let is_answer = generator.contract().is_serialize();
        if MIN > 0 {
            schema.insert("minLength".to_owned(), MIN.into());
        }
        if !is_answer || ![SHORT, USUAL, LONG].contains(&MAX) {
            schema.insert("maxLength".to_owned(), MAX.into());
        }
        if VISIBLE && !is_answer {
            schema.insert("format".to_owned(), NOT_BLANK.value.into());
        }
        schema
    }
}

/// The schema of an absolute address.
pub fn address(generator: &mut SchemaGenerator) -> Schema {
    if generator.contract().is_serialize() {
        return json_schema!({ "type": "string", "format": "uri" });
    }
    json_schema!({ "type": "string", "format": "uri", "maxLength": USUAL })
}

/// The schema of a text that may be missing.
pub fn optional(generator: &mut SchemaGenerator, min: u32) -> Schema {
    if generator.contract().is_serialize() {
        return json_schema!({ "type": ["string", "null"], "minLength": min });
    }
    json_schema!({ "type": ["string", "null"], "maxLength": USUAL })
}

/// The schema of a list.
pub struct List<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for List<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ListOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        let mut schema = json_schema!({ "type": "array", "items": items });
        if generator.contract().is_deserialize() {
            schema.insert("maxItems".to_owned(), MOST_ITEMS.into());
        }
        schema
    }
}

/// A text with a visible character. The minimum length refuses an empty text, and another rule refuses NUL.
pub const NOT_BLANK: TextRule = TextRule {
    keyword: "format",
    value: "not-blank",
    sentence: "must have a character that can be seen",
    accepts: |text| text.is_empty() || text.chars().any(|char| char == '\0' || is_visible(char)),
};

/// Whether a text has no visible character: it is empty, or has only blanks of any kind.
pub fn is_blank(text: &str) -> bool {
    !text.chars().any(is_visible)
}

fn is_visible(char: char) -> bool {
    let is_invisible = matches!(
        char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    !is_invisible && !char.is_whitespace() && !char.is_control()
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;
    use serde_json::{Value, json};

    use super::*;

    fn schemas<T: JsonSchema>() -> [Value; 2] {
        let settings = SchemaSettings::draft2020_12();
        let read = settings.clone().for_deserialize().into_generator().subschema_for::<T>();
        [read.to_value(), settings.for_serialize().into_generator().subschema_for::<T>().to_value()]
    }

    #[test]
    fn requests_are_bounded_and_answers_promise_what_the_contract_does() {
        let [read, written] = schemas::<Name>();
        assert_eq!(
            read,
            json!({ "type": "string", "minLength": 1, "maxLength": 1000, "format": "not-blank" })
        );
        assert_eq!(written, json!({ "type": "string", "minLength": 1 }));
        let [read, written] = schemas::<NameUpTo<100>>();
        assert_eq!(read["maxLength"], written["maxLength"]);
        let [read, written] = schemas::<Title>();
        assert_eq!(read, json!({ "type": "string", "maxLength": 1000, "format": "not-blank" }));
        assert_eq!(written, json!({ "type": "string" }));
        let [read, written] = schemas::<Option<Text>>();
        assert_eq!(read, json!({ "type": ["string", "null"], "maxLength": 10_000 }));
        assert_eq!(written, json!({ "type": ["string", "null"] }));
        let [read, written] = schemas::<List<LongText>>();
        assert_eq!((&read["maxItems"], &read["items"]["maxLength"]), (&json!(1_000), &json!(200_000)));
        assert_eq!(written, json!({ "type": "array", "items": { "type": "string", "minLength": 1 } }));
    }

    #[test]
    fn blanks_of_every_kind_are_no_name() {
        for blank in [" ", "\t\n", "\u{a0}", "\u{3000}", "\u{200b}", "\u{2060}\u{feff}", "\u{ad}", "\u{3164}"]
        {
            assert!(!(NOT_BLANK.accepts)(blank) && is_blank(blank), "{blank:?}");
        }
        for name in ["a", " a ", "\u{200b}x", "李", "🦀", "-", "\u{200f}שלום", "❤\u{fe0f}", ""] {
            assert!((NOT_BLANK.accepts)(name), "{name:?}");
        }
    }
}
