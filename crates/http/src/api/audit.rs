//! The audit of a tenant: what operators and keys have changed or taken out. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::actor::Actor;
use pagesmith_model::{AuditEntryId, Result, Timestamp};
use pagesmith_store::tables::audit_entries::{self, AuditEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::{Call, Paging};
use crate::reply::Reply;

/// An entry of the audit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "AuditEntry")]
#[schemars(example = json!({
    "auditEntryId": "audit_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "action": "webhook-secret-rotated",
    "actor": "key_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "subject": "sub_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "createdAt": "2026-03-20T09:30:00.000Z",
}))]
pub(crate) struct AuditEntryView {
    /// Id of the entry.
    audit_entry_id: AuditEntryId,
    /// What was done, such as `key-created`, `site-updated` or `person-erased`.
    action: String,
    /// Id of the key that was used, `operator` for the command line of the server, or `server`. Entries from
    /// before this was recorded have `null`.
    actor: Option<String>,
    /// Id of what it was done to. For a person who was exported or erased, a digest of the id.
    subject: String,
    /// When it was done.
    created_at: Timestamp,
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> AuditEntryView {
        AuditEntryView {
            audit_entry_id: entry.audit_entry_id,
            action: entry.action,
            actor: entry.actor.as_ref().map(|actor| Actor::shown(actor).to_owned()),
            subject: entry.subject,
            created_at: entry.created_at,
        }
    }
}

impl CollectionItem for AuditEntryView {
    const COLLECTION: &str = "A part of the audit.";
}

/// Lists the audit of the tenant, newest first.
///
/// Each entry says what was done to which resource, when, and by whom: with a key, by the operator, or by
/// the server. For a person who was exported or erased it names a digest instead of the id.
#[endpoint]
pub(crate) async fn list_audit(call: Call, paging: Paging) -> Result<Reply<Collection<AuditEntryView>>> {
    let list = paging.keyset(&call, "audit", &[])?;
    let (after, extent) = list.bounds();
    let found = call.read(move |tx, ctx| audit_entries::list(tx, &ctx.tenant, after.as_ref(), extent));
    list.answer(&call, found.await?, |entry| entry.audit_entry_id.clone(), AuditEntryView::from).await
}
