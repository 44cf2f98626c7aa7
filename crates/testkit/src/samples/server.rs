//! What the server itself answers, for the tests that cover every operation.

use crate::samples::Sample;

/// What the server itself answers, for the tests that cover every operation.
pub(super) const SAMPLE: Sample =
    Sample { constants: &[("{asset}", "docs.css"), ("{code}", "not_found")], ..Sample::NONE };
