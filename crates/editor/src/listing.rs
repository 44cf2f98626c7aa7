//! The lists of blocks: items removed, moved and added, as one change of the list's field.

use serde_json::Value;

use crate::document::Document;
use crate::operation::Operation;
use crate::thing::{kind, list};

/// All words of an item.
pub(crate) fn text_of(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => fields.values().map(text_of).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

/// The change of a block's list by a function of its items; nothing if the block has none or nothing changes.
pub(crate) fn change(
    document: &Document,
    block_id: &str,
    with: impl FnOnce(&mut Vec<Value>) -> Option<()>,
) -> Option<Operation> {
    let value = document.value(block_id);
    let list = list(kind(&value))?;
    let from = value.get(list.field)?.clone();
    let mut items = from.as_array()?.clone();
    with(&mut items)?;
    let to = Value::Array(items);
    if from == to {
        return None;
    }
    let path = format!("/{}", list.field);
    Some(Operation::Set { block_id: block_id.to_owned(), path, from: Some(from), to: Some(to) })
}
