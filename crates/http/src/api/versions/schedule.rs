//! When a version goes live and when it stops. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::version::schedule::Times;
use pagesmith_model::{AudienceId, PageId, Result, Timestamp, VersionId};
use pagesmith_operations::publishing::schedules::{self, Schedule};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::{Body, Call, IfMatch, Path};
use crate::reply::{DONE, Reply, Single, Success};

/// When a version goes live and when it stops.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VersionSchedule", deny_unknown_fields)]
#[schemars(example = json!({
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "publishAt": "2026-04-01T08:00:00.000Z",
    "unpublishAt": "2026-05-01T08:00:00.000Z",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-20T09:30:00.000Z",
}))]
pub(crate) struct ScheduleView {
    /// Id of the version.
    version_id: VersionId,
    /// When the version is published. Null if it is not to be published, or has been.
    publish_at: Option<Timestamp>,
    /// When the version is taken offline. Null if it stays.
    unpublish_at: Option<Timestamp>,
    /// When the version was first given a schedule.
    created_at: Timestamp,
    /// When the schedule was last changed.
    updated_at: Timestamp,
}

impl From<Schedule> for ScheduleView {
    fn from(schedule: Schedule) -> ScheduleView {
        ScheduleView {
            version_id: schedule.version_id,
            publish_at: schedule.times.publish_at,
            unpublish_at: schedule.times.unpublish_at,
            created_at: schedule.created_at,
            updated_at: schedule.updated_at,
        }
    }
}

/// Returns the schedule of a version.
///
/// The schedule contains what is still to be done. Fails with 404 if nothing is scheduled.
#[endpoint]
pub(crate) async fn get_audience_version_schedule(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
) -> Result<Single<ScheduleView>> {
    let path = (page_id, audience_id, version_id);
    let schedule = call.read(move |tx, ctx| schedules::find(tx, ctx, &path)).await?;
    Ok(Single(ScheduleView::from(schedule)))
}

/// Sets when a version goes live, when it stops being live, or both.
///
/// Replaces the schedule that the version may have. At `publishAt` the version is published as by `…/publish`,
/// within a second: a version that is still to be generated then goes live when it is, another published
/// version is archived, also a newer one, and the event `page.version.published` is emitted. If the page or
/// the audience is archived or deleted then, nothing is published, and the history of the version records it.
/// At `unpublishAt` a published version becomes `archived`, and its link answers 404; a version that another
/// one has replaced stays as it is. Work that a server missed is done when it is back, but a version whose
/// `unpublishAt` has come as well is not published any more. Times in the past fail with 400. Fails with 409
/// if `publishAt` is given for a published version, if only `unpublishAt` is given for a version that is
/// neither published nor will be, or if the page or the audience is archived.
#[endpoint]
pub(crate) async fn set_audience_version_schedule(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    if_match: IfMatch,
    Body(times): Body<Times>,
) -> Result<Reply<ScheduleView>> {
    let path = (page_id, audience_id, version_id);
    let precondition = if_match.of(&call, &path, schedules::find, ScheduleView::from).await?;
    call.change(move |tx, ctx| schedules::set(tx, ctx, &path, times, &precondition).map(ScheduleView::from))
        .await
}

/// Removes the schedule of a version.
///
/// What has been done stays as it is. A version without a schedule is left unchanged.
#[endpoint]
pub(crate) async fn delete_audience_version_schedule(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let path = (page_id, audience_id, version_id);
    let precondition = if_match.of(&call, &path, schedules::find, ScheduleView::from).await?;
    call.change(move |tx, ctx| schedules::remove(tx, ctx, &path, &precondition).map(|()| DONE)).await
}
