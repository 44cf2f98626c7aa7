//! Texts that are kept in one normal form, so that equal things are equal texts: the identifiers of persons and
//! accounts and the labels of logs.
//!
//! What this is not: a validator. Each type has one entry point, `parse`, which JSON goes through too; and its
//! schema names a format or a pattern from [`RULES`], by which whoever enforces schemas calls the same function.
//! Invariant: parsing the normal form gives the normal form.

use crate::bounds::NOT_BLANK;
use crate::domain::Domain;
use crate::email::EmailAddress;
use crate::linkedin::LinkedinProfile;
use crate::log::label::LogLabel;
use crate::phone::PhoneNumber;
pub use crate::text_rule::TextRule;

/// The rules of all types of this kind, and of names, which are kept as they were sent.
pub const RULES: [TextRule; 6] =
    [EmailAddress::RULE, Domain::RULE, LinkedinProfile::RULE, PhoneNumber::RULE, LogLabel::RULE, NOT_BLANK];

impl TextRule {
    /// The rule that a schema names by this keyword and value.
    pub fn find(keyword: &str, value: &str) -> Option<&'static TextRule> {
        RULES.iter().find(|rule| rule.keyword == keyword && rule.value == value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A text in another form, its normal form, and one that has none, for every type.
    const SAMPLES: [[&str; 3]; 5] = [
        [" Jane@Example.COM", "jane@example.com", "jane@@example.com"],
        ["https://www.Example.com/", "example.com", "example"],
        ["linkedin.com/in/Jane/", "https://www.linkedin.com/in/jane", "https://example.com/in/jane"],
        ["+4915112345678", "+4915112345678", "0151 12345678"],
        ["page-view", "page-view", "Page view"],
    ];

    fn normalised(rule: &TextRule, text: &str) -> Result<String, serde_json::Error> {
        let text = Value::from(text);
        Ok(match rule.value {
            "email" => serde_json::from_value::<EmailAddress>(text)?.into_string(),
            "domain" => serde_json::from_value::<Domain>(text)?.into_string(),
            "linkedin-profile" => serde_json::from_value::<LinkedinProfile>(text)?.into_string(),
            value if value == PhoneNumber::PATTERN => {
                serde_json::from_value::<PhoneNumber>(text)?.into_string()
            }
            _ => serde_json::from_value::<LogLabel>(text)?.into_string(),
        })
    }

    #[test]
    fn json_is_read_by_the_same_function() {
        for (rule, [other, normal, wrong]) in RULES.iter().zip(SAMPLES) {
            assert_eq!(normalised(rule, other).unwrap(), normal);
            assert_eq!(normalised(rule, wrong).unwrap_err().to_string(), rule.sentence);
            assert!((rule.accepts)(other) && !(rule.accepts)(wrong), "{}", rule.value);
        }
        let from_text: EmailAddress = serde_json::from_str(r#""j\u0061ne@example.com""#).unwrap();
        assert_eq!(serde_json::to_value(&from_text).unwrap(), json!("jane@example.com"));
        assert_eq!(format!("{from_text} {from_text:?} {from_text:>18}").len(), 16 + 1 + 16 + 1 + 18);
    }

    #[test]
    fn schemas_say_what_the_contract_says_and_name_a_rule() {
        let schema = |schema: schemars::Schema| schema.to_value();
        let mut generator = schemars::SchemaGenerator::default();
        assert_eq!(
            schema(generator.subschema_for::<EmailAddress>()),
            json!({ "type": "string", "maxLength": 1_024, "format": "email" })
        );
        assert_eq!(
            schema(generator.subschema_for::<Domain>()),
            json!({ "type": "string", "minLength": 1, "maxLength": 2_048, "format": "domain" })
        );
        assert_eq!(
            schema(generator.subschema_for::<LinkedinProfile>()),
            json!({ "type": "string", "minLength": 1, "maxLength": 2_048, "format": "linkedin-profile" })
        );
        assert_eq!(
            schema(generator.subschema_for::<PhoneNumber>()),
            json!({ "type": "string", "pattern": r"^\+[1-9][0-9]{1,14}$" })
        );
        assert_eq!(
            schema(generator.subschema_for::<LogLabel>()),
            json!({ "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" })
        );
        // An answer has the normal form, of which the contract says no length.
        let mut answers = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
        assert_eq!(
            schema(answers.subschema_for::<EmailAddress>()),
            json!({ "type": "string", "format": "email" })
        );
        assert!(TextRule::find("format", "email").is_some());
        assert!(TextRule::find("pattern", PhoneNumber::PATTERN).is_some());
        assert!(TextRule::find("pattern", "email").is_none());
    }

    #[test]
    fn no_text_makes_a_parser_panic() {
        let hostile = [
            "".to_owned(),
            " ".to_owned(),
            "\0".to_owned(),
            "@".repeat(300),
            ".".repeat(300),
            "a".repeat(300),
            "a.".repeat(100_000),
            "%".repeat(300),
            "é".repeat(300),
            "🦀".repeat(300),
            "שלום@דוגמה.קום".to_owned(),
            "\u{202e}moc.elpmaxe@enaj".to_owned(),
            "https://www.linkedin.com/in/%".to_owned(),
            "https://www.linkedin.com/in/%f".to_owned(),
            "https://www.linkedin.com/in/%ff%fe".to_owned(),
            "https://".to_owned(),
            "http://[::1]:80/".to_owned(),
            "xn--".to_owned(),
            "xn--.xn--".to_owned(),
            format!("xn--{}.com", "9".repeat(300)),
            "+".to_owned(),
            "+1".repeat(200),
        ];
        for text in &hostile {
            for rule in &RULES {
                (rule.accepts)(text);
            }
            for region in ["DE", "US", "", "??", "de", text] {
                PhoneNumber::from_national(text, region);
            }
        }
    }
}
