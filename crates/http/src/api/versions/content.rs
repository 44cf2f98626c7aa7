//! What a version says, and how far it has come: operations of ours beyond the contract.
//!
//! Progress is plain JSON, or server-sent events for whoever accepts those: one event at once and one whenever something has
//! changed, until the version is no longer to be written. The state is read from the database, so it does not matter which server writes.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body as Payload;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use pagesmith_endpoint::endpoint;
use pagesmith_model::agent::Used;
use pagesmith_model::content::Content;
use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, Error, Kind, PageId, Result, TenantId, Timestamp, VersionId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::versions::content::{self, Outcome};
use pagesmith_operations::versions::{self, VersionPath};
use pagesmith_store::Tx;
use pagesmith_store::tables;
use pagesmith_store::tables::versions::generations;
use pagesmith_store::tables::versions::writings::Writing;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tokio::sync::watch;

use crate::counts::Permit;
use crate::description::{Operation, Schemas};
use crate::extract::{Body, Call, IfMatch, Path};
use crate::reply::{AnswerContext, IntoAnswer, Reply, Single};

/// How long a stream of events waits between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// After how many polls without a change the server sends a keep-alive.
const KEEP_ALIVE_POLLS: u32 = 30;
/// After how many polls a stream ends; the client connects again.
const MAX_POLLS: u32 = 1_200;

/// A content as it is kept.
pub(crate) struct ContentAnswer(JsonText);

impl Serialize for ContentAnswer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for ContentAnswer {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Content::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        Content::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Content::json_schema(generator)
    }
}

/// Returns the content of a version: a document of components.
///
/// The content is what visitors read, apart from the parts that come from the page, such as its buttons and
/// links. Fails with 404 as long as nothing is generated.
#[endpoint]
pub(crate) async fn get_audience_version_content(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
) -> Result<Single<ContentAnswer>> {
    let path = (page_id, audience_id, version_id);
    let content = call.read(move |tx, ctx| content::find(tx, ctx, &path)).await?;
    Ok(Single(ContentAnswer(content)))
}

/// Replaces the content of a version that is a draft or cancelled.
///
/// Any other status fails with 409, and `details.status` names it. Blocks without an id are given one.
/// Actions must be actions of the page, and addresses must be http or https URLs; otherwise the request
/// fails with 400. A cancelled version can be published at once when it has content.
#[endpoint]
pub(crate) async fn update_audience_version_content(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    if_match: IfMatch,
    Body(content): Body<Content>,
) -> Result<Reply<ContentAnswer>> {
    let path = (page_id, audience_id, version_id);
    let of = path.clone();
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| content::find(tx, ctx, &of);
    let precondition = if_match.precondition(&call, read, Ok).await?;
    call.change(move |tx, ctx| content::update(tx, ctx, &path, &content, &precondition).map(ContentAnswer))
        .await
}

/// How far the generation of a version is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "status": "processing",
    "step": "writing",
    "blocks": 3,
    "tries": 1,
    "updatedAt": "2026-03-20T09:30:12.250Z",
    "problem": null,
    "unappliedInstructions": [],
    "usage": example::<VersionUsage>(),
}))]
pub(crate) struct VersionProgress {
    /// Id of the version.
    version_id: VersionId,
    /// Status of the version.
    status: VersionStatus,
    /// What is being done while the version is processed: `reading`, `planning`, `writing`, `checking`, or
    /// `again` after a failed try.
    step: Option<String>,
    /// Number of blocks that are finished.
    blocks: u64,
    /// How often generation was started.
    tries: i64,
    /// When this was last noted.
    updated_at: Option<Timestamp>,
    /// Why the last try failed, or why the template wrote although a model is configured.
    problem: Option<String>,
    /// Instructions of the brief that the page agent did not understand, once the version is written.
    unapplied_instructions: Vec<String>,
    /// What was used of a model, if one was asked.
    usage: Option<VersionUsage>,
}

/// What all tries at a version used of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "writtenBy": "openai",
    "model": "gpt-5-mini",
    "inputTokens": 1834,
    "outputTokens": 2210,
    "costMicros": 4878,
}))]
pub(crate) struct VersionUsage {
    /// What wrote the version last: `template`, `openai` or `anthropic`.
    written_by: String,
    /// Name of the model that wrote it.
    model: Option<String>,
    /// Tokens that the model read.
    input_tokens: u64,
    /// Tokens that the model wrote.
    output_tokens: u64,
    /// Cost, in millionths of the operator's currency.
    cost_micros: u64,
}

impl VersionUsage {
    fn of(writing: &Writing) -> Option<VersionUsage> {
        let was_asked = writing.model.is_some() || writing.used != Used::default();
        was_asked.then(|| VersionUsage {
            written_by: writing.kind.as_str().to_owned(),
            model: writing.model.clone(),
            input_tokens: writing.used.input_tokens,
            output_tokens: writing.used.output_tokens,
            cost_micros: writing.used.cost.micros(),
        })
    }
}

impl VersionProgress {
    /// Whether nothing will change without somebody asking for it.
    fn is_final(&self) -> bool {
        !self.status.is_unfinished()
    }
}

async fn poll(call: &Call, path: &VersionPath) -> Result<VersionProgress> {
    let path = path.clone();
    call.point_read(move |tx, ctx| {
        let version = versions::find(tx, ctx, &path)?;
        let progress = match version.life.status {
            VersionStatus::Queued | VersionStatus::Processing => {
                generations::progress(tx, &ctx.tenant, &version.version_id)?
            }
            _ => None,
        };
        let outcome = match &progress {
            Some(progress) => Outcome { blocks: progress.blocks, ..Outcome::default() },
            None => content::outcome(tx, ctx, &version.version_id)?,
        };
        let writing = tables::versions::writings::find(tx, &ctx.tenant, &version.version_id)?;
        Ok(VersionProgress {
            version_id: version.version_id,
            status: version.life.status,
            step: progress.as_ref().and_then(|progress| progress.step.clone()),
            blocks: outcome.blocks,
            unapplied_instructions: outcome.unapplied_instructions,
            tries: version.life.tries,
            updated_at: progress.map(|progress| progress.updated_at),
            usage: writing.as_ref().and_then(VersionUsage::of),
            problem: writing.and_then(|writing| writing.problem),
        })
    })
    .await
}

/// After how many seconds a tenant may try again that has too many streams open.
const RETRY_AFTER: u32 = 5;

/// Progress as JSON or as a stream of events, whichever the caller accepts.
pub(crate) struct ProgressAnswer {
    progress: VersionProgress,
    call: Call,
    path: VersionPath,
}

/// Returns how far the generation of a version is, once or as a stream.
///
/// With `Accept: text/event-stream` the answer is a stream of server-sent events called `progress`: one at
/// once and one after every change, until the generation has ended or the key is no longer valid. A tenant
/// may have 100 streams open on a server, unless the operator sets another limit; one more fails with 429.
#[endpoint]
pub(crate) async fn get_audience_version_progress(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
) -> Result<ProgressAnswer> {
    let path = (page_id, audience_id, version_id);
    let progress = poll(&call, &path).await?;
    Ok(ProgressAnswer { progress, call, path })
}

impl IntoAnswer for ProgressAnswer {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Reply::<VersionProgress>::describe(operation, schemas);
        operation.takes_header(
            "Accept",
            "`text/event-stream` to get a stream of events instead of one answer.",
            "text/event-stream",
        );
        operation.streams(200, "event: progress\ndata: {\"status\":\"processing\",\"blocks\":3,…}\n\n");
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Payload>> {
        if !takes_events(context.headers) {
            return Reply::<VersionProgress>::of(&self.progress)?.into_answer(context);
        }
        let mut response = Response::new(events(self)?);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}

fn takes_events(request: &HeaderMap) -> bool {
    let accepted = request.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|form| {
        form.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream")
    })
}

/// An open stream of events.
struct ProgressStream {
    call: Call,
    path: VersionPath,
    /// What was sent last, or is sent next.
    known: VersionProgress,
    /// Whether that has still to be sent.
    is_unsent: bool,
    /// How many polls are left.
    polls: u32,
    ending: watch::Receiver<bool>,
    /// One of the streams that the tenant may have open.
    _permit: Permit<TenantId>,
}

/// An event now, and one with every change.
fn events(answer: ProgressAnswer) -> Result<Payload> {
    let ProgressAnswer { progress, call, path } = answer;
    let limit = call.state.settings.streams_per_tenant;
    let permit =
        call.state.streams.take(call.ctx.tenant.clone(), limit).ok_or_else(|| too_many(&call, limit))?;
    let ending = call.state.ending.subscribe();
    let open = ProgressStream {
        call,
        path,
        known: progress,
        is_unsent: true,
        polls: MAX_POLLS,
        ending,
        _permit: permit,
    };
    let events = stream::unfold(open, |mut open| async move {
        let sent = open.next().await?;
        Some((Ok::<_, Infallible>(sent), open))
    });
    Ok(Payload::from_stream(events))
}

fn too_many(call: &Call, limit: usize) -> Error {
    let limit = u32::try_from(limit).unwrap_or(u32::MAX);
    let resets_at = call.state.now().plus(Duration::from_secs(RETRY_AFTER.into()));
    let kind = Kind::Limited { limit, resets_at, retry_after: RETRY_AFTER };
    Error::new(kind, format!("The tenant has {limit} streams of events open already."))
}

impl ProgressStream {
    /// What is sent next; `None` where the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_unsent) {
            return Some(event(&self.known));
        }
        for _ in 0..KEEP_ALIVE_POLLS {
            if self.known.is_final() || self.polls == 0 {
                return None;
            }
            self.polls -= 1;
            tokio::select! {
                () = tokio::time::sleep(POLL_INTERVAL) => {}
                // The server stops, and closes the stream.
                _ = self.ending.wait_for(|ending| *ending) => return None,
            }
            // The key may have been revoked or have expired, the tenant been suspended.
            if !self.call.state.keys.still_admits(&self.call.caller, self.call.state.now()) {
                return None;
            }
            // Gone, or the database is away: whoever asks again is told why.
            let now = poll(&self.call, &self.path).await.ok()?;
            if now != self.known {
                self.known = now;
                return Some(event(&self.known));
            }
        }
        Some(Bytes::from_static(b": still there\n\n"))
    }
}

fn event(progress: &VersionProgress) -> Bytes {
    let data = serde_json::to_string(progress).unwrap_or_default();
    Bytes::from(format!("event: progress\ndata: {data}\n\n"))
}
