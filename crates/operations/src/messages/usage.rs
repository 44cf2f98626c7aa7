//! What carrying messages out has used of models, by messages and in the tenant's month.
//!
//! It is noted in the transaction that keeps an answer, or gives it up. Invariant: an attempt counts once, whether its worker was still wanted or
//! not, and however often the worker says its last word.

use pagesmith_model::agent::{AgentKind, Used, month_of};
use pagesmith_model::json::JsonText;
use pagesmith_model::message::MessageUsage;
use pagesmith_model::{AudienceId, Error, LeaseId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::{agent, messages};

use crate::context::TenantContext;

/// What one attempt to carry a message out came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its own id.
    pub id: LeaseId,
    /// What was asked.
    pub kind: AgentKind,
    /// The model.
    pub model: String,
    /// What was used.
    pub used: Used,
}

/// Notes what an attempt has used, unless that was done.
pub fn record(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience_id: &AudienceId,
    number: i64,
    attempt: &Attempt,
) -> Result<()> {
    if attempt.used == Used::default() {
        return Ok(());
    }
    let before = messages::usage(tx, &ctx.tenant, audience_id, number)?;
    let before: Option<MessageUsage> =
        before.map(|text| serde_json::from_str(text.as_str()).map_err(Error::internal)).transpose()?;
    if before.as_ref().is_some_and(|before| before.attempt == attempt.id.as_str()) {
        return Ok(());
    }
    let sum = |of: fn(&MessageUsage) -> u64, more: u64| before.as_ref().map_or(0, of).saturating_add(more);
    let usage = MessageUsage {
        attempt: attempt.id.to_string(),
        asked: attempt.kind.as_str().to_owned(),
        model: attempt.model.clone(),
        input_tokens: sum(|usage| usage.input_tokens, attempt.used.input_tokens),
        output_tokens: sum(|usage| usage.output_tokens, attempt.used.output_tokens),
        cost_micros: sum(|usage| usage.cost_micros, attempt.used.cost.micros()),
    };
    let kept = vec![
        messages::set_usage(&ctx.tenant, audience_id, number, &JsonText::of(&usage)?),
        agent::usages::add(&ctx.tenant, &month_of(ctx.now), &attempt.used, ctx.now),
    ];
    tx.batch(kept)?;
    Ok(())
}
