//! Knowledge, for the tests that cover every operation.

use serde_json::json;

use crate::samples::Sample;

/// Knowledge, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    bodies: &[("searchKnowledge", || json!({ "query": "prices" }))],
    differences: &[(
        "Beyond the contract: the search of what the tenant knows.",
        &["POST /v0/knowledge/search: operation – → documented"],
    )],
    ..Sample::NONE
};
