//! What was entered into the form of a block as operations of the API, and what the API refuses back at the fields.

use serde_json::{Value, json};

use pagesmith_model::content::Component;

use crate::parts::form::FormError;

/// The block as the API keeps it, if it is one: what is empty and may be left out is.
pub(in crate::screens::audiences) fn canonical(block: &Value) -> Value {
    let read = serde_json::from_value::<Component>(block.clone());
    read.ok().and_then(|block| serde_json::to_value(block).ok()).unwrap_or_else(|| block.clone())
}

/// What of a picture says which one it is, and how large it is.
const PICTURE: [&str; 4] = ["url", "assetId", "width", "height"];

/// The block without the sizes of pictures that `from` did not show in that size: they were those of the pictures before.
pub(in crate::screens::audiences) fn resized(block: Value, from: &Value) -> Value {
    let mut known = Vec::new();
    pictures(from, &mut known);
    let of_shown = |value: Value| resized(value, from);
    match block {
        Value::Object(mut fields) => {
            let picture = PICTURE.map(|name| fields.get(name));
            if !known.contains(&picture) {
                fields.retain(|name, _| !matches!(name.as_str(), "width" | "height"));
            }
            fields.into_iter().map(|(name, value)| (name, of_shown(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(of_shown).collect(),
        value => value,
    }
}

/// The pictures in a value, with their sizes.
fn pictures<'a>(value: &'a Value, found: &mut Vec<[Option<&'a Value>; 4]>) {
    match value {
        Value::Object(fields) => {
            found.push(PICTURE.map(|name| fields.get(name)));
            fields.values().for_each(|value| pictures(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| pictures(value, found)),
        _ => {}
    }
}

/// The fields that differ.
pub(in crate::screens::audiences) fn changed(from: &Value, to: &Value) -> Vec<String> {
    let names =
        |value: &Value| value.as_object().into_iter().flat_map(|fields| fields.keys()).cloned().collect();
    let mut all: Vec<String> = names(from);
    all.extend(names(to));
    all.sort();
    all.dedup();
    all.retain(|name| !matches!(name.as_str(), "type" | "blockId") && from.get(name) != to.get(name));
    all
}

/// The operations that make the one block of the other, which stands behind `after`. Each field is set by itself, so that somebody else can change
/// another one at the same time; but the columns and the rows of a table only fit together.
pub(in crate::screens::audiences) fn operations(from: &Value, to: &Value, after: Option<&str>) -> Vec<Value> {
    let mut fields = changed(from, to);
    let width = |block: &Value| block["columns"].as_array().map(Vec::len);
    if from["type"] == "table" && width(from) != width(to) {
        return vec![
            json!({ "operation": "remove", "block": from, "after": after }),
            json!({ "operation": "insert", "block": to, "after": after }),
        ];
    }
    // What is filled in goes before what is emptied: a band may have logos or names, and needs one of them.
    let is_emptied =
        |name: &String| to.get(name).is_none_or(|value| value.as_array().is_some_and(Vec::is_empty));
    fields.sort_by_key(is_emptied);
    let set = |name: &String| {
        let path = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let mut operation = json!({ "operation": "set", "blockId": from["blockId"], "path": path });
        for (side, block) in [("from", from), ("to", to)] {
            if let Some(value) = block.get(name) {
                operation[side] = value.clone();
            }
        }
        operation
    };
    fields.iter().map(set).collect()
}

/// The issues of a refused edit at the fields of the form.
pub(in crate::screens::audiences) fn errors(
    operations: &[Value],
    issues: &[(String, String)],
) -> Vec<FormError> {
    let error = |(path, message): &(String, String)| {
        let message = message.strip_prefix(&format!("{path}: ")).unwrap_or(message).to_owned();
        FormError { name: field(operations, path).unwrap_or_default(), message }
    };
    issues.iter().map(error).collect()
}

fn field(operations: &[Value], path: &str) -> Option<String> {
    let (at, rest) = path.strip_prefix("operations.")?.split_once('.')?;
    let operation = operations.get(at.parse::<usize>().ok()?)?;
    if let Some(in_block) = rest.strip_prefix("block.") {
        return Some(in_block.to_owned());
    }
    let pointer = operation["path"].as_str()?.trim_start_matches('/').replace('/', ".");
    Some(match rest.strip_prefix("to.") {
        Some(inner) => format!("{pointer}.{inner}"),
        None => pointer,
    })
}

/// What somebody has entered, on a block that somebody else has changed meanwhile: fields that only one of both has changed are as they have
/// changed them; those that both have changed are as entered, and are told with what stands there by now.
pub(in crate::screens::audiences) fn merged(
    from: &Value,
    entered: &Value,
    now: &Value,
) -> (Value, Vec<(String, Value)>) {
    let mut merged = now.clone();
    let mut crossed = Vec::new();
    for name in changed(from, entered) {
        if from.get(&name) != now.get(&name) && entered.get(&name) != now.get(&name) {
            crossed.push((name.clone(), now.get(&name).cloned().unwrap_or(Value::Null)));
        }
        match (entered.get(&name), merged.as_object_mut()) {
            (Some(value), Some(fields)) => drop(fields.insert(name, value.clone())),
            (None, Some(fields)) => drop(fields.remove(&name)),
            (_, None) => {}
        }
    }
    (merged, crossed)
}

/// A value as somebody reads it.
pub(in crate::screens::audiences) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields.values().map(shown).collect::<Vec<_>>().join(" · "),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_changed_is_sent_and_each_field_by_itself() {
        let from =
            json!({ "type": "hero", "blockId": "top", "title": "A", "subtitle": "S", "actionIds": ["a"] });
        let to =
            json!({ "type": "hero", "blockId": "top", "title": "B", "eyebrow": "E", "actionIds": ["a"] });
        let sent = operations(&from, &to, None);
        assert_eq!(
            sent,
            [
                json!({ "operation": "set", "blockId": "top", "path": "/eyebrow", "to": "E" }),
                json!({ "operation": "set", "blockId": "top", "path": "/title", "from": "A", "to": "B" }),
                json!({ "operation": "set", "blockId": "top", "path": "/subtitle", "from": "S" }),
            ]
        );
        assert_eq!(operations(&from, &from, None), Vec::<Value>::new());
        let issues = [
            ("operations.1.to".to_owned(), "operations.1.to: is too long.".to_owned()),
            ("operations.9.to".to_owned(), "is not there.".to_owned()),
        ];
        let errors = errors(&sent, &issues);
        assert_eq!((errors[0].name.as_str(), errors[0].message.as_str()), ("title", "is too long."));
        assert_eq!(errors[1].name, "");
    }

    #[test]
    fn another_picture_has_not_the_size_of_the_one_before() {
        let card = |url: &str, width: Option<u32>| {
            let mut picture = json!({ "url": url, "altText": "A" });
            if let Some(width) = width {
                (picture["width"], picture["height"]) = (width.into(), 10.into());
            }
            json!({ "title": "T", "image": picture })
        };
        let from = json!({ "cards": [card("a", Some(1)), card("b", Some(2)), card("c", None)] });
        let entered = json!({ "cards": [card("b", Some(2)), card("new", Some(1)), card("c", None)] });
        let expected = json!({ "cards": [card("b", Some(2)), card("new", None), card("c", None)] });
        assert_eq!(resized(entered, &from), expected);
        assert_eq!(resized(from.clone(), &from), from);
        let moved = json!({ "image": { "assetId": "asset_1", "url": "a", "width": 1, "height": 10 } });
        assert_eq!(resized(moved, &from), json!({ "image": { "assetId": "asset_1", "url": "a" } }));
    }

    #[test]
    fn a_table_of_another_width_is_put_in_the_place_of_the_old_one() {
        let from = json!({ "type": "table", "blockId": "t", "columns": ["A"], "rows": [["1"]] });
        let to = json!({ "type": "table", "blockId": "t", "columns": ["A", "B"], "rows": [["1", "2"]] });
        let sent = operations(&from, &to, Some("top"));
        assert_eq!(
            (&sent[0]["operation"], &sent[1]["block"], &sent[1]["after"]),
            (&json!("remove"), &to, &json!("top"))
        );
        let issues = [("operations.1.block.rows.0".to_owned(), "wrong.".to_owned())];
        assert_eq!(errors(&sent, &issues)[0].name, "rows.0");
    }

    #[test]
    fn changes_of_two_at_once_are_both_kept_where_they_do_not_cross() {
        let from = json!({ "title": "A", "text": "T", "eyebrow": "E" });
        let entered = json!({ "title": "Mine", "text": "T" });
        let now = json!({ "title": "Theirs", "text": "New", "eyebrow": "E" });
        let (both, crossed) = merged(&from, &entered, &now);
        assert_eq!(both, json!({ "title": "Mine", "text": "New" }));
        assert_eq!(crossed, [("title".to_owned(), json!("Theirs"))]);
    }
}
