//! The audit, for the tests that cover every operation.

use crate::samples::Sample;

/// The audit, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    differences: &[(
        "Extra operations, ours: the audit, and who may open somebody's own page.",
        &["GET /v0/audit: operation – → documented"],
    )],
    ..Sample::NONE
};
