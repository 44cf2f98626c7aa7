//! Who writes the pages of a tenant: shown, chosen, and tried. Ours, beyond the contract.

use std::sync::Arc;

use pagesmith_endpoint::endpoint;
use pagesmith_model::agent::Used;
use pagesmith_model::{Error, Result};
use pagesmith_operations::agent::choice;
use pagesmith_operations::agent::trials::Trial;
use pagesmith_operations::agent::usages;
use pagesmith_operations::agent::{self, AgentView as TenantAgent, Writer};
use pagesmith_operations::context::TenantContext;
use pagesmith_store::Tx;
use tracing::Instrument;

use crate::extract::{Body, Call, IfMatch};
use crate::reply::{Reply, Single};
use view::{AgentView, SetAgentRequest, TryAgentRequest, TryView};

pub(crate) mod usage;
mod view;

/// How many trials a tenant may have under way on a server.
const TRIALS: usize = 2;
/// After how many seconds to try again if there are as many already.
const RETRY_AFTER: u32 = 5;

/// Returns the page agent of the tenant and its monthly budget.
///
/// `own` is the tenant's own agent; if it is null, `server` writes. The key of a model is never shown. Of two budgets the smaller counts.
#[endpoint]
pub(crate) async fn get_agent(call: Call) -> Result<Single<AgentView>> {
    let usual = call.state.settings.agent.clone();
    let shown = call.read({
        let usual = usual.clone();
        move |tx, ctx| agent::show(tx, &ctx.tenant, &usual)
    });
    Ok(Single(AgentView::of(shown.await?, &usual)))
}

/// Sets the page agent of the tenant and its monthly budget.
///
/// All fields are replaced, except for the key of a model, which stays as long as its address, its model and its prices do. It counts from the next version on. Limits can only
/// lower what the operator allows. An address that leads to a private network is refused unless the operator allows it. The change is
/// recorded in the audit.
#[endpoint]
pub(crate) async fn set_agent(
    call: Call,
    if_match: IfMatch,
    Body(wanted): Body<SetAgentRequest>,
) -> Result<Reply<AgentView>> {
    let choice = wanted.choice()?;
    let (usual, networks) = (call.state.settings.agent.clone(), call.state.settings.allowed_networks.clone());
    let read = {
        let usual = usual.clone();
        move |tx: &mut Tx<'_>, ctx: &TenantContext| agent::show(tx, &ctx.tenant, &usual)
    };
    let view = |shown: TenantAgent| Ok(AgentView::of(shown, &usual));
    let precondition = if_match.precondition(&call, read, view).await?;
    call.change(move |tx, ctx| {
        let shown = choice::set(tx, ctx, &choice, (&usual, &networks), &precondition)?;
        Ok(AgentView::of(shown, &usual))
    })
    .await
}

/// Tests the tenant's agent with a short text.
///
/// A model is asked once, for at most a few sentences, within the month's budget; what that uses is counted. The template composes a page of the text and
/// answers with its parts. Nothing is kept. If the agent does not answer, `problem` says why, and the call succeeds all the same.
#[endpoint]
pub(crate) async fn try_agent(call: Call, Body(wanted): Body<TryAgentRequest>) -> Result<Reply<TryView>> {
    let Some(trials) = call.state.trials.get().map(Arc::clone) else {
        return Err(Error::unavailable("This server tries no agents."));
    };
    let usual = call.state.settings.agent.clone();
    let permit = call.permit(&call.state.trials_in_flight, TRIALS, RETRY_AFTER, |limit| {
        format!("The tenant has {limit} trials under way already.")
    })?;
    let writer = call.read(move |tx, ctx| agent::writer(tx, ctx, &usual)).await?;
    let text = wanted.text;
    match writer {
        Writer::Template => {
            let composed = call.state.offload.run(Some(&call.ctx.tenant), move || trials.compose(&text));
            Reply::of(&TryView::template(composed.await?))
        }
        Writer::Spent => Reply::of(&TryView::refused("The budget of the month is used up.")),
        Writer::Locked => Reply::of(&TryView::refused(
            "The key of the model cannot be opened: the server has another key than when it was saved. Save it again.",
        )),
        Writer::Model { settings, left, owner } => {
            let trial = Trial { settings, left, owner, text };
            let (model, begun) = (trial.settings.model.clone(), call.state.now());
            // It is counted also where nobody waits for it any more.
            let of_trial = call.clone();
            let asking = async move {
                let _permit = permit;
                let outcome = trials.ask(&trial).await;
                count(&of_trial, outcome.used).await.map(|()| outcome)
            };
            let asking = tokio::spawn(asking.in_current_span());
            let outcome = asking.await.map_err(Error::internal)??;
            Reply::of(&TryView::model(model, outcome, (begun, call.state.now())))
        }
    }
}

/// Counts what a trial has used.
async fn count(call: &Call, used: Used) -> Result<()> {
    let ctx = Arc::clone(&call.ctx);
    call.store().write(move |tx| usages::count(tx, &ctx, &used)).await
}
