//! An operation as somebody asks for it who sees the page but does not repeat it: the document fills in what is there.
//!
//! Invariant: what comes out holds what it changes, as every [`Operation`] does, and a block that is inserted has an id of its own.

use serde_json::Value;

use crate::document::Document;
use crate::operation::{HeadField, Operation, Refusal};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum EditRequest {
    /// To set a field of a block.
    Set {
        /// The block.
        block_id: String,
        /// The field, as a JSON pointer.
        path: String,
        /// What is believed to be there; nothing if that is not said.
        from: Option<Value>,
        /// What shall be there; nothing to leave the field out.
        to: Option<Value>,
    },
    /// To insert a block.
    Insert {
        /// The block; an id that is taken, or none, becomes a free one.
        block: Value,
        /// The block before it; nothing for the start of the page.
        after: Option<String>,
    },
    /// To remove a block.
    Remove {
        /// The block.
        block_id: String,
    },
    /// To move a block.
    Move {
        /// The block.
        block_id: String,
        /// The block that shall be before it; nothing for the start of the page.
        after: Option<String>,
    },
    /// To set a field of the metadata.
    SetHead {
        /// The field.
        field: HeadField,
        /// What it shall be.
        to: Option<String>,
    },
    /// To set the notes about the audience.
    SetContext {
        /// What they shall be.
        to: Option<String>,
    },
}

impl EditRequest {
    /// The operation that it is on a document.
    ///
    /// # Errors
    ///
    /// If there is no such block, something else is there than is believed, or nothing would change.
    pub fn on(self, document: &Document) -> Result<Operation, Refusal> {
        let position = |id: &str| document.position(id).ok_or(Refusal::Conflict(None));
        Ok(match self {
            EditRequest::Set { block_id, path, from, to } => {
                position(&block_id)?;
                let there = document.value(&block_id).pointer(&path).cloned();
                if from.is_some() && from != there {
                    return Err(Refusal::Conflict(there));
                }
                if there == to {
                    return Err(Refusal::Same);
                }
                Operation::Set { block_id, path, from: there, to }
            }
            EditRequest::Insert { mut block, after } => {
                let Some(fields) = block.as_object_mut() else { return Err(Refusal::Invalid) };
                let named = fields.get("blockId").and_then(Value::as_str).filter(|id| !id.is_empty());
                let named = named.or_else(|| fields.get("type").and_then(Value::as_str)).unwrap_or("block");
                let id = document.free_id(named);
                fields.insert("blockId".to_owned(), Value::String(id));
                Operation::Insert { block, after }
            }
            EditRequest::Remove { block_id } => {
                let after = document.before(position(&block_id)?);
                Operation::Remove { block: document.value(&block_id), after }
            }
            EditRequest::Move { block_id, after } => {
                let from = document.before(position(&block_id)?);
                if from == after {
                    return Err(Refusal::Same);
                }
                Operation::Move { block_id, from, to: after }
            }
            EditRequest::SetHead { field, to } => {
                let from = document.head.field(field).clone();
                if from == to {
                    return Err(Refusal::Same);
                }
                Operation::SetHead { field, from, to }
            }
            EditRequest::SetContext { to } => {
                let from = document.context.clone();
                if from == to {
                    return Err(Refusal::Same);
                }
                Operation::SetContext { from, to }
            }
        })
    }
}
