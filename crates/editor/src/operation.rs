//! What can be done to a page, block by block.
//!
//! Each operation holds what it changes: `from` is a lock, for an operation does nothing if something else is there, and it is the
//! inverse as well. A place in the order is named by the block before it. Invariants: an operation and then its inverse leave the page
//! byte for byte as it was; what an operation does not name it does not touch; after it the page fits the schema.

use pagesmith_model::bounds::is_blank;
use pagesmith_model::content::MOST_BLOCKS;
pub use pagesmith_model::message::edit::HeadField;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{Document, Head, Selection, json};
use crate::schema;

/// A change of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Operation {
    /// Sets a field of a block.
    Set {
        /// The block.
        block_id: String,
        /// The field, as a JSON pointer.
        path: String,
        /// What is there; nothing if the field is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Value>,
        /// What shall be there; nothing to leave the field out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Value>,
    },
    /// Inserts a block.
    Insert {
        /// The whole block, with its id.
        block: Value,
        /// The block before it; nothing for the start of the page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// Removes a block.
    Remove {
        /// The whole block as it is there.
        block: Value,
        /// The block before it; nothing at the start of the page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// Moves a block.
    Move {
        /// The block.
        block_id: String,
        /// The block before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The block that shall be before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// Sets a field of the metadata.
    SetHead {
        /// The field.
        field: HeadField,
        /// What it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// What it shall be.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// Sets the notes about the audience.
    SetContext {
        /// What they were.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// What they shall be.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
}

/// Why an operation did nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// Something else is there: this, or nothing.
    Conflict(Option<Value>),
    /// The page would break a rule of its schema.
    Invalid,
    /// It is like that already.
    Same,
}

impl Operation {
    /// What undoes it.
    #[must_use]
    pub fn inverse(&self) -> Operation {
        match self.clone() {
            Operation::Set { block_id, path, from, to } => {
                Operation::Set { block_id, path, from: to, to: from }
            }
            Operation::Insert { block, after } => Operation::Remove { block, after },
            Operation::Remove { block, after } => Operation::Insert { block, after },
            Operation::Move { block_id, from, to } => Operation::Move { block_id, from: to, to: from },
            Operation::SetHead { field, from, to } => Operation::SetHead { field, from: to, to: from },
            Operation::SetContext { from, to } => Operation::SetContext { from: to, to: from },
        }
    }

    /// The block that it is about, if it is about one.
    pub fn block_id(&self) -> Option<&str> {
        match self {
            Operation::Set { block_id, .. } | Operation::Move { block_id, .. } => Some(block_id),
            Operation::Insert { block, .. } | Operation::Remove { block, .. } => block["blockId"].as_str(),
            Operation::SetHead { .. } | Operation::SetContext { .. } => None,
        }
    }

    /// The block as it would be, whether or not it fits the schema; nothing if the operation sets no field of a block.
    ///
    /// # Errors
    ///
    /// If there is no such place, or something else is there.
    pub fn block_after(&self, document: &Document) -> Result<Option<Value>, Refusal> {
        match self {
            Operation::Set { block_id, path, from, to } => {
                with_field(document, block_id, path, from.as_ref(), to.as_ref()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Carries it out; a page for which it is refused stays as it was.
    ///
    /// # Errors
    ///
    /// If something else is there than the operation says, or the page would break a rule.
    pub fn apply(&self, document: &mut Document) -> Result<(), Refusal> {
        match self {
            Operation::Set { block_id, path, from, to } => {
                set(document, block_id, path, from.as_ref(), to.as_ref())
            }
            Operation::Insert { block, after } => insert(document, block, after.as_deref()),
            Operation::Remove { block, after } => remove(document, block, after.as_deref()),
            Operation::Move { block_id, from, to } => {
                move_block(document, block_id, from.as_deref(), to.as_deref())
            }
            Operation::SetHead { field, from, to } => {
                let slot = match field {
                    HeadField::Title => &mut document.head.title,
                    HeadField::Description => &mut document.head.description,
                    HeadField::Keywords => &mut document.head.keywords,
                };
                replace_text(slot, from.as_ref(), to.as_ref(), 1_000)
            }
            Operation::SetContext { from, to } => {
                replace_text(&mut document.context, from.as_ref(), to.as_ref(), 200_000)
            }
        }
    }
}

impl Head {
    /// A field.
    pub(crate) fn field(&self, field: HeadField) -> &Option<String> {
        match field {
            HeadField::Title => &self.title,
            HeadField::Description => &self.description,
            HeadField::Keywords => &self.keywords,
        }
    }
}

impl Selection {
    /// Whether an operation stays within what is selected.
    pub fn allows(&self, operation: &Operation) -> bool {
        operation.block_id() == Some(self.block_id.as_str())
    }
}

fn replace_text(
    slot: &mut Option<String>,
    from: Option<&String>,
    to: Option<&String>,
    most: usize,
) -> Result<(), Refusal> {
    if slot.as_ref() != from {
        return Err(Refusal::Conflict(slot.clone().map(Value::String)));
    }
    if to.is_some_and(|text| is_blank(text) || text.contains('\0') || text.chars().count() > most) {
        return Err(Refusal::Invalid);
    }
    *slot = to.cloned();
    Ok(())
}

fn set(
    document: &mut Document,
    block_id: &str,
    path: &str,
    from: Option<&Value>,
    to: Option<&Value>,
) -> Result<(), Refusal> {
    let position = document.position(block_id).ok_or(Refusal::Conflict(None))?;
    let value = with_field(document, block_id, path, from, to)?;
    let block = schema::block(&value).ok_or(Refusal::Invalid)?;
    // What is not written as it was given, such as an empty text that is left out, could not be undone.
    if json(&block) != value {
        return Err(Refusal::Invalid);
    }
    if let Some(slot) = document.content.blocks.get_mut(position) {
        *slot = block;
    }
    Ok(())
}

/// A block with another value in a field.
fn with_field(
    document: &Document,
    block_id: &str,
    path: &str,
    from: Option<&Value>,
    to: Option<&Value>,
) -> Result<Value, Refusal> {
    let mut value = json(document.block(block_id).ok_or(Refusal::Conflict(None))?);
    if value.pointer(path) != from {
        return Err(Refusal::Conflict(value.pointer(path).cloned()));
    }
    // An id is the block itself, and a block of another type is another block.
    if path.is_empty() || path == "/blockId" || path == "/type" {
        return Err(Refusal::Invalid);
    }
    let (parent, field) = path.rsplit_once('/').ok_or(Refusal::Invalid)?;
    let field = field.replace("~1", "/").replace("~0", "~");
    match (value.pointer_mut(parent), to) {
        (Some(Value::Object(object)), Some(to)) => drop(object.insert(field, to.clone())),
        (Some(Value::Object(object)), None) => drop(object.remove(&field)),
        (Some(Value::Array(items)), Some(to)) => {
            let item = field.parse().ok().and_then(|index: usize| items.get_mut(index));
            *item.ok_or(Refusal::Invalid)? = to.clone();
        }
        _ => return Err(Refusal::Invalid),
    }
    Ok(value)
}

fn insert(document: &mut Document, block: &Value, after: Option<&str>) -> Result<(), Refusal> {
    let block = schema::block(block).ok_or(Refusal::Invalid)?;
    let id = block.block_id().unwrap_or_default();
    if let Some(there) = document.block(id) {
        return Err(Refusal::Conflict(Some(json(there))));
    }
    if document.content.blocks.len() >= MOST_BLOCKS {
        return Err(Refusal::Invalid);
    }
    let at = behind(document, after)?;
    document.content.blocks.insert(at, block);
    Ok(())
}

fn remove(document: &mut Document, block: &Value, after: Option<&str>) -> Result<(), Refusal> {
    let id = block["blockId"].as_str().unwrap_or_default();
    let position = document.position(id).ok_or(Refusal::Conflict(None))?;
    let there = document.value(id);
    // Who inserted it may have left out a field that is empty.
    let is_there = there == *block || schema::block(block).is_some_and(|block| json(&block) == there);
    if !is_there {
        return Err(Refusal::Conflict(Some(there)));
    }
    let before = document.before(position);
    if before.as_deref() != after {
        return Err(Refusal::Conflict(before.map(Value::String)));
    }
    document.content.blocks.remove(position);
    Ok(())
}

fn move_block(
    document: &mut Document,
    block_id: &str,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<(), Refusal> {
    let position = document.position(block_id).ok_or(Refusal::Conflict(None))?;
    let before = document.before(position);
    if before.as_deref() != from {
        return Err(Refusal::Conflict(before.map(Value::String)));
    }
    if to == Some(block_id) {
        return Err(Refusal::Invalid);
    }
    if let Some(to) = to
        && document.position(to).is_none()
    {
        return Err(Refusal::Conflict(None));
    }
    let block = document.content.blocks.remove(position);
    let at = behind(document, to)?;
    document.content.blocks.insert(at, block);
    Ok(())
}

/// The place behind a block; the start of the page without one.
fn behind(document: &Document, after: Option<&str>) -> Result<usize, Refusal> {
    let Some(after) = after else { return Ok(0) };
    document.position(after).map(|position| position + 1).ok_or(Refusal::Conflict(None))
}
