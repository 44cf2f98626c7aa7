//! A link block, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, make_room};
use crate::samples::{Id, Sample};

/// A link block, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Page Link Blocks", 4)],
    ids: &[Id::top("{page_link_block_id}", "linkblock")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Changes what pages show.
    bodies: &[("updatePageLinkBlock", || json!({ "name": "Another name", "links": [] }))],
    reads: &["/v0/page_link_blocks"],
    deletes: &["/v0/page_link_blocks/{page_link_block_id}"],
    differences: &[(
        "actionType, nav link type, widget type: open sets; any other non-empty string is stored and returned as sent with the fields the specification lists.",
        &[
            "answer PageLinkBlock.links<array of variants>[]: variant other – → {id? text? type url?}",
            "request CreatePageLinkBlockRequest.links<array of variants>[]: variant other – → {id? text? type url?}",
            "request UpdatePageLinkBlockRequest.links<array of variants>[]: variant other – → {id? text? type url?}",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    make_room(client, "/v0/page_link_blocks", "linkBlockId", 200).await;
    let links = json!([{ "type": "link", "text": "Pricing", "url": "https://example.com/pricing" }]);
    let body = json!({ "kind": "navigation", "name": "Main", "links": links });
    // The contract has 200 here.
    let block = client.post("/v0/page_link_blocks", &body).await.expect(200).json();
    owned.add("{page_link_block_id}", &block, "linkBlockId");
}
