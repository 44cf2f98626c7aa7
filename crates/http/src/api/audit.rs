//! The audit of a tenant: what operators, users and keys have changed or taken out. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::actor::Actor;
use pagesmith_model::id::Uuid7;
use pagesmith_model::{AuditEntryId, Result, Timestamp};
use pagesmith_store::tables::audit::{self, AuditEntry, Filter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::query::{BoundFilters, FromQuery, Parameter, Parameters, instant};
use crate::extract::{Call, Findings, Paging, Query};
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
    /// Id of the key that was used or of the user who was signed in, `operator` for the command line of the server, `schedule` for what was to
    /// happen at a time, or `server`. Entries from before this was recorded have `null`.
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

/// Which entries are wanted.
pub(crate) struct AuditFilter {
    wanted: Filter,
    bound: BoundFilters,
}

impl AuditFilter {
    /// The wanted entries after one, which are those that are older.
    fn after(&self, entry_id: Option<&AuditEntryId>) -> Filter {
        Filter { before: entry_id.cloned(), ..self.wanted.clone() }
    }
}

impl FromQuery for AuditFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "actor",
            description: "Only what this actor did: the id of a key or a user, `operator`, `server` or `schedule`.",
            example: "key_01jpbz8n4xf5k9w2d7hq3mv6ta",
        },
        Parameter { name: "action", description: "Only entries of this action.", example: "key-created" },
        Parameter {
            name: "since",
            description: "Only entries at or after this instant.",
            example: "2026-03-20T00:00:00Z",
        },
        Parameter {
            name: "until",
            description: "Only entries before this instant.",
            example: "2026-03-21T00:00:00Z",
        },
    ];

    fn read(parameters: &Parameters, findings: &mut Findings) -> AuditFilter {
        let bound = BoundFilters::sent(&["actor", "action", "since", "until"], parameters, findings);
        let first_of = |instant| AuditEntryId::mint(Uuid7::first_of(instant));
        let wanted = Filter {
            actor: bound.text("actor"),
            action: bound.text("action"),
            from: instant(parameters, "since", findings).map(first_of),
            until: instant(parameters, "until", findings).map(first_of),
            before: None,
        };
        AuditFilter { wanted, bound }
    }
}

/// Lists the audit of the tenant, newest first.
///
/// Each entry says what was done to which resource, when, and by whom: with a key, by a user, by the operator, or by
/// the server. For a person who was exported or erased it names a digest instead of the id. With a filter the entries are not counted:
/// `totalCount` is `null`.
#[endpoint]
pub(crate) async fn list_audit(
    call: Call,
    paging: Paging,
    Query(filter): Query<AuditFilter>,
) -> Result<Reply<Collection<AuditEntryView, Option<u64>>>> {
    let list = paging.keyset(&call, "audit", &filter.bound.after(&[]))?;
    let found = list.read(&call, move |tx, ctx, after, extent| {
        audit::list(tx, &ctx.tenant, &filter.after(after), extent)
    });
    list.answer(&call, found.await?, |entry| entry.audit_entry_id.clone(), AuditEntryView::from).await
}
