//! Whether a block fits the schema of contents: its types, and the bounds that its types cannot say.

use std::sync::LazyLock;

use jsonschema::Validator;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::{Content, ContentHead, MOST_BLOCKS};
use serde_json::Value;

static VALIDATOR: LazyLock<Option<Validator>> = LazyLock::new(|| {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Content>().to_value();
    jsonschema::validator_for(&schema).ok()
});

/// The block that a value is; nothing if it breaks a rule.
pub(crate) fn block(value: &Value) -> Option<Component> {
    let component: Component = serde_json::from_value(value.clone()).ok()?;
    component.block_id()?;
    let content = Content::of(ContentHead::default(), vec![component]);
    // Which actions a page has is asked by whoever keeps the document.
    if !content.issues(&|_| true).is_empty() || !fits(&content) {
        return None;
    }
    content.blocks.into_iter().next()
}

/// Whether a whole document fits.
pub(crate) fn fits(content: &Content) -> bool {
    let Ok(value) = serde_json::to_value(content) else { return false };
    content.blocks.len() <= MOST_BLOCKS && VALIDATOR.as_ref().is_some_and(|schema| schema.is_valid(&value))
}
