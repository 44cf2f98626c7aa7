//! What the server itself answers, for the tests that cover every operation.

use crate::sample::Sample;

/// What the server itself answers, for the tests that cover every operation.
pub(crate) const SAMPLE: Sample =
    Sample { constants: &[("{asset}", "docs.css"), ("{code}", "not_found")], ..Sample::NONE };
