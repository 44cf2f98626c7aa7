//! A brand, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create, make_room};
use crate::samples::{Id, Sample};

/// A brand, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{brand_id}", "brand")],
    make: |client, owned| Box::pin(make(client, owned)),
    bodies: &[
        ("createBrand", || json!({ "name": "One more" })),
        ("previewBrand", || json!({ "look": { "accentColor": "#2b55b8", "textColor": "#999999" } })),
        ("proposeBrand", || json!({ "url": "https://example.com/" })),
        ("updateBrand", || json!({ "name": "Another name", "isDefault": true })),
    ],
    reads: &["/v0/brands?limit=100"],
    deletes: &["/v0/brands/{brand_id}"],
    differences: &[(
        "Extra operations, ours: brands, which pages name by `brandId`.",
        &[
            "DELETE /v0/brands/{brand_id}: operation – → documented",
            "GET /v0/brands/search: operation – → documented",
            "GET /v0/brands/{brand_id}: operation – → documented",
            "GET /v0/brands: operation – → documented",
            "PATCH /v0/brands/{brand_id}: operation – → documented",
            "POST /v0/brands/from_website: operation – → documented",
            "POST /v0/brands/preview: operation – → documented",
            "POST /v0/brands: operation – → documented",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    make_room(client, "/v0/brands", "brandId", 200).await;
    let look = json!({ "accentColor": "#2b55b8", "cornerRadius": 4 });
    let brand = create(client, "/v0/brands", &json!({ "name": "Acme", "look": look })).await;
    owned.add("{brand_id}", &brand, "brandId");
}
