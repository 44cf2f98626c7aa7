//! A brand, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create, make_room};
use crate::samples::{Id, Sample};

/// A brand, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{brand_id}", "brand")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Changes what all pages look like.
    bodies: &[("updateBrand", || json!({ "name": "Another name", "isDefault": true }))],
    reads: &["/v0/brands?limit=100"],
    deletes: &["/v0/brands/{brand_id}"],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    make_room(client, "/v0/brands", "brandId", 200).await;
    let look = json!({ "accentColor": "#2b55b8", "cornerRadius": 4 });
    let brand = create(client, "/v0/brands", &json!({ "name": "Acme", "look": look })).await;
    owned.add("{brand_id}", &brand, "brandId");
}
