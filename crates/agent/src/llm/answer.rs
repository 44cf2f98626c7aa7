//! A model's answer as a document, or what is wrong about it.
//!
//! JSON is taken out of fences and of prose around it, and commas too many are forgiven; nothing else is guessed.
//! Invariant: a document that comes out of here fits the schema and has no issues.

use std::sync::LazyLock;

use jsonschema::Validator;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_template_agent::{compose, text};
use serde_json::Value;

use super::clean::{Allowed, MOST_BLOCKS};

/// The document in an answer, or its faults; `lenient` leaves out the blocks that have some.
pub fn document(text: &str, brief: &Brief, lenient: bool) -> Result<Content, Vec<String>> {
    let value = json(text).ok_or_else(|| vec!["The answer is not JSON.".to_owned()])?;
    let value = unwrapped(value);
    let Some(Value::Array(blocks)) = value.get("blocks") else {
        return Err(vec!["The document has no blocks.".to_owned()]);
    };
    let allowed = Allowed::by(brief);
    let mut faults = Vec::new();
    let mut kept = Vec::new();
    for (index, block) in blocks.iter().take(MOST_BLOCKS).enumerate() {
        let Some(block) = allowed.cleaned(block.clone()) else { continue };
        match component(&block) {
            Ok(component) => kept.push(component),
            Err(fault) => faults.push(format!("blocks.{index}: {fault}")),
        }
    }
    let is_page = kept.iter().any(|block| matches!(block, Component::Hero(_)));
    if !is_page {
        faults.push("The document has no hero.".to_owned());
    }
    let suffices = lenient && is_page && kept.len() >= 2;
    if !faults.is_empty() && !suffices {
        return Err(faults);
    }
    let content = finished(head(value.get("head")), kept, brief);
    let issues = content.issues(&|id| allowed.has_action(id));
    if issues.is_empty() { Ok(content) } else { Err(issues.into_iter().map(|issue| issue.message).collect()) }
}

/// A document of these blocks; what the head does not say is taken from the page that the template would write.
pub fn finished(mut head: ContentHead, mut blocks: Vec<Component>, brief: &Brief) -> Content {
    text::number_blocks(&mut blocks);
    if head.title.is_none() || head.language.is_none() || head.description.is_none() {
        let other = compose(brief).head;
        head.title = head.title.or(other.title);
        head.description = head.description.or(other.description);
        head.language = head.language.or(other.language);
    }
    Content::of(head, blocks)
}

/// The component that a cleaned block is, or why it is none.
pub fn component(block: &Value) -> Result<Component, String> {
    let document = serde_json::json!({ "format": 1, "blocks": [block] });
    if let Some(error) = validator().and_then(|validator| validator.iter_errors(&document).next()) {
        let at = error.instance_path().to_string();
        let at = at.strip_prefix("/blocks/0").unwrap_or(&at).trim_start_matches('/').replace('/', ".");
        // What a schema says of a choice is long; what the type says of the block is to the point.
        return Err(match serde_json::from_value::<Component>(block.clone()) {
            Err(error) => error.to_string(),
            Ok(_) if at.is_empty() => {
                "a text is too long, too short or a list has too many or too few parts".to_owned()
            }
            Ok(_) => format!("{at} breaks the schema"),
        });
    }
    serde_json::from_value(block.clone()).map_err(|error| error.to_string())
}

/// The head that an answer names, as far as it is valid.
pub fn head(value: Option<&Value>) -> ContentHead {
    let text = |name: &str, most: usize| {
        let text = value?.get(name)?.as_str()?;
        let text = text::line(text, most);
        text::says_something(&text).then_some(text)
    };
    let unapplied = || {
        let texts = value?.get("unappliedInstructions")?.as_array()?.iter().filter_map(Value::as_str);
        let texts = texts.map(|instruction| text::line(instruction, 500));
        Some(texts.filter(|instruction| text::says_something(instruction)).take(50).collect())
    };
    let language = text("language", 35).filter(|tag| {
        let mut parts = tag.split('-');
        let is_first =
            |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        parts.next().is_some_and(is_first)
            && parts.all(|part| {
                (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    });
    ContentHead {
        title: text("title", 120),
        description: text("description", 320),
        language,
        site_name: text("siteName", 100),
        unapplied_instructions: unapplied().unwrap_or_default(),
    }
}

fn validator() -> Option<&'static Validator> {
    static VALIDATOR: LazyLock<Option<Validator>> = LazyLock::new(|| {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Content>().to_value();
        jsonschema::validator_for(&schema).ok()
    });
    VALIDATOR.as_ref()
}

/// The JSON in an answer.
fn json(text: &str) -> Option<Value> {
    let start = text.find('{')?;
    let end = text.rfind('}')?;
    let inner = text.get(start..=end)?;
    serde_json::from_str(inner).ok().or_else(|| serde_json::from_str(&without_spare_commas(inner)).ok())
}

/// The text without commas before a closing bracket.
fn without_spare_commas(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut quoted = false;
    let mut escaped = false;
    for (at, char) in json.char_indices() {
        if quoted {
            quoted = char != '"' || escaped;
            escaped = char == '\\' && !escaped;
        } else if char == '"' {
            quoted = true;
        } else if char == ',' && json[at + 1..].trim_start().starts_with(['}', ']']) {
            continue;
        }
        out.push(char);
    }
    out
}

/// The document itself, if a model has put it into a field of something else.
fn unwrapped(value: Value) -> Value {
    if value.get("blocks").is_some() {
        return value;
    }
    let inner =
        value.as_object().and_then(|object| object.values().find(|inner| inner.get("blocks").is_some()));
    inner.cloned().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use pagesmith_model::page::PageType;

    use super::*;

    fn brief() -> Brief {
        Brief::new(PageType::Inbound, "Page", "We bake bread for the whole street.")
    }

    const GOOD: &str = r#"{"head":{"title":"Bread"},"blocks":[{"type":"hero","title":"Bread"},{"type":"text","markdown":"Rye, [x],}"}]}"#;

    #[test]
    fn json_is_found_in_what_surrounds_it() {
        let wanted = document(GOOD, &brief(), false).unwrap();
        assert_eq!(wanted.head.title.as_deref(), Some("Bread"));
        assert_eq!(wanted.head.language.as_deref(), Some("en"));
        for text in [
            format!("Here it is:\n```json\n{GOOD}\n```\nEnjoy!"),
            GOOD.replace("}]}", "},],}"),
            format!("{{\"page\":{GOOD}}}"),
        ] {
            assert_eq!(document(&text, &brief(), false).as_ref(), Ok(&wanted), "{text}");
        }
    }

    #[test]
    fn a_head_is_taken_as_far_as_it_is_valid() {
        let given = serde_json::json!({ "title": " ", "language": "english!", "siteName": "Rye & Sons",
            "unappliedInstructions": ["Use our colours.", "", 3] });
        let wanted = ContentHead {
            site_name: Some("Rye & Sons".to_owned()),
            unapplied_instructions: vec!["Use our colours.".to_owned()],
            ..ContentHead::default()
        };
        assert_eq!(head(Some(&given)), wanted);
        assert_eq!(head(None), ContentHead::default());
    }

    #[test]
    fn faults_are_told_once_and_left_out_then() {
        let text = r#"{"blocks":[{"type":"hero","title":"Bread"},{"type":"stats-cards","stats":[{"value":"1","label":"x"}]},{"type":"text","markdown":"a"},{"type":"text"}]}"#;
        let faults = document(text, &brief(), false).unwrap_err();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[1].contains("markdown"), "{faults:?}");
        let content = document(text, &brief(), true).unwrap();
        assert_eq!(content.blocks.len(), 2);
        assert!(document(r#"{"blocks":[{"type":"text","markdown":"a"}]}"#, &brief(), true).is_err());
    }

    proptest! {
        #[test]
        fn any_answer_is_a_valid_document_or_none(text in "(\\{|\\}|\\[|\\]|\"blocks\":|\"type\":\"hero\"|\"title\":\"a\"|,|\"|\\\\|é){0,20}") {
            if let Ok(content) = document(&text, &brief(), true) {
                prop_assert_eq!(content.issues(&|_| false), []);
            }
        }
    }
}
