//! The document's texts: everything in it says what it is, in whole sentences.

use serde_json::Value;

use super::{checked_in, operations_of};

/// Whether a text is one sentence or several.
fn is_prose(text: &str) -> bool {
    text.starts_with(|first: char| first.is_uppercase() || first == '`') && text.ends_with(['.', ')'])
}

#[test]
fn every_operation_has_a_summary_in_the_third_person_and_a_description() {
    for (place, operation) in operations_of(&checked_in()) {
        let [summary, description] =
            ["summary", "description"].map(|field| operation[field].as_str().unwrap());
        assert!(is_prose(summary) && is_prose(description), "{place}: {summary} | {description}");
        assert!(!summary.contains('\n'), "{place}: a summary is one line");
        let verb = summary.split(' ').next().unwrap();
        let is_event = !place.contains('/');
        assert!(is_event || verb.ends_with('s'), "{place}: {summary}");
    }
}

#[test]
fn every_tag_has_a_paragraph() {
    let document = checked_in();
    let tags: Vec<&Value> = document["tags"].as_array().unwrap().iter().collect();
    for tag in &tags {
        let description = tag["description"].as_str().unwrap();
        assert!(is_prose(description) && description.len() > 100, "{tag}");
    }
    for (place, operation) in operations_of(&document) {
        assert!(tags.iter().any(|tag| tag["name"] == operation["tags"][0]), "{place}");
    }
}

#[test]
fn every_parameter_has_a_description_and_an_example() {
    for (place, operation) in operations_of(&checked_in()) {
        for parameter in operation["parameters"].as_array().unwrap() {
            let description = parameter["description"].as_str().unwrap();
            assert!(is_prose(description), "{place}: {parameter}");
            assert!(parameter.get("example").is_some(), "{place}: {parameter}");
        }
    }
}

#[test]
fn every_schema_and_every_field_has_a_description() {
    let document = checked_in();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let description = schema["description"].as_str().unwrap_or_else(|| panic!("{name} has none"));
        assert!(is_prose(description), "{name}: {description}");
        fields(name, schema);
    }
}

/// Checks the fields of a schema, and of what it contains.
fn fields(place: &str, schema: &Value) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        let description = field["description"].as_str().unwrap_or_else(|| panic!("{place} has none"));
        assert!(is_prose(description), "{place}: {description}");
        fields(&place, field);
    }
    for inner in ["items", "additionalProperties"].into_iter().filter_map(|below| schema.get(below)) {
        fields(place, inner);
    }
}
