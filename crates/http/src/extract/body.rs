//! The JSON body, validated as a whole and then decoded.

use pagesmith_model::{Field, Issue, IssueCode};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::extract::{Extract, Findings, Incoming, json};
use crate::openapi::{Operation, Schemas};

/// A body of the type `T`.
pub struct Body<T>(pub T);

/// What an operation with nothing to say takes as its body: `{}`, or none at all.
#[derive(Debug, Clone, Copy, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyObject {}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Extract for Body<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let schema = schemas.input::<T>();
        operation.takes_body(schema, !schemas.accepts_empty_object::<T>());
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Body<T>> {
        let validator = request.state.validators.of::<T>();
        let text: &[u8] = if request.body.is_empty() && validator.accepts_empty_object() {
            b"{}"
        } else {
            &request.body
        };
        if text.is_empty() {
            findings.issues.push(Issue::body(IssueCode::Required, &[], "The request needs a JSON body."));
            return None;
        }
        let value = match json::parse(text) {
            Ok(value) => value,
            Err(issues) => {
                findings.issues.extend(issues);
                return None;
            }
        };
        let issues = validator.issues(&value);
        if !issues.is_empty() {
            findings.issues.extend(issues);
            return None;
        }
        match serde_json::from_slice(text) {
            Ok(decoded) => Some(Body(decoded)),
            Err(error) => {
                // The schema and the type are one; what slips through is a number beyond the type's range.
                let message = format!("The body cannot be used: {error}.");
                findings.issues.push(Issue {
                    field: Field::Body,
                    code: IssueCode::InvalidValue,
                    message,
                    path: vec![],
                });
                None
            }
        }
    }
}
