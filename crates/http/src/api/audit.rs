//! The audit of a tenant: what operators and keys have changed or taken out. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::actor::Actor;
use pagesmith_model::cursor::{Scope, SortKey};
use pagesmith_model::{AuditEntryId, Result, Timestamp};
use pagesmith_store::tables::audit_entries::{self, AuditEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::collection::collection;
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

collection!(
    /// A part of the audit.
    AuditEntryCollection,
    AuditEntryView,
    u64
);

/// Lists the audit of the tenant, newest first.
///
/// Each entry says what was done to which resource, when, and by whom: with a key, by the operator, or by
/// the server. For a person who was exported or erased it names a digest instead of the id.
#[endpoint]
pub(crate) async fn list_audit(call: Call, paging: Paging) -> Result<Reply<AuditEntryCollection>> {
    let scope = Scope::new("audit", call.ctx.tenant.as_str(), &[]);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Text(id)] => AuditEntryId::parse(id),
        _ => None,
    })?;
    let extent = paging.extent();
    let (found, total) = call
        .read(move |tx, ctx| {
            audit_entries::list(tx, &ctx.tenant, after.as_ref().map(AuditEntryId::as_str), extent)
        })
        .await?;
    let position = |entry: &AuditEntry| vec![SortKey::Text(entry.audit_entry_id.to_string())];
    let around = move |next| AuditEntryCollection::around(next, total);
    paging.answer(&call, found, scope, position, |entry| Ok(AuditEntryView::from(entry)), around).await
}
