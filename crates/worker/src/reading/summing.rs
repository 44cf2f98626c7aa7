//! Summaries of what was read, by the tenant's model where there is one.
//!
//! It is asked once, in little time, while the lease of the reading lasts; a text that is read again is summed up again. Whatever goes wrong, the summary
//! that needs no model stays. So that a slow model keeps the reading of others from little: few are asked at the same time, and one that did
//! not answer rests. Invariant: what was used is noted, whatever becomes of the reading.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pagesmith_agent::llm::plain::{PlainModel, PlainWatch};
use pagesmith_agent::llm::summing;
use pagesmith_agent::{AgentError, Fault, Usage};
use pagesmith_model::Result;
use pagesmith_model::agent::{Prices, Used};
use pagesmith_operations::tenants::agents::{self, Writer};
use pagesmith_operations::topics::readings::{Claimed, Facts};
use pagesmith_operations::topics::summaries;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::tools::Tools;

/// How long a summary is waited for; the lease of a reading lasts much longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(8);
/// The most tokens of a summary. Models that think before they answer need most of them for that.
const LONGEST: u64 = 800;
/// How long a model that did not answer in time writes no summaries, and the longest that its server can ask for.
const REST: Duration = Duration::from_secs(60);
const LONGEST_REST: Duration = Duration::from_secs(15 * 60);
/// How many summaries are written at the same time; what is read beside them is summed up without a model.
static PLACES: Semaphore = Semaphore::const_new(4);

/// What a reading has used of models.
#[derive(Debug, Default)]
pub(super) struct Noted(Mutex<Used>);

impl Noted {
    pub(super) fn used(&self) -> Used {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replaces the summary of what was read by the one of the tenant's model, if there is one and the caller gave none.
pub(super) async fn sum_up(tools: &Tools, claimed: &Claimed, facts: &mut Facts, noted: &Noted) {
    match written(tools, claimed, facts, noted).await {
        Ok(Some(summary)) => facts.found.ai_summary = Some(summary),
        Ok(None) => {}
        Err(error) => {
            let entry = claimed.of.topic_entry_id.as_str();
            tracing::warn!(entry, %error, "it was not found out which model sums up");
        }
    }
}

async fn written(tools: &Tools, claimed: &Claimed, facts: &Facts, noted: &Noted) -> Result<Option<String>> {
    if claimed.has_summary {
        return Ok(None);
    }
    let models = &tools.generation.models;
    let (ctx, usual) = (tools.context().of(claimed.of.tenant.clone()), models.usual.clone());
    let writer = tools.store.read(move |tx| agents::writer(tx, &ctx, &usual)).await?;
    let Writer::Model { settings, left, owner } = writer else { return Ok(None) };
    let now = tools.platform.clock().now();
    if models.cooldowns.is_cooling_down(&owner, now) {
        return Ok(None);
    }
    let Ok(_place) = PLACES.try_acquire() else { return Ok(None) };
    let of_model = models.for_text(&settings, left.unwrap_or(u64::MAX), LONGEST);
    let model = PlainModel::new(of_model, Arc::clone(&models.gateway));
    let (question, noting) = (summing::question(&facts.text), Noting { noted, prices: settings.prices });
    let said = timeout(PATIENCE, model.ask(&question, &noting))
        .await
        .unwrap_or_else(|_| Err(AgentError::retry(Some(REST), "The model did not sum up in time.")));
    let error = match said {
        Ok(said) => {
            models.metrics.summed("written", &noted.used());
            return Ok(summaries::checked(&said, &facts.text));
        }
        Err(error) => error,
    };
    models.metrics.summed("failed", &noted.used());
    let entry = claimed.of.topic_entry_id.as_str();
    tracing::warn!(entry, %error, "a model did not sum up what was read");
    if let Fault::Retry(Some(asked)) = error.fault {
        models.cooldowns.note(&owner, now.plus(asked.min(LONGEST_REST)));
    }
    Ok(None)
}

/// Notes what is used while a model writes.
struct Noting<'a> {
    noted: &'a Noted,
    prices: Prices,
}

impl PlainWatch for Noting<'_> {
    fn text(&self, _: &str) {}

    fn used(&self, Usage { input_tokens, output_tokens }: Usage) {
        let cost = self.prices.cost(input_tokens, output_tokens);
        *self.noted.0.lock().unwrap_or_else(PoisonError::into_inner) =
            Used { input_tokens, output_tokens, cost };
    }
}
