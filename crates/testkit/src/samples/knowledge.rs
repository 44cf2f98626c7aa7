//! Knowledge, for the tests that cover every operation.

use serde_json::json;

use crate::samples::{Sample, Work};

/// Knowledge, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    bodies: &[("searchKnowledge", || json!({ "query": "prices" }))],
    differences: &[(
        "Beyond the contract: the search of what the tenant knows.",
        &["POST /v0/knowledge/search: operation – → documented"],
    )],
    work: &[Work {
        name: "knowledge",
        made_by: "INSERT INTO pending_work VALUES ('knowledge', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO topic_removals VALUES ('{tenant}', 'topic_{id}')",
        left: "topic_removals WHERE tenant_id = '{tenant}'",
    }],
    ..Sample::NONE
};
