//! One try at writing a version.
//!
//! It ends in one word to the database, which counts only while the lease is this worker's: finished, failed, or handed back. What was
//! used of a model is noted with that word, and counts in any case.

use std::time::Duration;

use pagesmith_agent::{AgentError, Fault};
use pagesmith_model::brief::MOST_LOGS;
use pagesmith_model::{Error, Kind, RequestId, Result, TenantId};
use pagesmith_operations::agent;
use pagesmith_operations::agent::usages::{self, Tally};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::publishing;
use pagesmith_operations::versions::briefing::knowledge::{self, Subjects};
use pagesmith_operations::versions::briefing::{self, Material};
use pagesmith_operations::versions::generations::{self, Claimed, GenerationOutcome};
use pagesmith_store::Tx;
use pagesmith_store::tables::knowledge::chunks::FoundChunk;
use pagesmith_store::tables::versions;
use pagesmith_store::tables::versions::generations::QueuedVersion;
use tokio::sync::watch;
use tracing::Instrument;

use crate::generation::brief;
use crate::generation::writing::{Try, WritingEnd};
use crate::tools::Tools;
use crate::tools::generation::metrics::TryEnd;
use crate::tools::generation::models::LONGEST_REST;

/// How long a version rests after its first failed try; after the second, five times as long.
const RETRY_DELAY: Duration = Duration::from_secs(2);
/// The same where a model was asked: whatever ails its server lasts longer.
const REST_OF_MODEL: Duration = Duration::from_secs(10);
/// How often the last word is said while the database is away.
const REPEATED: u32 = 5;

/// Writes a claimed version, unless it is called off or the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
    let version = claimed.of.version_id.to_string();
    let request_id = claimed.of.request_id.clone();
    let request_id = request_id.as_ref().map(RequestId::as_str);
    let _in_flight = tools.generation.metrics.begin();
    let span = tracing::info_span!(
        target: "span",
        parent: None,
        "write version",
        tenant = claimed.of.tenant.as_str(),
        version,
        request_id,
    );
    match try_once(&tools, &claimed, stop).instrument(span).await {
        Ok(GenerationOutcome::Kept) => {}
        Ok(GenerationOutcome::Lost) => {
            tracing::info!(version, request_id, "a version was taken from its worker");
        }
        // Its lease ends, and then it is tried again.
        Err(error) => tracing::warn!(version, request_id, %error, "a version was left unfinished"),
    }
}

async fn try_once(
    tools: &Tools,
    claimed: &Claimed,
    stop: watch::Receiver<bool>,
) -> Result<GenerationOutcome> {
    let of = claimed.of.clone();
    let most = i64::try_from(MOST_LOGS).unwrap_or(i64::MAX);
    let usual = tools.generation.models.usual.clone();
    let ctx = context(tools, &of);
    let gathered = tools.store.read(move |tx| {
        let Some(material) = briefing::gather(tx, &of, most)? else { return Ok(None) };
        let noted = versions::writings::find(tx, &of.tenant, &of.version_id)?.is_some();
        Ok(Some((material, agent::writer(tx, &ctx, &usual)?, noted)))
    });
    let Some((material, writer, noted)) = gathered.await? else {
        // Nobody can read what would be written under a deleted page.
        return say(tools, claimed, None, |tx, ctx, claimed| generations::fail(tx, ctx, claimed, None)).await;
    };
    let tries = material.version.life.tries;
    let knowledge = known(tools, &claimed.of.tenant, &material).await?;
    let brief = brief::of(material, knowledge)?;
    let mut this = Try::new(tools, claimed, &brief, stop);
    let ended = this.run(&writer).await;
    this.measure(match &ended {
        WritingEnd::Written(Ok(_)) => TryEnd::Written,
        WritingEnd::Written(Err(_)) => TryEnd::Failed,
        WritingEnd::Lost | WritingEnd::Stopped => TryEnd::Dropped,
    });
    let failure = match ended {
        WritingEnd::Lost => {
            let tally = this.tally(None, false);
            return say(tools, claimed, tally, |_, _, _| Ok(GenerationOutcome::Lost)).await;
        }
        WritingEnd::Stopped => {
            return say(tools, claimed, this.tally(None, noted), generations::hand_back).await;
        }
        WritingEnd::Written(Ok(draft)) => {
            match generations::ready(&tools.context(), &draft.content, &brief.actions) {
                Ok(content) => {
                    let finish = move |tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed| {
                        publishing::finish(tx, ctx, claimed, &content)
                    };
                    return say(tools, claimed, this.tally(None, noted), finish).await;
                }
                Err(error) => AgentError::retry(None, format!("What was written breaks rules: {error}.")),
            }
        }
        WritingEnd::Written(Err(error)) => error,
    };
    failed(tools, claimed, tries, &failure, &this, noted).await
}

/// What the tenant knows about what the version is about. It is a search of its own, which may take longer than the rest.
pub(crate) async fn known(tools: &Tools, tenant: &TenantId, material: &Material) -> Result<Vec<FoundChunk>> {
    if !material.has_knowledge {
        return Ok(Vec::new());
    }
    let (subjects, store) = (Subjects::of(material), tools.store.for_tenant(tenant));
    let tenant = tenant.clone();
    store.search(move |tx| knowledge::find(tx, &tenant, &subjects)).await
}

async fn failed(
    tools: &Tools,
    claimed: &Claimed,
    tries: i64,
    error: &AgentError,
    this: &Try<'_>,
    noted: bool,
) -> Result<GenerationOutcome> {
    let version = claimed.of.version_id.as_str();
    let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
    tracing::warn!(version, request_id, tries, %error, "a version could not be written");
    let now = tools.platform.clock().now();
    let asked = match error.fault {
        Fault::Retry(asked) => asked.unwrap_or_default().min(LONGEST_REST),
        Fault::Permanent | Fault::Budget | Fault::TooLittle(_) => Duration::ZERO,
    };
    let rest = match this.owner() {
        Some(owner) => {
            tools.generation.models.cooldowns.note_asked(owner, now, error);
            REST_OF_MODEL
        }
        None => RETRY_DELAY,
    };
    let rest = if tries > 1 { rest * 5 } else { rest };
    let again = error.is_passing().then_some(now.plus(asked.max(rest)));
    let fail = move |tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed| {
        generations::fail(tx, ctx, claimed, again)
    };
    say(tools, claimed, this.tally(Some(error), noted), fail).await
}

/// The context of a version's generation: the worker acts, and the request that queued the version is the cause.
pub(super) fn context(tools: &Tools, of: &QueuedVersion) -> TenantContext {
    tools.context_of(&of.tenant, of.request_id.as_ref())
}

/// Says the last word; again if the database is away for a moment.
async fn say<F>(tools: &Tools, claimed: &Claimed, tally: Option<Tally>, word: F) -> Result<GenerationOutcome>
where
    F: Fn(&mut Tx<'_>, &TenantContext, &Claimed) -> Result<GenerationOutcome> + Clone + Send + 'static,
{
    let mut said = 0;
    loop {
        let (claimed, word, tally) = (claimed.clone(), word.clone(), tally.clone());
        let ctx = context(tools, &claimed.of);
        let outcome: Result<GenerationOutcome, Error> = tools
            .store
            .write(move |tx| {
                let outcome = word(tx, &ctx, &claimed)?;
                if let Some(tally) = &tally {
                    usages::record(tx, &ctx, (&claimed.of, &claimed.lease), tally)?;
                }
                Ok(outcome)
            })
            .await;
        match outcome {
            Err(error) if matches!(error.kind(), Kind::Unavailable(_)) && said < REPEATED => {
                said += 1;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            outcome => return outcome,
        }
    }
}
