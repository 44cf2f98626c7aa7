//! Summaries of what was read, by the tenant's model where there is one.
//!
//! It is asked once, in little time, while the lease of the reading lasts; a text that is read again is summed up again. Whatever goes wrong, the summary
//! that needs no model stays. So that a slow model keeps the reading of others from little: few are asked at the same time, and one that did
//! not answer rests. Invariant: what was used is noted, whatever becomes of the reading.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pagesmith_agent::AgentError;
use pagesmith_agent::llm::plain::PlainModel;
use pagesmith_agent::llm::summing;
use pagesmith_model::{RequestId, Result};
use pagesmith_operations::agent::{self, Writer};
use pagesmith_operations::topics::readings::{Claimed, Facts};
use pagesmith_operations::topics::summaries;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::generation::UsedSoFar;
use crate::tools::Tools;

/// How long a summary is waited for; the lease of a reading lasts much longer.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(8);
/// The most tokens of a summary. Models that think before they answer need most of them for that.
const LONGEST: u64 = 800;
/// How long a model that did not answer in time writes no summaries.
const RETRY_DELAY: Duration = Duration::from_secs(60);
/// How many summaries are written at the same time; what is read beside them is summed up without a model.
static PERMITS: Semaphore = Semaphore::const_new(4);

/// What a reading has used of a model, if one was asked.
pub(super) type Noted = OnceLock<UsedSoFar>;

/// Replaces the summary of what was read by the one of the tenant's model, if there is one and the caller gave none.
pub(super) async fn sum_up(tools: &Tools, claimed: &Claimed, facts: &mut Facts, noted: &Noted) {
    match written(tools, claimed, facts, noted).await {
        Ok(Some(summary)) => facts.found.ai_summary = Some(summary),
        Ok(None) => {}
        Err(error) => {
            let entry = claimed.of.topic_entry_id.as_str();
            let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
            tracing::warn!(entry, request_id, %error, "cannot find out the model of summaries");
        }
    }
}

async fn written(tools: &Tools, claimed: &Claimed, facts: &Facts, noted: &Noted) -> Result<Option<String>> {
    if claimed.has_summary {
        return Ok(None);
    }
    let models = &tools.generation.models;
    let (ctx, usual) = (tools.context().of(claimed.of.tenant.clone()), models.usual.clone());
    let writer = tools.store.read(move |tx| agent::writer(tx, &ctx, &usual)).await?;
    let Writer::Model { settings, left, owner } = writer else { return Ok(None) };
    let now = tools.platform.clock().now();
    if models.cooldowns.is_cooling_down(&owner, now) {
        return Ok(None);
    }
    let Ok(_permit) = PERMITS.try_acquire() else { return Ok(None) };
    let of_model = models.for_text(&settings, left.unwrap_or(u64::MAX), LONGEST);
    let model = PlainModel::new(of_model, Arc::clone(&models.gateway));
    let question = summing::question(&facts.text);
    let used = noted.get_or_init(|| UsedSoFar::at(settings.prices));
    let said = timeout(TIME_LIMIT, model.ask(&question, used))
        .await
        .unwrap_or_else(|_| Err(AgentError::retry(Some(RETRY_DELAY), "The model did not sum up in time.")));
    let error = match said {
        Ok(said) => {
            models.metrics.summed("written", &used.now());
            return Ok(summaries::checked(&said, &facts.text));
        }
        Err(error) => error,
    };
    models.metrics.summed("failed", &used.now());
    let entry = claimed.of.topic_entry_id.as_str();
    let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
    tracing::warn!(entry, request_id, %error, "a model did not sum up what was read");
    models.cooldowns.note_asked(&owner, now, &error);
    Ok(None)
}
