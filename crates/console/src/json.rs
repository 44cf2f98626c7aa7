//! Reading answers of the API.

use pagesmith_model::Timestamp;
use serde_json::Value;

/// A text; empty where there is none.
pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// A text that is there and not empty.
pub fn some<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value[name].as_str().filter(|text| !text.is_empty())
}

/// A count; zero where there is none.
pub fn count(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_default()
}

/// A number, if there is one.
pub fn number(value: &Value, name: &str) -> Option<f64> {
    value[name].as_f64()
}

/// An instant, if there is one.
pub fn time(value: &Value, name: &str) -> Option<Timestamp> {
    value[name].as_str()?.parse().ok()
}

/// A list; empty where there is none.
pub fn list_of<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The items of a list of the API.
pub fn items(value: &Value) -> &[Value] {
    list_of(value, "items")
}
