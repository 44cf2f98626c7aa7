//! Labels of log entries: which system an entry comes from and what kind it is.
//!
//! What this is not: a name for people. There is one spelling, kebab case, so nothing is normalised: what is not a label is refused.

use crate::text_rule::normal_text;

/// The source or the type of a log entry, in kebab case: `page-view`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogLabel(String);

normal_text!(
    LogLabel,
    "pattern": LogLabel::PATTERN,
    "must be lower-case letters and digits, in groups joined by single hyphens, such as page-view",
    { "minLength": 1, "maxLength": 100 }
);

impl LogLabel {
    /// The contract's pattern.
    pub const PATTERN: &'static str = "^[a-z0-9]+(-[a-z0-9]+)*$";

    /// The greatest length, in characters.
    const MAX: usize = 100;

    /// The type of an entry that names none.
    pub fn default_type() -> LogLabel {
        LogLabel("webhook".to_owned())
    }

    /// The label of this text, which has to be one as it stands.
    pub fn parse(text: &str) -> Option<LogLabel> {
        let is_group = |group: &str| {
            !group.is_empty() && group.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
        };
        (text.len() <= LogLabel::MAX && text.split('-').all(is_group)).then(|| LogLabel(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn validator() -> jsonschema::Validator {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<LogLabel>().to_value();
        jsonschema::validator_for(&schema).unwrap()
    }

    #[test]
    fn the_default_type_is_a_label() {
        assert_eq!(LogLabel::parse("webhook"), Some(LogLabel::default_type()));
    }

    #[test]
    fn takes_kebab_case_only() {
        for label in ["webhook", "a", "0", "page-view", "a-1-b", &"a".repeat(100)] {
            assert_eq!(LogLabel::parse(label).unwrap().as_str(), label);
        }
        for wrong in [
            "",
            "-",
            "-a",
            "a-",
            "a--b",
            "Page",
            "page view",
            "page_view",
            " a",
            "a\n",
            "é",
            "🦀",
            &"a".repeat(101),
        ] {
            assert_eq!(LogLabel::parse(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_its_schema(text in "[a-zA-Z0-9 _é-]{0,12}|[a-c]{95,105}|[a-c-]{1,6}|\\PC{0,5}") {
            let by_schema = validator().is_valid(&text.as_str().into());
            prop_assert_eq!(LogLabel::parse(&text).is_some(), by_schema);
        }
    }
}
