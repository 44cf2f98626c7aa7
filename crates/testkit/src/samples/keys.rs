//! A key, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample};

/// A key, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{key_id}", "key")],
    make: |client, owned| Box::pin(make(client, owned)),
    bodies: &[
        ("createKey", || json!({ "name": "CRM", "scope": "read", "expiresInDays": 30 })),
        ("rotateKey", || json!({ "overlapHours": 1 })),
        ("revokeKey", || json!({})),
    ],
    reads: &["/v0/keys/{key_id}"],
    differences: &[(
        "Beyond the contract: keys are listed, created, rotated and revoked.",
        &[
            "GET /v0/keys/{key_id}: operation – → documented",
            "GET /v0/keys: operation – → documented",
            "POST /v0/keys/{key_id}/revoke: operation – → documented",
            "POST /v0/keys/{key_id}/rotate: operation – → documented",
            "POST /v0/keys: operation – → documented",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let body = json!({ "name": "Shop", "scope": "write" });
    let issued = create(client, "/v0/keys", &body).await;
    owned.add("{key_id}", &issued["key"], "keyId");
}
