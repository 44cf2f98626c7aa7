//! The fields of two values that are different, each by its place: a JSON pointer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Budget;
use super::words::{self, TextPart};

/// A field with another value.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDifference {
    /// Its place, as a JSON pointer.
    pub path: String,
    /// What it said; nothing if it was not there.
    pub before: Option<Value>,
    /// What it says; nothing if it is not there.
    pub after: Option<Value>,
    /// The text in parts, if both are texts and not too long to be compared word by word.
    pub words: Option<Vec<TextPart>>,
}

/// Every field that is different, in the order of their places; nothing if there are too many.
pub(super) fn between(from: &Value, to: &Value, budget: &mut Budget) -> Option<Vec<FieldDifference>> {
    let (before, after) = (leaves(from), leaves(to));
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.retain(|path| before.get(*path) != after.get(*path));
    budget.fields = budget.fields.checked_sub(paths.len())?;
    let told = paths.into_iter().map(|path| {
        let (was, is) = (before.get(path).copied(), after.get(path).copied());
        let words = match (was, is) {
            (Some(Value::String(was)), Some(Value::String(is))) => words::between(was, is, budget),
            _ => None,
        };
        FieldDifference { path: path.clone(), before: was.cloned(), after: is.cloned(), words }
    });
    Some(told.collect())
}

/// Every value that has no others within, by its place; the whole has no place.
fn leaves(value: &Value) -> BTreeMap<String, &Value> {
    let mut found = BTreeMap::new();
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (name, field) in fields {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    open.push((format!("{path}/{name}"), field));
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    open.push((format!("{path}/{index}"), item));
                }
            }
            _ if path.is_empty() => {}
            _ => {
                found.insert(path, value);
            }
        }
    }
    found
}
