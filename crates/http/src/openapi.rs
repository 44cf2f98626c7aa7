//! The OpenAPI 3.1 document, made of the route table and the handlers' own types.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::description::{Operation, Schemas, response};
use crate::error::ErrorBody;
use crate::routes::groups;
use crate::table::{Access, Route};

mod webhooks;

/// The version that the interface is labelled with.
pub const VERSION: &str = "0.0.1";

const DESCRIPTION: &str = "\
    Pagesmith makes web pages and tailors them to their audiences.\n\n\
    Every request carries an API key in the header `x-api-key`. A key belongs to one tenant, and every request acts inside that \
    tenant: resources of other tenants do not exist for it. A key may read, or read and write.\n\n\
    Bodies are JSON, and so are all answers, errors included. Every answer carries `x-request-id`. Collections are read in parts \
    with `limit` and `cursor`. A POST with an `Idempotency-Key` can be repeated safely, and a change with `If-Match` is only made \
    if the resource is still in the state that the caller has seen.";

/// The document of all routes, for clients of `base_url`.
pub fn document(base_url: &str) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut tags: Vec<Value> = Vec::new();
    schemas.output::<ErrorBody>();
    for group in groups() {
        let mut routes = group.routes.iter().filter(|route| route.access != Access::Everyone).peekable();
        if routes.peek().is_some() {
            tags.push(json!({ "name": group.name, "description": group.description }));
        }
        for route in routes {
            let operation = operation(route, group.name, &mut schemas);
            paths.entry(route.path).or_default().insert(route.method.to_ascii_lowercase(), operation);
        }
    }
    tags.push(json!({ "name": webhooks::TAG, "description": webhooks::DESCRIPTION }));
    let webhooks = webhooks::webhooks(&mut schemas);
    let mut paths = json!(paths);
    let components = schemas.into_components(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pagesmith API",
            "version": VERSION,
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url }],
        "security": [{ "apiKey": [] }],
        "tags": tags,
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "securitySchemes": { "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key" } },
            "headers": response::header_components(),
            "responses": response::components(),
            "schemas": components,
        },
    })
}

fn operation(route: &Route, group: &str, schemas: &mut Schemas) -> Value {
    let mut operation = Operation::default();
    (route.describe)(&mut operation, schemas);
    for status in [400, 401, 403, 429, 500, 503] {
        operation.fails_with(status);
    }
    if route.method != "GET" {
        operation.fails_with(409);
    }
    let mut entry = operation.into_entry();
    let (summary, description) = summary_and_description(route.doc);
    entry.insert("operationId".to_owned(), route.operation.into());
    entry.insert("summary".to_owned(), summary.into());
    entry.insert("description".to_owned(), description.into());
    entry.insert("tags".to_owned(), json!([group]));
    entry.into()
}

/// The first paragraph of a doc comment, and the others. The lines of a paragraph become one.
fn summary_and_description(doc: &str) -> (String, String) {
    let lines: Vec<&str> = doc.lines().map(str::trim).collect();
    let mut paragraphs = lines.split(|line| line.is_empty()).map(|lines| lines.join(" "));
    let summary = paragraphs.next().unwrap_or_default();
    (summary, paragraphs.collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::summary_and_description;

    #[test]
    fn a_doc_comment_is_a_summary_and_a_description() {
        let doc = " Lists the\n pages.\n\n Newest\n first.\n\n Really.";
        let expected = ("Lists the pages.".to_owned(), "Newest first.\n\nReally.".to_owned());
        assert_eq!(summary_and_description(doc), expected);
        assert_eq!(summary_and_description(" Answers."), ("Answers.".to_owned(), String::new()));
    }
}
