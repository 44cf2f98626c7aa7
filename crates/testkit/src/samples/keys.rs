//! A key, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample};

/// A key, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{key_id}", "key")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/keys/{key_id}"],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let body = json!({ "name": "Shop", "scope": "write" });
    let issued = create(client, "/v0/keys", &body).await;
    owned.add("{key_id}", &issued["key"], "keyId");
}
