//! A version with content and one that is not generated yet, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// A version with content and one that is not generated yet, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Audience Versions", 5)],
    ids: &[Id::nested(WAITING, "version"), Id::nested("{other_version_id}", "version")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Names no actions, which the page of the example has.
    bodies: &[("updateAudienceVersionContent", || json!({ "blocks": [] }))],
    substitutes: &[("/cancel", "{version_id}", WAITING)],
    reads: &["/v0/pages/{page_id}/audiences/{audience_id}/versions"],
    work: &[
        // An audience of the tenant's has a version to be written.
        Work { name: "generations", made_by: "", left: "generations WHERE tenant_id = '{tenant}'" },
        Work {
            name: "carry_out_schedules",
            made_by: "INSERT INTO version_schedules (tenant_id, version_id, audience_id, page_id, unpublish_at, due_at, actor,
                    created_at, updated_at)
                VALUES ('{tenant}', 'version_{id}', 'audience_{id}', 'page_{id}', {old}, {old}, 'server', {old}, {old})",
            left: "version_schedules WHERE tenant_id = '{tenant}' AND due_at <= {now}",
        },
        Work {
            name: "shorten_histories",
            made_by: "INSERT INTO grown_histories (tenant_id, version_id, audience_id)
                VALUES ('{tenant}', 'version_{id}', 'audience_{id}')",
            left: "grown_histories WHERE tenant_id = '{tenant}'",
        },
    ],
    ..Sample::NONE
};

/// The version that is not generated yet: the one that can be cancelled.
const WAITING: &str = "{waiting_version_id}";

async fn make(client: &Client, owned: &mut Owned) {
    let versions = owned.fill("/v0/pages/{page_id}/audiences/{audience_id}/versions");
    let first = owned.fill("/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}");
    // With content, so that there is something to read and to replace.
    client.post(&format!("{first}/cancel"), &json!({})).await.expect(200);
    let block = json!({ "type": "hero", "blockId": "hero", "title": "Spring" });
    let content = Some(json!({ "blocks": [block] }).to_string().into_bytes());
    client.send("PUT", &format!("{first}/content"), content).await.expect(200);
    let schedule = Some(json!({ "publishAt": "2027-01-01T08:00:00.000Z" }).to_string().into_bytes());
    client.send("PUT", &format!("{first}/schedule"), schedule).await.expect(200);
    let waiting = create(client, &versions, &json!({})).await;
    let other = client.post(&format!("{first}/restore"), &json!({})).await.expect(201).json();
    owned.add("{other_version_id}", &other, "versionId");
    owned.add(WAITING, &waiting, "versionId");
}
