//! The agent of a tenant and what it uses, for the tests that cover every operation.

use serde_json::json;

use crate::samples::Sample;

/// The agent of a tenant and what it uses, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    bodies: &[
        ("setAgent", || json!({ "own": null, "tokenLimit": 1000, "costLimit": "0" })),
        ("tryAgent", || json!({ "text": "Acme makes anvils for smiths." })),
    ],
    differences: &[(
        "Beyond the contract: who writes the pages of a tenant, a trial of it, and what the tenant uses.",
        &[
            "GET /v0/agent: operation – → documented",
            "GET /v0/usage: operation – → documented",
            "POST /v0/agent/try: operation – → documented",
            "PUT /v0/agent: operation – → documented",
        ],
    )],
    ..Sample::NONE
};
