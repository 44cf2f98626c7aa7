//! The operations on versions of an audience.

use pagesmith_endpoint::endpoint;
use pagesmith_model::audience::VersionRequest;
use pagesmith_model::cursor::SortKey;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, Issue, IssueCode, PageId, Result, VersionId};
use pagesmith_operations::{audiences, messages, publishing, versions};
use pagesmith_store::tables::operation_keys;

use crate::api::versions::view::{VersionAnswer, VersionView};
use crate::collection::Collection;
use crate::extract::body::{EmptyObject, OptionalBody};
use crate::extract::paging::Position;
use crate::extract::query::{FromQuery, Parameter, Parameters};
use crate::extract::{Body, Call, Findings, IdempotencyKey, Paging, Path, Query};
use crate::reply::{Reply, Single};

pub(crate) mod comparison;
pub(crate) mod content;
pub(crate) mod history;
pub(crate) mod schedule;
pub(crate) mod view;

/// Which versions are wanted.
pub(crate) struct Included(Vec<VersionStatus>);

impl Included {
    /// The statuses as a text, to which a cursor is bound.
    fn text(&self) -> String {
        self.0.iter().map(|status| status.as_str()).collect::<Vec<_>>().join(",")
    }
}

impl FromQuery for Included {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "include",
        description: "Statuses, separated by commas: only versions with one of them are listed. Left out, all are.",
        example: "draft,published",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Included {
        let Some(text) = parameters.one("include", findings) else { return Included(vec![]) };
        let mut statuses = Vec::new();
        for name in text.split(',') {
            match VersionStatus::parse(name.trim()) {
                Some(status) if statuses.contains(&status) => {}
                Some(status) => statuses.push(status),
                None => {
                    let message = format!("include: '{}' is no status of a version.", name.trim());
                    findings.issues.add(Issue::query(IssueCode::InvalidValue, "include", message));
                }
            }
        }
        statuses.sort_unstable();
        Included(statuses)
    }
}

/// The number of a version, by which the versions of an audience are sorted.
#[derive(Debug, Clone, Copy)]
struct VersionNumber(i64);

impl Position for VersionNumber {
    fn keys(&self) -> Vec<SortKey> {
        vec![SortKey::Integer(self.0)]
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        let [SortKey::Integer(number @ 1..)] = keys else { return None };
        Some(VersionNumber(*number))
    }
}

/// Lists the versions of an audience, newest first.
///
/// The order is that of `versionNumber`. With `include`, only versions with one of the given statuses are
/// listed and counted.
#[endpoint]
pub(crate) async fn list_audience_versions(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    paging: Paging,
    Query(included): Query<Included>,
) -> Result<Reply<Collection<VersionView>>> {
    let filters = [("audience", audience_id.as_str()), ("include", &included.text())];
    let list = paging.keyset(&call, "versions", &filters)?;
    let found = list.read(&call, move |tx, ctx, after: Option<&VersionNumber>, extent| {
        let after = after.map(|VersionNumber(number)| *number);
        versions::list(tx, ctx, (&page_id, &audience_id), &included.0, (after, extent))
    });
    list.answer(&call, found.await?, |version| VersionNumber(version.life.number), VersionView::from).await
}

/// Creates a further version of an audience.
///
/// The version copies the present `supplementaryContext` of the audience and is generated in the
/// background: it is `queued`, or `pending` while another version of the audience is generated. It stays a
/// draft until it is published. Emits the event `page.version.created`. The same `operationKey` again
/// returns the first answer and creates nothing. Fails with 409 if the page or the audience is archived.
#[endpoint]
pub(crate) async fn create_audience_version(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    key: IdempotencyKey,
    OptionalBody(request): OptionalBody<VersionRequest>,
) -> Result<Reply<VersionAnswer, 201>> {
    call.change_once(key, move |tx, ctx| {
        // What does not exist has no answer to repeat.
        audiences::find(tx, ctx, &page_id, &audience_id)?;
        let resource = operation_keys::create(&audience_id);
        let answer = versions::once(tx, ctx, &resource, request.operation_key.as_deref(), |tx| {
            VersionAnswer::of(versions::create(tx, ctx, &page_id, &audience_id)?)
        });
        answer.map(VersionAnswer)
    })
    .await
}

/// Returns a version.
///
/// To learn when its generation ends, follow its progress or subscribe to the event
/// `page.version.processed`.
#[endpoint]
pub(crate) async fn get_audience_version(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
) -> Result<Single<VersionView>> {
    let path = (page_id, audience_id, version_id);
    let version = call.point_read(move |tx, ctx| versions::find(tx, ctx, &path)).await?;
    Ok(Single(VersionView::from(version)))
}

/// Cancels a version that is not generated yet.
///
/// A `pending`, `queued` or `processing` version becomes `cancelled`, and its generation stops within two
/// seconds. What was generated so far is kept and can be edited and published. The next pending version of
/// the audience is queued. Any other status fails with 409, and `details.status` names it.
#[endpoint]
pub(crate) async fn cancel_audience_version(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<VersionView>> {
    let path = (page_id, audience_id, version_id);
    call.change_once(key, move |tx, ctx| versions::cancel(tx, ctx, &path).map(VersionView::from)).await
}

/// Publishes a version: at once if it is generated, otherwise as soon as it is.
///
/// A draft, or a cancelled or archived version with content, goes live at once. A version that is still to
/// be generated is marked and goes live when it is ready. A cancelled version without content is queued
/// again. The version that was live becomes `archived` in the same transaction. Emits the event
/// `page.version.published` when the version goes live. A published version is returned unchanged. The same
/// `operationKey` again returns the first answer; with it, another version of the audience fails with 409. Fails
/// with 409 if the page or the audience is archived.
#[endpoint]
pub(crate) async fn publish_audience_version(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    key: IdempotencyKey,
    OptionalBody(request): OptionalBody<VersionRequest>,
) -> Result<Reply<VersionAnswer>> {
    let path = (page_id, audience_id, version_id);
    call.change_once(key, move |tx, ctx| {
        // What does not exist has no answer to repeat.
        let context = versions::find_for_publish(tx, ctx, &path)?;
        let answer = versions::publish_once(tx, ctx, &path, request.operation_key.as_deref(), |tx| {
            VersionAnswer::of(publishing::publish(tx, ctx, context)?)
        });
        answer.map(VersionAnswer)
    })
    .await
}

/// Makes a new draft with the content of a version.
///
/// The version itself stays as it is, whatever its status. Buttons of actions that the page does not have any
/// more are left out. The draft copies the present `supplementaryContext` of the audience. Emits the event
/// `page.version.created`. The same `operationKey` again returns the first answer and creates nothing. Fails
/// with 409 if the version has no content, or if the page or the audience is archived.
#[endpoint]
pub(crate) async fn restore_audience_version(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    key: IdempotencyKey,
    OptionalBody(request): OptionalBody<VersionRequest>,
) -> Result<Reply<VersionAnswer, 201>> {
    let path = (page_id, audience_id, version_id);
    call.change_once(key, move |tx, ctx| {
        // What does not exist has no answer to repeat.
        versions::find(tx, ctx, &path)?;
        let resource = operation_keys::restore(&path.2);
        let answer = versions::once(tx, ctx, &resource, request.operation_key.as_deref(), |tx| {
            VersionAnswer::of(messages::restoring::restore(tx, ctx, &path)?)
        });
        answer.map(VersionAnswer)
    })
    .await
}
