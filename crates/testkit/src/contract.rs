//! The wire contract, as a judge of every answer.
//!
//! An answer must be one that the contract documents for its operation, and its body must validate. The contract is relaxed only where the
//! project's decisions relax it: open `type` sets, any `robots` value, and a few statuses that HTTP itself asks for.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::answer::Answer;

/// The contract, word for word.
pub static CONTRACT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../api/contract.json")).unwrap());

/// What of an event, as it is delivered, is not as the contract promises.
pub fn event_problems(kind: &str, body: &Value) -> Vec<String> {
    let schema = &CONTRACT["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "the contract has no event {kind}");
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Statuses that no operation documents and every operation may answer.
const BEYOND: &[u16] = &[304, 405, 412, 413, 415, 416];

static COMPONENTS: LazyLock<Value> = LazyLock::new(relaxed_components);
static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// The schemas of the contract with what the decisions allow beyond it.
fn relaxed_components() -> Value {
    let mut components = CONTRACT["components"].clone();
    let schemas = &mut components["schemas"];
    let text = json!({ "type": "string" });
    let other = |tag: &str, known: &[&str], required: &[&str], mut properties: Value| {
        properties[tag] = json!({ "type": "string", "minLength": 1, "not": { "enum": known } });
        json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
    };
    let action = other(
        "actionType",
        &["open-url", "form", "copy-text"],
        &["actionId", "actionIndex", "actionType"],
        json!({ "actionId": text, "actionIndex": { "type": "integer" }, "purpose": text, "buttonTitle": text, "url": text }),
    );
    let widget = other(
        "type",
        &["marquee", "video"],
        &["type"],
        json!({ "title": text, "logos": { "type": "array", "items": { "$ref": "#/components/schemas/Logo" } } }),
    );
    let nav = other("type", &["link", "group"], &["type"], json!({ "text": text, "url": text, "id": text }));
    for (field, variant) in [("actions", action), ("actionCardWidgets", widget), ("navLinks", nav)] {
        schemas["Page"]["properties"][field]["items"]["anyOf"].as_array_mut().unwrap().push(variant);
    }
    schemas["Metadata"]["properties"]["robots"] =
        json!({ "type": "array", "items": { "type": "string", "pattern": "^[a-z-]+(:[a-z0-9-]+)?$" } });
    components
}

/// Our own description, for the operations that the contract does not know.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| pagesmith_http::openapi::document("http://pagesmith.test"));

/// The contract's entry for an operation, found by method and path.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    operation_of(&CONTRACT, method, path)
}

fn operation_of(document: &'static Value, method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    // The contract documents no HEAD: it is GET without a body.
    let method = if method == "HEAD" { "GET" } else { method };
    let fits = |template: &str| {
        let (mut template, mut actual) = (template.split('/'), path.split('/'));
        loop {
            match (template.next(), actual.next()) {
                (None, None) => return true,
                (Some(step), Some(value))
                    if step == value || (step.starts_with('{') && !value.is_empty()) => {}
                _ => return false,
            }
        }
    };
    let paths = document["paths"].as_object().unwrap();
    // `/pages/search` is an operation of its own, not a page called so.
    let exact = paths.iter().find(|(template, _)| *template == path);
    let found = exact.or_else(|| paths.iter().find(|(template, _)| fits(template)));
    found.and_then(|(_, methods)| methods.get(method.to_ascii_lowercase()))
}

/// Fails the test if the answer is not one that the contract allows.
#[track_caller]
pub fn check(method: &str, path: &str, answer: &Answer) {
    if !path.starts_with("/v0/") {
        return;
    }
    let status = answer.status.as_u16();
    assert!(
        answer.header("x-request-id").is_some_and(|id| id.starts_with("req_")),
        "x-request-id is missing"
    );
    let known = operation(method, path);
    if known.is_none() && operation_of(&DOCUMENT, method, path).is_some() {
        return check_ours(method, path, answer);
    }
    let documented = known.and_then(|operation| operation["responses"].get(status.to_string()));
    assert!(
        documented.is_some() || BEYOND.contains(&status) || (known.is_none() && status == 404),
        "{method} {path} answered {status}, which the contract does not document: {}",
        answer.text()
    );
    if method == "HEAD" || status == 304 {
        assert!(answer.bytes.is_empty(), "a body where there is none");
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let error = json!({ "$ref": "#/components/schemas/Error" });
    let schema = documented.map_or(&error, |documented| &documented["content"]["application/json"]["schema"]);
    let mut body = answer.json();
    // Ours, and only for whoever asks for it.
    if let Some((_, included)) = path.split_once("include=") {
        let additions = [
            ("blockChanges", "blockChanges"),
            ("fieldReasons", "blockChanges"),
            ("usage", "usage"),
            ("actor", "actor"),
        ];
        for (name, _) in additions.into_iter().filter(|(_, asked)| included.contains(asked)) {
            let messages = body["messages"].as_array_mut().into_iter().flatten();
            messages.filter_map(Value::as_object_mut).for_each(|message| drop(message.remove(name)));
        }
    }
    let problems: Vec<String> = validator(schema)
        .iter_errors(&body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        problems.is_empty(),
        "{method} {path} answered {status} against the contract: {problems:#?}\n{body:#}"
    );
    if status >= 400 {
        check_error(status, answer, &body);
    }
}

/// Fails the test if the answer of an operation of ours is not one that we describe.
#[track_caller]
fn check_ours(method: &str, path: &str, answer: &Answer) {
    let status = answer.status.as_u16();
    let documented = &operation_of(&DOCUMENT, method, path).unwrap()["responses"][status.to_string()];
    // Answers other than successes are components of the document.
    let component = documented["$ref"].as_str().and_then(|reference| DOCUMENT.pointer(&reference[1..]));
    let documented = component.unwrap_or(documented);
    let is_beyond = BEYOND.contains(&status) && !documented.is_object();
    assert!(documented.is_object() || is_beyond, "{method} {path} answered {status}: {}", answer.text());
    let is_other = documented["content"]["*/*"].is_object() || {
        let media_type = answer.header("content-type").filter(|media_type| *media_type != "application/json");
        media_type.is_some_and(|media_type| documented["content"][media_type].is_object())
    };
    if method == "HEAD" || status == 304 || is_other {
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let error = json!({ "$ref": "#/components/schemas/Error" });
    let schema = if is_beyond { &error } else { &documented["content"]["application/json"]["schema"] };
    let body = answer.json();
    let validator = validator_of("ours", schema, &DOCUMENT["components"]);
    let problems: Vec<String> = validator.iter_errors(&body).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{method} {path} answered {status}: {problems:#?}\n{body:#}");
    if status >= 400 {
        check_error(status, answer, &body);
    }
}

/// What the specification says of every error beyond its schema.
#[track_caller]
fn check_error(status: u16, answer: &Answer, body: &Value) {
    assert_eq!(body["status"], status);
    assert_eq!(body["requestId"], answer.header("x-request-id").unwrap());
    assert_eq!(body["title"], answer.status.canonical_reason().unwrap());
    let code = match status {
        400 | 405 | 413 | 415 | 416 => "VALIDATION_ERROR",
        401 => "UNAUTHORIZED",
        403 => "FORBIDDEN",
        404 => "NOT_FOUND",
        409 | 412 => "CONFLICT",
        429 => "RATE_LIMITED",
        500 => "INTERNAL",
        503 => "SERVICE_UNAVAILABLE",
        other => panic!("no code for the status {other}"),
    };
    assert_eq!(body["code"], code);
    let explained = format!("http://pagesmith.test/errors/{}", code.to_ascii_lowercase());
    assert_eq!(body["type"], explained);
    if status == 503 || status == 429 {
        assert!(answer.header("retry-after").is_some(), "Retry-After is missing");
    }
}

/// The validator of one of the contract's schemas.
fn validator(schema: &Value) -> &'static Validator {
    validator_of("the contract", schema, &COMPONENTS)
}

/// The validator of a schema of a document, made once: its components are large.
fn validator_of(document: &str, schema: &Value, components: &Value) -> &'static Validator {
    let mut validators = VALIDATORS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    validators.entry(format!("{document}: {schema}")).or_insert_with(|| {
        let whole = json!({ "allOf": [schema], "components": components });
        let options = jsonschema::options().should_validate_formats(true).build(&whole);
        Box::leak(Box::new(options.unwrap()))
    })
}
