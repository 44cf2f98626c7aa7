//! Things on a page that a request can name: blocks, parts of them, items of their lists, and what stands outside the blocks.

use pagesmith_model::content::component::Component;
use serde_json::Value;

use crate::document::{Document, json};
use crate::language::Language;
use crate::operation::HeadField;

/// A thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Thing {
    Block(String),
    /// A text of a block, by its place in it.
    Part {
        block: String,
        path: String,
    },
    /// Words within a text of a block.
    Words {
        block: String,
        path: String,
        words: String,
    },
    /// An item of a block's list.
    Item {
        block: String,
        index: usize,
    },
    /// The buttons of a block.
    Buttons(String),
    /// One button of a block that has several: its action, by id and label.
    Button {
        block: String,
        action: String,
        label: String,
    },
    Head(HeadField),
    Context,
    Page,
}

/// The list of a type of block: its field, the fields of an item's title and text, and how many items it must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    pub(crate) field: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) least: usize,
}

/// The list of a type of block. An item without fields is a text or a row itself.
pub(crate) fn list(kind: &str) -> Option<List> {
    let (field, title, text, least) = match kind {
        "feature-cards" => ("cards", "title", "text", 2),
        "frame-list" => ("frames", "title", "markdown", 1),
        "testimonial-carousel" => ("testimonials", "author", "quote", 1),
        "stats-cards" => ("stats", "value", "label", 2),
        "steps" => ("steps", "title", "text", 2),
        "price-cards" => ("plans", "name", "text", 1),
        "threads" => ("choices", "label", "markdown", 2),
        "comparison" => ("columns", "title", "points", 2),
        "table" => ("rows", "0", "", 1),
        "logo-marquee" => ("names", "", "", 1),
        _ => return None,
    };
    Some(List { field, title, text, least })
}

/// The field of a type of block that is its heading.
pub(crate) fn title_field(kind: &str) -> Option<&'static str> {
    match kind {
        "threads" => Some("question"),
        "image" => Some("caption"),
        "custom" => None,
        _ => Some("title"),
    }
}

/// The field of a type of block that is its running text.
pub(crate) fn text_field(kind: &str) -> Option<&'static str> {
    match kind {
        "hero" | "feature-cards" => Some("subtitle"),
        "text" | "frame" => Some("markdown"),
        "call-to-action" => Some("text"),
        "image" | "video" => Some("caption"),
        _ => None,
    }
}

/// The type of a block.
pub(crate) fn kind(block: &Value) -> &str {
    block["type"].as_str().unwrap_or_default()
}

impl Document {
    /// The place of the one text of a block that is this, or else of the one that holds it; nothing if there is none, or several.
    pub fn place_of(&self, block_id: &str, text: &str) -> Option<String> {
        let text = Some(text.trim()).filter(|text| !text.is_empty())?;
        let all = texts(self.block(block_id)?);
        let one = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = all.iter().filter(|(_, whole)| is_it(whole.trim()));
            found.next().filter(|_| found.next().is_none()).map(|(path, _)| path.clone())
        };
        one(&|whole| whole == text).or_else(|| one(&|whole| whole.contains(text)))
    }
}

/// The texts of a block that visitors read, with their places.
pub(crate) fn texts(block: &Component) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&json(block), String::new(), &mut found);
    found
}

/// Fields that hold no words.
const SILENT: [&str; 8] = ["type", "blockId", "url", "actionIds", "actionId", "html", "name", "width"];

fn collect(value: &Value, path: String, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path, text.clone())),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{path}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                // A plan's name is one of its words; that of a component is not shown.
                if !SILENT.contains(&name.as_str()) || (name == "name" && !path.is_empty()) {
                    collect(field, format!("{path}/{name}"), found);
                }
            }
        }
        _ => {}
    }
}

/// The items of a block's list.
pub(crate) fn items(block: &Value) -> &[Value] {
    let field = list(kind(block)).map(|list| list.field);
    field.and_then(|field| block[field].as_array()).map_or(&[], Vec::as_slice)
}

/// The items of a block as things.
pub(crate) fn items_of(id: &str, block: &Value) -> Vec<Thing> {
    (0..items(block).len()).map(|index| Thing::Item { block: id.to_owned(), index }).collect()
}

/// The title of an item.
pub(crate) fn item_title(block: &Value, item: &Value) -> String {
    let Some(list) = list(kind(block)) else { return String::new() };
    let text = if list.title.is_empty() {
        item.as_str()
    } else if list.title == "0" {
        item.get(0).and_then(Value::as_str)
    } else {
        item[list.title].as_str()
    };
    text.unwrap_or_default().to_owned()
}

impl Thing {
    /// The block that it is in.
    pub(crate) fn block(&self) -> Option<&str> {
        match self {
            Thing::Block(block)
            | Thing::Part { block, .. }
            | Thing::Words { block, .. }
            | Thing::Item { block, .. }
            | Thing::Button { block, .. }
            | Thing::Buttons(block) => Some(block),
            Thing::Head(_) | Thing::Context | Thing::Page => None,
        }
    }

    /// Whether it is on the page.
    pub(crate) fn is_on(&self, document: &Document) -> bool {
        let Some(block) = self.block() else { return true };
        let value = document.block(block).map(json);
        value.is_some_and(|value| match self {
            Thing::Item { index, .. } => *index < items(&value).len(),
            Thing::Part { path, .. } | Thing::Words { path, .. } => value.pointer(path).is_some(),
            Thing::Button { action, .. } => {
                value["actionIds"].as_array().is_some_and(|ids| ids.iter().any(|id| *id == action.as_str()))
            }
            _ => true,
        })
    }

    /// How its text begins, which tells it from others of the same name.
    pub(crate) fn beginning(&self, document: &Document) -> Option<String> {
        let component = document.block(self.block()?)?;
        let value = json(component);
        let within = match self {
            Thing::Item { index, .. } => format!("/{}/{index}/", list(kind(&value))?.field),
            Thing::Words { path, .. } => path.clone(),
            _ => "/".to_owned(),
        };
        let title = title_field(kind(&value)).map(|field| format!("/{field}"));
        let mut of_thing = texts(component).into_iter().filter(|(path, _)| path.starts_with(&within));
        let is_other = |(path, text): &(String, String)| {
            Some(path) != title.as_ref() && !text.trim().is_empty() && !self.is_named(text, &value)
        };
        of_thing.find(is_other).map(|(_, text)| text)
    }

    /// Whether a text is the thing's name itself.
    fn is_named(&self, text: &str, block: &Value) -> bool {
        match self {
            Thing::Item { index, .. } => {
                items(block).get(*index).is_some_and(|item| item_title(block, item) == text)
            }
            _ => false,
        }
    }

    /// What it is called, to the owner.
    pub(crate) fn label(&self, document: &Document, language: &Language) -> String {
        match self {
            Thing::Block(block) => block_label(&document.value(block), language),
            Thing::Item { block, index } => {
                let value = document.value(block);
                let title =
                    items(&value).get(*index).map(|item| item_title(&value, item)).unwrap_or_default();
                format!("“{}”", short(&title))
            }
            Thing::Words { words, .. } => format!("“{}”", short(words)),
            Thing::Buttons(block) => {
                language.say("button-of", &[("x", &block_label(&document.value(block), language))])
            }
            Thing::Button { block, label, .. } => {
                let of = block_label(&document.value(block), language);
                language.say("button-named", &[("x", &of), ("y", &short(label))])
            }
            Thing::Part { block, path } => {
                let value = document.value(block);
                let kind = kind(&value);
                let of = block_label(&value, language);
                match path.as_str() {
                    "/title" if kind == "hero" => language.say("headline", &[]),
                    "/subtitle" if kind == "hero" => language.say("subtitle", &[]),
                    "/title" | "/question" => language.say("title-of", &[("x", &of)]),
                    _ if text_field(kind).is_some_and(|field| path.get(1..) == Some(field)) => {
                        language.say("text-of", &[("x", &of)])
                    }
                    _ => language.say("part-of", &[("x", &of)]),
                }
            }
            Thing::Head(HeadField::Title) => language.say("meta-title", &[]),
            Thing::Head(HeadField::Description) => language.say("meta-description", &[]),
            Thing::Head(HeadField::Keywords) => language.say("meta-keywords", &[]),
            Thing::Context => language.say("audience-context", &[]),
            Thing::Page => language.say("page", &[]),
        }
    }
}

/// What a block is called: by its heading, else by its type.
pub(crate) fn block_label(block: &Value, language: &Language) -> String {
    let kind = kind(block);
    let title = title_field(kind).and_then(|field| block[field].as_str());
    let title = title.filter(|title| !title.trim().is_empty());
    title.map_or_else(|| language.name_of(kind), |title| format!("“{}”", short(title)))
}

/// The beginning of a text.
pub fn short(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(60).collect();
    if chars.next().is_none() { start } else { format!("{}…", start.trim_end()) }
}
