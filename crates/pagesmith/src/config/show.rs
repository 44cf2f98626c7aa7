//! `config show`: each key, its value and where that came from, with secrets hidden.

use serde_json::json;

use super::Settings;

/// Rows of key, value and origin, for a table.
pub fn show(settings: &Settings) -> Vec<[String; 3]> {
    let row = |key: &str| {
        let (value, origin) = settings.shown(key)?;
        Some([key.to_owned(), value.to_string(), origin.to_string()])
    };
    settings.keys().filter_map(row).collect()
}

/// The same as JSON: an array of objects.
pub fn show_json(settings: &Settings) -> serde_json::Value {
    let row = |key: &str| {
        let (value, origin) = settings.shown(key)?;
        Some(json!({ "key": key, "value": value, "origin": origin.to_string() }))
    };
    settings.keys().filter_map(row).collect()
}
