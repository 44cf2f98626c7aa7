//! What was done with a version, and by whom. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::actor::Actor;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::{AudienceId, Error, PageId, RequestId, Result, Timestamp, VersionEntryId, VersionId};
use pagesmith_operations::versions::history;
use pagesmith_store::tables::versions::history::HistoryEntry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::{Call, Paging, Path};
use crate::reply::Reply;

/// An entry of the history of a version.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "VersionHistoryEntry")]
#[schemars(example = json!({
    "versionEntryId": "versionentry_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "action": "scheduled",
    "actor": "key_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "requestId": "req_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "sourceVersionId": null,
    "messageId": null,
    "publishAt": "2026-04-01T08:00:00.000Z",
    "unpublishAt": null,
    "reason": null,
    "createdAt": "2026-03-20T09:30:00.000Z",
}))]
pub(crate) struct HistoryEntryView {
    /// Id of the entry. Where a version is published in the place of another one, the `published` of the one and the
    /// `archived` of the other are the same entry.
    version_entry_id: VersionEntryId,
    /// What was done: `created`, `restored` (created with the content of `sourceVersionId`), `generated`,
    /// `failed` (it could not be generated), `edited` (its content was replaced), `edited-by-message`,
    /// `cancelled`, `publish-requested` (it goes live when it is generated), `published`, `archived` (another
    /// version was published), `unpublished` (it was taken offline), `scheduled`, `unscheduled`, or
    /// `schedule-failed` (it could not be published at its time).
    action: VersionAction,
    /// Who did it: id of the key that was used, `operator` for the command line of the server, `worker` for the
    /// background, `schedule` for the schedule of a version, or `server`.
    actor: String,
    /// Id of the request that did it or asked for it. Null if no request did.
    #[schemars(with = "Option<String>")]
    request_id: Option<RequestId>,
    /// Id of the version whose content was taken.
    source_version_id: Option<String>,
    /// Id of the message that changed the version.
    message_id: Option<String>,
    /// When the version is to be published, by its schedule.
    publish_at: Option<Timestamp>,
    /// When the version is to be taken offline, by its schedule.
    unpublish_at: Option<Timestamp>,
    /// Why the version could not be published.
    reason: Option<String>,
    /// When it was done.
    created_at: Timestamp,
}

impl HistoryEntryView {
    fn of(entry: HistoryEntry) -> Result<HistoryEntryView> {
        let details: Details = match &entry.details {
            Some(details) => serde_json::from_str(details.as_str()).map_err(Error::internal)?,
            None => Details::default(),
        };
        let actor = match &entry.actor {
            Actor::Worker => "worker",
            actor => actor.shown(),
        };
        Ok(HistoryEntryView {
            version_entry_id: entry.version_entry_id,
            action: entry.action,
            actor: actor.to_owned(),
            request_id: entry.request_id,
            source_version_id: details.source_version_id,
            message_id: details.message_id,
            publish_at: details.publish_at,
            unpublish_at: details.unpublish_at,
            reason: details.reason,
            created_at: entry.created_at,
        })
    }
}

impl CollectionItem for HistoryEntryView {
    const COLLECTION: &str = "A part of the history of a version.";
}

/// Lists the history of a version, newest first.
///
/// Each entry says what was done, when, by whom and for which request. The newest 1,000 entries are kept,
/// older ones are removed now and then. Changes from before histories were recorded are missing.
#[endpoint]
pub(crate) async fn list_audience_version_history(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    paging: Paging,
) -> Result<Reply<Collection<HistoryEntryView>>> {
    let list = paging.keyset(&call, "version history", &[("version", version_id.as_str())])?;
    let path = (page_id, audience_id, version_id);
    let found = list.read(&call, move |tx, ctx, after, extent| history::list(tx, ctx, &path, after, extent));
    list.try_answer(&call, found.await?, |entry| entry.version_entry_id.clone(), HistoryEntryView::of).await
}
