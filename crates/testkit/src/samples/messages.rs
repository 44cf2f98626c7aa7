//! A conversation with a message that waits and one with a snapshot, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample, Work};

/// A conversation, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Audience Messages", 6)],
    ids: &[Id::nested("{message_id}", "message"), Id::nested("{change_id}", "change")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Changes the draft whatever its texts are.
    bodies: &[("sendAudienceMessage", || json!({ "message": "Change the page title to \"Another\"." }))],
    reads: &["/v0/pages/{page_id}/audiences/{audience_id}/messages"],
    differences: &[
        (
            "A conversation is read back further with `before`, a parameter of ours.",
            &[
                "GET /v0/pages/{page_id}/audiences/{audience_id}/messages query before: parameter – → optional",
            ],
        ),
        (
            "Block changes, reasons, usage and actors are additions of ours, answered only with `?include=blockChanges,usage,actor`.",
            &[
                "GET /v0/pages/{page_id}/audiences/{audience_id}/messages query include: parameter – → optional",
                "answer AudienceConversation.messages[].actor: field – → optional",
                "answer AudienceConversation.messages[].blockChanges: field – → optional",
                "answer AudienceConversation.messages[].fieldReasons: field – → optional",
                "answer AudienceConversation.messages[].usage: field – → optional",
            ],
        ),
        (
            "What may be null may be left out.",
            &[
                "request CreateMessageRequest.selectedElement.blockTitle: field required → optional",
                "request CreateMessageRequest.selectedElement.content: field required → optional",
            ],
        ),
    ],
    work: &[Work {
        name: "messages",
        made_by: "INSERT INTO pending_work VALUES ('messages', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO message_runs (tenant_id, audience_id, page_id, run_id, processed, tries, due_at)
                VALUES ('{tenant}', 'audience_{id}', 'page_{id}', 'run_{id}', 0, 0, {old})",
        left: "message_runs WHERE tenant_id = '{tenant}' AND due_at <= {now} AND lease_id IS NULL",
    }],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let messages = owned.fill("/v0/pages/{page_id}/audiences/{audience_id}/messages");
    let first = json!({ "message": "Change the page title to \"One\"." });
    client.post(&messages, &first).await.expect(202);
    client.carry_messages_out().await;
    let conversation = client.get(&messages).await.expect(200).json();
    let answer = &conversation["messages"][1];
    owned.add("{message_id}", answer, "messageId");
    owned.add("{change_id}", &answer["changes"][0], "changeId");
    // One that waits, and can be interrupted.
    client.post(&messages, &json!({ "message": "Change the page title to \"Two\"." })).await.expect(202);
}
