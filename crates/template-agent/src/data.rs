//! A context that is data: a JSON object or list, as a program sends it, put into Markdown that can be read like any other.
//!
//! What this is not: a schema. A name becomes a label or a heading, a list a list; ids, flags and empty values say nothing to a visitor.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use crate::tidy;

/// How deep values are read, which is as deep as headings go.
const DEEPEST: usize = 4;

/// The largest text that is taken for data; what is longer was not written for a page.
const MOST_BYTES: usize = 256 * 1024;

/// The text, or the Markdown of what it holds if it is JSON.
pub fn read(text: &str) -> Cow<'_, str> {
    let bare = text.trim();
    if !(bare.starts_with('{') && bare.ends_with('}') || bare.starts_with('[') && bare.ends_with(']')) {
        return Cow::Borrowed(text);
    }
    if bare.len() > MOST_BYTES {
        return Cow::Borrowed(text);
    }
    match serde_json::from_str::<Value>(bare) {
        Ok(value) => {
            let mut out = String::with_capacity(bare.len());
            add(&value, 1, &mut out);
            Cow::Owned(out)
        }
        Err(_) => Cow::Borrowed(text),
    }
}

fn add(value: &Value, depth: usize, out: &mut String) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Object(fields) => {
            let (plain, nested): (Vec<_>, Vec<_>) =
                fields.iter().partition(|(_, value)| text(value).is_some());
            for (name, value) in plain {
                let line = text(value).unwrap_or_default();
                // What spans lines has a structure of its own.
                if line.contains('\n') {
                    let _ = write!(out, "\n\n{line}\n\n");
                } else if !line.is_empty() && !is_internal(name) {
                    let _ = writeln!(out, "{}: {line}", label(name));
                }
            }
            for (name, value) in nested.into_iter().filter(|(name, _)| !is_internal(name)) {
                let mut inner = String::new();
                add(value, depth + 1, &mut inner);
                if !inner.trim().is_empty() {
                    let _ = write!(out, "\n{} {}\n\n{inner}\n", "#".repeat(depth + 1), label(name));
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match text(item) {
                    Some(line) if !line.is_empty() => {
                        let _ = writeln!(out, "- {}", tidy::one_line(&line));
                    }
                    Some(_) => {}
                    None => {
                        add(item, depth + 1, out);
                        out.push('\n');
                    }
                }
            }
        }
        _ => out.push_str(&text(value).unwrap_or_default()),
    }
}

/// A plain value as text: nothing for a flag or for none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(_) | Value::Null => Some(String::new()),
        Value::Object(_) | Value::Array(_) => None,
    }
}

/// Whether a name is one that only programs care for.
fn is_internal(name: &str) -> bool {
    let folded = tidy::folded(name);
    matches!(folded.as_str(), "id" | "uuid" | "type" | "version" | "created" | "updated" | "status" | "slug")
        || ["_id", "_at", "_key", "_token", "_secret"].iter().any(|end| folded.ends_with(end))
        || name.ends_with("Id")
        || name.ends_with("At")
}

/// `targetAudience` and `target_audience` as `Target audience`.
fn label(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for char in name.chars() {
        if char.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        match char {
            '_' | '-' => words.push(' '),
            char => words.extend(char.to_lowercase()),
        }
    }
    tidy::capital(&tidy::line(&words, 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_told_as_text() {
        let json = r#"{"headline": "Bread by bike", "account_id": 7, "active": true, "keyBenefits": ["Fresh", "Early"],
            "hours": {"weekdays": "6 to 18", "sundays": null}}"#;
        let told = read(json);
        assert!(told.contains("Headline: Bread by bike\n"), "{told}");
        assert!(told.contains("## Key benefits\n\n- Fresh\n- Early\n"), "{told}");
        assert!(told.contains("## Hours\n\nWeekdays: 6 to 18\n"), "{told}");
        for gone in ["account", "active", "Sundays", "{"] {
            assert!(!told.to_lowercase().contains(&gone.to_lowercase()), "{gone} in {told}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in ["{not json}", "[A note] and more", "Bread", "[link](https://x.example)", ""] {
            assert_eq!(read(text), text);
        }
    }
}
