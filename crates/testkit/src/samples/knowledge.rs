//! Knowledge, for the tests that cover every operation.

use crate::samples::{Sample, Work};

/// Knowledge, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    work: &[Work {
        name: "knowledge",
        made_by: "INSERT INTO pending_work VALUES ('knowledge', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO topic_removals VALUES ('{tenant}', 'topic_{id}')",
        left: "topic_removals WHERE tenant_id = '{tenant}'",
    }],
    ..Sample::NONE
};
