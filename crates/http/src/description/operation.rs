//! One operation's description, filled in by the types of its handler's arguments and of its answer.

use std::collections::BTreeMap;

use pagesmith_model::example::example;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::description::{Schemas, response};

/// The bytes of a file, as documentation shows them.
const FILE_EXAMPLE: &str = "(the bytes of the file)";

/// What an operation takes and answers.
#[derive(Default)]
pub struct Operation {
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: BTreeMap<u16, Value>,
}

impl Operation {
    /// Takes an id in the path.
    pub fn takes_path(&mut self, name: &str, noun: &str, example: &str) {
        self.parameters.push(json!({
            "name": name, "in": "path", "required": true, "schema": { "type": "string" },
            "description": format!("Id of the {noun}."), "example": example,
        }));
        self.fails_with(404);
    }

    /// Takes a query parameter.
    pub fn takes_query(&mut self, name: &str, schema: &Value, description: &str, example: &Value) {
        self.parameters.push(json!({
            "name": name, "in": "query", "required": false, "schema": schema,
            "description": description, "example": example,
        }));
    }

    /// Takes a header.
    pub fn takes_header(&mut self, name: &str, description: &str, example: &str) {
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false, "schema": { "type": "string" },
            "description": description, "example": example,
        }));
    }

    /// Takes a JSON body.
    pub fn takes_body<T: JsonSchema>(&mut self, schemas: &mut Schemas, required: bool) {
        let content = json!({ "schema": schemas.input::<T>(), "example": example::<T>() });
        self.body = Some(json!({ "required": required, "content": { "application/json": content } }));
        self.fails_with(413);
        self.fails_with(415);
    }

    /// Takes a file: as the body itself, or in that field of a form.
    pub fn takes_file(&mut self, field: &str) {
        let binary = json!({ "type": "string", "format": "binary" });
        let form = json!({ "type": "object", "required": [field], "properties": { field: binary } });
        let content = json!({
            "multipart/form-data": { "schema": form, "example": { field: FILE_EXAMPLE } },
            "application/octet-stream": { "schema": binary, "example": FILE_EXAMPLE },
        });
        self.body = Some(json!({ "required": true, "content": content }));
        self.fails_with(413);
    }

    /// Answers a success.
    pub fn success<T: JsonSchema>(&mut self, schemas: &mut Schemas, status: u16) {
        let content = json!({ "schema": schemas.output::<T>(), "example": example::<T>() });
        self.responses.insert(status, response::success(status, &content));
    }

    /// Answers a file of that media type.
    pub fn file(&mut self, media_type: &str, example: &str) {
        let schema = json!({ "schema": { "type": "string", "format": "binary" }, "example": example });
        let mut success = response::success(200, &Value::Null);
        success["content"] = json!({ media_type: schema });
        self.responses.insert(200, success);
    }

    /// Answers the same as another media type where one is asked for.
    pub fn also_file(&mut self, media_type: &str, example: &str) {
        if let Some(success) = self.responses.get_mut(&200) {
            let schema = json!({ "type": "string", "format": "binary" });
            success["content"][media_type] = json!({ "schema": schema, "example": example });
        }
    }

    /// Answers a part of the file, of that media type, where one is asked for.
    pub fn has_part(&mut self, media_type: &str) {
        if let Some(whole) = self.responses.get(&200) {
            let mut part = response::success(206, &Value::Null);
            part["content"] = json!({ media_type: whole["content"][media_type] });
            self.responses.insert(206, part);
        }
    }

    /// Answers the success with that status as a stream of server-sent events too.
    pub fn streams(&mut self, status: u16, example: &str) {
        let content = json!({ "schema": { "type": "string" }, "example": example });
        if let Some(response) = self.responses.get_mut(&status) {
            response["content"]["text/event-stream"] = content;
        }
    }

    /// Carries an `ETag` with the success of that status, and answers 304 to a caller who has that state already.
    pub fn has_tag(&mut self, status: u16) {
        if let Some(response) = self.responses.get_mut(&status) {
            response["headers"]["ETag"] = response::header_reference("ETag");
        }
        self.takes_header(
            "If-None-Match",
            "`ETag` of the state that the caller has. If it is the present state, the answer is 304 without a body.",
            response::TAG_EXAMPLE,
        );
        self.fails_with(304);
    }

    /// Says in its successes whether they are repeated.
    pub fn can_be_repeated(&mut self) {
        for response in self.responses.iter_mut().filter(|(status, _)| **status < 300).map(|(_, it)| it) {
            response["headers"]["Idempotent-Replayed"] = response::header_reference("Idempotent-Replayed");
        }
    }

    /// May answer this status other than a success.
    pub fn fails_with(&mut self, status: u16) {
        self.responses.entry(status).or_insert_with(|| response::reference(status));
    }

    /// The operation's entry in the document, without what the route knows.
    pub(crate) fn into_entry(mut self) -> Map<String, Value> {
        if self.parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key") {
            self.can_be_repeated();
        }
        let responses: Map<String, Value> =
            self.responses.into_iter().map(|(status, answer)| (status.to_string(), answer)).collect();
        let mut entry = Map::new();
        entry.insert("parameters".to_owned(), self.parameters.into());
        entry.insert("responses".to_owned(), responses.into());
        entry.extend(self.body.map(|body| ("requestBody".to_owned(), body)));
        entry
    }
}
