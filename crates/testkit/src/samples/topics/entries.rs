//! A topic entry, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// A topic entry, for the tests that cover every operation.
pub(in crate::samples) const SAMPLE: Sample = Sample {
    groups: &[("Topic Entries", 5)],
    ids: &[Id::nested("{topic_entry_id}", "topicentry")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/topics/{topic_id}/entries"],
    deletes: &["/v0/topics/{topic_id}/entries/{topic_entry_id}"],
    differences: &[
        (
            "Required with a default: may be left out; the default applies.",
            &[
                "request CreateTopicEntryRequest.content<url>.enrichmentStatus: field required → optional",
                "request CreateTopicEntryRequest.content<url>.metaDescription: field required → optional",
                "request CreateTopicEntryRequest.content<url>.purpose: field required → optional",
                "request UpdateTopicEntryRequest.content<url>.enrichmentStatus: field required → optional",
                "request UpdateTopicEntryRequest.content<url>.metaDescription: field required → optional",
                "request UpdateTopicEntryRequest.content<url>.purpose: field required → optional",
            ],
        ),
    ],
    work: &[
        Work {
            name: "readings",
            made_by: "INSERT INTO pending_work VALUES ('readings', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO entry_readings (tenant_id, topic_entry_id, topic_id, host, due_at, tries, log)
                VALUES ('{tenant}', 'topicentry_{id}', 'topic_{id}', 'a', {old}, 0, '[]')",
            left: "entry_readings WHERE tenant_id = '{tenant}' AND due_at <= {now}",
        },
        Work {
            name: "queue_readings",
            made_by: "INSERT INTO entry_readings (tenant_id, topic_entry_id, topic_id, host, again_at, tries, log)
                VALUES ('{tenant}', 'topicentry_{other}', 'topic_{id}', 'a', {old}, 0, '[]')",
            left: "entry_readings WHERE tenant_id = '{tenant}' AND again_at <= {now}",
        },
        Work {
            name: "queue_files",
            made_by: "INSERT INTO topic_entries (tenant_id, topic_id, topic_entry_id, sort_order, status, created_at, updated_at,
                    file_id, found, content)
                VALUES ('{tenant}', 'topic_{other}', 'topicentry_{third}', 1, 'success', {old}, {old}, 'file_{id}', '{}',
                    '{\"type\":\"file\",\"fileId\":\"file_{id}\"}')",
            left: "topic_entries e WHERE tenant_id = '{tenant}' AND NOT EXISTS (SELECT r.topic_id FROM entry_readings r
                WHERE r.tenant_id = '{tenant}' AND r.topic_entry_id = e.topic_entry_id)",
        },
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let path = owned.fill("/v0/topics/{topic_id}/entries");
    // Whoever made it has read the page already, so that nothing is called.
    let body = json!({ "content": {
        "type": "url", "url": "https://example.com/prices", "name": "Prices", "icon": null, "aiSummary": "All prices.",
        "enrichmentStatus": "success",
    } });
    let entry = create(client, &path, &body).await;
    owned.add("{topic_entry_id}", &entry, "topicEntryId");
}
