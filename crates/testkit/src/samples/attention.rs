//! What waits for somebody, for the tests that cover every operation.

use crate::samples::Sample;

/// What waits for somebody, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample { reads: &["/v0/attention"], ..Sample::NONE };
