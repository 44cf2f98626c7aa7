//! Schemas made plain: for people's documents, and for the validator.
//!
//! Types write their own schemas (`schemars`). [`plain`] folds what derives spell at length; [`enforceable`] turns a union that is told
//! apart by a tag into rules of the form "if the tag says so, then that shape", so that an issue is reported at
//! its own place.

use serde_json::{Map, Value, json};

/// Folds a list of single constants into an enumeration, and drops defaults of `null` where `null` is not taken.
pub(crate) fn plain(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(object) => {
            fold_constants(object);
            if object.get("default") == Some(&Value::Null) && !takes_null(object) {
                object.remove("default");
            }
            // Formats that only tell the machine's number types; JSON Schema does not know them.
            let machine =
                ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "float", "double"];
            if object.get("format").and_then(Value::as_str).is_some_and(|format| machine.contains(&format)) {
                object.remove("format");
            }
            object.values_mut().for_each(plain);
        }
        _ => {}
    }
}

/// Bounds every integer by what the machine's type takes, unless it has a bound of its own: so a number beyond it is told at its place.
pub(crate) fn ranged(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(ranged),
        Value::Object(object) => {
            let format = object.get("format").and_then(Value::as_str);
            let range = match format {
                Some("uint8") => Some((json!(0), json!(u8::MAX))),
                Some("uint16") => Some((json!(0), json!(u16::MAX))),
                Some("uint32") => Some((json!(0), json!(u32::MAX))),
                Some("uint" | "uint64") => Some((json!(0), json!(u64::MAX))),
                Some("int32") => Some((json!(i32::MIN), json!(i32::MAX))),
                Some("int64") => Some((json!(i64::MIN), json!(i64::MAX))),
                _ => None,
            };
            if let Some((minimum, maximum)) = range {
                object.entry("minimum").or_insert(minimum);
                object.entry("maximum").or_insert(maximum);
            }
            object.values_mut().for_each(ranged);
        }
        _ => {}
    }
}

/// Whether an object of this schema can only be empty.
pub(crate) fn has_no_fields(schema: &Value) -> bool {
    let properties = schema["properties"].as_object();
    schema["additionalProperties"] == false && properties.is_none_or(Map::is_empty)
}

fn takes_null(schema: &Map<String, Value>) -> bool {
    let is_null = |value: &Value| value == "null" || value["type"] == "null";
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(is_null),
        Some(_) => false,
        None => schema.get("anyOf").and_then(Value::as_array).is_some_and(|any| any.iter().any(is_null)),
    }
}

fn fold_constants(object: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = object.get("oneOf") else { return };
    let constants: Option<Vec<Value>> = variants
        .iter()
        .map(|variant| {
            if let Some(constant) = variant.get("const") {
                return Some(vec![constant.clone()]);
            }
            variant.get("enum").and_then(Value::as_array).cloned()
        })
        .collect::<Option<Vec<_>>>()
        .map(|lists| lists.concat());
    if let Some(constants) = constants {
        object.remove("oneOf");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(constants));
    }
}

/// The schema with every tagged union as a chain of conditions, and with a list of fields wherever others are refused:
/// only then does the validator tell which field was too much.
pub(crate) fn enforceable(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(enforceable),
        Value::Object(object) => {
            if let Some(tag) = object.get("discriminator").and_then(|it| it["propertyName"].as_str()) {
                let mut rules = conditions(tag, object);
                // A union that is a whole body has the shapes beside it.
                if let Some(mut shapes) = object.remove("$defs") {
                    enforceable(&mut shapes);
                    rules["$defs"] = shapes;
                }
                *schema = rules;
                return;
            }
            if object.get("additionalProperties") == Some(&Value::Bool(false)) {
                object.entry("properties").or_insert_with(|| json!({}));
            }
            object.values_mut().for_each(enforceable);
        }
        _ => {}
    }
}

/// The rules of a union: the tag's known texts each with their shape, any other text with the open shape, which
/// stands last; without one any other text is refused.
fn conditions(tag: &str, union: &Map<String, Value>) -> Value {
    let variants = union.get("anyOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let mapping = union["discriminator"]["mapping"].as_object().cloned().unwrap_or_default();
    let when = |rule: Value| json!({ "type": "object", "properties": { tag: rule }, "required": [tag] });
    let mut rules: Vec<Value> = mapping
        .iter()
        .map(|(text, shape)| json!({ "if": when(json!({ "const": text })), "then": { "$ref": shape } }))
        .collect();
    let is_open = variants.len() > mapping.len();
    if is_open {
        let known: Vec<&String> = mapping.keys().collect();
        let other = json!({ "type": "string", "minLength": 1, "not": { "enum": known } });
        rules.push(json!({ "if": when(other), "then": variants.last() }));
    }
    let names = match is_open {
        true => json!({ "type": "string", "minLength": 1 }),
        false => json!({ "type": "string", "enum": mapping.keys().collect::<Vec<_>>() }),
    };
    json!({
        "type": "object",
        "required": [tag],
        "properties": { tag: names },
        "allOf": rules,
    })
}
