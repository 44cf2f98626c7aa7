//! A model's answer as a document, or what is wrong about it.
//!
//! JSON is taken out of fences and of prose around it, and commas too many are forgiven; nothing else is guessed.
//! Invariant: a document that comes out of here fits the schema and has no issues. What it says is not checked before
//! [`Judge::enforced`].

use std::sync::{LazyLock, OnceLock};

use jsonschema::Validator;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_template_agent::compose;
use pagesmith_template_agent::shared::check::{Checker, Wording};
use pagesmith_template_agent::shared::{pictures, text};
use serde_json::Value;

use super::clean::{Allowed, MOST_BLOCKS};

/// Judges the answers to the question for one brief.
pub struct Judge<'a> {
    /// What a document may refer to.
    pub allowed: Allowed<'a>,
    /// What it must not say.
    pub checker: Checker,
    brief: &'a Brief,
    /// What the page may call itself.
    names: Wording,
    /// What the brief may have asked.
    asked: Wording,
    /// The head of the page that the template would write.
    template: OnceLock<ContentHead>,
}

/// A document out of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The blocks that are valid.
    pub content: Content,
    /// What was wrong about the others.
    pub faults: Vec<String>,
    /// The number of each block in the answer.
    pub places: Vec<usize>,
}

impl Document {
    /// Whether it is a page: a hero, and something else.
    pub fn is_page(&self) -> bool {
        is_page(&self.content)
    }
}

/// Whether a document is a page: a hero, and something else.
pub fn is_page(content: &Content) -> bool {
    content.blocks.len() >= 2 && content.blocks.iter().any(|block| matches!(block, Component::Hero(_)))
}

impl<'a> Judge<'a> {
    /// Whoever judges the pages of a brief.
    pub fn of(brief: &'a Brief) -> Judge<'a> {
        let supplement = brief.supplementary_context.as_deref().unwrap_or_default();
        Judge {
            allowed: Allowed::by(brief),
            checker: Checker::of(brief),
            brief,
            names: Wording::of([&*brief.page_context, &brief.page_name]),
            asked: Wording::of([&*brief.page_context, supplement]),
            template: OnceLock::new(),
        }
    }

    /// The document in an answer, as far as it is valid; an error if there is none.
    pub fn document(&self, text: &str) -> Result<Document, Vec<String>> {
        let value = json(text).ok_or_else(|| vec!["The answer is not JSON.".to_owned()])?;
        let value = unwrapped(value);
        let Some(Value::Array(blocks)) = value.get("blocks") else {
            return Err(vec!["The document has no blocks.".to_owned()]);
        };
        let (mut faults, mut places, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for (index, block) in blocks.iter().take(MOST_BLOCKS).enumerate() {
            let Some(block) = self.allowed.cleaned(block.clone()) else { continue };
            match component(&block) {
                Ok(component) => {
                    places.push(index);
                    kept.push(component);
                }
                Err(fault) => faults.push(format!("blocks.{index}: {fault}")),
            }
        }
        if !kept.iter().any(|block| matches!(block, Component::Hero(_))) {
            faults.push("The document has no hero.".to_owned());
        }
        let content = self.finished(self.head(value.get("head")), kept);
        let issues = content.issues(&|id| self.allowed.has_action(id));
        if !issues.is_empty() {
            return Err(issues.into_iter().map(|issue| issue.message).collect());
        }
        Ok(Document { content, faults, places })
    }

    /// A document of these blocks; what the head does not say is taken from the page that the template would write.
    pub fn finished(&self, mut head: ContentHead, mut blocks: Vec<Component>) -> Content {
        pictures::once(&mut blocks);
        text::number_blocks(&mut blocks);
        if head.title.is_none() || head.language.is_none() || head.description.is_none() {
            let other = self.template.get_or_init(|| compose(self.brief).content.head);
            head.title = head.title.or_else(|| other.title.clone());
            head.description = head.description.or_else(|| other.description.clone());
            head.language = head.language.or_else(|| other.language.clone());
        }
        let mut content = Content::of(head, blocks);
        self.checker.note_sources(&mut content);
        content
    }

    /// Takes out of a document what its check found; nothing if what is left is no page.
    pub fn enforced(&self, mut content: Content) -> Option<Content> {
        self.checker.enforce(&mut content);
        content.blocks.retain(|block| self.allowed.leads_nowhere_else(block));
        is_page(&content).then(|| self.finished(content.head, content.blocks))
    }

    /// The head that an answer names, as far as it is valid and the brief supports it.
    pub fn head(&self, value: Option<&Value>) -> ContentHead {
        let mut head = head(value);
        head.site_name = head.site_name.filter(|name| self.names.has(name));
        head.unapplied_instructions.retain(|instruction| self.asked.has(instruction));
        head
    }
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
fn head(value: Option<&Value>) -> ContentHead {
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
        sources: Vec::new(),
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

    fn document(text: &str) -> Result<Document, Vec<String>> {
        Judge::of(&brief()).document(text)
    }

    #[test]
    fn json_is_found_in_what_surrounds_it() {
        let wanted = document(GOOD).unwrap();
        assert_eq!(wanted.content.head.title.as_deref(), Some("Bread"));
        assert_eq!(wanted.content.head.language.as_deref(), Some("en"));
        for text in [
            format!("Here it is:\n```json\n{GOOD}\n```\nEnjoy!"),
            GOOD.replace("}]}", "},],}"),
            format!("{{\"page\":{GOOD}}}"),
        ] {
            assert_eq!(document(&text).as_ref(), Ok(&wanted), "{text}");
        }
    }

    #[test]
    fn a_head_is_taken_as_far_as_it_is_valid_and_the_brief_supports_it() {
        let context = "Rye & Sons bakes bread. Please use our colours, and make it pop.";
        let brief = Brief::new(PageType::Inbound, "Page", context);
        let judge = Judge::of(&brief);
        let given = serde_json::json!({ "title": " ", "language": "english!", "siteName": "Rye & Sons",
            "unappliedInstructions": ["Use our colours", "", 3, "Call +49 30 123 and pay.", "make it pop"] });
        let wanted = ContentHead {
            site_name: Some("Rye & Sons".to_owned()),
            unapplied_instructions: vec!["Use our colours".to_owned(), "make it pop".to_owned()],
            ..ContentHead::default()
        };
        assert_eq!(judge.head(Some(&given)), wanted);
        assert_eq!(judge.head(Some(&serde_json::json!({ "siteName": "Rivalco" }))), ContentHead::default());
        assert_eq!(judge.head(None), ContentHead::default());
    }

    #[test]
    fn faults_are_told_and_the_valid_blocks_kept() {
        let text = r#"{"blocks":[{"type":"hero","title":"Bread"},{"type":"stats-cards","stats":[{"value":"1","label":"x"}]},{"type":"text","markdown":"a"},{"type":"text"}]}"#;
        let document = document(text).unwrap();
        assert_eq!((document.content.blocks.len(), document.faults.len()), (2, 2), "{document:?}");
        assert_eq!(document.places, [0, 2]);
        assert!(document.is_page() && document.faults[1].contains("markdown"), "{document:?}");
        let without_hero = self::document(r#"{"blocks":[{"type":"text","markdown":"a"}]}"#).unwrap();
        assert!(!without_hero.is_page() && !without_hero.faults.is_empty());
    }

    proptest! {
        #[test]
        fn any_answer_is_a_valid_document_or_none(text in "(\\{|\\}|\\[|\\]|\"blocks\":|\"type\":\"hero\"|\"title\":\"a\"|,|\"|\\\\|é){0,20}") {
            if let Ok(document) = document(&text) {
                prop_assert_eq!(document.content.issues(&|_| false), []);
            }
        }
    }
}
