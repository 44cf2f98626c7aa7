//! Examples in schemas: what the documentation shows of a type.
//!
//! A type has its example beside it, as `#[schemars(example = …)]`. An example that contains another type's asks for it here, so
//! that it is written once. Tests send the examples of requests to a server, and validate those of answers.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

/// The example in the schema of `T`; null if it has none.
pub fn example<T: JsonSchema>() -> Value {
    let schema = T::json_schema(&mut SchemaGenerator::default());
    schema.get("examples").and_then(|examples| examples.get(0)).cloned().unwrap_or_default()
}
