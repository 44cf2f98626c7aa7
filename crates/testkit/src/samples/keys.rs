//! A key, for the tests that cover every operation.

use crate::Client;
use serde_json::{Value, json};

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
    // A tenant may have a hundred that work, and a walk over all operations makes more.
    let known = client.get("/v0/keys?limit=100").await.expect(200).json();
    let is_in_the_way =
        |(at, key): &(usize, &Value)| *at >= 40 && key["name"] != "test" && key["revokedAt"].is_null();
    for (_, key) in known["items"].as_array().unwrap().iter().enumerate().filter(is_in_the_way) {
        let id = key["keyId"].as_str().unwrap();
        client.post(&format!("/v0/keys/{id}/revoke"), &json!({})).await.expect(200);
    }
    let body = json!({ "name": "Shop", "scope": "write" });
    let issued = create(client, "/v0/keys", &body).await;
    owned.add("{key_id}", &issued["key"], "keyId");
}
