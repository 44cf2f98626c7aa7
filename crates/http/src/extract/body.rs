//! The JSON body, validated as a whole and then decoded.

use pagesmith_model::{Issue, IssueCode, Issues};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::json;
use crate::schema;
pub use crate::validate::Validators;

/// A body of the type `T`.
pub struct Body<T>(pub T);

/// The same where the body may be left out: no body at all is `{}`.
pub struct OptionalBody<T>(pub T);

/// The body of an operation that takes no input: an empty object, or no body at all.
#[derive(Debug, Clone, Copy, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = serde_json::json!({}))]
pub struct EmptyObject {}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Extract for Body<T> {
    const TAKES_BODY: bool = true;

    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let required = !schema::has_no_fields(&T::json_schema(&mut SchemaGenerator::default()).to_value());
        operation.takes_body::<T>(schemas, required);
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Body<T>> {
        decoded(&request.state.validators, &request.body, findings).map(Body)
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Extract for OptionalBody<T> {
    const TAKES_BODY: bool = true;

    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        operation.takes_body::<T>(schemas, false);
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<OptionalBody<T>> {
        let body: &[u8] = if request.body.is_empty() { b"{}" } else { &request.body };
        decoded(&request.state.validators, body, findings).map(OptionalBody)
    }
}

fn decoded<T>(validators: &Validators, body: &[u8], findings: &mut Findings) -> Option<T>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    decode(validators, body).map_err(|issues| findings.issues.append(issues)).ok()
}

/// The value of a body, or every reason why it has none.
pub fn decode<T>(validators: &Validators, body: &[u8]) -> Result<T, Issues>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    let validator = validators.of::<T>();
    if body.is_empty() && !validator.may_be_left_out() {
        return Err(Issue::body(IssueCode::Required, &[], "The request needs a JSON body.").into());
    }
    let text = if body.is_empty() { "{}" } else { json::text(body)? };
    let (document, mut issues) = json::read(text);
    if let Some(document) = &document {
        validator.check(document, &mut issues);
    }
    let Some(document) = document.filter(|_| issues.is_empty()) else { return Err(issues) };
    // The schema and the type are one but for the spelling of integers, which is rare enough to be mended only where it fails.
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&validator.with_plain_integers(text, &document)))
        .map_err(|error| {
            let (line, column) = (error.line(), error.column());
            tracing::error!(line, column, schema = %T::schema_name(), "a valid body cannot be decoded");
            let message = "The body cannot be used: it has a value that its field does not take.";
            Issue::body(IssueCode::InvalidValue, &[], message).into()
        })
}
