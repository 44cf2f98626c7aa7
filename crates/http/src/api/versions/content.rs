//! What a version says, and how far it has come: operations of ours beyond the contract.

use std::convert::identity;
use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::agent::Used;
use pagesmith_model::content::Content;
use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, PageId, Result, Timestamp, VersionId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::versions::content::{self, SavedContent};
use pagesmith_operations::versions::{self, VersionPath};
use pagesmith_store::Tx;
use pagesmith_store::tables;
use pagesmith_store::tables::versions::generations;
use pagesmith_store::tables::versions::writings::Writing;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::{Body, Call, IfMatch, Path};
use crate::reply::{Reply, Single};
use crate::watched::{Watched, WatchedAnswer};

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
    let precondition = if_match.of(&call, &path, content::find, identity).await?;
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
    /// Instructions of the brief that the page agent did not understand, and sentences that it kept back because nothing shows
    /// that they are for visitors; once the version is written.
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

impl Watched for VersionProgress {
    type Of = VersionPath;
    const EVENT: &'static str = "progress";
    const EXAMPLE: &'static str = "{\"status\":\"processing\",\"blocks\":3,…}";
    const INTERVAL: Duration = Duration::from_millis(500);

    async fn read(call: &Call, path: &VersionPath) -> Result<VersionProgress> {
        let path = path.clone();
        call.point_read(move |tx, ctx| progress(tx, ctx, &path)).await
    }

    fn is_final(&self) -> bool {
        !self.status.is_unfinished()
    }
}

fn progress(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<VersionProgress> {
    let version = versions::find(tx, ctx, path)?;
    let progress = match version.life.status {
        VersionStatus::Queued | VersionStatus::Processing => {
            generations::progress(tx, &ctx.tenant, &version.version_id)?
        }
        _ => None,
    };
    let outcome = match &progress {
        Some(progress) => SavedContent { blocks: progress.blocks, ..SavedContent::default() },
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
}

/// Returns the progress of the generation of a version, once or as a stream.
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
) -> Result<WatchedAnswer<VersionProgress>> {
    WatchedAnswer::read(call, (page_id, audience_id, version_id)).await
}
