//! An asset, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// A picture of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// An asset, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Assets", 8)],
    ids: &[Id::top("{asset_id}", "asset")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Names another asset, so that those of others are tried.
    bodies: &[(
        "createAsset",
        || json!({ "assetType": "video", "name": "One more", "youtubeUrl": "https://youtu.be/aqz-KE-bpKQ", "parentAssetId": "{asset_id}" }),
    )],
    reads: &["/v0/assets"],
    deletes: &["/v0/assets/{asset_id}"],
    differences: &[
        (
            "Ours, in requests only: custom components, `tags`, `hidden`, `parentAssetId` in POST and PATCH.",
            &[
                "request CreateAssetRequest: variant custom-component – → {assetType body hidden? idempotencyKey? name parentAssetId? propsSchema? purpose? tags?}",
                "request CreateAssetRequest<icon>.tags: field – → optional",
                "request CreateAssetRequest<image>.tags: field – → optional",
                "request CreateAssetRequest<logo>.tags: field – → optional",
                "request CreateAssetRequest<video>.parentAssetId: field – → optional",
                "request CreateAssetRequest<video>.tags: field – → optional",
                "request UpdateAssetRequest.hidden: field – → optional",
                "request UpdateAssetRequest.parentAssetId: field – → optional",
                "request UpdateAssetRequest.tags: field – → optional",
            ],
        ),
        (
            "Required with a default: may be left out; the default applies.",
            &[
                "request CreateAssetRequest<icon>.purpose: field required → optional",
                "request CreateAssetRequest<image>.purpose: field required → optional",
                "request CreateAssetRequest<logo>.purpose: field required → optional",
                "request CreateAssetRequest<video>.purpose: field required → optional",
            ],
        ),
        (
            "Names and titles: 1 to 1,000 characters, not only blanks. Other texts: 10,000.",
            &[
                "request CreateAssetRequest<icon>.fileId: minLength – → 1",
                "request CreateAssetRequest<icon>.name: minLength – → 1",
                "request CreateAssetRequest<icon>.parentAssetId: minLength – → 1",
                "request CreateAssetRequest<image>.fileId: minLength – → 1",
                "request CreateAssetRequest<image>.name: minLength – → 1",
                "request CreateAssetRequest<image>.parentAssetId: minLength – → 1",
                "request CreateAssetRequest<logo>.fileId: minLength – → 1",
                "request CreateAssetRequest<logo>.name: minLength – → 1",
                "request CreateAssetRequest<logo>.parentAssetId: minLength – → 1",
                "request CreateAssetRequest<video>.name: minLength – → 1",
                "request UpdateAssetRequest.name: minLength – → 1",
            ],
        ),
    ],
    work: &[
        Work {
            name: "descriptions",
            made_by: "INSERT INTO pending_work VALUES ('descriptions', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO asset_descriptions (tenant_id, asset_id, due_at, tries)
                VALUES ('{tenant}', 'asset_{id}', {old}, 0)",
            left: "asset_descriptions WHERE tenant_id = '{tenant}'",
        },
        Work {
            name: "purge_trash",
            made_by: "INSERT INTO assets (tenant_id, asset_id, asset_type, name, folded, word_form, purpose, tags, other_folded,
                    other_word_form, is_hidden, video_url, created_at, updated_at, trashed_at)
                VALUES ('{tenant}', 'asset_{other}', 'video', 'a', 'a', 'a', '', '[]', '', '', FALSE, 'https://acme.example',
                    {old}, {old}, {old})",
            left: "assets WHERE tenant_id = '{tenant}' AND trashed_at IS NOT NULL",
        },
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let picture = client.upload("logo.png", PNG).await.expect(201).json();
    let body =
        json!({ "assetType": "logo", "name": format!("Logo {}", owned.number), "fileId": picture["fileId"] });
    let asset = create(client, "/v0/assets", &body).await;
    owned.add("{asset_id}", &asset, "assetId");
}
