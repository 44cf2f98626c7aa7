//! The OpenAPI 3.1 document, made of the route table and the handlers' own types.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::error::ErrorBody;
use crate::routes::groups;
use crate::schema;
use crate::table::{Access, Route};
use crate::validate::Validators;

/// The version that the interface is labelled with.
pub const VERSION: &str = "0.0.1";

/// The schemas of all types met so far: those that are read, and those that are written.
pub struct Schemas {
    input: SchemaGenerator,
    output: SchemaGenerator,
    validators: Arc<Validators>,
}

impl Schemas {
    /// With the validators of body types that are made on the way.
    pub(crate) fn new(validators: Arc<Validators>) -> Schemas {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
            })
        };
        Schemas {
            input: settings().for_deserialize().into_generator(),
            output: settings().for_serialize().into_generator(),
            validators,
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

    /// Whether no body at all may stand for a body of this type.
    pub(crate) fn may_be_left_out<T: JsonSchema + 'static>(&self) -> bool {
        self.validators.of::<T>().may_be_left_out()
    }

    /// All named schemas. Where a type is read and written in different shapes, the one that is read is called
    /// `…Input`.
    fn components(&mut self) -> (Map<String, Value>, Vec<String>) {
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
        (all, differing)
    }
}

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

/// One operation's description, filled in by its handler's types.
#[derive(Default)]
pub struct Operation {
    parameters: Vec<Value>,
    body: Option<(Value, bool)>,
    responses: BTreeMap<u16, Value>,
}

impl Operation {
    /// Takes an id in the path.
    pub fn takes_path(&mut self, name: &str, noun: &str) {
        self.parameters.push(json!({
            "name": name, "in": "path", "required": true, "schema": { "type": "string" },
            "description": format!("The id of the {noun}."),
        }));
        self.fails_with(404);
    }

    /// Takes a query parameter.
    pub fn takes_query(&mut self, name: &str, kind: &str, meaning: &str) {
        self.parameters.push(json!({
            "name": name, "in": "query", "required": false, "schema": { "type": kind }, "description": meaning,
        }));
    }

    /// Takes a header.
    pub fn takes_header(&mut self, name: &str, meaning: &str) {
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false, "schema": { "type": "string" }, "description": meaning,
        }));
    }

    /// Takes a JSON body.
    pub fn takes_body(&mut self, schema: Value, required: bool) {
        self.body = Some((schema, required));
        self.fails_with(413);
        self.fails_with(415);
    }

    /// Answers a success.
    pub fn success(&mut self, status: u16, schema: &Value) {
        let description = if status == 201 { "Created." } else { "Done." };
        let answer =
            json!({ "description": description, "content": { "application/json": { "schema": schema } } });
        self.responses.insert(status, answer);
    }

    /// Answers 304 to a caller that has the resource already.
    pub fn not_modified(&mut self) {
        self.takes_header(
            "If-None-Match",
            "The ETag that the caller has; the same state is answered with 304.",
        );
        self.responses.insert(304, json!({ "description": "The caller has this state already." }));
    }

    /// May answer this error.
    pub fn fails_with(&mut self, status: u16) {
        let description = match status {
            400 => "The request breaks a rule.",
            401 => "No valid API key.",
            403 => "The key may not do this.",
            404 => "No such resource.",
            409 => "The request does not fit the present state.",
            412 => "The resource has another state.",
            413 => "The body is too large.",
            415 => "The body is not declared as JSON.",
            429 => "Too many requests.",
            500 => "Something unexpected went wrong.",
            _ => "Not possible right now.",
        };
        self.responses.entry(status).or_insert_with(|| {
            let schema = json!({ "$ref": "#/components/schemas/Error" });
            json!({ "description": description, "content": { "application/json": { "schema": schema } } })
        });
    }

    /// Whether it takes a body.
    pub(crate) fn has_body(&self) -> bool {
        self.body.is_some()
    }

    fn into_value(mut self, route: &Route, group: &str) -> Value {
        for status in [400, 401, 403, 429, 500, 503] {
            self.fails_with(status);
        }
        if route.method != "GET" {
            self.fails_with(409);
        }
        let responses: Map<String, Value> =
            self.responses.into_iter().map(|(status, answer)| (status.to_string(), answer)).collect();
        let (summary, description) = summary_and_description(route.doc);
        let mut operation = json!({
            "operationId": route.operation, "summary": summary, "description": description, "tags": [group],
            "parameters": self.parameters, "responses": responses,
        });
        if let Some((schema, required)) = self.body {
            operation["requestBody"] =
                json!({ "required": required, "content": { "application/json": { "schema": schema } } });
        }
        operation
    }
}

/// The first paragraph of a doc comment, and the others.
fn summary_and_description(doc: &str) -> (String, String) {
    let text: Vec<&str> = doc.lines().map(str::trim).collect();
    let paragraphs = text.join("\n").replace("\n\n", "\0").replace('\n', " ").replace('\0', "\n\n");
    match paragraphs.split_once("\n\n") {
        Some((summary, description)) => (summary.to_owned(), description.to_owned()),
        None => (paragraphs, String::new()),
    }
}

/// The document of all routes for clients of `base_url`.
pub fn document(base_url: &str) -> Value {
    let mut schemas = Schemas::new(Arc::default());
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut tags: Vec<Value> = Vec::new();
    schemas.output::<ErrorBody>();
    for group in groups() {
        let mut of_keys =
            group.routes.iter().filter(|route| matches!(route.access, Access::Key(_))).peekable();
        if of_keys.peek().is_some() {
            tags.push(json!({ "name": group.name, "description": group.description }));
        }
        for route in of_keys {
            let mut operation = Operation::default();
            (route.describe)(&mut operation, &mut schemas);
            let operation = operation.into_value(route, group.name);
            paths.entry(route.path).or_default().insert(route.method.to_ascii_lowercase(), operation);
        }
    }
    let (components, differing) = schemas.components();
    let mut paths = json!(paths);
    rename(&mut paths, INPUT, &differing);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pagesmith API",
            "version": VERSION,
            "description": "Pages, tailored to their audiences. Every call carries an API key and acts inside the key's tenant.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url }],
        "security": [{ "apiKey": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": { "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key" } },
            "schemas": components,
        },
    })
}
