//! The schemas of all types that operations take and answer.
//!
//! A type may be read in another shape than it is written in. Then the document has it twice: the shape that is read is called `…Input`.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use crate::schema;

/// The schemas of all types met so far: those that are read, and those that are written.
pub struct Schemas {
    input: SchemaGenerator,
    output: SchemaGenerator,
}

impl Schemas {
    /// None yet.
    pub(crate) fn new() -> Schemas {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
            })
        };
        Schemas {
            input: settings().for_deserialize().into_generator(),
            output: settings().for_serialize().into_generator(),
        }
    }

    /// The schema of a type in requests.
    pub fn input<T: JsonSchema>(&mut self) -> Value {
        // Marked, so that it can be told from the schema of the same name in answers.
        let mut schema = self.input.subschema_for::<T>().to_value();
        mark_input(&mut schema);
        schema
    }

    /// The schema of a type in answers.
    pub fn output<T: JsonSchema>(&mut self) -> Value {
        self.output.subschema_for::<T>().to_value()
    }

    /// All named schemas; references to them in `paths` get the names that they have in the document.
    pub(crate) fn into_components(mut self, paths: &mut Value) -> Map<String, Value> {
        let mut all = self.output.take_definitions(true);
        all.values_mut().for_each(schema::plain);
        let mut inputs = self.input.take_definitions(true);
        inputs.values_mut().for_each(schema::plain);
        let mut differing: Vec<String> = Vec::new();
        loop {
            // A shape that names a differing shape differs itself.
            let more: Vec<String> = inputs
                .iter()
                .filter(|(name, read)| {
                    !differing.contains(name)
                        && all
                            .get(*name)
                            .is_some_and(|written| written != *read || names_any(read, &differing))
                })
                .map(|(name, _)| name.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            differing.extend(more);
        }
        for (name, mut schema) in inputs {
            rename(&mut schema, "#/components/schemas/", &differing);
            let name = if differing.contains(&name) { format!("{name}Input") } else { name };
            all.insert(name, schema);
        }
        rename(paths, INPUT, &differing);
        all
    }
}

/// What references to schemas that are read begin with, until it is known how those are called.
const INPUT: &str = "#/input/";

fn mark_input(schema: &mut Value) {
    if let Some(Value::String(reference)) = schema.get_mut("$ref") {
        *reference = reference.replace("#/components/schemas/", INPUT);
    }
}

fn names_any(schema: &Value, names: &[String]) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(|item| names_any(item, names)),
        Value::Object(object) => object.values().any(|value| names_any(value, names)),
        Value::String(text) => {
            text.strip_prefix("#/components/schemas/").is_some_and(|name| names.iter().any(|one| one == name))
        }
        _ => false,
    }
}

/// Points every reference below `prefix` to the component's name in the document.
fn rename(schema: &mut Value, prefix: &str, differing: &[String]) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, prefix, differing)),
        Value::Object(object) => object.values_mut().for_each(|value| rename(value, prefix, differing)),
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(prefix) {
                let suffix = if differing.iter().any(|one| one == name) { "Input" } else { "" };
                *text = format!("#/components/schemas/{name}{suffix}");
            }
        }
        _ => {}
    }
}
