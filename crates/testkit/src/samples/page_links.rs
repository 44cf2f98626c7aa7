//! A page link, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample};

/// A page link, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Page Links", 6)],
    ids: &[Id::top("{page_link_id}", "pagelink")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Another path each time, since a path leads to one target only.
    bodies: &[
        (
            "createPageLink",
            || json!({ "path": "/more/{page_id}", "target": { "targetType": "page", "pageId": "{page_id}" } }),
        ),
        ("updatePageLink", || json!({ "path": "/another/{page_link_id}" })),
    ],
    reads: &["/v0/page_links"],
    deletes: &["/v0/page_links/{page_link_id}"],
    differences: &[(
        "A routing table has at most 100 routes.",
        &[
            "request CreatePageLinkRequest.target<page_routing>.routingTable: maxItems – → 100",
            "request UpdatePageLinkRequest.target<page_routing>.routingTable: maxItems – → 100",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let page = owned.id("{page_id}");
    let body = json!({ "path": format!("/go/{page}"), "target": { "targetType": "page", "pageId": page } });
    // The contract has 200 here.
    let link = client.post("/v0/page_links", &body).await.expect(200).json();
    owned.add("{page_link_id}", &link, "pageLinkId");
}
