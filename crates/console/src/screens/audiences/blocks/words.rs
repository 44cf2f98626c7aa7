//! What components and their fields are called, and which of their fields a form shows.

use serde_json::Value;

use crate::parts::field::Choice;
use crate::parts::schema_form::FormLayout;
use crate::screens::offered::or_none;
use crate::visit::Visit;
use crate::words::Words;

/// The components, in the order in which they are offered.
pub(in crate::screens::audiences) const COMPONENTS: [&str; 17] = [
    "hero",
    "text",
    "feature-cards",
    "stats-cards",
    "testimonial-carousel",
    "frame-list",
    "steps",
    "comparison",
    "price-cards",
    "call-to-action",
    "image",
    "video",
    "table",
    "logo-marquee",
    "frame",
    "threads",
    "custom",
];

/// The fields of all components and of their parts, in the order in which they are shown. The width and the height of a picture follow from it.
const FIELDS: [&str; 38] = [
    "eyebrow",
    "name",
    "quote",
    "author",
    "role",
    "value",
    "label",
    "question",
    "title",
    "subtitle",
    "price",
    "text",
    "markdown",
    "html",
    "points",
    "url",
    "assetId",
    "altText",
    "image",
    "picture",
    "figure",
    "caption",
    "collapsible",
    "columns",
    "rows",
    "cards",
    "stats",
    "testimonials",
    "frames",
    "choices",
    "steps",
    "plans",
    "logos",
    "names",
    "actionIds",
    "actionId",
    "width",
    "height",
];
/// How many of them are shown: all but the size of a picture.
const SHOWN: usize = FIELDS.len() - 2;

/// How many characters of a block its row shows.
const FIRST_WORDS: usize = 70;

/// What a component is called.
pub(in crate::screens::audiences) fn component(words: Words, kind: &str) -> String {
    match kind {
        "hero" => words.text("component-hero"),
        "text" => words.text("component-text"),
        "feature-cards" => words.text("component-cards"),
        "stats-cards" => words.text("component-stats"),
        "testimonial-carousel" => words.text("component-testimonials"),
        "frame-list" => words.text("component-questions"),
        "steps" => words.text("component-steps"),
        "comparison" => words.text("component-comparison"),
        "price-cards" => words.text("component-prices"),
        "call-to-action" => words.text("component-call"),
        "image" => words.text("component-image"),
        "video" => words.text("component-video"),
        "table" => words.text("component-table"),
        "logo-marquee" => words.text("component-logos"),
        "frame" => words.text("component-frame"),
        "threads" => words.text("component-threads"),
        "custom" => words.text("component-custom"),
        other => other.to_owned(),
    }
}

/// What a component is for.
pub(in crate::screens::audiences) fn purpose(words: Words, kind: &str) -> String {
    match kind {
        "hero" => words.text("component-hero-help"),
        "text" => words.text("component-text-help"),
        "feature-cards" => words.text("component-cards-help"),
        "stats-cards" => words.text("component-stats-help"),
        "testimonial-carousel" => words.text("component-testimonials-help"),
        "frame-list" => words.text("component-questions-help"),
        "steps" => words.text("component-steps-help"),
        "comparison" => words.text("component-comparison-help"),
        "price-cards" => words.text("component-prices-help"),
        "call-to-action" => words.text("component-call-help"),
        "image" => words.text("component-image-help"),
        "video" => words.text("component-video-help"),
        "table" => words.text("component-table-help"),
        "logo-marquee" => words.text("component-logos-help"),
        "frame" => words.text("component-frame-help"),
        "threads" => words.text("component-threads-help"),
        _ => words.text("component-custom-help"),
    }
}

/// The first words of a block, by which it is known again.
pub(in crate::screens::audiences) fn first_words(block: &Value) -> String {
    const SAID: [&str; 7] = ["title", "question", "name", "quote", "label", "markdown", "caption"];
    let own = |value: &Value| {
        let mut texts = SAID.iter().filter_map(|name| value[*name].as_str());
        texts.find(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    let of_lists = || {
        let lists = block.as_object().into_iter().flat_map(|fields| fields.values());
        lists
            .filter_map(Value::as_array)
            .flatten()
            .find_map(|item| own(item).or_else(|| item.as_str().map(str::to_owned)))
    };
    let text = own(block).or_else(of_lists).unwrap_or_default();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= FIRST_WORDS {
        return words;
    }
    words.chars().take(FIRST_WORDS - 1).chain(['…']).collect()
}

/// What the form of a block says about its fields.
pub(in crate::screens::audiences) struct BlockFormLayout<'a> {
    pub visit: &'a Visit,
    /// The page's actions.
    pub actions: Vec<Choice>,
    /// The tenant's pictures.
    pub pictures: Vec<Choice>,
}

impl FormLayout for BlockFormLayout<'_> {
    fn shown(&self, _: &str, _: &Value) -> Vec<&'static str> {
        FIELDS[..SHOWN].to_vec()
    }

    fn label(&self, place: &str) -> String {
        label(self.visit.words, place)
    }

    fn help(&self, place: &str) -> String {
        match place {
            "html" => self.visit.text("content-html-help"),
            "rows" => self.visit.text("content-rows-help"),
            "columns" | "names" => self.visit.text("content-lines-help"),
            "markdown" => self.visit.text("content-markdown-help"),
            "actionIds" if self.actions.is_empty() => self.visit.text("content-actions-none"),
            "image.assetId" | "logos.assetId" => self.visit.text("content-picture-help"),
            place if place.ends_with(".points") => self.visit.text("content-lines-help"),
            place if place.ends_with("altText") => self.visit.text("content-alt-help"),
            _ => String::new(),
        }
    }

    fn choices(&self, place: &str) -> Option<Vec<Choice>> {
        match place.rsplit('.').next()? {
            "actionIds" => Some(self.actions.clone()),
            "actionId" => Some(or_none(self.visit, &self.actions)),
            "assetId" => Some(or_none(self.visit, &self.pictures)),
            _ => None,
        }
    }

    fn kinds(&self, place: &str) -> Vec<(&'static str, String)> {
        vec![("", self.visit.words.with("add-item", &[("name", item(self.visit.words, place).into())]))]
    }

    fn name(&self, place: &str, value: &Value) -> String {
        let said = first_words(value);
        let name = item(self.visit.words, place);
        if said.is_empty() { name } else { format!("{name}: {said}") }
    }
}

/// What an item of a list is called.
fn item(words: Words, place: &str) -> String {
    match place {
        "cards" => words.text("item-card"),
        "stats" => words.text("item-figure"),
        "testimonials" => words.text("item-testimonial"),
        "frames" => words.text("item-question"),
        "choices" => words.text("item-choice"),
        "steps" => words.text("item-step"),
        "columns" => words.text("item-column"),
        "plans" => words.text("item-plan"),
        _ => words.text("item-logo"),
    }
}

/// What the field at a JSON pointer within a block is called: `/cards/1/title` is the heading of the second card.
pub(in crate::screens::audiences) fn label_at(words: Words, pointer: &str) -> String {
    let mut names: Vec<&str> = vec![];
    let mut number = None;
    for part in pointer.split('/').filter(|part| !part.is_empty()) {
        match part.parse::<u64>() {
            Ok(at) => number = Some(at + 1),
            Err(_) => names.push(part),
        }
    }
    let of_field = label(words, &names.join("."));
    match (number, names.as_slice()) {
        (Some(number), [list, _, ..]) => format!("{} {number} · {of_field}", item(words, list)),
        (Some(number), _) => format!("{of_field} {number}"),
        (None, _) => of_field,
    }
}

fn label(words: Words, place: &str) -> String {
    match place {
        "frames.title" => words.text("content-question"),
        "frames.markdown" => words.text("content-answer"),
        "logos.altText" => words.text("content-logo-name"),
        _ => label_of(words, place.rsplit('.').next().unwrap_or(place)),
    }
}

fn label_of(words: Words, name: &str) -> String {
    match name {
        "eyebrow" => words.text("content-eyebrow"),
        "name" => words.text("name"),
        "quote" => words.text("content-quote"),
        "author" => words.text("content-author"),
        "role" => words.text("content-role"),
        "value" => words.text("content-value"),
        "label" => words.text("content-label"),
        "question" => words.text("content-question"),
        "title" => words.text("content-title"),
        "subtitle" => words.text("content-subtitle"),
        "price" => words.text("content-price"),
        "text" | "markdown" => words.text("content-text"),
        "html" => words.text("content-html"),
        "points" => words.text("content-points"),
        "url" => words.text("address"),
        "assetId" => words.text("content-asset"),
        "altText" => words.text("content-alt"),
        "image" | "picture" => words.text("content-picture"),
        "figure" => words.text("item-figure"),
        "caption" => words.text("content-caption"),
        "collapsible" => words.text("content-collapsible"),
        "columns" => words.text("content-columns"),
        "rows" => words.text("content-rows"),
        "cards" => words.text("content-cards"),
        "stats" => words.text("component-stats"),
        "testimonials" => words.text("component-testimonials"),
        "frames" => words.text("component-questions"),
        "choices" => words.text("content-choices"),
        "steps" => words.text("component-steps"),
        "plans" => words.text("content-plans"),
        "logos" => words.text("component-logos"),
        "names" => words.text("content-names"),
        "actionIds" => words.text("content-actions"),
        "actionId" => words.text("content-action"),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pagesmith_model::content::Component;
    use serde_json::{Value, json};

    use super::{COMPONENTS, FIELDS, component, first_words, label, purpose};
    use crate::words::Words;

    /// The names of all properties in a schema.
    fn properties(schema: &Value, found: &mut BTreeSet<String>) {
        match schema {
            Value::Object(fields) => {
                if let Some(Value::Object(named)) = fields.get("properties") {
                    found.extend(named.keys().cloned());
                }
                fields.values().for_each(|value| properties(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| properties(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_component_and_every_field_has_a_name() {
        let words = Words::choose(None, None);
        let offered: BTreeSet<&str> = COMPONENTS.into_iter().collect();
        assert_eq!(offered, Component::TAGS.iter().copied().collect());
        for kind in COMPONENTS {
            assert_ne!(component(words, kind), kind);
            assert!(!purpose(words, kind).is_empty());
        }
        let mut generator = schemars::SchemaGenerator::default();
        let union = generator.subschema_for::<Component>().to_value();
        let parts: Value = generator.take_definitions(true).into_iter().map(|(_, schema)| schema).collect();
        let schema = json!([union, parts]);
        let mut found = BTreeSet::new();
        properties(&schema, &mut found);
        let known: BTreeSet<String> =
            FIELDS.into_iter().chain(["type", "blockId"]).map(str::to_owned).collect();
        assert_eq!(found, known);
        for name in &FIELDS[..super::SHOWN] {
            assert_ne!(label(words, name), **name);
        }
    }

    #[test]
    fn a_block_is_known_by_its_first_words() {
        let long = "word ".repeat(40);
        assert_eq!(first_words(&json!({ "type": "text", "markdown": long })).chars().count(), 70);
        assert_eq!(first_words(&json!({ "type": "steps", "steps": [{ "title": " A\nb " }] })), "A b");
        assert_eq!(first_words(&json!({ "type": "logo-marquee", "logos": [], "names": ["Acme"] })), "Acme");
        assert_eq!(first_words(&json!({ "type": "image", "image": { "url": "x" } })), "");
    }
}
