//! The site of a tenant, for the tests that cover every operation.

use serde_json::json;

use crate::samples::Sample;

/// The site of a tenant, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    bodies: &[("updateSite", || json!({}))],
    differences: &[(
        "Extra operations, ours: a preview of any version by a signed link, and what a tenant decides about its site.",
        &["GET /v0/site: operation – → documented", "PUT /v0/site: operation – → documented"],
    )],
    ..Sample::NONE
};
